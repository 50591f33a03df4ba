"""The general charts: pictures of any set of results. A function gives None where the results lack what it draws."""

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter, NullLocator

from omb_charts.faults import SHADES
from omb_charts.hdr_log import Interval
from omb_charts.metrics import LATENCIES, METRICS, metric, percentile_label
from omb_charts.model import INVALID, UNRELIABLE, Estimate, Group, Run, Series, counted, relied_on
from omb_charts.plotted import CLOCK_ERROR, PERCENTILES, Count, note_ends, note_places, note_runs, note_unit
from omb_charts.statistics import estimate
from omb_charts.style import FLAWED_MARKER, Look, look_of, looks, looks_of_systems
from omb_charts.units import Scale, Unit, count_tick, digits, latency_tick, scale_for, ticks_of, written

_WIDTH = 8.4
_MOST_LEGEND_COLUMNS = 4
# Bars that differ by more than this are shown on a logarithmic axis, since small ones would be invisible.
MOST_LINEAR_SPREAD = 50
# Where HdrHistogram's axis has its labels: the percentile, and how it is written.
_PERCENTILE_TICKS = (0.0, 50.0, 90.0, 99.0, 99.9, 99.99, 99.999, 99.9999)


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a chart over time: what it shows, of which series."""

    label: str
    unit: Unit
    series: tuple[tuple[str, str], ...]
    logarithmic: bool = False


RATES = (Panel("rate", Unit.MESSAGES_PER_SEC, (("publishRate", "publish"), ("consumeRate", "consume"))),)
BACKLOG = (Panel("backlog", Unit.MESSAGES, (("backlog", ""),)),)
RESOURCES = (
    Panel("processors used", Unit.CORES, (("brokerCpuCores", "broker"), ("harnessCpuCores", "harness"))),
    Panel("memory", Unit.BYTES, (("brokerMemoryBytes", "broker"), ("harnessMemoryBytes", "harness"))),
    Panel("time in GC", Unit.PERCENT, (("brokerCollectionPercent", "broker"),)),
)


# Stalls of the harness itself: a latency beyond that may be its own.
STALLS = Panel("harness' stalls", Unit.MS, (("stallMax", "max"), ("stall999pct", "p99.9")))


def latency_panels(latency: str) -> tuple[Panel, ...]:
    """A latency's median, p99 and maximum, and the harness' own stalls, period by period."""
    return (
        *(
            Panel(percentile_label(suffix), Unit.MS, ((latency + suffix, ""),), logarithmic=True)
            for suffix in ("50pct", "99pct", "Max")
        ),
        STALLS,
    )


def over_time(group: Group, title: str, panels: Sequence[Panel]) -> Figure | None:
    """Lines of the periods' values, a panel below another. Without time stamps the periods are numbered."""
    shown = [panel for panel in panels if any(_has(run, name) for run in group.runs for name, _ in panel.series)]
    if not shown:
        return None
    figure = Figure(figsize=(_WIDTH, 1.2 + 2.4 * len(shown)))
    axes = figure.subplots(len(shown), 1, sharex=True, squeeze=False)[:, 0]
    by_label = looks(group.runs)
    for panel, ax in zip(shown, axes, strict=True):
        _draw_panel(ax, panel, group, by_label)
    axes[-1].set_xlabel("time since the measurement began (s)" if group.timed else "period")
    if not group.timed:
        axes[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    head(figure, title, group.title)
    legend(figure, axes)
    return figure


def _has(run: Run, name: str) -> bool:
    return any(value is not None for value in run.series.get(name, ()))


def _draw_panel(ax: Axes, panel: Panel, group: Group, by_label: dict[str, Look]) -> None:
    values = _values(group.runs, [name for name, _ in panel.series])
    # The decades of a logarithmic axis are of different units, which its ticks then name.
    units_at_ticks = panel.logarithmic and any(value for value in values)
    scale = Scale(1.0, "") if units_at_ticks else scale_for(panel.unit, values)
    named: set[str] = set()
    for run in group.runs:
        look = look_of(run, by_label)
        for position, (name, part) in enumerate(panel.series):
            if not _has(run, name):
                continue
            label = f"{run.legend} {part}".strip()
            x, y = points(run, run.series[name], group.timed)
            ax.plot(
                x,
                [np.nan if value is None else value * scale.factor for value in y],
                color=look.colour,
                marker=look.marker,
                markerfacecolor="white" if position else look.colour,
                linestyle=look.line if run.flaw else "--" if position else "-",
                linewidth=1.2 if position else 1.6,
                markevery=max(1, len(x) // 25),
                label="_" + label if label in named else label,
            )
            named.add(label)
            _band(ax, x, band(y, run.bound_ms(name)), look, scale.factor)
        for outage in run.outages if group.timed else ():
            ax.axvspan(outage.start_s, outage.end_s, color=look.colour, alpha=SHADES[outage.state], linewidth=0)
    ax.set_ylabel(f"{panel.label} ({scale.symbol})" if scale.symbol else panel.label)
    if units_at_ticks:
        note_unit(ax, panel.unit.value)
        ax.set_yscale("log")
        plain_log_axis(ax, ticks_of(panel.unit)[1])
    else:
        # OMB's backlog goes below 0: it counts what is received before it counts what was sent.
        least = min((value * scale.factor for value in values if value is not None), default=0.0)
        ax.set_ylim(min(0.0, least * 1.06), ax.get_ylim()[1] * 1.06 if _positive(ax) else 1)
    if group.timed:
        ax.set_xlim(0, max(run.spans[-1].end_s for run in group.runs) * 1.01)


# A band ends above 0, where a logarithmic axis does: at this part of the value.
_LEAST_OF_BAND = 0.1

Band = tuple[list[float | None], list[float | None]]


def band(values: Sequence[float | None], bound: float | None) -> Band | None:
    """The limits of the true values, if each can be wrong by so much: the lower ends and the upper ones."""
    if bound is None or all(value is None for value in values):
        return None
    low = [None if value is None else max(_LEAST_OF_BAND * value, value - bound) for value in values]
    return low, [None if value is None else value + bound for value in values]


def _band(ax: Axes, x: Sequence[float], ends: Band | None, look: Look, factor: float = 1.0) -> None:
    if ends is not None:
        low, high = ([np.nan if value is None else value * factor for value in end] for end in ends)
        note_ends(ax.fill_between(x, low, high, color=look.colour, alpha=0.2, linewidth=0), CLOCK_ERROR)


def _positive(ax: Axes) -> bool:
    """Whether anything above 0 is drawn: an axis from 0 to 0, or a logarithmic one, needs that."""
    return any(np.nanmax(np.asarray(line.get_ydata(), dtype=float), initial=0) > 0 for line in ax.lines)


def _values(runs: Iterable[Run], names: Iterable[str]) -> list[float | None]:
    wanted = list(names)
    return [value for run in runs for name in wanted for value in run.series.get(name, ())]


def points(run: Run, series: Series, timed: bool) -> tuple[list[float], list[float | None]]:
    """Where a run's periods are on the axis of time, and their values there."""
    if timed:
        return [span.middle_s for span in run.spans[: len(series)]], list(series[: len(run.spans)])
    return [float(number) for number in range(1, len(series) + 1)], list(series)


def percentile_spectrum(group: Group, latency: str) -> Figure | None:
    """The whole distribution over HdrHistogram's axis, on which each further 9 takes as much room."""
    drawn = [run for run in group.runs if latency in run.spectra]
    if not drawn:
        return None
    figure = Figure(figsize=(_WIDTH, 4.6))
    ax = figure.subplots()
    by_label = looks(group.runs)
    named: set[str] = set()
    largest = 10.0
    for run in drawn:
        look = look_of(run, by_label)
        x, y = spectrum_points(run, latency)
        largest = max(largest, x[-1])
        ax.plot(
            x,
            y,
            color=look.colour,
            linestyle=look.line,
            marker=look.marker,
            markevery=max(1, len(x) // 12),
            label=f"_{run.legend}" if run.legend in named else run.legend,
        )
        _band(ax, x, band(y, run.bound_ms(latency)), look)
        named.add(run.legend)
    ax.set_xscale("log")
    ax.set_yscale("log")
    percentile_axis(ax, largest)
    note_unit(ax, Unit.MS.value)
    ax.set_ylabel("latency at that percentile")
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: latency_tick(value)))
    ax.yaxis.set_minor_formatter(NullFormatter())
    head(figure, f"Percentiles of {LATENCIES[latency]}", group.title)
    legend(figure, [ax])
    return figure


def spectrum_points(run: Run, latency: str) -> tuple[list[float], list[float]]:
    """1 / (1 - percentile) and ms; the maximum, at 100 %, stands where the next halving of the rest would be."""
    spectrum = run.spectra[latency]
    x: list[float] = []
    y: list[float] = []
    for percentile, value in zip(spectrum.percentiles, spectrum.values_ms, strict=True):
        if value > 0:
            rest = 1 - percentile / 100
            x.append(1 / rest if rest > 1e-12 else 2 * max(x, default=1.0))
            y.append(value)
    return (x, y) if x else ([1.0], [1e-6])


def percentile_axis(ax: Axes, largest: float) -> None:
    """Labels the x axis 1 / (1 - percentile) with percentiles."""
    shown = [percentile for percentile in _PERCENTILE_TICKS if 1 / (1 - percentile / 100) <= largest * 1.5]
    ax.set_xlim(1, largest * 1.3)
    ax.xaxis.set_major_locator(FixedLocator([1 / (1 - percentile / 100) for percentile in shown]))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{round(100 * (1 - 1 / x), 6):g} %"))
    ax.set_xlabel(PERCENTILES)


def heat_map(run: Run, latency: str, intervals: Sequence[Interval]) -> Figure | None:
    """The number of samples by latency and time: a column for each interval of the histogram log."""
    filled = [interval for interval in intervals if any(value > 0 for value in interval.values_ms)]
    if not filled:
        return None
    low = min(value for interval in filled for value in interval.values_ms if value > 0)
    high = max(value for interval in filled for value in interval.values_ms)
    rows = np.geomspace(low * 0.9, high * 1.1, 61)
    zero = intervals[0].start_s
    # Neighbouring intervals touch within a millisecond; a pause between two stays empty.
    figure = Figure(figsize=(_WIDTH, 4.4))
    ax = figure.subplots()
    densities = [
        np.histogram(interval.values_ms, rows, weights=interval.counts)[0] / (interval.end_s - interval.start_s)
        for interval in filled
    ]
    most = max(float(density.max()) for density in densities)
    least = min(float(density[density > 0].min()) for density in densities)
    norm = LogNorm(least, most if most > least else least * 10)
    mesh = None
    for interval, density in zip(filled, densities, strict=True):
        mesh = ax.pcolormesh(
            [interval.start_s - zero, interval.end_s - zero],
            rows,
            np.ma.masked_less_equal(density, 0)[:, np.newaxis],
            norm=norm,
            cmap="viridis",
        )
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: latency_tick(value)))
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.set_ylabel(LATENCIES[latency])
    note_unit(ax, Unit.MS.value)
    ax.set_xlabel("time since the measurement began (s)")
    ax.grid(visible=False)
    if mesh is not None:
        bar = figure.colorbar(mesh, ax=ax, label="samples a second")
        bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: count_tick(value)))
        bar.ax.yaxis.set_minor_formatter(NullFormatter())
    head(figure, f"{LATENCIES[latency].capitalize()} over time", f"{run.title} on {run.legend}, {run.name}")
    return figure


