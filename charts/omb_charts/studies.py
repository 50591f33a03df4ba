"""The studies' own figures and tables, redrawn from what was measured here, with the published numbers beside it."""

import fnmatch
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from omb_charts.figures import MOST_LINEAR_SPREAD, head, hollow, legend, of_runs, plain_log_axis
from omb_charts.metrics import METRICS, metric
from omb_charts.model import INVALID, RANGE, UNRELIABLE, Cell, Estimate, PlanResult, PublishedValue, Run, counted
from omb_charts.pictures import Picture, slug
from omb_charts.plotted import DEVIATION, Count, note_ends, note_places, note_runs, note_time_scale, note_unit
from omb_charts.result_file import system_of
from omb_charts.style import FLAWED_MARKER, Look, look_of, looks_of
from omb_charts.units import Scale, Unit, count_tick, digits, latency_tick, scale_for

_WIDTH = 8.4
_PANEL_HEIGHT = 3.2
# Panels with more bars have the whole width.
_MOST_BARS_IN_HALF = 8
# More numbers than that over bars would overlap, or have to stand upright.
_MOST_NUMBERS = 28
_MOST_UPRIGHT_NUMBERS = 6
# An end at 0 or below is drawn at this part of the value: a logarithmic axis has no 0.
_LEAST_END = 0.02


@dataclass(frozen=True, slots=True)
class Subject:
    """What a figure of a study shows: a metric of the cells of one experiment."""

    number: str
    title: str
    experiment: str
    metric: str
    cases: str = "*"
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A bar of a study's figure, and what was published for it; ``invalid`` if only INVALID runs measured it.

    It is of a metric of cells: of one, or of the mean of several.
    """

    place: str
    system: str
    measured: Estimate | None
    published: float | None
    published_sd: float | None
    invalid: bool
    metric: str
    cells: tuple[Cell, ...]

    @property
    def count(self) -> Count:
        runs = sum(cell.metrics[self.metric].n for cell in self.cells if self.metric in cell.metrics)
        return Count(runs, sum(cell.left_out(self.metric) for cell in self.cells))


def pictures(plan: PlanResult) -> Iterator[Picture]:
    """The figures of the plan's study; none if it is the plan of no known study."""
    prefix = slug(plan.study)
    makers = _STUDIES.get(plan.study)
    if makers is None:
        return
    for number, draw in makers(plan):
        yield Picture(f"{prefix}-{number}", draw)
    yield from _tables(plan, prefix)


Maker = Callable[[PlanResult], Iterator[tuple[str, Callable[[], Figure | None]]]]


# --- kaczor-2022 ---


def _kaczor(plan: PlanResult) -> Iterator[tuple[str, Callable[[], Figure | None]]]:
    for number, size in enumerate(("10 B", "100 B", "1 KB", "10 KB", "100 KB", "1 MB"), 1):
        subject = Subject(
            f"Figure {number}",
            f"Time to transfer messages of {size}",
            "own-application",
            "totalSeconds",
            cases=f"{size} x *",
            logarithmic=True,
        )
        yield f"figure-{number}", _later(_bars, plan, subject, partial(_after_x, plan))
    models = (
        ("1p:1c", "one producer, one subscriber"),
        ("2p:1c", "two producers, one subscriber"),
        ("1p:2c", "one producer, two subscribers"),
        ("2p:2c", "two producers, two subscribers"),
    )
    for number, (case, words) in enumerate(models, 7):
        yield f"figure-{number}", _later(_sent_and_received, plan, f"Figure {number}", case, words)


def _after_x(plan: PlanResult, case: str) -> str:
    """The case's number of messages, of which a shortened plan sends a part."""
    part = "" if plan.time_scale == 1 else f" × {plan.time_scale:g}"
    return f"{case.rsplit(' x ', 1)[-1]}{part} messages"


def _sent_and_received(plan: PlanResult, number: str, case: str, words: str) -> Figure | None:
    """Two places, sent and received, for one case."""
    drawn = [
        _Drawn(place, cell.system, cell.metrics[name], None, None, cell.only_invalid, name, (cell,))
        for name, place in (("publishRate", "sent"), ("consumeRate", "received"))
        for cell in plan.cells
        if cell.experiment == "tools" and cell.case == case and name in cell.metrics
    ]
    return _figure(plan, f"{number}: {words}", [(metric("publishRate").unit, "messages a second", drawn, False)])


# --- maharjan-2023 ---


