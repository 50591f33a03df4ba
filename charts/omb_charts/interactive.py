"""The page's interactive charts as plotly figures: plain data, drawn by the page's script. Colours are those of the
light page; the script replaces them where the page is dark.

A system is told from others by colour, marker and line, the same as in the page's table, so that no chart has a legend.
Crosses and dotted lines are of runs that do not count.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from omb_charts import load_curve
from omb_charts.faults import SHADES
from omb_charts.figures import (
    MOST_LINEAR_SPREAD,
    Band,
    Bar,
    band,
    bars_of,
    lines_of,
    points,
    spectrum_points,
    sweeps,
    without_common_study,
)
from omb_charts.matrix import Block, is_given, latency_of, rate_of
from omb_charts.metrics import LATENCIES, METRICS, from_intended_send, metric, percentile_label
from omb_charts.model import INVALID, MOST_RUNS, Group, Json, Run, sample
from omb_charts.style import FLAWED_MARKER, Look, look_of
from omb_charts.units import Scale, Unit, count_tick, latency_tick, scale_for, ticks_of, written

_MOST_POINTS = 400
_MOST_MARKERS = 12
# Nobody looks at more rows.
MOST_ROWS = 150
_PERCENTILES = (50.0, 90.0, 99.0, 99.9, 99.99, 99.999, 99.9999)
_LEAST_ROW_PX = 26
_LINE_PX = 15
_CHART_HEIGHT_PX = 330
_NAME_WIDTH = 28
# Behind a colour: a fifth of it, so that lines are seen through the bands of others.
_BAND_ALPHA = "33"
_SHOWN_FIGURES = ("50pct", "99pct", "999pct")
_OVER_TIME: Sequence[tuple[str, Unit, str]] = (
    ("publish rate", Unit.MESSAGES_PER_SEC, "publishRate"),
    ("consume rate", Unit.MESSAGES_PER_SEC, "consumeRate"),
    ("backlog", Unit.MESSAGES, "backlog"),
    ("processors used by the broker", Unit.CORES, "brokerCpuCores"),
    ("processors used by the harness", Unit.CORES, "harnessCpuCores"),
    ("memory of the broker", Unit.BYTES, "brokerMemoryBytes"),
    ("memory of the harness", Unit.BYTES, "harnessMemoryBytes"),
    ("time of the broker in garbage collections", Unit.PERCENT, "brokerCollectionPercent"),
    ("longest stall of the harness itself", Unit.MS, "stallMax"),
    ("p99.9 of the harness' own stalls", Unit.MS, "stall999pct"),
)


@dataclass(frozen=True, slots=True)
class Chart:
    """A plotly figure. ``row_px`` is the height of a system's row; 0 in charts without such rows."""

    title: str
    data: list[Json]
    layout: dict[str, Json]
    row_px: int = 0

    def json(self) -> dict[str, Json]:
        return {"title": self.title, "data": self.data, "layout": self.layout, "rowPx": self.row_px}


def charts_of(block: Block, by_label: Mapping[str, Look]) -> list[Chart]:
    """The charts of a block, without those for which it has no data. The first three answer most questions.

    Lines over time are of some of many runs, at least one of each system. Systems have one name at all rates.
    """
    everything, part = _at_any_rate(block.group), _at_any_rate(block.part)
    some = sample(part, max(MOST_RUNS, len(block.rows)))
    latency = latency_of(part) or from_intended_send("endToEndLatency", part.runs)
    p99, p50, most = (
        _over_time(some, by_label, f"{LATENCIES[latency]} {percentile_label(suffix)}", Unit.MS, latency + suffix)
        for suffix in ("99pct", "50pct", "Max")
    )
    loads = [
        _latency_over_load(everything, by_label, name, suffix)
        for names in reversed(load_curve.PANELS)
        if (name := load_curve.latency_of(everything, names)) is not None
        for suffix in ("99pct", "999pct", "50pct")
    ]
    rates = [] if is_given(part) else bars_of(part, rate_of(part))
    figures = [bar for suffix in _SHOWN_FIGURES for bar in bars_of(part, latency + suffix)]
    what = LATENCIES[latency]
    summaries = [
        *loads,
        _hockey_stick(everything, by_label, f"{latency}99pct"),
        _rows("Rate", rates, by_label, Unit.MESSAGES_PER_SEC),
        _rows(f"{what.capitalize()}: p50, p99, p99.9 from the left", figures, by_label, Unit.MS),
    ]
    summaries = [chart for chart in summaries if chart is not None]
    over_time = [_over_time(some, by_label, title, unit, name) for title, unit, name in _OVER_TIME]
    candidates = [*summaries[:1], _spectrum(some, by_label, latency), p99, *summaries[1:], p50, most, *over_time]
    return [chart for chart in candidates if chart is not None]