@dataclass(frozen=True, slots=True)
class Bar:
    """A value to show as a bar, with its series and place.

    ``flaw`` is that of all its runs, because there are no others; ``lacking`` is how many runs that count do not have
    the metric, or none to rely on, ``left_out`` how many of all runs the value is not of.
    """

    place: str
    label: str
    estimate: Estimate
    values: tuple[float, ...]
    flaw: str
    lacking: int
    left_out: int

    @property
    def mark(self) -> str:
        """Behind the number: what is wrong with its runs."""
        return (f" {self.flaw}" if self.flaw else "") + (f" ({self.lack})" if self.lacking else "")

    @property
    def lack(self) -> str:
        """How many runs do not have the metric; empty if all have it."""
        return f"{self.lacking} of {self.lacking + len(self.values)} lack it" if self.lacking else ""


def comparison(groups: Sequence[Group], name: str) -> Figure | None:
    """A metric of every group, a bar for each system, with 95 % intervals where there are repetitions."""
    bars = [bar for group in groups for bar in bars_of(group, name)]
    if not bars:
        return None
    study, bars = without_common_study(bars)
    what = metric(name)
    by_label = looks_of_systems(run for group in groups for run in group.runs)
    figure = draw_bars(bars, by_label, what.unit, what.label)
    numbers = [bar.estimate.n for bar in bars]
    below = f"{study}{'median and its 95 % interval' if max(numbers) > 1 else 'one run each'}{of_runs(numbers)}"
    below += left_out(groups, name)
    # A rate of messages and one of bytes have one name.
    alike = sum(other.label == what.label for other in METRICS.values()) > 1
    head(figure, what.label[0].upper() + what.label[1:] + (f" ({what.unit.value})" if alike else ""), below)
    legend(figure, figure.axes)
    return figure