def _maharjan(plan: PlanResult) -> Iterator[tuple[str, Callable[[], Figure | None]]]:
    subjects = [
        Subject("2", "Throughput in events a second", "throughput", "publishRate", logarithmic=True),
        Subject("3", "Throughput in megabytes a second", "throughput", "publishMBPerSec", logarithmic=True),
    ]
    subjects += [
        Subject(
            str(number),
            f"{percentile}th percentile of the end-to-end latency",
            "latency",
            f"endToEndLatency{percentile}pct",
            logarithmic=True,
        )
        for number, percentile in ((4, 50), (5, 75), (6, 95), (7, 99))
    ]
    for subject in subjects:
        yield f"figure-{subject.number}", _later(_bars, plan, subject)


# --- chy-2023 ---


def _chy(plan: PlanResult) -> Iterator[tuple[str, Callable[[], Figure | None]]]:
    for number, what, name in (
        (6, "Maximum end-to-end latency", "endToEndLatencyMax"),
        (7, "50th percentile of the end-to-end latency", "endToEndLatency50pct"),
        (8, "75th percentile of the end-to-end latency", "endToEndLatency75pct"),
        (9, "99th percentile of the end-to-end latency", "endToEndLatency99pct"),
        (10, "Average end-to-end latency", "endToEndLatencyAvg"),
        (11, "Maximum throughput", "publishRate"),
    ):
        yield f"figure-{number}", _later(_bars, plan, Subject(str(number), what, "sizes", name, logarithmic=True))
    sizes = ("1 KB", "10 KB", "100 KB", "1000 KB")
    for first, words, choices in (
        (12, "CPU utilization", (("brokerCpuPercent", Unit.PERCENT, "broker's CPU, of the host's processors"),)),
        (
            16,
            "Memory usage",
            (
                ("brokerHeapBytes", Unit.BYTES, "used heap of the broker's JVMs"),
                ("brokerMemoryBytes", Unit.BYTES, "resident memory of the broker"),
            ),
        ),
        (20, "Garbage collection", (("brokerCollectionsPerSec", Unit.PER_SEC, "collections a second"),)),
    ):
        for number, size in enumerate(sizes, first):
            title = f"Figure {number}: {words}, {size}"
            yield f"figure-{number}", _later(_over_time, plan, title, "sizes", size, choices)


