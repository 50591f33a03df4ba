"""Which pictures a set of results gives, and their files: each as PNG, SVG and PDF, and its points as CSV."""

import multiprocessing
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure

from omb_charts import figures, load_curve, paper, plotted
from omb_charts.hdr_log import read_intervals
from omb_charts.matrix import ranked
from omb_charts.metrics import LATENCIES, from_intended_send, latency_key
from omb_charts.model import MOST_RUNS, Group, Problem, Results, Run, groups_of, sample
from omb_charts.progress import told
from omb_charts.style import drawing, keep_places

FORMATS = ("png", "svg", "pdf", "csv")
# Latencies are those from the intended send where all runs have them.
COMPARED = (
    "publishRate",
    "publishMBPerSec",
    "consumeRate",
    "publishLatency99pct",
    "endToEndLatency50pct",
    "endToEndLatency99pct",
    "sustainableRate",
    "kneeRate",
    "totalSeconds",
    "brokerCpuCores",
    "brokerMemoryBytes",
    "messagesPerBrokerCpuSecond",
)
# Beyond so many workloads the pictures of each, nine or more, are drawn only if asked for: they take minutes.
MANY_GROUPS = 12
# Beyond so many results no picture is drawn unless asked for: the page has the charts, and opens in seconds.
MANY_RUNS = 500
# A picture of bars that is higher than this is cut into several.
_GROUPS_IN_A_PICTURE = 12
# Starting a process pays from some pictures on.
_WORTH_A_PROCESS = 6


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart to be drawn: the name of its file, without an ending, and how."""

    name: str
    draw: Callable[[], Figure | Problem | None]


def slug(text: str) -> str:
    """A name that is suitable for a file."""
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.") or "unnamed"


def are_many(results: Results) -> bool:
    """Whether there are more workloads, or results, than anybody looks at one by one."""
    return len(groups_of(results.runs)) > MANY_GROUPS or len(results.runs) > MANY_RUNS


def general(results: Results, *, each_workload: bool) -> Iterator[Picture]:
    """The general charts of all results: those that compare workloads and, if asked for, those of each workload."""
    ordered = ranked(groups_of(results.runs))
    groups = [Group(group.title, tuple(run for run in group.runs if run.series)) for group in ordered]
    if each_workload:
        for group in groups:
            yield from _of_group(group)
    for name in COMPARED:
        for part, start in enumerate(range(0, len(groups), _GROUPS_IN_A_PICTURE), 1):
            some = groups[start : start + _GROUPS_IN_A_PICTURE]
            number = f"-{part}" if len(groups) > _GROUPS_IN_A_PICTURE else ""
            shown = from_intended_send(name, [run for group in groups for run in group.runs])
            yield Picture(f"comparison-{_dashed(name)}{number}", _bound(figures.comparison, some, shown))


def everything(results: Results) -> Iterator[tuple[str, Picture]]:
    """All pictures by the names of their files, as drawing all of them names them."""
    # A study's figures are pictures, too.
    from omb_charts import studies

    yield from _named(picture for plan in results.plans for picture in studies.pictures(plan))
    yield from _named(general(results, each_workload=True))


def _of_group(everything: Group) -> Iterator[Picture]:
    prefix, group = slug(everything.title), sample(everything, MOST_RUNS)
    over_time = figures.over_time
    yield Picture(f"{prefix}-rates", _bound(over_time, group, "Publish and consume rate", figures.RATES))
    yield Picture(f"{prefix}-backlog", _bound(over_time, group, "Backlog", figures.BACKLOG))
    for actual, name in (("publishLatency", "publish-latency"), ("endToEndLatency", "end-to-end-latency")):
        latency = from_intended_send(actual, group.runs)
        title = LATENCIES[latency].capitalize()
        yield Picture(f"{prefix}-{name}", _bound(over_time, group, title, figures.latency_panels(latency)))
        yield Picture(f"{prefix}-{name}-percentiles", _bound(figures.percentile_spectrum, group, latency))
    yield Picture(f"{prefix}-resources", _bound(over_time, group, "Processors, memory, GC", figures.RESOURCES))
    latency = from_intended_send("endToEndLatency99pct", everything.runs)
    yield Picture(f"{prefix}-rate-against-latency", _bound(figures.rate_against_latency, everything, latency))
    yield Picture(f"{prefix}-latency-over-load", _bound(load_curve.latency_over_load, group))
    yield Picture(f"{prefix}-search", _bound(figures.search, group))
    for run in everything.runs:
        if run.hdr_log.exists():
            yield Picture(f"{slug(run.name)}-heat-map", _bound(_heat_map, run))


def _heat_map(run: Run) -> Figure | Problem | None:
    for latency in ("scheduledEndToEndLatency", "endToEndLatency", "scheduledPublishLatency", "publishLatency"):
        intervals = read_intervals(run.hdr_log, f"measure-{latency_key(latency)}")
        if isinstance(intervals, Problem):
            return intervals
        figure = figures.heat_map(run, latency, intervals)
        if figure is not None:
            return figure
    return None


def _bound(draw: Callable[..., Figure | Problem | None], *arguments: object) -> Callable[[], Figure | Problem | None]:
    return lambda: draw(*arguments)


def _dashed(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()


@dataclass(slots=True)
class Drawn:
    """What came of drawing: the captions of the pictures by name, the names without data, and what went wrong."""

    captions: dict[str, str] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return list(self.captions)


@dataclass(frozen=True, slots=True)
class _Target:
    folder: Path
    formats: Sequence[str]
    layout: paper.Layout | None


def draw_all(
    pictures: Sequence[Picture],
    folder: Path,
    formats: Sequence[str] = FORMATS,
    layout: paper.Layout | None = None,
) -> Drawn:
    """Draws what there is to draw, into a file of each format; without a layout as for the page."""
    target = _Target(folder, formats, layout)
    drawn = Drawn()
    named = list(_named(pictures))
    with drawing(layout.font if layout else None):
        for name, outcome in told(_each(named, target), len(named), "pictures"):
            match outcome:
                case Problem():
                    drawn.problems.append(outcome)
                case str():
                    drawn.captions[name] = outcome
                case _:
                    drawn.empty.append(name)
    return drawn


# The caption of what was drawn, None if there was nothing to draw.
_Outcome = str | Problem | None


def _each(named: Sequence[tuple[str, Picture]], target: _Target) -> Iterator[tuple[str, _Outcome]]:
    """Draws one after the other, or on all processors where there are many: most of the time is Matplotlib's."""
    processes = min(os.cpu_count() or 1, len(named) // _WORTH_A_PROCESS)
    if processes < 2 or "fork" not in multiprocessing.get_all_start_methods():
        for name, picture in named:
            yield name, _draw(name, picture, target)
        return
    # Forked, because the pictures are closures over the results, which the children then inherit.
    _forked.extend(named)
    try:
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            tasks = [(number, target) for number in range(len(named))]
            for (name, _), outcome in zip(named, pool.imap(_draw_forked, tasks), strict=True):
                yield name, outcome
    finally:
        _forked.clear()


_forked: list[tuple[str, Picture]] = []


def _draw_forked(task: tuple[int, _Target]) -> _Outcome:
    number, target = task
    name, picture = _forked[number]
    return _draw(name, picture, target)


# Files without the time at which they were made: equal results give equal files.
_NO_TIME: Mapping[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


def _draw(name: str, picture: Picture, target: _Target) -> _Outcome:
    figure = picture.draw()
    if figure is None or isinstance(figure, Problem):
        return figure
    caption = paper.caption(figure)
    if "csv" in target.formats:
        plotted.write(figure, target.folder / f"{name}.csv")
    if target.layout is not None:
        paper.fit(figure, target.layout)
    for ending in target.formats:
        if ending != "csv":
            figure.savefig(target.folder / f"{name}.{ending}", metadata=_NO_TIME.get(ending))
            keep_places(figure)
    return caption


def _named(pictures: Iterable[Picture]) -> Iterator[tuple[str, Picture]]:
    """Each with a name of its own: runs in different folders may have the same."""
    taken: set[str] = set()
    for picture in pictures:
        free, number = picture.name, 2
        while free in taken:
            free, number = f"{picture.name}-{number}", number + 1
        taken.add(free)
        yield free, picture
