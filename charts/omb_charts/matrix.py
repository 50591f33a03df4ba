"""The first thing a reader asks: which system is best at what, workload by workload, and whether that is certain."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from omb_charts.figures import Bar, bars_of, by_rate
from omb_charts.metrics import LATENCIES, Metric, metric
from omb_charts.model import Estimate, Group, Run, counted
from omb_charts.promises import Promise, promises_of
from omb_charts.statistics import FEWEST_RUNS, difference
from omb_charts.style import Look, looks_of_systems
from omb_charts.units import Scale, Unit, digits, scale_for, written

# Values further apart than this have separate units.
_MOST_IN_ONE_UNIT = 1000
# A smaller factor says nothing.
_WORTH_A_FACTOR = 1.005
# A wider interval is uneven.
_MOST_PERCENT = 20
_LATENCY = "latency"
_RATE = "publishRate"
_FOUND_RATE = "sustainableRate"
# Latencies at rates that differ by more than this share are not compared.
_RATE_MARGIN = 0.05
_LOST = "messagesLost"
# A latency from the intended send says what a reader wants to know of a given rate; then any that all runs have.
_LATENCIES_BY_WORTH = ("scheduledEndToEndLatency", "endToEndLatency", "scheduledPublishLatency", "publishLatency")
_COLUMNS: tuple[tuple[str, str], ...] = (
    (_RATE, "rate"),
    (f"{_LATENCY}50pct", "p50"),
    (f"{_LATENCY}99pct", "p99"),
    (f"{_LATENCY}999pct", "p99.9"),
    ("totalSeconds", "total time"),
    ("brokerCpuMsPerMessage", "CPU per message"),
)


class Mark(Enum):
    """The certainty of a figure."""

    BEST = "best"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A system's figure: its median, half its interval in percent or its ends, and what is certain.

    ``factor`` is how many times the best it is, where it is certainly not as good.
    """

    text: str
    interval: str = ""
    factor: str = ""
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class Row:
    """A system's figures, in the order of the columns; None where it has none.

    ``stands`` is whether they are of runs that are not INVALID; ``repetitions`` how many runs they rest on.
    """

    label: str
    look: Look
    figures: tuple[Figure | None, ...]
    lost: str
    has_lost: bool
    promises: tuple[Promise, ...]
    runs: str
    all_count: bool
    stands: bool
    repetitions: int


@dataclass(frozen=True, slots=True)
class Block:
    """The systems at one workload and rate; ``compares`` is whether they can be compared: at one rate, several.

    ``unequal`` is why their latencies cannot; empty if they can.
    """

    title: str
    about: str
    anchor: str
    rows: tuple[Row, ...]
    compares: bool
    unequal: str

    @property
    def unlike(self) -> bool:
        """Whether the systems' guarantees for acknowledged messages differ."""
        return len({tuple(promise.fields for promise in row.promises) for row in self.rows if row.promises}) > 1

    @property
    def repeated(self) -> bool:
        """Whether each system has the repetitions that it takes to say what is certain."""
        return all(row.repetitions >= FEWEST_RUNS for row in self.rows if row.repetitions)

    @property
    def notes(self) -> tuple[str, ...]:
        """What keeps a reader from comparing, in this block alone."""
        found = ["different guarantees"] if self.unlike else []
        if self.compares and self.unequal:
            found.append(f"latencies not judged: {self.unequal}")
        few = [row.label for row in self.rows if 0 < row.repetitions < FEWEST_RUNS]
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

    columns: tuple[str, ...]
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

    @property
    def uncertain(self) -> str:
        """A sentence on where nothing is certain; none if there are repetitions everywhere, or nothing to compare."""
        compared = [block for block in self.blocks if block.compares]
        few = [block for block in compared if not block.repeated]
        if not few:
            return ""
        if not any(row.repetitions >= FEWEST_RUNS for block in compared for row in block.rows):
            return (
                f"No system has {FEWEST_RUNS} valid runs or more, so no difference is certain and no figure is marked "
                "as best."
            )
        where = "the comparison" if len(compared) == 1 else f"{len(few)} of {len(compared)} comparisons"
        return (
            f"In {where}, a system has fewer than {FEWEST_RUNS} valid runs: which is best is not certain there, and "
            "not marked."
        )


def matrix_of(groups: Sequence[Group]) -> Matrix:
    """A block for each group and rate; columns that no block has figures for are left out."""
    parts = [(number, part) for number, group in enumerate(groups) for part in _parts(group)]
    everything = [run for group in groups for run in group.runs]
    by_label = looks_of_systems(everything)
    order = list(dict.fromkeys((run.base_label, run.system_label) for run in everything))
    judged = [{name: _judged(part, name) for name, _ in _COLUMNS} for _, part in parts]
    shown = [(name, head) for name, head in _COLUMNS if any(figures[name] for figures in judged)]
    blocks = []
    for (number, part), figures in zip(parts, judged, strict=True):
        systems = _by_system(part)
        rows = tuple(
            _row(label, systems[label], by_label[label], [figures[name].get(label) for name, _ in shown])
            for label in _ordered(part, order)
        )
        compares = not _at_own_rates(part) and sum(any(row.figures) for row in rows) > 1
        blocks.append(Block(part.title, _about(part), f"group-{number}", rows, compares, _unequal(part)))
    return Matrix(tuple(head for _, head in shown), tuple(blocks))


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


