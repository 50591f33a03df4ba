"""The first thing a reader asks: which system is best at what, workload by workload, and whether that is certain."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from omb_charts.figures import Bar, bars_of, by_rate
from omb_charts.metrics import LATENCIES, Metric, metric
from omb_charts.model import UNRELIABLE, Estimate, Group, Run, counted, relied_on
from omb_charts.promises import Promise, promises_of
from omb_charts.statistics import FEWEST_COMPARED, difference
from omb_charts.style import Look, looks_of_systems
from omb_charts.units import Scale, Unit, digits, scale_of_column, written
from omb_charts.verdicts import bounds, causes, limit, on_full_machine, on_shared_machine, vague

# A smaller factor says nothing.
_WORTH_A_FACTOR = 1.005
# A wider interval is uneven.
_MOST_PERCENT = 20
_LATENCY = "latency"
_RATE = "publishRate"
_FOUND_RATE = "sustainableRate"
_TOTAL_RATE = "totalRate"
_KNEE_RATE = "kneeRate"
# Latencies at rates that differ by more than this share are not compared.
_RATE_MARGIN = 0.05
_LOST = "messagesLost"
# A latency from the intended send says what a reader wants to know of a given rate; then any that all runs have.
_LATENCIES_BY_WORTH = ("scheduledEndToEndLatency", "endToEndLatency", "scheduledPublishLatency", "publishLatency")
_COLUMNS: Mapping[str, str] = {
    _RATE: "rate",
    f"{_LATENCY}50pct": "p50",
    f"{_LATENCY}99pct": "p99",
    f"{_LATENCY}999pct": "p99.9",
    "totalSeconds": "total time",
    "brokerCpuMsPerMessage": "CPU per message",
}


class Mark(Enum):
    """The certainty of a figure; VAGUE is one in brackets: a rate that a search found, but that is not to rely on, or a
    latency that others on the machine may have changed.
    """

    BEST = "best"
    NONE = ""
    VAGUE = "vague"


@dataclass(frozen=True, slots=True)
class Column:
    """What the figures of a column are, in which unit; ``better`` is as in Metric."""

    head: str
    scale: Scale
    better: int


@dataclass(frozen=True, slots=True)
class Figure:
    """A system's figure: its median in the column's unit, half its interval in percent or its ends, what is certain.

    ``plain`` is its text without the brackets of a VAGUE one.

    ``factor`` is how many times the best it is, where it is certainly not as good. ``lacking`` tells how many runs have
    no such figure.
    """

    plain: str
    value: float
    interval: str = ""
    factor: str = ""
    mark: Mark = Mark.NONE
    lacking: str = ""

    @property
    def text(self) -> str:
        """As the table shows it."""
        return f"({self.plain})" if self.mark is Mark.VAGUE else self.plain


@dataclass(frozen=True, slots=True)
class Row:
    """A system's figures, in the order of the columns; None where it has none.

    ``causes`` are the findings behind verdicts that are not OK. ``stands`` is whether the figures are of runs that are
    not INVALID, ``some_left_out`` whether some runs do not count; ``repetitions`` how many runs the rate rests on,
    ``limit`` its range if none of them is to rely on.
    """

    label: str
    look: Look
    figures: tuple[Figure | None, ...]
    lost: str
    has_lost: bool
    promises: tuple[Promise, ...]
    runs: str
    causes: tuple[str, ...]
    all_count: bool
    stands: bool
    some_left_out: bool
    repetitions: int
    limit: str
    on_full_machine: bool


@dataclass(frozen=True, slots=True)
class Block:
    """The systems at one workload and rate; ``compares`` is whether they can be compared: at one rate, several.

    ``part`` are their runs, ``group`` those at all rates. ``unequal`` is why latencies cannot be compared; empty if
    they can. ``decides`` is the head of the column that says which system is better.
    """

    title: str
    about: str
    group: Group
    part: Group
    rows: tuple[Row, ...]
    compares: bool
    unequal: str
    decides: str

    @property
    def unlike(self) -> bool:
        """Whether the systems' guarantees for acknowledged messages differ."""
        return len({tuple(promise.fields for promise in row.promises) for row in self.rows if row.promises}) > 1

    @property
    def repeated(self) -> bool:
        """Whether each system has the repetitions that it takes to say what is certain."""
        return all(row.repetitions >= FEWEST_COMPARED for row in self.rows if row.repetitions)

    @property
    def bounds(self) -> tuple[str, ...]:
        """The workload's bounds of latencies, and which systems met them."""
        return bounds(self.part.runs)

    @property
    def notes(self) -> tuple[str, ...]:
        """What keeps a reader from comparing, in this block alone."""
        found = ["different guarantees"] if self.unlike else []
        if self.compares and self.unequal:
            found.append(f"latencies not judged: {self.unequal}")
        if latency_of(self.part) and any(_doubtful(_LATENCY, own) for own in _by_system(self.part).values()):
            found.append("latencies in brackets: others used the machine")
        few = [row.label for row in self.rows if 0 < row.repetitions < FEWEST_COMPARED]
        if self.compares and few:
            of_all = sum(row.repetitions > 0 for row in self.rows) == len(few)
            found.append("too few repetitions" if of_all else f"too few valid runs: {', '.join(few)}")
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Alike:
    """Systems with equal guarantees."""

    promise: Promise
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Blocks that have the same columns."""

    columns: tuple[Column, ...]
    blocks: tuple[Block, ...]

    @property
    def unlike(self) -> tuple[Alike, ...]:
        """The guarantee of each system, if systems with different ones are compared somewhere."""
        found: dict[tuple[str, ...], Alike] = {}
        for row in (row for block in self.blocks if block.unlike for row in block.rows):
            for promise in row.promises:
                known = found.get(promise.fields, Alike(promise, ()))
                if row.label not in known.labels:
                    found[promise.fields] = replace(known, labels=(*known.labels, row.label))
        return tuple(found.values())


def ranked(groups: Sequence[Group]) -> tuple[Group, ...]:
    """The groups with their systems in one order: by what decides the first comparison, then the next."""
    parts = [part for group in groups for part in _parts(group)]
    order = dict.fromkeys(label for part in sorted(parts, key=_at_own_rates) for label in _by_worth(part))
    places = {label: place for place, label in enumerate(order)}
    return tuple(
        replace(group, runs=tuple(sorted(group.runs, key=lambda run: places[run.system_label]))) for group in groups
    )


def _by_worth(part: Group) -> list[str]:
    """The systems from the best to the worst by their medians, then those that are INVALID or without a figure."""
    name = _decisive(part)
    what = _metric(part, name)
    bars = {bar.label: bar for bar in _bars(part, name)}

    def worth(label: str) -> tuple[bool, bool, float]:
        bar = bars.get(label)
        return bar is None, bool(bar and bar.flaw), -what.better * bar.estimate.median if bar and what else 0.0

    return sorted(_by_system(part), key=worth)


def _decisive(part: Group) -> str:
    """The figure that systems are chosen by: at a given rate the p99, otherwise the rate."""
    return f"{_LATENCY}99pct" if is_given(part) and latency_of(part) else _RATE


def matrix_of(groups: Sequence[Group]) -> Matrix:
    """A block for each group and rate, those that compare first; columns that no block has figures for are left out."""
    parts = [(group, part) for group in groups for part in _parts(group)]
    by_label = looks_of_systems(run for group in groups for run in group.runs)
    measured = [{name: _bars(part, name) for name in _COLUMNS} for _, part in parts]
    shown = {name: _column(name, measured) for name in _COLUMNS if any(bars[name] for bars in measured)}
    blocks = []
    for (group, part), bars in zip(parts, measured, strict=True):
        figures = [_judged(part, name, bars[name], column.scale) for name, column in shown.items()]
        rows = tuple(
            _row(label, own, by_label[label], [of_column.get(label) for of_column in figures])
            for label, own in _by_system(part).items()
        )
        compares = not _at_own_rates(part) and sum(any(row.figures) for row in rows) > 1
        decides = _COLUMNS[_decisive(part)]
        blocks.append(Block(part.title, _about(part), group, part, rows, compares, _unequal(part), decides))
    return Matrix(tuple(shown.values()), tuple(sorted(blocks, key=lambda block: not block.compares)))


def _column(name: str, measured: Sequence[Mapping[str, Sequence[Bar]]]) -> Column:
    """Latencies have one unit in all their columns."""
    alike = [other for other in _COLUMNS if other.startswith(_LATENCY)] if name.startswith(_LATENCY) else [name]
    what = metric(name.replace(_LATENCY, _LATENCIES_BY_WORTH[0], 1))
    medians = (bar.estimate.median for bars in measured for other in alike for bar in bars[other])
    return Column(_COLUMNS[name], scale_of_column(what.unit, medians), what.better)


def _bars(part: Group, name: str) -> list[Bar]:
    what = _metric(part, name)
    return [] if what is None else bars_of(part, what.name)


def _parts(group: Group) -> list[Group]:
    """The runs at each rate; all together where each system was measured at one rate, and each at another."""
    parts = by_rate(group)
    systems = [{run.system_label for run in part.runs} for part in parts]
    alone = all(len(labels) == 1 for labels in systems)
    return [group] if alone and len(set[str]().union(*systems)) == len(parts) else parts


def _at_own_rates(part: Group) -> bool:
    """Whether the systems were measured at different rates, at which their figures do not compare."""
    return len({run.rate_variant for run in part.runs}) > 1


def _by_system(part: Group) -> dict[str, list[Run]]:
    found: dict[str, list[Run]] = {}
    for run in part.runs:
        found.setdefault(run.system_label, []).append(run)
    return found


def _usable(part: Group) -> list[Run]:
    return [run for run in part.runs if run.usable]


def latency_of(part: Group) -> str | None:
    """The first of the latencies that all runs with figures have."""
    usable = _usable(part)
    for name in _LATENCIES_BY_WORTH:
        if usable and all(f"{name}99pct" in run.metrics for run in usable):
            return name
    return None


def _metric(part: Group, name: str) -> Metric | None:
    if name == _RATE:
        return metric(rate_of(part))
    if not name.startswith(_LATENCY):
        return metric(name)
    latency = latency_of(part)
    return None if latency is None else metric(latency + name.removeprefix(_LATENCY))


def rate_of(part: Group) -> str:
    """The rate that says something about the systems: what was searched for, the knee of a sweep, or what was sent.

    For a number of messages, that is the rate until the last arrived: how fast so few were sent says little.
    """
    if all(run.sweep for run in part.runs):
        return _KNEE_RATE
    if is_found(part):
        return _FOUND_RATE
    return _TOTAL_RATE if any(_TOTAL_RATE in run.metrics for run in part.runs) else _RATE


def is_given(part: Group) -> bool:
    """Whether the rate was asked for, and so says nothing about the systems. A run that failed early has none."""
    return all(run.target_rate is not None and not run.finds_its_rate for run in _usable(part))


def is_found(part: Group) -> bool:
    """Whether the rate was searched for: it is the one that a measurement has confirmed, or none."""
    return all(run.tries for run in part.runs)


def _unequal(part: Group) -> str:
    """Why latencies do not compare: each system was measured at a rate of its own; empty if they compare."""
    if latency_of(part) is None:
        return ""
    if not is_given(part):
        return "the workload does not fix the rate"
    rates = [bar.estimate.median for bar in bars_of(part, _RATE) if not bar.flaw]
    unequal = rates and max(rates) > (1 + _RATE_MARGIN) * min(rates)
    return f"the rates differ by more than {_RATE_MARGIN * 100:g} %" if unequal else ""


def _about(part: Group) -> str:
    latency = latency_of(part)
    targets = {run.target_rate for run in _usable(part)}
    told = []
    if _at_own_rates(part):
        told.append("each system at its own rate: not compared")
    elif is_given(part) and len(targets) == 1:
        told.append(f"{written(targets.pop(), Unit.MESSAGES_PER_SEC)} asked for")
    elif is_found(part):
        unconfirmed = any(_FOUND_RATE not in run.metrics for run in part.runs)
        told.append("the highest rate that was sustained" + (" (none: not confirmed)" if unconfirmed else ""))
    elif rate_of(part) == _KNEE_RATE:
        told.append("the rate at the knee of latency over load")
    elif rate_of(part) == _TOTAL_RATE:
        told.append("the rate until the last message arrived")
    if latency is not None:
        told.append(LATENCIES[latency])
    return ", ".join(told)


def _judged(part: Group, name: str, bars: Sequence[Bar], scale: Scale) -> dict[str, Figure]:
    """The figures of a column by label; those of flawed runs are not compared with the best."""
    what = _metric(part, name)
    if what is None:
        return {}
    by_system = _by_system(part)
    figures = {bar.label: _plain(bar, scale, by_system[bar.label]) for bar in bars}
    doubtful = {label for label, own in by_system.items() if _doubtful(name, own)}
    standing = [bar for bar in bars if not bar.flaw]
    # A run without the figure may be worse than any that has it, a doubtful one better.
    open_ = any(bar.lacking or bar.label in doubtful for bar in standing)
    if _says_something(part, name) and len(standing) > 1 and not open_:
        figures |= _compared(figures, standing, what)
    return {
        label: replace(figure, mark=Mark.VAGUE) if label in doubtful else figure
        for label, figure in _marked_if_few(figures, part, what).items()
    }


def _doubtful(name: str, own: Iterable[Run]) -> bool:
    """Whether others on the machine may have changed a system's figures: its latencies, not the rates it achieved."""
    return name.startswith(_LATENCY) and on_shared_machine(counted(own))