def of_runs(numbers: Sequence[int]) -> str:
    """How many runs the medians are of; nothing of single ones."""
    least, most = min(numbers), max(numbers)
    return "" if most == 1 else f", of {most} runs" if least == most else f", of {least} to {most} runs"


def left_out(groups: Iterable[Group], name: str) -> str:
    """The number of runs that the bars leave out, where there are others."""
    runs = [run for group in groups for run in group.runs]
    bad = sum(not run.usable or run.verdict == INVALID for run in runs)
    unreliable = sum(run.flaw_of(name) == UNRELIABLE for run in runs)
    told = f"; {bad} of {len(runs)} runs are {INVALID} or ended early" if bad else ""
    return told + (f"; {unreliable} of {len(runs)} runs have {UNRELIABLE}" if unreliable else "")


def without_common_study(bars: Sequence[Bar]) -> tuple[str, list[Bar]]:
    """A prefix of all places, such as "maharjan-2023: ", is written once."""
    studies = {bar.place.partition(": ")[0] for bar in bars}
    if len(studies) > 1 or not all(": " in bar.place for bar in bars):
        return "", list(bars)
    return f"{studies.pop()}: ", [replace(bar, place=bar.place.partition(": ")[2]) for bar in bars]


def bars_of(group: Group, name: str) -> list[Bar]:
    """The median of a metric over the runs that count, for each system of the group at each rate."""
    bars: list[Bar] = []
    for part in by_rate(group):
        by_label: dict[str, list[Run]] = {}
        for run in part.runs:
            by_label.setdefault(run.system_label, []).append(run)
        for label, own in by_label.items():
            of_median = relied_on(name, own)
            values = tuple(run.metrics[name] for run in of_median if name in run.metrics)
            if values:
                flaw, lacking = of_median[0].flaw_of(name), len(counted(own)) - len(values)
                bars.append(Bar(part.title, label, estimate(values), values, flaw, lacking, len(own) - len(values)))
    return bars