def _over_time(
    plan: PlanResult, title: str, experiment: str, case: str, choices: Sequence[tuple[str, Unit, str]]
) -> Figure | None:
    """A line for each system: the mean of its repetitions, with their range."""
    runs = [run for run in plan.runs if run.place and run.place.experiment == experiment and run.place.case == case]
    every = {system: [run for run in runs if run.base_label == system] for system in _systems(plan)}
    by_system = {system: counted(own) for system, own in every.items()}
    for name, unit, label in choices:
        means = {
            system: line
            for system, own in by_system.items()
            if len({run.label for run in own}) == 1 and (line := _mean_line(own, name)) is not None
        }
        if not means:
            continue
        scale = scale_for(unit, [float(value) for line in means.values() for value in line[3]])
        figure = Figure(figsize=(_WIDTH, 4.4))
        ax = figure.subplots()
        by_label = _looks(plan)
        for system, (x, mean, low, high) in means.items():
            first = by_system[system][0]
            look = look_of(first, {first.label: by_label[system]})
            (drawn,) = ax.plot(
                x,
                mean * scale.factor,
                color=look.colour,
                marker=look.marker,
                linestyle=look.line if first.flaw else "-",
                label=f"{system} {first.flaw}".strip(),
                markevery=max(1, len(x) // 20),
            )
            of_mean = sum(name in run.series for run in by_system[system])
            note_runs(drawn, [Count(of_mean, len(every[system]) - of_mean)])
            if len(by_system[system]) > 1:
                ends = (low * scale.factor, high * scale.factor)
                note_ends(ax.fill_between(x, *ends, color=look.colour, alpha=0.18, linewidth=0), RANGE)
        ax.set_xlabel("time since the measurement began (s)")
        ax.set_ylabel(f"{label} ({scale.symbol})")
        ax.set_ylim(0, max(ax.get_ylim()[1] * 1.05, 1e-9))
        ax.set_xlim(left=0)
        missing = [system for system in by_system if system not in means]
        below = f"{plan.study}, mean and range of repetitions"
        _head(figure, plan, title, below + (f"; not measured: {', '.join(missing)}" if missing else ""))
        legend(figure, [ax])
        return figure
    return None


_Line = tuple["np.ndarray[tuple[int], np.dtype[np.float64]]", ...]


def _mean_line(runs: Sequence[Run], name: str) -> _Line | None:
    """x, mean, lowest and highest over the runs, as far as all of them go; a period that no run has read is a gap."""
    lines = [
        (run.spans, values) for run in runs if (values := run.series.get(name)) and any(v is not None for v in values)
    ]
    if not lines:
        return None
    length = min(min(len(spans), len(values)) for spans, values in lines)
    if length == 0:
        return None
    x = np.mean([[span.middle_s for span in spans[:length]] for spans, _ in lines], axis=0)
    y = np.ma.masked_invalid(np.asarray([values[:length] for _, values in lines], dtype=float))
    mean, low, high = (np.ma.filled(line, np.nan) for line in (y.mean(axis=0), y.min(axis=0), y.max(axis=0)))
    return x, mean, low, high


# --- ramadan-2026 ---


def _ramadan(plan: PlanResult) -> Iterator[tuple[str, Callable[[], Figure | None]]]:
    scenarios = (
        ("message-size", "1 KB", "1 KB"),
        ("message-size", "10 KB", "10 KB"),
        ("message-size", "100 KB", "100 KB"),
        ("volume", "10K", "10,000 messages"),
        ("volume", "50K", "50,000 messages"),
        ("volume", "100K", "100,000 messages"),
        ("consumers", "1 consumer", "1 consumer"),
        ("consumers", "5 consumers", "5 consumers"),
        ("consumers", "10 consumers", "10 consumers"),
        ("stress", "*", "stress test"),
    )
    metrics = (
        ("publishRate", "throughput"),
        ("endToEndLatencyAvg", "latency"),
        ("hostCpuPercent", "CPU"),
        ("hostMemoryPercent", "RAM"),
    )
    number = 2
    for experiment, case, words in scenarios:
        for name, what in metrics:
            subject = Subject(f"Figure {number}", f"{what}, {words}", experiment, name, case)
            yield f"figure-{number}", _later(_by_repetition, plan, subject)
            number += 1


def _by_repetition(plan: PlanResult, subject: Subject) -> Figure | None:
    """The value of each repetition, as the study's tests 1 to 10, with the published mean and deviation."""
    every = [
        run
        for run in plan.runs
        if run.place
        and run.place.experiment == subject.experiment
        and fnmatch.fnmatchcase(run.place.case, subject.cases)
    ]
    runs = [run for run in every if run.usable and subject.metric in run.metrics]
    if not runs:
        return None
    published = [
        value
        for value in plan.published
        if value.experiment == subject.experiment
        and value.metric == subject.metric
        and not value.run
        and fnmatch.fnmatchcase(value.case, subject.cases)
    ]
    unit = metric(subject.metric).unit
    everything = [run.metrics[subject.metric] for run in runs] + [value.value for value in published]
    scale = scale_for(unit, everything)
    figure = Figure(figsize=(_WIDTH, 4.4))
    ax = figure.subplots()
    by_label = _looks(plan)
    for system in _systems(plan):
        own = sorted(
            (run.place.repetition, run.metrics[subject.metric], run.flaw)
            for run in runs
            if run.place and run.base_label == system
        )
        look = by_label[system]
        if own:
            ax.plot(
                [number for number, _, _ in own],
                [value * scale.factor for _, value, _ in own],
                color=look.colour,
                marker=look.marker,
                label=f"{system}, measured",
            )
        flawed = [(number, value) for number, value, flaw in own if flaw]
        if flawed:
            ax.plot(
                [number for number, _ in flawed],
                [value * scale.factor for _, value in flawed],
                color=look.colour,
                marker="x",
                markersize=11,
                linestyle="none",
                label=f"{system}, {INVALID}",
            )
        for value in published:
            if value.system == system:
                _published_line(ax, value, scale, look)
    if subject.logarithmic or max(everything) > MOST_LINEAR_SPREAD * min(v for v in everything if v > 0):
        ax.set_yscale("log")
        plain_log_axis(ax)
    else:
        ax.set_ylim(0, ax.get_ylim()[1] * 1.05)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    most = max(run.place.repetition for run in runs if run.place)
    ax.set_xlim(0.5, most + 0.5)
    ax.set_xlabel("test")
    ax.set_ylabel(f"{metric(subject.metric).label} ({scale.symbol})")
    units = "; seconds in the paper's figure, milliseconds in its tables" if unit is Unit.MS else ""
    left = len(every) - len(runs)
    left_out = f"; left out: {left} of {len(every)} runs (failed, or without the figure)" if left else ""
    below = f"{plan.study}, each repetition{left_out}{units}"
    _head(figure, plan, f"{subject.number}: {subject.title}", below)
    legend(figure, [ax])
    return figure


def _published_line(ax: Axes, value: PublishedValue, scale: Scale, look: Look) -> None:
    ax.axhline(
        value.value * scale.factor, color=look.colour, linestyle=":", linewidth=1.4, label=f"{value.system}, published"
    )
    if value.sd is not None:
        low = max(value.value - value.sd, value.value * 0.01)
        ax.axhspan(
            low * scale.factor, (value.value + value.sd) * scale.factor, color=look.colour, alpha=0.1, linewidth=0
        )


# --- superstreams-2026 ---


def _superstreams(plan: PlanResult) -> Iterator[tuple[str, Callable[[], Figure | None]]]:
    for section, name, title in (
        ("1-producer-throughput-msgs", "publishRate", "Producer throughput"),
        ("1-consumer-throughput-msgs", "consumeRate", "Consumer throughput"),
        ("1-producer-throughput-bytes", "publishMBPerSec", "Producer throughput in bytes"),
        ("1-consumer-throughput-bytes", "consumeMBPerSec", "Consumer throughput in bytes"),
        ("2-e2e-latency", "endToEndLatency99pct", "End-to-end latency, p99"),
        ("2-produce-ack-latency", "publishLatency99pct", "Produce to acknowledgement, p99"),
        ("3-cpu-usage", "brokerCpuCores", "CPU of the broker"),
        ("4-memory-usage", "brokerMemoryBytes", "Memory of the broker"),
    ):
        number = section.split("-", 1)[0]
        yield f"section-{section}", _later(_all_tests, plan, f"§{number} {title}", name)
    yield "section-1.7", _later(_ramp, plan)


def _all_tests(plan: PlanResult, title: str, name: str) -> Figure | None:
    cells = [cell for cell in plan.cells if cell.experiment != "ramp"]
    drawn = [_drawn(plan, cell, name, f"{cell.experiment} {cell.case}") for cell in cells]
    what = metric(name)
    return _figure(plan, title, [(what.unit, what.label, drawn, _wide(drawn))])


def _ramp(plan: PlanResult) -> Figure | None:
    """Rate and p99 of each step; hollow where the step was not clean."""
    runs = [run for run in plan.runs if run.place and run.place.experiment == "ramp" and run.steps]
    if not runs:
        return None
    figure = Figure(figsize=(_WIDTH, 2 * _PANEL_HEIGHT))
    above, below = figure.subplots(2, 1, sharex=True)
    by_label = _looks(plan)
    rates = [step.publish_rate for run in runs for step in run.steps]
    scale = scale_for(Unit.MESSAGES_PER_SEC, rates)
    named: set[str] = set()
    for run in runs:
        look = by_label[run.base_label]
        for ax, values in (
            (above, [None if step.publish_rate is None else step.publish_rate * scale.factor for step in run.steps]),
            (below, [step.latencies_ms.get("endToEndLatency99pct") for step in run.steps]),
        ):
            x = [step.producers or number for number, step in enumerate(run.steps)]
            y = [np.nan if value is None else value for value in values]
            ax.plot(
                x, y, color=look.colour, label=run.base_label if run.base_label not in named else f"_{run.base_label}"
            )
            for at, value, step in zip(x, y, run.steps, strict=True):
                ax.plot(
                    [at],
                    [value],
                    marker=look.marker,
                    color=look.colour,
                    markerfacecolor=look.colour if step.clean and not run.flaw else "white",
                )
        named.add(run.base_label)
    above.set_ylabel(f"publish rate ({scale.symbol})")
    _published_steps(plan, above, below, scale, by_label)
    above.set_ylim(0, above.get_ylim()[1] * 1.06)
    # The bound at which the report ended its ramp.
    below.axhline(10_000, color="#555555", linestyle="--", linewidth=1, label="_bound")
    below.annotate("10 s", (0, 10_000), (4, 3), xycoords=("axes fraction", "data"), textcoords="offset points")
    below.set_ylabel("end-to-end p99")
    below.set_yscale("log")
    low, high = below.get_ylim()
    # Whole decades: fewer would have a single label.
    below.set_ylim(10 ** math.floor(math.log10(max(low, 1e-3))), 10 ** math.ceil(math.log10(high)))
    plain_log_axis(below, latency_tick)
    note_unit(below, Unit.MS.value)
    below.set_xlabel("producers")
    below.xaxis.set_major_locator(MaxNLocator(integer=True))
    published = [value for value in plan.published if value.experiment == "ramp" and value.metric == "saturationRate"]
    for rate in published:
        above.axhline(
            rate.value * scale.factor,
            color=by_label[rate.system].colour,
            linestyle=":",
            label=f"{rate.system}, published last clean step",
        )
    _head(
        figure,
        plan,
        "§1.7 Ramp: producers are added until latency gives way",
        f"{plan.study}; hollow: not clean, or INVALID; diamonds: published",
    )
    legend(figure, [above])
    return figure


_STEP = re.compile(r"(publish rate|endToEndLatency99pct) of step \d+, (\d+) producers, (clean|aborted)")


def _published_steps(plan: PlanResult, above: Axes, below: Axes, scale: Scale, by_label: Mapping[str, Look]) -> None:
    """The report's steps; hollow where its rules ended the ramp."""
    for value in plan.published:
        step = _STEP.fullmatch(value.metric)
        if value.experiment != "ramp" or step is None:
            continue
        rate = step[1] == "publish rate"
        colour, clean = by_label[value.system].colour, step[3] == "clean"
        (above if rate else below).plot(
            [int(step[2])],
            [value.value * scale.factor if rate else value.value],
            marker="D",
            markersize=7,
            color="#111111" if clean else colour,
            markerfacecolor=colour if clean else "white",
            markeredgewidth=1.0 if clean else 1.8,
            linestyle="none",
            label="_published",
        )


_STUDIES: Mapping[str, Maker] = {
    "kaczor-2022": _kaczor,
    "maharjan-2023": _maharjan,
    "chy-2023": _chy,
    "ramadan-2026": _ramadan,
    "superstreams-2026": _superstreams,
}


# --- tables: whatever has a number in the text ---


def _tables(plan: PlanResult, prefix: str) -> Iterator[Picture]:
    """A picture for each table, a panel for each of its metrics."""
    by_source: dict[str, list[PublishedValue]] = {}
    for value in plan.published:
        # What has nothing to be compared with here has a metric in words.
        if value.metric not in METRICS or value.run:
            continue
        if value.source.startswith("Table") or (value.source.startswith("§") and value.experiment != "ramp"):
            by_source.setdefault(value.source, []).append(value)
    for source, values in by_source.items():
        number = slug(source.replace("§", "section "))
        yield Picture(f"{prefix}-{number}", _later(_table, plan, source, values))


def _table(plan: PlanResult, source: str, values: Sequence[PublishedValue]) -> Figure | None:
    panels: list[tuple[Unit, str, list[_Drawn], bool]] = []
    several = len({value.experiment for value in values}) > 1
    for name in dict.fromkeys(value.metric for value in values):
        drawn: list[_Drawn] = []
        for value in values:
            if value.metric == name:
                case = value.case.removesuffix(" x *") or value.experiment
                place = f"{value.experiment} {case}" if several else case
                cells = _cells_of(plan, value)
                measured = value.measured or _mean_of_cells(cells, value.metric)
                invalid = value.only_invalid or any(cell.only_invalid for cell in cells)
                drawn.append(_Drawn(place, value.system, measured, value.value, value.sd, invalid, name, tuple(cells)))
        if any(bar.measured is not None for bar in drawn):
            panels.append((metric(name).unit, metric(name).label, drawn, _wide(drawn)))
    experiments = ", ".join(dict.fromkeys(value.experiment for value in values))
    return _figure(plan, f"{source}: {experiments}", panels, values)


def _cells_of(plan: PlanResult, value: PublishedValue) -> list[Cell]:
    """Those that were measured for a published value."""
    return [
        cell
        for cell in plan.cells
        if cell.experiment == value.experiment
        and cell.system == value.system
        and fnmatch.fnmatchcase(cell.case, value.case or "*")
        and value.metric in cell.metrics
    ]


def _mean_of_cells(cells: Sequence[Cell], name: str) -> Estimate | None:
    """The estimate of a cell, or the mean of the medians of several."""
    found = [cell.metrics[name] for cell in cells]
    if len(found) == 1:
        return found[0]
    if not found:
        return None
    means, medians = (sum(values) / len(found) for values in zip(*((e.mean, e.median) for e in found), strict=True))
    return Estimate(min(e.n for e in found), means, medians)


# --- bars ---


def _bars(plan: PlanResult, subject: Subject, place: Callable[[str], str] = str) -> Figure | None:
    cells = [
        cell
        for cell in plan.cells
        if cell.experiment == subject.experiment and fnmatch.fnmatchcase(cell.case, subject.cases)
    ]
    drawn = [_drawn(plan, cell, subject.metric, place(cell.case)) for cell in cells]
    what = metric(subject.metric)
    number = subject.number if subject.number.startswith("Figure") else f"Figure {subject.number}"
    return _figure(plan, f"{number}: {subject.title}", [(what.unit, what.label, drawn, subject.logarithmic)])


def _drawn(plan: PlanResult, cell: Cell, name: str, place: str) -> _Drawn:
    published = next(
        (
            value
            for value in plan.published
            if (value.experiment, value.system, value.case, value.metric, value.run)
            == (cell.experiment, cell.system, cell.case, name, "")
        ),
        None,
    )
    return _Drawn(
        place,
        cell.system,
        cell.metrics.get(name),
        published.value if published else None,
        published.sd if published else None,
        cell.only_invalid,
        name,
        (cell,),
    )


def _wide(drawn: Sequence[_Drawn]) -> bool:
    """Whether values are so far apart that small ones would not be seen beside the large."""
    values = [value for bar in drawn for value in _values(bar) if value > 0]
    return bool(values) and max(values) > MOST_LINEAR_SPREAD * min(values)


def _values(bar: _Drawn) -> list[float]:
    return [value for value in (bar.measured.median if bar.measured else None, bar.published) if value is not None]


def _figure(
    plan: PlanResult,
    title: str,
    panels: Sequence[tuple[Unit, str, Sequence[_Drawn], bool]],
    published: Sequence[PublishedValue] = (),
) -> Figure | None:
    """Upright bars, a panel for each metric."""
    shown = [panel for panel in panels if any(bar.measured is not None for bar in panel[2])]
    if not shown:
        return None
    columns = 2 if len(shown) > 2 and max(len(drawn) for _, _, drawn, _ in shown) <= _MOST_BARS_IN_HALF else 1
    rows = -(-len(shown) // columns)
    figure = Figure(figsize=(_WIDTH, 0.8 + (_PANEL_HEIGHT if rows > 1 else 4.6) * rows))
    grid = figure.subplots(rows, columns, squeeze=False).flatten()
    axes = grid[: len(shown)]
    for unused in grid[len(shown) :]:
        unused.remove()
    by_label = _looks(plan)
    for ax, (unit, label, drawn, logarithmic) in zip(axes, shown, strict=True):
        crowded = columns * len(drawn) > _MOST_UPRIGHT_NUMBERS
        _draw_bars(ax, drawn, unit, label, logarithmic, by_label, crowded=crowded)
    _head(figure, plan, title, _below(plan, published, [bar for _, _, drawn, _ in shown for bar in drawn]))
    legend(figure, axes)
    return figure


def _draw_bars(
    ax: Axes,
    drawn: Sequence[_Drawn],
    unit: Unit,
    label: str,
    logarithmic: bool,
    by_label: Mapping[str, Look],
    *,
    crowded: bool,
) -> None:
    places = list(dict.fromkeys(bar.place for bar in drawn))
    systems = list(dict.fromkeys(bar.system for bar in drawn))
    values = [value for bar in drawn for value in _values(bar) if value > 0]
    logarithmic = logarithmic and bool(values)
    # A logarithmic axis names the unit at each of its labels.
    scale = Scale(1.0, unit.value) if logarithmic else scale_for(unit, values)
    slot = 0.84 / len(systems)
    # Where something was published, bars leave room for it at their right.
    width = slot * (0.66 if any(bar.published is not None for bar in drawn) else 0.94)
    written_on = _Writing(ax, unit, scale, logarithmic, len(drawn), crowded)
    for system_number, system in enumerate(systems):
        left = system_number * slot - 0.42
        own = [(places.index(bar.place) + left, bar) for bar in drawn if bar.system == system]
        _draw_measured(written_on, [(x + width / 2, bar) for x, bar in own], by_label[system], width)
        # Beside the bar, or in its place if there is none.
        _draw_published(
            written_on,
            system,
            by_label[system],
            [(x + (width + slot if bar.measured else slot) / 2, bar) for x, bar in own],
        )
    if logarithmic:
        # Of values and of the ends of lines.
        least, most = float(ax.dataLim.minposy), ax.get_ylim()[1]
        ax.set_yscale("log")
        ax.set_ylim(least / 2, most * (2 * most / least) ** (0.3 if crowded else 0.12))
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value, unit)))
        ax.yaxis.set_minor_formatter(NullFormatter())
    else:
        ax.set_ylim(0, ax.get_ylim()[1] * (1.35 if crowded else 1.15))
    note_places(ax, dict(enumerate(places)), lying=False)
    turned = len(places) > 8 or sum(len(place) for place in places) > 70
    ax.set_xticks(
        range(len(places)), places, rotation=35 if turned else 0, ha="right" if turned else "center", fontsize=9
    )
    ax.set_xlim(-0.6, len(places) - 0.4)
    ax.grid(visible=False, axis="x")
    in_time = unit in (Unit.MS, Unit.SECONDS)
    if logarithmic and in_time:
        note_unit(ax, unit.value)
    ax.set_ylabel(_two_lines(label if logarithmic and in_time else f"{label} ({scale.symbol})"))