def _says_something(part: Group, name: str) -> bool:
    """Whether the column says something about the systems: no rate that was asked for, no latency at unequal rates.

    The total time is of one number of messages, and the processor time of one message, at whatever rate.
    """
    if _at_own_rates(part) or (name == _RATE and is_given(part)):
        return False
    return not (name.startswith(_LATENCY) and _unequal(part))


def _compared(figures: Mapping[str, Figure], bars: Sequence[Bar], what: Metric) -> dict[str, Figure]:
    """The figures of two systems or more, with what is certain."""
    best = max(bars, key=lambda bar: what.better * bar.estimate.median)
    others = [bar for bar in bars if bar is not best]
    # Any two could have become the pair that is compared, in each column.
    tests = math.comb(len(bars), 2) * len(_COLUMNS)
    worse = [bar for bar in others if _worse(bar, best, what, tests)]
    found = {
        bar.label: replace(figures[bar.label], factor=_factor(bar.estimate.median, best.estimate.median))
        for bar in worse
    }
    if len(worse) == len(others):
        found[best.label] = replace(figures[best.label], mark=Mark.BEST)
    return found


def _worse(bar: Bar, best: Bar, what: Metric, tests: int) -> bool:
    """Whether it is certain, as one of so many tests."""
    change = difference(best.values, bar.values, tests)
    return change.significant and change.shift * what.better < 0