def by_rate(group: Group) -> list[Group]:
    """The group's runs at one rate each, from the lowest: only at the same rate are systems compared."""
    by_variant: dict[str, list[Run]] = {}
    for run in sorted(group.runs, key=lambda run: run.target_rate or 0.0):
        by_variant.setdefault(run.rate_variant, [])
    for run in group.runs:
        by_variant[run.rate_variant].append(run)
    return [Group(f"{group.title}, {rate}" if rate else group.title, tuple(runs)) for rate, runs in by_variant.items()]


def draw_bars(bars: Sequence[Bar], by_label: dict[str, Look], unit: Unit, label: str) -> Figure:
    """Horizontal bars, so that names of any length can be read, grouped by place."""
    logarithmic = _spread(bars) > MOST_LINEAR_SPREAD
    scale = Scale(1.0, "") if logarithmic else scale_for(unit, [bar.estimate.median for bar in bars])
    places = list(dict.fromkeys(bar.place for bar in bars))
    labels = list(dict.fromkeys(bar.label for bar in bars))
    rows = rows_of(bars)
    figure = Figure(figsize=(_WIDTH, 1.7 + 0.3 * max(rows.values())))
    ax = figure.subplots()
    if logarithmic:
        ax.set_xscale("log")
    drawn: list[tuple[float, float, str]] = []
    for name in labels:
        own = [bar for bar in bars if bar.label == name]
        ends = [_draw_bar(ax, bar, rows[bar.place, name], by_label[name], scale, logarithmic) for bar in own]
        at = [rows[bar.place, bar.label] for bar in own]
        drawn += zip(ends, at, [written(bar.estimate.median, unit) + bar.mark for bar in own], strict=True)
    for end, y, text in drawn:
        ax.annotate(text, (end, y), (4, 0), textcoords="offset points", va="center", fontsize=8)
    note_places(ax, {y: place for (place, _), y in rows.items()}, lying=True)
    ax.set_yticks([place_of(rows, place) for place in places])
    ax.set_yticklabels([_wrapped(place) for place in places])
    ax.invert_yaxis()
    ax.grid(visible=False, axis="y")
    ends = [end for end, _, _ in drawn]
    if logarithmic:
        least = min(bar.estimate.median for bar in bars if bar.estimate.median > 0)
        # Room for the numbers behind the bars: a sixth of the axis.
        ax.set_xlim(least / 3, max(ends) * (max(ends) / (least / 3)) ** 0.2)
        note_unit(ax, unit.value)
        symbol, tick = ticks_of(unit)
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.set_xlabel(f"{label} ({f'{symbol}, ' if symbol else ''}logarithmic axis)")
    else:
        ax.set_xlim(0, max(ends) * 1.15 or 1)
        ax.set_xlabel(f"{label} ({scale.symbol})")
    return figure


