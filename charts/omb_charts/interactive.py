"""The page's interactive charts as plotly figures: plain data, drawn by the page's script. Colours are those of the
light page; the script replaces them where the page is dark."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from omb_charts import load_curve
from omb_charts.faults import SHADES
from omb_charts.figures import (
    BACKLOG,
    MOST_LINEAR_SPREAD,
    RATES,
    RESOURCES,
    STALLS,
    Band,
    Panel,
    band,
    bars_of,
    lines_of,
    place_of,
    points,
    rows_of,
    spectrum_points,
    sweeps,
    without_common_study,
)
from omb_charts.metrics import LATENCIES, METRICS, from_intended_send, metric
from omb_charts.model import MOST_RUNS, Estimate, Group, Json, Run, sample
from omb_charts.style import Look, look_of, looks, looks_of_systems, plotly_line
from omb_charts.units import Scale, Unit, count_tick, latency_tick, scale_for, ticks_of, written

_MOST_POINTS = 400
# Nobody looks at more bars.
MOST_BARS = 150
_PERCENTILES = (50.0, 90.0, 99.0, 99.9, 99.99, 99.999, 99.9999)
_BAR_HEIGHT_PX = 24
_CHART_HEIGHT_PX = 330
_NAME_WIDTH = 28
# Behind a colour: a fifth of it, so that lines are seen through the bands of others.
_BAND_ALPHA = "33"


@dataclass(frozen=True, slots=True)
class Chart:
    """A plotly figure with the identifier of its place in the page."""

    id: str
    title: str
    data: list[Json]
    layout: dict[str, Json]

    def json(self) -> dict[str, Json]:
        return {"id": self.id, "data": self.data, "layout": self.layout}


def charts_of(group: Group, group_id: str) -> list[Chart]:
    """The charts of one group, without those for which it has no data. Lines over time are of some of many runs."""
    everything, group = group, sample(group, MOST_RUNS)
    latency = from_intended_send("endToEndLatency", group.runs)
    p50_p99 = Panel("latency", Unit.MS, ((f"{latency}99pct", "p99"), (f"{latency}50pct", "p50")), logarithmic=True)
    candidates = [
        _over_time(group, f"{group_id}-rates", "Publish and consume rate", RATES[0]),
        _over_time(group, f"{group_id}-latency", LATENCIES[latency].capitalize(), p50_p99),
        _over_time(group, f"{group_id}-stalls", "Stalls of the harness itself", STALLS),
        _spectrum(group, f"{group_id}-percentiles", latency),
        _over_time(group, f"{group_id}-backlog", "Backlog", BACKLOG[0]),
        _hockey_stick(everything, f"{group_id}-hockey-stick", f"{latency}99pct"),
        *(
            _latency_over_load(group, f"{group_id}-load-{number}", names)
            for number, names in enumerate(load_curve.PANELS)
        ),
        *(
            _over_time(group, f"{group_id}-{name}", title, panel)
            for name, title, panel in (
                ("processors", "Processors used", RESOURCES[0]),
                ("memory", "Memory", RESOURCES[1]),
                ("gc", "Time in garbage collections", RESOURCES[2]),
            )
        ),
    ]
    return [chart for chart in candidates if chart is not None]


def _layout(x_title: str, y_title: str, logarithmic_ms: Sequence[float] | None = None) -> dict[str, Json]:
    """The layout of all charts of lines; with a logarithmic axis if these are the latencies on it."""
    y_axis: dict[str, Json] = {"title": {"text": y_title}, "automargin": True}
    if logarithmic_ms is None:
        y_axis["rangemode"] = "tozero"
    else:
        y_axis |= _decades(logarithmic_ms, latency_tick)
    return {
        "height": _CHART_HEIGHT_PX,
        "margin": {"l": 60, "r": 12, "t": 12, "b": 44},
        "xaxis": {"title": {"text": x_title}, "automargin": True},
        "yaxis": y_axis,
        "legend": {"orientation": "h", "y": -0.28, "yanchor": "top", "x": 0},
        "hovermode": "closest",
        "showlegend": True,
    }


def _decades(values: Sequence[float], tick: Callable[[float], str]) -> dict[str, Json]:
    """A label for each decade, or for 1, 2 and 5 where there are few decades: plotly knows no µs, ms and s."""
    low, high = min(values), max(values)
    steps = (1.0,) if high / low > 100 else (1.0, 2.0, 5.0)
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    ticks = [step * 10.0**decade for decade in decades for step in steps]
    return {
        "type": "log",
        "tickvals": [_short(value) for value in ticks],
        "ticktext": [tick(value) for value in ticks],
    }


def _over_time(group: Group, chart_id: str, title: str, panel: Panel) -> Chart | None:
    names = [name for name, _ in panel.series]
    values = [value for run in group.runs for name in names for value in run.series.get(name, ()) if value is not None]
    positive = [value for value in values if value > 0]
    logarithmic = panel.logarithmic and bool(positive)
    # Latencies on a logarithmic axis are given in ms and labelled with the unit of each decade.
    scale = Scale(1.0, "ms") if logarithmic else scale_for(panel.unit, values)
    by_label = looks(group.runs)
    traces: list[Json] = []
    named: set[str] = set()
    for run in group.runs:
        for position, (name, part) in enumerate(panel.series):
            x, y = points(run, run.series.get(name, ()), group.timed)
            shown = [None if value is None or (logarithmic and value <= 0) else value * scale.factor for value in y]
            if all(value is None for value in shown):
                continue
            label = f"{run.legend} {part}".strip()
            look = look_of(run, by_label)
            unit = scale.symbol
            bound = run.bound_ms(name)
            traces += _band(run, look, label, x, band(shown, None if bound is None else bound * scale.factor))
            traces.append(_line(run, look, label, x, shown, position, label not in named, unit))
            named.add(label)
    if not traces:
        return None
    x_title = "time since the measurement began (s)" if group.timed else "period"
    y_title = panel.label if logarithmic else f"{panel.label} ({scale.symbol})"
    layout = _layout(x_title, y_title, positive if logarithmic else None)
    shapes: list[Json] = [
        {
            "type": "rect",
            "yref": "paper",
            "x0": _short(outage.start_s),
            "x1": _short(outage.end_s),
            "y0": 0,
            "y1": 1,
            "fillcolor": by_label[run.label].colour,
            "opacity": SHADES[outage.state],
            "line": {"width": 0},
            "layer": "below",
        }
        for run in group.runs
        for outage in run.outages
        if group.timed
    ]
    return Chart(chart_id, title, traces, layout | ({"shapes": shapes} if shapes else {}))


def _line(
    run: Run,
    look: Look,
    label: str,
    x: Sequence[float],
    y: Sequence[float | None],
    position: int,
    first: bool,
    unit: str,
) -> dict[str, Json]:
    step = max(1, -(-len(x) // _MOST_POINTS))
    return {
        "type": "scatter",
        "mode": "lines+markers" if len(x) <= 60 else "lines",
        "name": label,
        "legendgroup": label,
        "showlegend": first,
        "x": [_short(value) for value in x[::step]],
        "y": [None if value is None else _short(value) for value in y[::step]],
        "line": {"color": look.colour, "dash": "dot" if position and not run.flaw else look.plotly_line, "width": 2},
        "marker": {
            "symbol": look.plotly_marker + ("-open" if position and not run.flaw else ""),
            "size": 6,
            "color": look.colour,
        },
        "hovertemplate": f"%{{y:.4~g}} {unit}<extra>{_escaped(label)}<br>{_escaped(run.name)}</extra>",
    }


def _band(run: Run, look: Look, label: str, x: Sequence[float], ends: Band | None) -> list[Json]:
    """The area between two lines that are not drawn themselves; it comes and goes with the line of that name."""
    if ends is None:
        return []
    step = max(1, -(-len(x) // _MOST_POINTS))
    edge: dict[str, Json] = {
        "type": "scatter",
        "mode": "lines",
        "legendgroup": label,
        "showlegend": False,
        "hoverinfo": "skip",
        "name": f"{label} ± {written(run.clock_bound_ms, Unit.MS)}",
        "x": [_short(value) for value in x[::step]],
        "line": {"color": look.colour, "width": 0},
    }
    low, high = ([None if value is None else _short(value) for value in end[::step]] for end in ends)
    return [edge | {"y": [*low]}, edge | {"y": [*high], "fill": "tonexty", "fillcolor": look.colour + _BAND_ALPHA}]


def _escaped(text: str) -> str:
    """For plotly's texts, which know some HTML and %{…}."""
    return re.sub(r"[<>&%]", lambda match: f"&#{ord(match[0])};", text)


