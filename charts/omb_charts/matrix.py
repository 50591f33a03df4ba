"""The first thing a reader asks: which system is best at what, workload by workload, and whether that is certain."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from omb_charts.figures import Bar, bars_of, by_rate
from omb_charts.metrics import LATENCIES, Metric, metric
from omb_charts.model import Estimate, Group, counted
from omb_charts.statistics import apart
from omb_charts.style import Look, looks_of_systems
from omb_charts.units import Scale, Unit, digits, scale_for, written

# Values further apart than this have units of their own.
_MOST_IN_ONE_UNIT = 1000
# Below that, a factor says nothing.
_WORTH_A_FACTOR = 1.005
_LATENCY = "latency"
_RATE = "publishRate"
_LOST = "messagesLost"
# A latency from the intended send says what a reader wants to know of a given rate; then any that all runs have.
_LATENCIES_BY_WORTH = ("scheduledEndToEndLatency", "endToEndLatency", "scheduledPublishLatency", "publishLatency")
_COLUMNS: tuple[tuple[str, str], ...] = (
    (_RATE, "publish rate"),
    (f"{_LATENCY}50pct", "p50"),
    (f"{_LATENCY}99pct", "p99"),
    (f"{_LATENCY}999pct", "p99.9"),
    ("totalSeconds", "total time"),
    ("messagesPerBrokerCpuSecond", "msg per broker CPU s"),
)


class Mark(Enum):
    """What is certain of a figure."""

    BEST = "best"
    TIED = "tied"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A system's figure: its mean, half its interval in percent, how many times the best it is, what is certain."""

    text: str
    interval: str = ""
    factor: str = ""
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class Row:
    """A system's figures, in the order of the columns; None where it has none."""

    label: str
    look: Look
    figures: tuple[Figure | None, ...]
    lost: str
    has_lost: bool
    runs: str
    all_count: bool