def _draw_bar(ax: Axes, bar: Bar, y: float, look: Look, scale: Scale, logarithmic: bool) -> float:
    """Draws a bar with its interval and gives where it ends. On a logarithmic axis, which has no 0, it is a point."""
    value = bar.estimate.median * scale.factor
    count = Count(bar.estimate.n, bar.left_out)
    label = "_" + bar.label if bar.label in ax.get_legend_handles_labels()[1] else bar.label
    if logarithmic:
        marker = FLAWED_MARKER if bar.flaw else look.marker
        (point,) = ax.plot([value], [y], linestyle="none", marker=marker, markersize=7, color=look.colour, label=label)
        note_runs(point, [count])
    else:
        (patch,) = ax.barh(
            [y], [value], height=0.8, color=look.colour, hatch=look.hatch, edgecolor="white", label=label
        )
        note_runs(patch, [count])
        if bar.flaw:
            hollow(patch, look)
    return _interval(ax, bar, y, scale)


def hollow(patch: Patch, look: Look) -> None:
    """How a bar of flawed runs is drawn: a broken outline."""
    patch.set(facecolor="white", edgecolor=look.colour, hatch="", linestyle="--", linewidth=1.2)


def _spread(bars: Sequence[Bar]) -> float:
    means = [bar.estimate.median for bar in bars if bar.estimate.median > 0]
    return max(means) / min(means) if means else 1


