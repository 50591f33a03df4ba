"""Which pictures a set of results gives, and their files."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure

from omb_charts import figures
from omb_charts.hdr_log import read_intervals
from omb_charts.model import Group, Problem, Results, Run, groups_of
from omb_charts.style import drawing

FORMATS = ("png", "svg")
_COMPARED = (
    "publishRate",
    "publishMBPerSec",
    "consumeRate",
    "publishLatency99pct",
    "endToEndLatency50pct",
    "endToEndLatency99pct",
    "scheduledEndToEndLatency99pct",
    "sustainableRate",
    "totalSeconds",
    "brokerCpuCores",
    "brokerMemoryBytes",
    "messagesPerBrokerCpuSecond",
)
# A picture of bars that is higher than this is cut into several.
_GROUPS_IN_A_PICTURE = 12


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart to be drawn: the name of its file, without an ending, and how."""

    name: str
    draw: Callable[[], Figure | None]


def slug(text: str) -> str:
    """A name that is good as a file's."""
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.") or "unnamed"


def general(results: Results, problems: list[Problem]) -> Iterator[Picture]:
    """The general charts of all results. Damaged histogram logs are added to the problems while they are drawn."""
    groups = [Group(group.title, tuple(run for run in group.runs if run.series)) for group in groups_of(results.runs)]
    for group in groups:
        yield from _of_group(group, problems)
    for name in _COMPARED:
        for part, start in enumerate(range(0, len(groups), _GROUPS_IN_A_PICTURE), 1):
            some = groups[start : start + _GROUPS_IN_A_PICTURE]
            number = f"-{part}" if len(groups) > _GROUPS_IN_A_PICTURE else ""
            yield Picture(f"comparison-{_dashed(name)}{number}", _bound(figures.comparison, some, name))


def _of_group(group: Group, problems: list[Problem]) -> Iterator[Picture]:
    prefix = slug(group.title)
    over_time = figures.over_time
    yield Picture(f"{prefix}-rates", _bound(over_time, group, "Publish and consume rate", figures.RATES))
    yield Picture(f"{prefix}-backlog", _bound(over_time, group, "Backlog", figures.BACKLOG))
    for latency, name, title in (
        ("publishLatency", "publish-latency", "Publish latency"),
        ("endToEndLatency", "end-to-end-latency", "End-to-end latency"),
    ):
        yield Picture(f"{prefix}-{name}", _bound(over_time, group, title, figures.latency_panels(latency)))
        yield Picture(f"{prefix}-{name}-percentiles", _bound(figures.percentile_spectrum, group, latency))
    yield Picture(f"{prefix}-resources", _bound(over_time, group, "Processors, memory, GC", figures.RESOURCES))
    yield Picture(
        f"{prefix}-rate-against-latency", _bound(figures.rate_against_latency, group, "endToEndLatency99pct")
    )
    yield Picture(f"{prefix}-search", _bound(figures.search, group))
    for run in group.runs:
        if run.hdr_log.exists():
            yield Picture(f"{slug(run.name)}-heat-map", _bound(_heat_map, run, problems))


def _heat_map(run: Run, problems: list[Problem]) -> Figure | None:
    for latency in ("endToEndLatency", "publishLatency"):
        intervals = read_intervals(run.hdr_log, f"measure-{latency.removesuffix('Latency')}")
        if isinstance(intervals, Problem):
            problems.append(intervals)
            return None
        figure = figures.heat_map(run, latency, intervals)
        if figure is not None:
            return figure
    return None


def _bound(draw: Callable[..., Figure | None], *arguments: object) -> Callable[[], Figure | None]:
    return lambda: draw(*arguments)


def _dashed(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()


@dataclass(slots=True)
class Drawn:
    """What came of drawing: the names of the pictures that there are, in order."""

    names: list[str] = field(default_factory=list)


def draw_all(pictures: Sequence[Picture] | Iterator[Picture], folder: Path) -> Drawn:
    """Draws what there is to draw, into files of both formats."""
    drawn = Drawn()
    taken: set[str] = set()
    with drawing():
        for picture in pictures:
            figure = picture.draw()
            if figure is None:
                continue
            name = _free(picture.name, taken)
            for ending in FORMATS:
                metadata = {"Date": None} if ending == "svg" else None
                figure.savefig(folder / f"{name}.{ending}", metadata=metadata)
            drawn.names.append(name)
    return drawn


def _free(name: str, taken: set[str]) -> str:
    """The name itself, or with a number where it is taken: by a run of the same name in another folder."""
    free, number = name, 2
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    taken.add(free)
    return free