def _short(value: float) -> float:
    """Five significant digits: what is read off a chart, at half the size."""
    return float(f"{value:.5g}")


def _spectrum(group: Group, chart_id: str, latency: str) -> Chart | None:
    drawn = [run for run in group.runs if latency in run.spectra]
    if not drawn:
        return None
    by_label = looks(group.runs)
    traces: list[Json] = []
    named: set[str] = set()
    largest = 10.0
    values: list[float] = []
    for run in drawn:
        x, y = spectrum_points(run, latency)
        largest = max(largest, x[-1])
        values += y
        look = look_of(run, by_label)
        trace = _line(run, look, run.legend, x, y, 0, run.legend not in named, "ms")
        traces += _band(run, look, run.legend, x, band(y, run.bound_ms(latency)))
        traces.append(trace | {"mode": "lines"})
        named.add(run.legend)
    layout = _layout("percentile", "latency at that percentile", values)
    ticks = [percentile for percentile in _PERCENTILES if 1 / (1 - percentile / 100) <= largest * 1.5]
    layout["xaxis"] = {
        "title": {"text": "percentile"},
        "type": "log",
        "tickvals": [_short(1 / (1 - percentile / 100)) for percentile in ticks],
        "ticktext": [f"{percentile:g} %" for percentile in ticks],
        "tickangle": 0,
        "automargin": True,
    }
    return Chart(chart_id, f"Percentiles of {LATENCIES[latency]}", traces, layout)