def _interval(ax: Axes, bar: Bar, y: float, scale: Scale) -> float:
    """Draws a bar's interval and gives where it ends."""
    value = bar.estimate
    if value.ends is None:
        return value.median * scale.factor
    low, high = value.ends
    drawn = ax.errorbar(
        value.median * scale.factor,
        y,
        xerr=[[(value.median - low) * scale.factor], [(high - value.median) * scale.factor]],
        color="#222222",
        # A range has no caps.
        capsize=0 if value.low is None else 3,
        linewidth=1,
    )
    note_ends(drawn, value.ends_are)
    return high * scale.factor


def rows_of(bars: Sequence[Bar]) -> dict[tuple[str, str], float]:
    """Where each bar stands: those of a place next to each other, with a gap to the next place."""
    rows: dict[tuple[str, str], float] = {}
    row = 0.0
    for place in dict.fromkeys(bar.place for bar in bars):
        for bar in bars:
            if bar.place == place:
                rows[place, bar.label] = row
                row += 1
        row += 0.6
    return rows


def place_of(rows: dict[tuple[str, str], float], place: str) -> float:
    """The middle of a place's bars."""
    own = [row for (of_place, _), row in rows.items() if of_place == place]
    return sum(own) / len(own)


def lines_of(text: str, width: int) -> list[str]:
    """Breaks a long name at spaces, dashes and commas, but not between a number and its unit."""
    kept = re.sub(r"(?<=\d) (?=[A-Za-zµ])", "\N{NO-BREAK SPACE}", text)
    return textwrap.wrap(kept, width, break_on_hyphens=True) or [text]


def _wrapped(text: str, width: int = 30) -> str:
    return "\n".join(lines_of(text, width))


def rate_against_latency(group: Group, name: str) -> Figure | None:
    """Latency over the achieved rate, a line for each system with several rates.

    The points are the steps of a ramp, or medians of runs at several target rates. Points not sustained, or INVALID,
    are hollow.
    """
    lines = sweeps(group, name)
    if not lines:
        return None
    figure = Figure(figsize=(_WIDTH, 4.6))
    ax = figure.subplots()
    by_label = looks(group.runs)
    scale = scale_for(Unit.MESSAGES_PER_SEC, [point.rate for line in lines.values() for point in line])
    for label, line in lines.items():
        look = by_label[label]
        (drawn,) = ax.plot(
            [point.rate * scale.factor for point in line],
            [point.latency_ms for point in line],
            color=look.colour,
            linestyle=look.line,
            label=label,
        )
        note_runs(drawn, [point.of_runs for point in line])
        for point in line:
            ax.plot(
                [point.rate * scale.factor],
                [point.latency_ms],
                color=look.colour,
                marker=look.marker,
                markerfacecolor=look.colour if point.clean else "white",
            )
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: latency_tick(value)))
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.set_xlim(left=0)
    ax.set_xlabel(f"publish rate ({scale.symbol})")
    ax.set_ylabel(metric(name).label)
    note_unit(ax, metric(name).unit.value)
    hollow = any(not point.clean for line in lines.values() for point in line)
    head(figure, "Rate against latency", group.title + ("; hollow: not sustained, or INVALID" if hollow else ""))
    legend(figure, [ax])
    return figure


class Swept(NamedTuple):
    """A latency at a rate, and whether that was sustained."""

    rate: float
    latency_ms: float
    clean: bool
    of_runs: Count