@dataclass(frozen=True, slots=True)
class _Writing:
    """How numbers are written on an axis."""

    ax: Axes
    unit: Unit
    scale: Scale
    logarithmic: bool
    bars: int
    crowded: bool

    def number(self, x: float, top: float, value: float, colour: str, mark: str = "") -> None:
        """Over a bar or a mark, with what is wrong with it; only that if there are too many."""
        if self.bars > _MOST_NUMBERS and not mark:
            return
        text = tick(float(f"{value:.3g}"), self.unit) if self.logarithmic else digits(value * self.scale.factor)
        text = mark.strip() if self.bars > _MOST_NUMBERS else text + mark
        self.ax.annotate(
            text,
            (x, top * self.scale.factor),
            (0, 6),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=7,
            rotation=90 if mark or self.crowded or self.bars > _MOST_UPRIGHT_NUMBERS else 0,
            color=colour,
        )


def tick(value: float, unit: Unit) -> str:
    """A value as an axis' label: times with their unit, counts with K and M."""
    if unit in (Unit.MS, Unit.SECONDS):
        return latency_tick(value * (1e3 if unit is Unit.SECONDS else 1.0))
    return count_tick(value)


def _draw_measured(on: _Writing, bars: Sequence[tuple[float, _Drawn]], look: Look, width: float) -> None:
    measured = [(x, bar.measured, bar) for x, bar in bars if bar.measured is not None]
    factor = on.scale.factor
    # Nobody sees this one. The legend takes the system's look from it, which an INVALID run does not have.
    if on.logarithmic and measured:
        on.ax.plot([], [], linestyle="none", marker=look.marker, color=look.colour, label=bars[0][1].system)
    else:
        on.ax.bar(
            [bars[0][0]], [0], width, color=look.colour, hatch=look.hatch, edgecolor="white", label=bars[0][1].system
        )
    label = "_" + bars[0][1].system
    for x, value, bar in measured:
        if on.logarithmic:
            # A logarithmic axis has no 0 for a bar to stand on.
            marker = FLAWED_MARKER if bar.invalid else look.marker
            (point,) = on.ax.plot(
                [x], [value.median * factor], linestyle="none", marker=marker, color=look.colour, label=label
            )
            note_runs(point, [bar.count])
        else:
            (patch,) = on.ax.bar(
                [x], [value.median * factor], width, color=look.colour, hatch=look.hatch, edgecolor="white", label=label
            )
            note_runs(patch, [bar.count])
            if bar.invalid:
                hollow(patch, look)
        top = value.median
        if value.ends is not None:
            low, top = max(value.ends[0], value.median * _LEAST_END), value.ends[1]
            errors = on.ax.errorbar(
                x,
                value.median * factor,
                yerr=[[(value.median - low) * factor], [(top - value.median) * factor]],
                color="#222222",
                # A range has no caps.
                capsize=0 if value.low is None else 2.5,
                linewidth=1,
            )
            note_ends(errors, value.ends_are)
        on.number(x, top, value.median, "#111111", f" {INVALID}" if bar.invalid else "")
    for x, bar in bars:
        if bar.measured is None:
            on.ax.annotate(
                "none",
                (x - width / 3, 0),
                (0, 4),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize=7,
                rotation=90,
                color="#555555",
            )


