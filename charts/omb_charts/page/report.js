"use strict";
(() => {
  const page = JSON.parse(document.getElementById("data").textContent);
  const charts = new Map(page.charts.map((chart) => [chart.id, chart]));
  // Each workload's charts are parsed when the first of them is drawn: those of thousands of runs take seconds.
  const load = (element) => {
    const embedded = element.closest("details.group")?.querySelector("script.charts");
    if (embedded) {
      JSON.parse(embedded.textContent).forEach((chart) => charts.set(chart.id, chart));
      embedded.remove();
    }
  };
  const drawn = new Map(); // element id -> chart id
  const root = document.documentElement;
  const settings = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["lasso2d", "select2d"] };

  // Theme: the system's, unless the reader has chosen; printed pages are light.
  const stored = () => { try { return localStorage.getItem("omb-charts-theme"); } catch { return null; } };
  const store = (theme) => { try { localStorage.setItem("omb-charts-theme", theme); } catch { /* not kept */ } };
  const preferred = matchMedia("(prefers-color-scheme: dark)");
  let theme = stored() ?? (preferred.matches ? "dark" : "light");

  const colour = (value) => (theme === "dark" ? page.dark[value] ?? value : value);
  const recoloured = (trace) => ({
    ...trace,
    ...(trace.line && { line: { ...trace.line, color: colour(trace.line.color) } }),
    // With its transparency behind the colour.
    ...(trace.fillcolor && { fillcolor: colour(trace.fillcolor.slice(0, 7)) + trace.fillcolor.slice(7) }),
    ...(trace.marker && { marker: { ...trace.marker, color: colour(trace.marker.color) } }),
  });
  const style = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const axis = (given) => given && ({ ...given, gridcolor: style("--line"), zerolinecolor: style("--line"), linecolor: style("--muted") });
  const themed = (layout) => ({
    ...layout,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: style("--text"), size: 12, family: "system-ui, DejaVu Sans, sans-serif" },
    xaxis: axis(layout.xaxis),
    yaxis: axis(layout.yaxis),
  });
  // On a narrow page there is no room beside bars, and legends need several lines.
  const longer = ([from, to]) => [from, to + 0.3 * (to - from)];
  const fitted = (layout) => (layout.barmode
    ? { ...layout, yaxis: { ...layout.yaxis, tickfont: { size: 9 } }, xaxis: { ...layout.xaxis, nticks: 4, range: longer(layout.xaxis.range) } }
    : { ...layout, height: layout.height + 60, legend: { ...layout.legend, y: -0.4 } });

  const draw = (element, id) => {
    load(element);
    const chart = charts.get(id);
    drawn.set(element.id, id);
    const narrow = element.clientWidth < 440;
    const layout = themed(chart.layout);
    return Plotly.react(element, chart.data.map(recoloured), narrow ? fitted(layout) : layout, settings);
  };

  const show = (chosen) => {
    theme = chosen;
    root.dataset.theme = chosen;
    return Promise.all([...drawn].map(([element, id]) => draw(document.getElementById(element), id)));
  };
  show(theme);
  document.getElementById("theme").addEventListener("click", () => {
    show(theme === "dark" ? "light" : "dark");
    store(theme);
  });
  preferred.addEventListener("change", (event) => { if (!stored()) show(event.matches ? "dark" : "light"); });
  let before = theme;
  addEventListener("beforeprint", () => {
    before = theme;
    document.querySelectorAll("details[open] .chart[id]").forEach((element) => { load(element); if (charts.has(element.id)) draw(element, element.id); });
    show("light");
  });
  addEventListener("afterprint", () => show(before));

  // A chart is drawn when it comes near the screen: hundreds of them would keep the page from opening.
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting && !drawn.has(entry.target.id)) {
        near.unobserve(entry.target);
        draw(entry.target, entry.target.id);
      }
    }
  }, { rootMargin: "400px" });
  document.querySelectorAll(".grid .chart").forEach((element) => near.observe(element));

  const metric = document.getElementById("metric");
  if (metric) {
    const overview = document.getElementById("overview");
    const choose = () => { Plotly.purge(overview); draw(overview, metric.value); };
    metric.addEventListener("change", choose);
    choose();
  }

  // The table: words filter, heads sort.
  const body = document.querySelector("#table tbody");
  const rows = [...body.rows];
  const shown = document.getElementById("shown");
  const filter = document.getElementById("filter");
  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      left += row.hidden ? 0 : 1;
    }
    shown.textContent = `${left} of ${rows.length}`;
  };
  filter.addEventListener("input", apply);
  apply();

  const heads = [...document.querySelectorAll("#table th")];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const descending = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const key = (row) => row.cells[column].dataset.key;
    const numbers = rows.every((row) => key(row) !== "" && Number.isFinite(Number(key(row))));
    const order = numbers ? (a, b) => Number(key(a)) - Number(key(b)) : (a, b) => key(a).localeCompare(key(b));
    body.append(...[...rows].sort((a, b) => (descending ? -order(a, b) : order(a, b))));
  }));

  // A run's configuration is written when its fold is opened: most runs have most of it in common.
  let configurations;
  document.querySelectorAll("details.run").forEach((fold) => fold.addEventListener("toggle", () => {
    const place = fold.querySelector(".configuration:empty");
    if (!place || !fold.open) return;
    configurations ??= JSON.parse(document.getElementById("configurations").textContent);
    for (const [name, text] of configurations.runs[place.dataset.run]) {
      place.append(Object.assign(document.createElement("h4"), { textContent: name }));
      place.append(Object.assign(document.createElement("pre"), { textContent: configurations.texts[text] }));
    }
  }));

  // A link to a run opens its fold.
  const open = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) { target.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", open);
  open();
})();