def _ordered(part: Group, order: Sequence[tuple[str, str]]) -> list[str]:
    """The systems in the same order everywhere, the variants of one together."""
    systems: dict[str, int] = {}
    places: dict[tuple[str, str], int] = {}
    for place, pair in enumerate(order):
        systems.setdefault(pair[0], place)
        places[pair] = place
    here = {(run.base_label, run.system_label) for run in part.runs}
    return [label for _, label in sorted(here, key=lambda pair: (systems[pair[0]], places[pair]))]


def _usable(part: Group) -> list[Run]:
    return [run for run in part.runs if run.usable]


def _latency_of(part: Group) -> str | None:
    """The first of the latencies that all runs with figures have."""
    usable = _usable(part)
    for name in _LATENCIES_BY_WORTH:
        if usable and all(f"{name}99pct" in run.metrics for run in usable):
            return name
    return None


def _metric(part: Group, name: str) -> Metric | None:
    if name == _RATE and is_found(part):
        return metric(_FOUND_RATE)
    if not name.startswith(_LATENCY):
        return metric(name)
    latency = _latency_of(part)
    return None if latency is None else metric(latency + name.removeprefix(_LATENCY))


def is_given(part: Group) -> bool:
    """Whether the rate was asked for, and so says nothing about the systems. A run that failed early has none."""
    return all(run.target_rate is not None and not run.finds_its_rate for run in _usable(part))


def is_found(part: Group) -> bool:
    """Whether the rate was searched for: it is the one that a measurement has confirmed, or none."""
    return all(run.tries for run in part.runs)


def _unequal(part: Group) -> str:
    """Why latencies do not compare: each system was measured at a rate of its own; empty if they compare."""
    if _latency_of(part) is None:
        return ""
    if not is_given(part):
        return "the workload does not fix the rate"
    rates = [bar.estimate.median for bar in bars_of(part, _RATE) if not bar.invalid]
    unequal = rates and max(rates) > (1 + _RATE_MARGIN) * min(rates)
    return f"the rates differ by more than {_RATE_MARGIN * 100:g} %" if unequal else ""


def _about(part: Group) -> str:
    latency = _latency_of(part)
    targets = {run.target_rate for run in _usable(part)}
    told = []
    if _at_own_rates(part):
        told.append("each system at its own rate: not compared")
    elif is_given(part) and len(targets) == 1:
        told.append(f"{written(targets.pop(), Unit.MESSAGES_PER_SEC)} asked for")
    elif is_found(part):
        unconfirmed = any(_FOUND_RATE not in run.metrics for run in part.runs)
        told.append("the highest rate that was sustained" + (" (none: not confirmed)" if unconfirmed else ""))
    if latency is not None:
        told.append(LATENCIES[latency])
    return ", ".join(told)


def _judged(part: Group, name: str) -> dict[str, Figure]:
    """The figures of a column by label; those of INVALID runs are neither best nor compared with the best."""
    what = _metric(part, name)
    bars = [] if what is None else bars_of(part, what.name)
    if what is None or not bars:
        return {}
    medians = [bar.estimate.median for bar in bars]
    common = scale_for(what.unit, medians) if max(medians) <= _MOST_IN_ONE_UNIT * min(medians) else None
    figures = {bar.label: _plain(bar, what.unit, common) for bar in bars}
    standing = [bar for bar in bars if not bar.invalid]
    # A run without the figure may be worse than any that has it.
    if _says_something(part, name) and len(standing) > 1 and not any(bar.lacking for bar in standing):
        figures |= _compared(figures, standing, what)
    return _marked_if_few(figures, part, what)


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
    return change.certain and change.shift * what.better < 0


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
        label: replace(figure, text=f"~{figure.text}") if label in few else figure for label, figure in figures.items()
    }


def _plain(bar: Bar, unit: Unit, common: Scale | None) -> Figure:
    value = bar.estimate
    scale = scale_for(unit, [value.median]) if common is None else common
    return Figure(f"{digits(value.median * scale.factor)} {scale.symbol}{bar.mark}", _interval(value, scale))


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
    ok = sum(run.verdict in ("OK", None) for run in own)
    told = [f"{ok} OK" if any(run.verdict for run in own) else str(ok)] if ok else []
    others = Counter(run.verdict for run in own if run.verdict not in ("OK", None))
    told += [f"{number} {verdict}" for verdict, number in others.items()]
    return Row(
        label=label,
        look=look,
        figures=tuple(figures),
        lost=digits(sum(lost)) if lost else "—",
        has_lost=sum(lost) > 0,
        promises=promises_of(own),
        runs=", ".join(told),
        all_count=ok == len(own),
        stands=_stand(own),
        repetitions=len(counted(own)),
    )