def _stand(runs: Iterable[Run]) -> bool:
    """Whether the figures are of runs that are not INVALID."""
    return not any(run.verdict == "INVALID" for run in counted(runs))


def _marked_if_few(figures: Mapping[str, Figure], part: Group, what: Metric) -> dict[str, Figure]:
    """Marks those that rest on few samples in some run."""
    few = {
        label
        for label, runs in _by_system(part).items()
        if label in figures and any(run.rests_on_few(what.name) for run in counted(runs))
    }
    return {
        label: replace(figure, plain=f"~{figure.plain}") if label in few else figure
        for label, figure in figures.items()
    }


def _plain(bar: Bar, scale: Scale, own: Sequence[Run]) -> Figure:
    shown = bar.estimate.median * scale.factor
    if bar.flaw == UNRELIABLE:
        return Figure(digits(shown), shown, limit(own), mark=Mark.VAGUE, lacking=bar.lack)
    return Figure(digits(shown), shown, _interval(bar.estimate, scale), lacking=bar.lack)


def _interval(value: Estimate, scale: Scale) -> str:
    """Half of it in percent, if it is about even and not wide; else its ends."""
    if value.ends is None:
        return ""
    low, high = value.ends
    percent = 100 * max(high - value.median, value.median - low) / value.median if value.median > 0 else math.inf
    if value.low is None or percent > _MOST_PERCENT:
        text = f"{digits(low * scale.factor)} … {digits(high * scale.factor)}"
        return f"range {text}" if value.low is None else text
    return f"± {percent:.0f} %" if percent >= 1 else f"± {percent:.1g} %"