def _at_any_rate(group: Group) -> Group:
    return replace(group, runs=tuple(replace(run, rate_variant="") for run in group.runs))


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
        "hovermode": "closest",
        "showlegend": False,
    }


def _decades(values: Sequence[float], tick: Callable[[float], str]) -> dict[str, Json]:
    """A label for each decade, or for 1, 2 and 5 where there are few decades: plotly knows no µs, ms and s."""
    low, high = min(values), max(values)
    steps = (1.0,) if high / low > 1000 else (1.0, 2.0, 5.0)
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    ticks = [step * 10.0**decade for decade in decades for step in steps]
    return {
        "type": "log",
        "tickvals": [_short(value) for value in ticks],
        "ticktext": [tick(value) for value in ticks],
    }


def _over_time(group: Group, by_label: Mapping[str, Look], title: str, unit: Unit, name: str) -> Chart | None:
    values = [value for run in group.runs for value in run.series.get(name, ()) if value is not None]
    positive = [value for value in values if value > 0]
    if not values:
        return None
    logarithmic = metric(name).latency is not None and bool(positive)
    # Latencies on a logarithmic axis are given in ms and labelled with the unit of each decade.
    scale = Scale(1.0, "ms") if logarithmic else scale_for(unit, values)
    traces: list[Json] = []
    for run in group.runs:
        x, y = points(run, run.series.get(name, ()), group.timed)
        shown = [None if value is None or (logarithmic and value <= 0) else value * scale.factor for value in y]
        if all(value is None for value in shown):
            continue
        look, bound = look_of(run, by_label), run.bound_ms(name)
        traces += _band(run, look, x, band(shown, None if bound is None else bound * scale.factor))
        traces.append(_line(run, look, x, shown, scale.symbol))
    x_title = "time since the measurement began (s)" if group.timed else "period"
    layout = _layout(x_title, "" if logarithmic else scale.symbol, positive if logarithmic else None)
    layout["shapes"] = [
        {
            "name": run.system_label,
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
    return Chart(f"{title[0].upper()}{title[1:]} over time", traces, layout)


def _line(run: Run, look: Look, x: Sequence[float], y: Sequence[float | None], unit: str) -> dict[str, Json]:
    step = max(1, -(-len(x) // _MOST_POINTS))
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "meta": run.system_label,
        "x": [_short(value) for value in x[::step]],
        "y": [None if value is None else _short(value) for value in y[::step]],
        "line": {"color": look.colour, "dash": look.plotly_line, "width": 2},
        # As many as tell lines apart.
        "marker": {"symbol": look.plotly_marker, "size": 6, "color": look.colour, "maxdisplayed": _MOST_MARKERS},
        "hovertemplate": f"%{{y:.4~g}} {unit}<extra>{_escaped(run.legend)}<br>{_escaped(run.name)}</extra>",
    }


def _band(run: Run, look: Look, x: Sequence[float], ends: Band | None) -> list[Json]:
    """The area between two lines that are not drawn themselves."""
    if ends is None:
        return []
    step = max(1, -(-len(x) // _MOST_POINTS))
    edge: dict[str, Json] = {
        "type": "scatter",
        "mode": "lines",
        "meta": run.system_label,
        "hoverinfo": "skip",
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


def _spectrum(group: Group, by_label: Mapping[str, Look], latency: str) -> Chart | None:
    traces: list[Json] = []
    largest = 10.0
    values: list[float] = []
    for run in group.runs:
        if latency in run.spectra:
            x, y = spectrum_points(run, latency)
            largest = max(largest, x[-1])
            values += y
            look = look_of(run, by_label)
            traces += _band(run, look, x, band(y, run.bound_ms(latency)))
            traces.append(_line(run, look, x, y, "ms"))
    if not traces:
        return None
    layout = _layout("percentile", "", values)
    ticks = [percentile for percentile in _PERCENTILES if 1 / (1 - percentile / 100) <= largest * 1.5]
    layout["xaxis"] = {
        "title": {"text": "percentile"},
        "type": "log",
        "tickvals": [_short(1 / (1 - percentile / 100)) for percentile in ticks],
        "ticktext": [f"{percentile:g} %" for percentile in ticks],
        "tickangle": 0,
        "automargin": True,
    }
    return Chart(f"Distribution of {LATENCIES[latency]}", traces, layout)


def _hockey_stick(group: Group, by_label: Mapping[str, Look], name: str) -> Chart | None:
    lines = sweeps(group, name)
    if not lines:
        return None
    rate_scale = scale_for(Unit.MESSAGES_PER_SEC, (point.rate for line in lines.values() for point in line))
    traces: list[Json] = []
    for label, line in lines.items():
        look = by_label[label]
        symbols: list[Json] = [look.plotly_marker + ("" if point.clean else "-open") for point in line]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "meta": label,
                "x": [_short(point.rate * rate_scale.factor) for point in line],
                "y": [_short(point.latency_ms) for point in line],
                "line": {"color": look.colour, "dash": look.plotly_line},
                "marker": {"symbol": symbols, "size": 8, "color": look.colour},
                "hovertemplate": f"%{{y:.4~g}} ms<extra>{_escaped(label)}</extra>",
            }
        )
    values = [point.latency_ms for line in lines.values() for point in line]
    title = f"{metric(name).label} over load (hollow: not sustained, or {INVALID})"
    layout = _layout(f"publish rate ({rate_scale.symbol})", "", values)
    return Chart(f"{title[0].upper()}{title[1:]}", traces, layout)


def _latency_over_load(group: Group, by_label: Mapping[str, Look], latency: str, suffix: str) -> Chart | None:
    traces: list[Json] = []
    values: list[float] = []
    rates: list[float] = []
    for curve in load_curve.curves(group, latency):
        if curve.suffix != suffix:
            continue
        look = look_of(curve.run, by_label)
        symbols: list[Json] = [
            look.plotly_marker + ("" if clean or curve.run.flaw else "-open") for clean in curve.sustained
        ]
        at = zip(curve.rates, curve.values_ms, strict=True)
        sizes: list[Json] = [1.5 * load_curve.KNEE_SIZE if point == curve.knee else 7 for point in at]
        marker: dict[str, Json] = {"symbol": symbols, "size": sizes, "color": look.colour}
        traces.append(_line(curve.run, look, curve.rates, curve.values_ms, "ms") | {"marker": marker})
        values += curve.values_ms
        rates += curve.rates
    if not traces:
        return None
    layout = _layout("publish rate (msg/s)", "", values)
    layout["xaxis"] = {"title": {"text": "publish rate (msg/s)"}, "automargin": True, **_decades(rates, count_tick)}
    knee = "large: knee; " if suffix == load_curve.KNEE_SUFFIX else ""
    what = f"{LATENCIES[latency].capitalize()} {percentile_label(suffix)}"
    return Chart(f"{what} over load ({knee}hollow: not sustained)", traces, layout)


def overview(groups: Sequence[Group], by_label: Mapping[str, Look]) -> list[Chart]:
    """A chart for each metric that some run has, with a row for each system of every group.

    Of many groups the first ones, as far as a chart of their rows can be looked at.
    """
    some = overviewed(groups)
    available = {name for group in some for run in group.runs if run.usable for name in run.metrics}
    charts = [
        _rows(
            f"{what.label[0].upper()}{what.label[1:]} ({what.unit.value})",
            [bar for group in some for bar in bars_of(group, what.name)][:MOST_ROWS],
            by_label,
            what.unit,
            places=True,
        )
        for what in METRICS.values()
        if what.name in available
    ]
    return [chart for chart in charts if chart is not None]


def overviewed(groups: Sequence[Group]) -> Sequence[Group]:
    """The first groups, as many as have few enough rows together; one at least."""
    rows = 0
    for number, group in enumerate(groups):
        rows += len({(run.rate_variant, run.system_label) for run in group.runs})
        if rows > MOST_ROWS and number:
            return groups[:number]
    return groups


def _rows(
    title: str, bars: Sequence[Bar], by_label: Mapping[str, Look], unit: Unit, *, places: bool = False
) -> Chart | None:
    """Points on their 95 % intervals, or ranges, in a row for each system; below the name of its place if asked for."""
    if not bars:
        return None
    study, bars = without_common_study(bars)
    medians = [bar.estimate.median for bar in bars]
    positive = [median for median in medians if median > 0]
    logarithmic = bool(positive) and max(positive) > MOST_LINEAR_SPREAD * min(positive)
    scale = Scale(1.0, unit.value) if logarithmic else scale_for(unit, medians)
    names: dict[str, Json] = {}
    traces: list[Json] = []
    for place in dict.fromkeys(bar.place for bar in bars) if places else [""]:
        names |= {place: f"<b>{_broken(place)}</b>"} if places else {}
        here = [bar for bar in bars if bar.place == place or not places]
        for system in dict.fromkeys(bar.label for bar in here):
            own = [bar for bar in here if bar.label == system]
            row = f"{place}\n{system}" if places else _row_name(own[0])
            names[row] = (
                f"{_broken(system)}  <b>{written(own[0].estimate.median, unit)}{own[0].mark}</b>" if places else row
            )
            traces.append(_dots(row, own, by_label[system], scale))
    layout = _layout("", "")
    row_px = max(_LEAST_ROW_PX, _LINE_PX * (1 + max(str(name).count("<br>") for name in names.values())))
    layout["height"] = 80 + row_px * len(names)
    layout["yaxis"] = {
        "automargin": True,
        "type": "category",
        "categoryarray": [*names],
        "tickvals": [*names],
        "ticktext": [*names.values()],
        "range": [len(names) - 0.4, -0.6],
        "zeroline": False,
    }
    layout["xaxis"] = {"title": {"text": study + scale.symbol}, "rangemode": "tozero", "automargin": True}
    if logarithmic:
        symbol, tick = ticks_of(unit)
        words = ", ".join(word for word in (symbol, "logarithmic") if word)
        layout["xaxis"] = {"title": {"text": study + words}, **_decades(positive, tick)}
    return Chart(title, traces, layout, 0 if places else row_px)


def _row_name(bar: Bar) -> str:
    return _broken(bar.label) + (f"<br>{bar.flaw}" if bar.flaw else "")


def _dots(row: str, bars: Sequence[Bar], look: Look, scale: Scale) -> Json:
    """A system's figures of one kind of runs: hollow crosses if these do not count."""
    ends = [bar.estimate.ends or (bar.estimate.median, bar.estimate.median) for bar in bars]
    marker = replace(look, marker=FLAWED_MARKER) if bars[0].flaw else look
    below = [bar.estimate.median - low for bar, (low, _) in zip(bars, ends, strict=True)]
    above = [high - bar.estimate.median for bar, (_, high) in zip(bars, ends, strict=True)]
    told = [f"{_escaped(bar.label)}, {_escaped(bar.place)}, {runs_text(bar.estimate.n)}{bar.mark}" for bar in bars]
    return {
        "type": "scatter",
        "mode": "markers",
        "meta": bars[0].label,
        "y": [row for _ in bars],
        "x": [_short(bar.estimate.median * scale.factor) for bar in bars],
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [_short(value * scale.factor) for value in above],
            "arrayminus": [_short(value * scale.factor) for value in below],
            "thickness": 1.5,
            "width": 5,
        },
        "marker": {"symbol": marker.plotly_marker, "size": 9, "color": look.colour},
        "hovertemplate": [f"%{{x:.4~g}} {scale.symbol}<extra>{text}</extra>" for text in told],
    }


def runs_text(number: int) -> str:
    return f"{number} run{'' if number == 1 else 's'}"


def _broken(text: str) -> str:
    """A long name on several lines."""
    return "<br>".join(_escaped(line) for line in lines_of(text, _NAME_WIDTH))