def _draw_published(on: _Writing, system: str, look: Look, bars: Sequence[tuple[float, _Drawn]]) -> None:
    shown = [(x, bar.published, bar.published_sd or 0.0) for x, bar in bars if bar.published]
    if not shown:
        return
    factor = on.scale.factor
    mark: dict[str, Any] = {"linestyle": "none", "marker": "D", "markersize": 5, "markeredgecolor": "#111111"}
    if "published" not in on.ax.get_legend_handles_labels()[1]:
        # The legend has one entry for all systems, of no system's colour.
        on.ax.plot([], [], color="white", label="published", **mark)
    drawn = on.ax.errorbar(
        [x for x, _, _ in shown],
        [value * factor for _, value, _ in shown],
        yerr=[
            [min(sd, value * (1 - _LEAST_END)) * factor for _, value, sd in shown],
            [sd * factor for _, _, sd in shown],
        ],
        markerfacecolor=look.colour,
        color="#111111",
        elinewidth=0.8,
        label=f"_{system}, published",
        **mark,
    )
    note_ends(drawn, DEVIATION)
    for x, value, sd in shown:
        on.number(x, value + sd, value, "#555555")


def _two_lines(text: str) -> str:
    return text if len(text) < 40 else re.sub(r"^(.{20,40}?) ", r"\1\n", text)


