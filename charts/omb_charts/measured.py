"""What was measured, in words: the systems, and their load."""

from collections.abc import Callable, Iterable, Sequence

from omb_charts.fields import child, text
from omb_charts.model import Run
from omb_charts.units import Unit, written

_MOST_SYSTEMS = 4
# More values than that are given by the first and the last.
_MOST_VALUES = 2


def systems(runs: Sequence[Run]) -> str:
    """The systems by name, after the plan if all runs are of one."""
    names = list(dict.fromkeys(run.base_label for run in runs))
    if len(names) > _MOST_SYSTEMS:
        names = [*names[: _MOST_SYSTEMS - 1], f"{len(names) - _MOST_SYSTEMS + 1} more"]
    plans = {run.place.plan if run.place else "" for run in runs}
    plan = plans.pop() if len(plans) == 1 else ""
    return (f"{plan}: " if plan else "") + _listed(names, "and")


def load(runs: Sequence[Run]) -> str:
    """Sizes of messages, rates, topics and clients, as far as results have them; what differs is given as a range."""
    each = " per topic" if any((run.topics or 1) > 1 for run in runs) else ""
    topics = [_counted((run.topics for run in runs), "topic"), _counted((run.partitions for run in runs), "partition")]
    consumers = _counted((run.consumers for run in runs), "consumer")
    if any((run.subscriptions or 1) > 1 for run in runs):
        consumers = f"{_counted((run.subscriptions for run in runs), 'subscription')} × {consumers}"
    producers = _counted((run.producers for run in runs), "producer")
    parts = [
        _values((run.message_size for run in runs), _size),
        *_rates(runs),
        " × ".join(part for part in topics if part),
        *(part + each for part in (producers, consumers) if part),
    ]
    return ", ".join(part for part in parts if part)


def _rates(runs: Sequence[Run]) -> list[str]:
    asked = _values((run.target_rate for run in runs if not run.finds_its_rate), _number, " msg/s")
    effective = [child(run.configuration, "workloadEffective") for run in runs]
    others = {
        "highest rate searched for": any(run.tries for run in runs),
        "sweep of rates": any(run.sweep for run in runs),
        "unlimited rate": any(text(workload, "producerRate") == "unlimited" for workload in effective),
        "schedule of rates": any(workload.get("producerRateSchedule") for workload in effective),
    }
    return [asked, *(name for name, some in others.items() if some)]


def _counted(numbers: Iterable[int | None], noun: str) -> str:
    told = _values(numbers, _number, f" {noun}")
    return told if not told or told == f"1 {noun}" else f"{told}s"


def _values(values: Iterable[float | None], shown: Callable[[float], str], unit: str = "") -> str:
    known = list(dict.fromkeys(shown(value) for value in sorted(value for value in values if value is not None)))
    if len(known) > _MOST_VALUES:
        return f"{known[0]} to {known[-1]}{unit}"
    return _listed(known, "or") + unit if known else ""


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _size(size: float) -> str:
    """Exactly: 1,024 B are no kB."""
    return f"{size:,.0f} B" if size % 1000 else written(size, Unit.BYTES)


def _listed(names: Sequence[str], last: str) -> str:
    return f" {last} ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