@dataclass(frozen=True, slots=True)
class Block:
    """The systems at one workload and rate."""

    title: str
    about: str
    anchor: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Blocks that have the same columns."""

    columns: tuple[str, ...]
    blocks: tuple[Block, ...]


def matrix_of(groups: Sequence[Group]) -> Matrix:
    """A block for each group and rate; columns that no block has figures for are left out."""
    parts = [(number, part) for number, group in enumerate(groups) for part in by_rate(group)]
    everything = [run for group in groups for run in group.runs]
    by_label = looks_of_systems(everything)
    order = list(dict.fromkeys((run.base_label, run.system_label) for run in everything))
    judged = [{name: _judged(part, name) for name, _ in _COLUMNS} for _, part in parts]
    shown = [(name, head) for name, head in _COLUMNS if any(figures[name] for figures in judged)]
    blocks = [
        Block(
            part.title,
            _about(part),
            f"group-{number}",
            tuple(
                _row(part, label, by_label, [_figure(part, name, label, figures) for name, _ in shown])
                for label in _labels(part, order)
            ),
        )
        for (number, part), figures in zip(parts, judged, strict=True)
    ]
    return Matrix(tuple(head for _, head in shown), tuple(blocks))


def _figure(part: Group, name: str, label: str, figures: Mapping[str, Mapping[str, Figure]]) -> Figure | None:
    """A figure of a system, marked if it rests on few samples in some run."""
    figure, what = figures[name].get(label), _metric(part, name)
    if figure is None or what is None:
        return figure
    own = counted(run for run in part.runs if run.system_label == label)
    few = any(run.rests_on_few(what.name) for run in own)
    return replace(figure, text=f"~{figure.text}") if few else figure


def _labels(part: Group, order: Sequence[tuple[str, str]]) -> list[str]:
    """In the same order everywhere, the variants of a system together."""
    systems = [system for system, _ in order]
    here = {(run.base_label, run.system_label) for run in part.runs}
    return [label for _, label in sorted(here, key=lambda pair: (systems.index(pair[0]), order.index(pair)))]


def _latency_of(part: Group) -> str | None:
    """The first of the latencies that all runs with figures have."""
    usable = [run for run in part.runs if run.usable]
    for name in _LATENCIES_BY_WORTH:
        if usable and all(f"{name}99pct" in run.metrics for run in usable):
            return name
    return None


def _metric(part: Group, name: str) -> Metric | None:
    if not name.startswith(_LATENCY):
        return metric(name)
    latency = _latency_of(part)
    return None if latency is None else metric(latency + name.removeprefix(_LATENCY))


def is_given(part: Group) -> bool:
    """Whether the rate was asked for, and so says nothing about the systems."""
    return all(run.target_rate is not None and not run.finds_its_rate for run in part.runs)


def _about(part: Group) -> str:
    latency = _latency_of(part)
    targets = {run.target_rate for run in part.runs}
    told = []
    if is_given(part) and len(targets) == 1:
        told.append(f"{written(targets.pop(), Unit.MESSAGES_PER_SEC)} asked for")
    if latency is not None:
        told.append(LATENCIES[latency])
    return ", ".join(told)


def _judged(part: Group, name: str) -> dict[str, Figure]:
    """The figures of a column by label."""
    what = _metric(part, name)
    bars = [] if what is None else bars_of(part, what.name)
    if what is None or not bars:
        return {}
    means = [bar.estimate.mean for bar in bars]
    common = scale_for(what.unit, means) if max(means) <= _MOST_IN_ONE_UNIT * min(means) else None
    if name == _RATE and is_given(part):
        return {bar.label: _plain(bar, what.unit, common) for bar in bars}
    best = max(bars, key=lambda bar: what.better * bar.estimate.mean)
    others = [bar for bar in bars if bar is not best]
    certain = [apart(best.estimate, bar.estimate) for bar in others]
    figures = {best.label: _plain(best, what.unit, common, mark=_mark_of_best(certain))}
    for bar, is_apart in zip(others, certain, strict=True):
        figures[bar.label] = _plain(
            bar,
            what.unit,
            common,
            factor=_factor(bar.estimate.mean, best.estimate.mean) + (" ?" if is_apart is None else ""),
            mark=Mark.TIED if is_apart is False else Mark.NONE,
        )
    return figures


def _mark_of_best(certain: Sequence[bool | None]) -> Mark:
    if not certain or None in certain:
        return Mark.NONE
    return Mark.BEST if all(certain) else Mark.TIED


def _plain(bar: Bar, unit: Unit, common: Scale | None, factor: str = "", mark: Mark = Mark.NONE) -> Figure:
    value = bar.estimate
    text = written(value.mean, unit) if common is None else f"{digits(value.mean * common.factor)} {common.symbol}"
    return Figure(text, _half_interval(value), factor, mark)


def _half_interval(value: Estimate) -> str:
    if value.low is None or value.high is None or value.mean <= 0:
        return ""
    percent = 50 * (value.high - value.low) / value.mean
    if percent > 100:
        return "± > 100 %"
    return f"± {percent:.0f} %" if percent >= 1 else f"± {percent:.1g} %"


def _factor(value: float, best: float) -> str:
    if value <= 0 or best <= 0 or max(value, best) / min(value, best) < _WORTH_A_FACTOR:
        return ""
    return f"{digits(value / best)}×"


def _row(part: Group, label: str, by_label: dict[str, Look], figures: Sequence[Figure | None]) -> Row:
    own = [run for run in part.runs if run.system_label == label]
    lost = [run.metrics[_LOST] for run in own if _LOST in run.metrics]
    ok = sum(run.verdict in ("OK", None) for run in own)
    told = [f"{ok} OK" if any(run.verdict for run in own) else str(ok)] if ok else []
    others = Counter(run.verdict for run in own if run.verdict not in ("OK", None))
    told += [f"{number} {verdict}" for verdict, number in others.items()]
    return Row(
        label=label,
        look=by_label[label],
        figures=tuple(figures),
        lost=digits(sum(lost)) if lost else "—",
        has_lost=sum(lost) > 0,
        runs=", ".join(told),
        all_count=ok == len(own),
    )