# --- what all of them share ---


def _systems(plan: PlanResult) -> list[str]:
    return list(dict.fromkeys(cell.system for cell in plan.cells))


def _looks(plan: PlanResult) -> dict[str, Look]:
    systems = {run.base_label: run.system for run in plan.runs}
    named = {*_systems(plan), *systems, *(value.system for value in plan.published)}
    return looks_of((name, systems.get(name) or system_of(None, name)) for name in sorted(named))


def _head(figure: Figure, plan: PlanResult, title: str, below: str) -> None:
    """The title, and below it what was run, and that it was shortened."""
    if plan.time_scale != 1:
        note_time_scale(figure, plan.time_scale)
        below += f"; times and counts × {plan.time_scale:g}: not a measurement of the study"
    head(figure, title, below)


def _below(plan: PlanResult, published: Sequence[PublishedValue], bars: Sequence[_Drawn]) -> str:
    notes = list(dict.fromkeys(value.note for value in published if value.note))
    shown = f"; {'; '.join(notes)}" if 0 < len(notes) <= 2 else ""
    estimates = [bar.measured for bar in bars if bar.measured is not None]
    are = what_bars_are(estimates) + of_runs([each.n for each in estimates])
    return f"{plan.study}, {are}{_left_out(bars)}{shown}"