def _hockey_stick(group: Group, chart_id: str, name: str) -> Chart | None:
    lines = sweeps(group, name)
    if not lines:
        return None
    by_label = looks(group.runs)
    rate_scale = scale_for(Unit.MESSAGES_PER_SEC, (rate for line in lines.values() for rate, _, _ in line))
    traces: list[Json] = []
    for label, line in lines.items():
        look = by_label[label]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": label,
                "x": [_short(rate * rate_scale.factor) for rate, _, _ in line],
                "y": [_short(value) for _, value, _ in line],
                "line": {"color": look.colour, "dash": look.plotly_line},
                "marker": {
                    "symbol": [look.plotly_marker + ("" if clean else "-open") for _, _, clean in line],
                    "size": 8,
                    "color": look.colour,
                },
            }
        )
    layout = _layout(
        f"publish rate ({rate_scale.symbol})",
        metric(name).label,
        [value for line in lines.values() for _, value, _ in line],
    )
    return Chart(chart_id, "Rate against latency (hollow: not sustained, or INVALID)", traces, layout)


def _latency_over_load(group: Group, chart_id: str, names: tuple[str, ...]) -> Chart | None:
    latency = load_curve.latency_of(group, names)
    if latency is None:
        return None
    by_label = looks(group.runs)
    traces: list[Json] = []
    values: list[float] = []
    rates: list[float] = []
    named: set[str] = set()
    for curve in load_curve.curves(group, latency):
        look = by_label[curve.run.label]
        trace = _line(curve.run, look, curve.label, curve.rates, curve.values_ms, 0, curve.label not in named, "ms")
        symbols = [look.plotly_marker + ("" if sustained else "-open") for sustained in curve.sustained]
        points = zip(curve.rates, curve.values_ms, strict=True)
        sizes = [1.5 * load_curve.KNEE_SIZE if point == curve.knee else 7 for point in points]
        style: dict[str, Json] = {
            "line": {"color": look.colour, "dash": plotly_line(curve.line), "width": 2},
            "marker": {"symbol": [*symbols], "size": [*sizes], "color": look.colour},
        }
        traces.append(trace | style)
        named.add(curve.label)
        values += curve.values_ms
        rates += curve.rates
    layout = _layout("publish rate (msg/s)", LATENCIES[latency], values)
    layout["xaxis"] = {"title": {"text": "publish rate (msg/s)"}, "automargin": True, **_decades(rates, count_tick)}
    title = f"{LATENCIES[latency].capitalize()} over load (large: knee; hollow: not sustained, or INVALID)"
    return Chart(chart_id, title, traces, layout)


def overview(groups: Sequence[Group]) -> list[Chart]:
    """A bar chart for each metric that some run has: of every group and system, with 95 % intervals.

    Of many groups the first ones, as far as a chart of their bars can be looked at.
    """
    some = overviewed(groups)
    available = {name for group in some for run in group.runs if run.usable for name in run.metrics}
    by_label = looks_of_systems(run for group in groups for run in group.runs)
    charts = [_bars(some, name, by_label) for name in METRICS if name in available]
    return [chart for chart in charts if chart is not None]


def overviewed(groups: Sequence[Group]) -> Sequence[Group]:
    """The first groups, as many as have few enough bars together; one at least."""
    bars = 0
    for number, group in enumerate(groups):
        bars += len({(run.rate_variant, run.system_label) for run in group.runs})
        if bars > MOST_BARS and number:
            return groups[:number]
    return groups


