"use strict";
(() => {
  const find = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const parsed = (id) => JSON.parse(document.getElementById(id).textContent);
  const page = parsed("data");
  const root = document.documentElement;
  const drawn = new Map(); // element -> its chart
  const busy = new WeakMap(); // element -> when it will have been drawn
  // Without a pointer that hovers, the toolbar would always cover the chart.
  const toolbar = matchMedia("(hover: hover)").matches ? "hover" : false;
  const settings = { responsive: true, displaylogo: false, displayModeBar: toolbar, modeBarButtonsToRemove: ["lasso2d", "select2d", "sendChartToCloud"] };
  // More systems than this are cut to that many: more lines cannot be told apart.
  const MOST_SHOWN = 10;
  const ANSWERS = 3;

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
    opacity: pinned && trace.meta !== pinned ? 0.12 : 1,
  });
  const style = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const axis = (given) => ({ ...given, gridcolor: style("--line"), zerolinecolor: style("--line"), linecolor: style("--muted") });
  const themed = (layout) => ({
    ...layout,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: style("--text"), size: 12, family: "system-ui, DejaVu Sans, sans-serif" },
    xaxis: axis(layout.xaxis),
    yaxis: axis(layout.yaxis),
  });

  // The systems that the table shows of the chosen workload, in its order, are those of its charts.
  let block = 0;
  let systems = new Map(); // name -> place
  let pinned = null; // the system that stands out

  const ofSystems = (chart) => {
    const data = chart.data.filter((trace) => systems.has(trace.meta)).sort((a, b) => systems.get(a.meta) - systems.get(b.meta));
    const layout = { ...chart.layout, shapes: chart.layout.shapes?.filter((shape) => systems.has(shape.name)) };
    if (chart.rowPx) {
      const names = data.map((trace) => trace.y[0]);
      const height = layout.height + (names.length - layout.yaxis.categoryarray.length) * chart.rowPx;
      Object.assign(layout, { height, yaxis: { ...layout.yaxis, categoryarray: names, tickvals: names, ticktext: names, range: [names.length - 0.4, -0.6] } });
    }
    return { data, layout };
  };
  // On a narrow page there is no room for many labels, nor for long ones.
  const short = (labels) => labels?.map((label) => label.replace(/ %$/, ""));
  const fitted = (layout) => ({ ...layout, xaxis: { ...layout.xaxis, nticks: 4, ticktext: short(layout.xaxis.ticktext), tickfont: { size: 10 }, automargin: true, title: { ...layout.xaxis.title, standoff: 6 } }, yaxis: { ...layout.yaxis, tickfont: { size: 10 } } });

  const draw = (element) => {
    const chart = drawn.get(element);
    const { data, layout } = element.id === "overview" ? chart : ofSystems(chart);
    const shown = themed(layout);
    const done = Plotly.react(element, data.map(recoloured), element.clientWidth < 440 ? fitted(shown) : shown, settings);
    busy.set(element, done);
    return done;
  };
  const redraw = () => Promise.all([...drawn.keys()].map(draw));

  // A chart is drawn when it comes near the screen: dozens of them would keep the page from opening.
  const waiting = new Map();
  const begin = (element) => {
    near.unobserve(element);
    drawn.set(element, waiting.get(element));
    waiting.delete(element);
    return draw(element);
  };
  const near = new IntersectionObserver((entries) => {
    entries.filter((entry) => entry.isIntersecting && waiting.has(entry.target)).forEach((entry) => begin(entry.target));
  }, { rootMargin: "400px" });

  const place = (grid, charts) => {
    all(".chart", grid).forEach((element) => {
      near.unobserve(element);
      waiting.delete(element);
      if (drawn.delete(element)) busy.get(element).then(() => Plotly.purge(element));
    });
    grid.replaceChildren(...charts.map((chart) => {
      const figure = document.createElement("figure");
      const element = Object.assign(document.createElement("div"), { className: "chart" });
      element.style.minHeight = `${ofSystems(chart).layout.height}px`;
      figure.append(Object.assign(document.createElement("figcaption"), { textContent: chart.title }), element);
      waiting.set(element, chart);
      near.observe(element);
      return figure;
    }));
  };

  const standOut = (name) => { pinned = name; all("#legend button").forEach((chip) => chip.setAttribute("aria-pressed", chip.dataset.system === name)); return redraw(); };
  const chipOf = (row) => {
    const chip = Object.assign(document.createElement("button"), { type: "button", className: row.className });
    chip.dataset.system = row.dataset.system;
    chip.style.cssText = row.style.cssText;
    chip.setAttribute("aria-pressed", row.dataset.system === pinned);
    chip.append(find(".mark", row).cloneNode(true), row.dataset.system);
    chip.addEventListener("click", () => standOut(pinned === row.dataset.system ? null : row.dataset.system));
    return chip;
  };

  const choose = (number) => {
    block = number;
    find("#block").value = number;
    const charts = parsed(`block-${number}`);
    const grids = [find("#answers"), find("#more .grid")];
    grids.forEach((grid) => place(grid, []));
    show();
    place(grids[0], charts.slice(0, ANSWERS));
    place(grids[1], charts.slice(ANSWERS));
    find("#more").hidden = charts.length <= ANSWERS;
  };

  // Tables: heads sort, the best or the lowest first; rows without a figure to rely on stay last.
  const key = (row, column) => row.cells[column].dataset.key;
  const sorted = (rows, column, descending) => {
    const numbers = rows.every((row) => Number.isFinite(Number(key(row, column))));
    const compare = numbers ? (a, b) => Number(key(a, column)) - Number(key(b, column)) : (a, b) => key(a, column).localeCompare(key(b, column));
    const last = (row) => [row, row.cells[column]].some((part) => part.matches(".invalid, .vague")) + 2 * (key(row, column) === "");
    return [...rows].sort((a, b) => last(a) - last(b) || (descending ? -compare(a, b) : compare(a, b)));
  };
  const matches = (row, words) => words.every((word) => row.textContent.toLowerCase().includes(word));
  const wordsOf = (input) => input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const onHeads = (table, heads, sort) => heads.forEach((head, column) => find("button", head)?.addEventListener("click", () => {
    const before = head.getAttribute("aria-sort");
    const descending = before ? before === "ascending" : Number(find("button", head).dataset.better) > 0;
    all("th", table).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    sort(column, descending);
  }));

  const blocks = all("#matrix tbody").map((body) => ({ body, rows: [...body.rows].slice(1) }));
  const most = find("#most");
  const which = find("#which");
  const show = () => {
    const words = wordsOf(which);
    const limit = Number(most.value) || Infinity;
    blocks.forEach(({ rows }) => {
      let left = limit;
      rows.forEach((row) => { row.hidden = !matches(row, words) || left-- <= 0; });
    });
    const shown = blocks[block].rows.filter((row) => !row.hidden);
    systems = new Map(shown.map((row, place) => [row.dataset.system, place]));
    if (!systems.has(pinned)) pinned = null;
    find("#left").textContent = `${shown.length} of ${blocks[block].rows.length} systems`;
    find("#legend").replaceChildren(...(shown.length > 1 || words.length ? shown : []).map(chipOf));
    return redraw();
  };
  all("#matrix table").forEach((table) => onHeads(table, all("thead th", table), (column, descending) => {
    blocks.forEach((each) => { each.rows = sorted(each.rows, column, descending); each.body.append(...each.rows); });
    show();
  }));
  const largest = Math.max(...blocks.map(({ rows }) => rows.length));
  find("#systems").hidden = largest <= 5;
  most.value = largest > MOST_SHOWN ? MOST_SHOWN : "";
  most.addEventListener("change", show);
  which.addEventListener("input", show);
  find("#block").addEventListener("change", (event) => choose(Number(event.target.value)));

  const use = (chosen) => {
    theme = chosen;
    root.dataset.theme = chosen;
    return redraw();
  };
  use(theme);
  find("#theme").addEventListener("click", () => {
    use(theme === "dark" ? "light" : "dark");
    store(theme);
  });
  preferred.addEventListener("change", (event) => { if (!stored()) use(event.matches ? "dark" : "light"); });
  let before = theme;
  let opened = [];
  addEventListener("beforeprint", () => {
    before = theme;
    // Paper has no clicks: what keeps a reader from a wrong conclusion is on it.
    opened = all("#matrix details, #verdicts, #verdicts details, #summary").filter((fold) => !fold.open);
    opened.forEach((fold) => { fold.open = true; });
    [...waiting.keys()].filter((element) => element.checkVisibility()).forEach(begin);
    use("light");
  });
  addEventListener("afterprint", () => {
    opened.forEach((fold) => { fold.open = false; });
    use(before);
  });
  choose(0);

  const metric = find("#metric");
  if (metric) {
    const overview = find("#overview");
    const change = () => {
      drawn.set(overview, page.metrics[metric.value]);
      draw(overview);
    };
    metric.addEventListener("change", change);
    find("#all").addEventListener("toggle", () => { if (!drawn.has(overview)) change(); });
  }

  // The table of runs.
  const body = find("#table tbody");
  const runs = [...body.rows];
  const filter = find("#filter");
  const apply = () => {
    const words = wordsOf(filter);
    runs.forEach((row) => { row.hidden = !matches(row, words); });
    find("#shown").textContent = `${runs.filter((row) => !row.hidden).length} of ${runs.length}`;
  };
  filter.addEventListener("input", apply);
  apply();
  onHeads(find("#table"), all("#table th"), (column, descending) => body.append(...sorted(runs, column, descending)));

  // A run's configuration is written when its fold is opened: most runs have most of it in common.
  let configurations;
  all("details.run").forEach((fold) => fold.addEventListener("toggle", () => {
    const place = find(".configuration:empty", fold);
    if (!place || !fold.open) return;
    configurations ??= parsed("configurations");
    for (const [name, text] of configurations.runs[place.dataset.run]) {
      place.append(Object.assign(document.createElement("h4"), { textContent: name }));
      place.append(Object.assign(document.createElement("pre"), { textContent: configurations.texts[text] }));
    }
  }));

  // A link opens the folds around its target, and shows the charts of a workload.
  const open = () => {
    const name = location.hash.slice(1);
    const chosen = /^block-(\d+)$/.exec(name);
    if (chosen) choose(Number(chosen[1]));
    const target = name && document.getElementById(chosen ? "charts" : name);
    for (let fold = target; fold; fold = fold.parentElement) if (fold instanceof HTMLDetailsElement) fold.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
})();