def _factor(value: float, best: float) -> str:
    if value <= 0 or best <= 0 or max(value, best) / min(value, best) < _WORTH_A_FACTOR:
        return ""
    return f"{digits(value / best)}×"


def _row(label: str, own: Sequence[Run], look: Look, figures: Sequence[Figure | None]) -> Row:
    lost = [run.metrics[_LOST] for run in own if _LOST in run.metrics]
    unsure = vague(own)
    others = Counter(unsure if run.vague_limit else run.verdict for run in own)
    ok = others.pop("OK", 0) + others.pop(None, 0)
    told = [f"{ok} OK" if any(run.verdict for run in own) else str(ok)] if ok else []
    told += [unsure if (what, len(own)) == (unsure, 1) else f"{number} {what}" for what, number in others.items()]
    of_rate = relied_on(_RATE, own)
    return Row(
        label=label,
        look=look,
        figures=tuple(figures),
        lost=digits(sum(lost)) if lost else "—",
        has_lost=sum(lost) > 0,
        promises=promises_of(own),
        runs=", ".join(told),
        causes=tuple(dict.fromkeys(code for run in own for code in causes(run))),
        all_count=ok == len(own),
        stands=_stand(own),
        some_left_out=len(counted(own)) < len(own),
        repetitions=len(of_rate),
        limit=vague(of_rate),
        on_full_machine=any(on_full_machine(run) for run in own),
    )