def _left_out(bars: Iterable[_Drawn]) -> str:
    """How many runs of each system the bars are not of, and why; empty if they are of all."""
    by_cell: dict[tuple[str, str, str], tuple[Cell, int, int]] = {}
    for bar in bars:
        for cell in bar.cells:
            key = cell.experiment, cell.system, cell.case
            _, without, vague = by_cell.get(key, (cell, 0, 0))
            unreliable = cell.unreliable_rates if metric(bar.metric).searched else 0
            by_cell[key] = cell, max(cell.left_out(bar.metric), without), max(unreliable, vague)
    runs, left = Counter[str](), Counter[str]()
    why: dict[str, None] = {}
    for cell, without, unreliable in by_cell.values():
        runs[cell.system] += cell.runs + cell.failed
        left[cell.system] += without
        invalid = 0 if cell.only_invalid else cell.invalid
        reasons = {
            "no repetitions of one another": bool(cell.variants),
            INVALID: invalid > 0,
            "failed": cell.failed > 0,
            UNRELIABLE: unreliable > 0,
            "without the figure": not cell.variants and without > invalid + cell.failed + unreliable,
        }
        why |= dict.fromkeys(reason for reason, applies in reasons.items() if without and applies)
    told = [f"{left[system]} of {number} runs of {system}" for system, number in runs.items() if left[system]]
    return f"; left out: {', '.join(told)} ({', '.join(why)})" if told else ""


def what_bars_are(estimates: Sequence[Estimate]) -> str:
    """What bars and their lines stand for: single runs have no interval, and two runs only a range."""
    if all(estimate.n == 1 for estimate in estimates):
        return "one run each"
    if all(estimate.low is not None for estimate in estimates):
        return "median and 95 % interval"
    return "median with its 95 % interval, or with the range (no caps) where the runs give no interval"


def _later(draw: Callable[..., Figure | None], *arguments: object) -> Callable[[], Figure | None]:
    return lambda: draw(*arguments)