def _bars(groups: Sequence[Group], name: str, by_label: Mapping[str, Look]) -> Chart | None:
    what = metric(name)
    bars = [bar for group in groups for bar in bars_of(group, name)][:MOST_BARS]
    if not bars:
        return None
    study, bars = without_common_study(bars)
    positive = [bar.estimate.median for bar in bars if bar.estimate.median > 0]
    logarithmic = bool(positive) and max(positive) > MOST_LINEAR_SPREAD * min(positive)
    scale = Scale(1.0, "") if logarithmic else scale_for(what.unit, (bar.estimate.median for bar in bars))
    traces: list[Json] = []
    rows, places = rows_of(bars), list(dict.fromkeys(bar.place for bar in bars))
    for label in dict.fromkeys(bar.label for bar in bars):
        own = [bar for bar in bars if bar.label == label]
        look = by_label[label]
        pattern: dict[str, Json] = {
            "shape": look.plotly_hatch,
            "fillmode": "overlay",
            "fgcolor": "#fff",
            "fgopacity": 0.6,
        }
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": label,
                "width": 0.8,
                "y": [rows[bar.place, bar.label] for bar in own],
                "x": [_short(bar.estimate.median * scale.factor) for bar in own],
                "error_x": _error_bars([bar.estimate for bar in own], scale),
                "marker": {
                    "color": ["rgba(0,0,0,0)" if bar.invalid else look.colour for bar in own],
                    "pattern": pattern,
                    "line": {"color": look.colour, "width": [2 if bar.invalid else 0 for bar in own]},
                },
                "hovertext": [f"{_escaped(bar.place)}, {runs_text(bar.estimate.n)}{bar.mark}" for bar in own],
            }
        )
    traces.append(
        # Behind the interval's end, where a bar's own text would lie on it.
        {
            "type": "scatter",
            "mode": "text",
            "showlegend": False,
            "hoverinfo": "skip",
            "cliponaxis": False,
            "y": [rows[bar.place, bar.label] for bar in bars],
            "x": [_short(_end_of(bar.estimate) * scale.factor) for bar in bars],
            "text": [f"\N{NO-BREAK SPACE}{written(bar.estimate.median, what.unit)}{bar.mark}" for bar in bars],
            "textposition": "middle right",
        }
    )
    ends = [_end_of(bar.estimate) for bar in bars]
    layout = _layout("", "")
    layout["height"] = 130 + _BAR_HEIGHT_PX * len(bars) + 10 * len(places)
    layout["barmode"] = "overlay"
    layout["yaxis"] = {
        "automargin": True,
        "autorange": "reversed",
        "showgrid": False,
        "zeroline": False,
        "tickvals": [place_of(rows, place) for place in places],
        "ticktext": [_broken(place) for place in places],
    }
    layout["legend"] = {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0}
    if logarithmic:
        low, high = math.log10(min(positive)) - 0.4, math.log10(max(ends))
        symbol, tick = ticks_of(what.unit)
        layout["xaxis"] = {
            "title": {"text": f"{study}{what.label} ({f'{symbol}, ' if symbol else ''}logarithmic axis)"},
            "range": [low, high + 0.25 * (high - low)],
            **_decades(positive, tick),
        }
    else:
        most = max(ends) * scale.factor or 1.0
        layout["xaxis"] = {
            "title": {"text": f"{study}{what.label} ({scale.symbol})"},
            "range": [0, 1.25 * most],
        }
    return Chart(f"overview-{name}", f"{what.label[0].upper()}{what.label[1:]} ({what.unit.value})", traces, layout)


def runs_text(number: int) -> str:
    return f"{number} run{'' if number == 1 else 's'}"


def _broken(text: str) -> str:
    """A long name on several lines."""
    return "<br>".join(_escaped(line) for line in lines_of(text, _NAME_WIDTH))


def _end_of(estimate: Estimate) -> float:
    """Where a bar ends with its interval."""
    return estimate.median if estimate.ends is None else estimate.ends[1]


def _error_bars(estimates: Sequence[Estimate], scale: Scale) -> Json:
    """The intervals, or ranges."""
    if all(estimate.ends is None for estimate in estimates):
        return {"visible": False}
    below = [0.0 if e.ends is None else e.median - e.ends[0] for e in estimates]
    return {
        "type": "data",
        "symmetric": False,
        "array": [_short((_end_of(estimate) - estimate.median) * scale.factor) for estimate in estimates],
        "arrayminus": [_short(value * scale.factor) for value in below],
        "color": "#888",
    }


def dark_colours(groups: Sequence[Group]) -> dict[str, str]:
    """What stands for which colour where the page is dark."""
    everything = looks_of_systems(run for group in groups for run in group.runs)
    used = [*everything.values(), *(look for group in groups for look in looks(group.runs).values())]
    return {look.colour: look.colour_on_dark for look in used}