def sweeps(group: Group, name: str) -> dict[str, list[Swept]]:
    """The points of each system with two rates at least, in the order of the load."""
    found: dict[str, list[Swept]] = {}
    for run in group.runs:
        steps = [
            Swept(step.publish_rate, step.latencies_ms[name], step.clean and not run.flaw, Count(1, 0))
            for step in run.steps
            if step.publish_rate is not None and step.latencies_ms.get(name, 0) > 0
        ]
        if len(steps) > 1:
            found.setdefault(run.system_label, []).extend(steps)
    by_target: dict[str, dict[float, list[Run]]] = {}
    for run in group.runs:
        if run.target_rate is not None and not run.finds_its_rate:
            by_target.setdefault(run.system_label, {}).setdefault(run.target_rate, []).append(run)
    for label, own in by_target.items():
        repetitions = [
            (runs, len(every) - len(runs))
            for _, every in sorted(own.items())
            if (runs := counted(run for run in every if run.metrics.get(name, 0) > 0))
        ]
        if len(repetitions) > 1 and label not in found:
            found[label] = [
                Swept(
                    median(run.metrics["publishRate"] for run in runs),
                    median(run.metrics[name] for run in runs),
                    all(run.verdict in ("OK", None) for run in runs),
                    Count(len(runs), left),
                )
                for runs, left in repetitions
            ]
    return found


def search(group: Group) -> Figure | None:
    """What a search for the sustainable rate tried: asked for and achieved."""
    searched = [run for run in group.runs if run.tries]
    if not searched:
        return None
    figure = Figure(figsize=(_WIDTH, 4.6))
    ax = figure.subplots()
    by_label = looks(group.runs)
    rates = [rate for run in searched for a_try in run.tries for rate in (a_try.target_rate, a_try.achieved_rate)]
    scale = scale_for(Unit.MESSAGES_PER_SEC, rates)
    most = max(rates) * scale.factor
    ax.plot([0, most], [0, most], color="#999999", linewidth=1, linestyle=":", label="achieved = asked for")
    named: set[str] = set()
    for run in searched:
        look = look_of(run, by_label)
        for sustained in (True, False):
            tried = [a_try for a_try in run.tries if a_try.sustained is sustained]
            label = f"{run.legend}, {'sustained' if sustained else 'refused'}"
            ax.plot(
                [a_try.target_rate * scale.factor for a_try in tried],
                [a_try.achieved_rate * scale.factor for a_try in tried],
                linestyle="none",
                markersize=7,
                marker=look.marker,
                color=look.colour,
                markerfacecolor=look.colour if sustained else "white",
                label=f"_{label}" if label in named or not tried else label,
            )
            named.add(label)
    ax.set_xlim(left=0)
    ax.set_ylim(bottom=0)
    ax.set_xlabel(f"rate asked for ({scale.symbol})")
    ax.set_ylabel(f"rate achieved ({scale.symbol})")
    head(figure, "Search for the sustainable rate", group.title)
    legend(figure, [ax])
    return figure


def plain_log_axis(ax: Axes, written_as: Callable[[float], str] = digits) -> None:
    """Plain numbers instead of powers of ten; labels between the decades where there are few of them."""
    low, high = ax.get_ylim()
    if high / low < 1.5:
        middle = (high * low) ** 0.5
        low, high = middle / 1.6, middle * 1.6
        ax.set_ylim(low, high)
    few = high / low < 30
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: written_as(value)))
    minor = FuncFormatter(lambda value, _: _minor_label(value, written_as))
    ax.yaxis.set_minor_formatter(minor if few else NullFormatter())


def _minor_label(value: float, written_as: Callable[[float], str]) -> str:
    """Only 2 and 5 of each decade: more would overlap."""
    return written_as(value) if f"{value:e}"[0] in "25" else ""


def head(figure: Figure, title: str, below: str) -> None:
    """The title, and below it what was run."""
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    figure.axes[0].set_title(_wrapped(below, 100), fontsize=9, color="#555555")


def legend(figure: Figure, axes: Iterable[Axes], *, letters: int = 100, size_pt: float = 9) -> None:
    """One legend below all panels, where it covers nothing; ``letters`` fit into a line."""
    entries: dict[str, Artist] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    if entries:
        longest = max(len(label) for label in entries)
        columns = max(1, min(_MOST_LEGEND_COLUMNS, len(entries), letters // (longest + 6)))
        figure.legend(
            list(entries.values()), list(entries), loc="outside lower center", ncols=columns, fontsize=size_pt
        )
