"""The faults of a system during the measurement and their effects, as a table and as time windows in charts."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from omb_charts.fields import Object, child, children, number, text, whole
from omb_charts.model import Fault, Outage, Run

COLUMNS = (
    "workload",
    "system",
    "fault",
    "runs",
    "down",
    "degraded",
    "answered again after",
    "recovered after its end",
    "consumers caught up",
    "acknowledged and lost",
    "found by a fresh consumer",
    "failed",
    "of which arrived",
    "duplicated",
    "out of order",
)

# The part of what is behind a window that it hides, by what the system was then.
SHADES = {"down": 0.30, "degraded": 0.12}


# The text for a time that did not end; for the others, the text says that there was none.
_NEVER = {"recovered": "never", "caughtUp": "never"}
# Of the names of a fault, which may differ between repetitions: a leader is another node each time.
_MOST_TEXTS = 2


def faults_of(root: Object) -> tuple[Fault, ...]:
    """The faults of a result."""
    return tuple(_fault(node) for node in children(root, "faults"))


def _fault(node: Object) -> Fault:
    messages = child(node, "messages")
    return Fault(
        what=text(node, "what") or "",
        problem=text(node, "problem"),
        seconds={
            name: number(node, f"{name}Seconds") for name in ("down", "degraded", "failover", "recovered", "caughtUp")
        },
        messages={
            name: whole(messages, name)
            for name in ("acknowledgedLost", "foundAnew", "failed", "failedButReceived", "duplicated", "outOfOrder")
        },
    )


def outages_of(root: Object, zero: datetime | None) -> tuple[Outage, ...]:
    """When the system of a result was down or degraded, from the start of its measurement."""
    found = []
    for window in children(root, "availability"):
        start, end, state = text(window, "start"), text(window, "end"), text(window, "state")
        if zero is None or start is None or end is None or state not in SHADES:
            continue
        begin, until = datetime.fromisoformat(start), datetime.fromisoformat(end)
        found.append(Outage(state, (begin - zero).total_seconds(), (until - zero).total_seconds()))
    return tuple(found)


def rows(runs: Iterable[Run]) -> list[list[str]]:
    """A row for each fault of each system, see COLUMNS, with what its repetitions range over.

    The same fault has another name on each system: it is the one at the same place in the workload. INVALID runs have a
    row of their own.
    """
    found: dict[tuple[str, int], dict[str, list[Fault]]] = {}
    for run in runs:
        for place, fault in enumerate(run.faults):
            found.setdefault((run.title, place), {}).setdefault(run.legend, []).append(fault)
    return [
        [title, label, *_cells(faults)] for (title, _), by_label in found.items() for label, faults in by_label.items()
    ]


def _cells(faults: Sequence[Fault]) -> list[str]:
    texts = dict.fromkeys(
        fault.what if fault.problem is None else f"{fault.what}, not as planned: {fault.problem}" for fault in faults
    )
    return [
        "; ".join([*list(texts)[:_MOST_TEXTS], *(["…"] if len(texts) > _MOST_TEXTS else [])]),
        f"{len(faults):,}",
        *(_seconds([fault.seconds[name] for fault in faults], _NEVER.get(name)) for name in faults[0].seconds),
        *(_messages([fault.messages[name] for fault in faults]) for name in faults[0].messages),
    ]


def _seconds(values: Sequence[float | None], never: str | None) -> str:
    """The range; in a time that ends in every run, None means that it did not."""
    known = sorted(value for value in values if value is not None)
    ends = [f"{value:.1f}" for value in dict.fromkeys([*known[:1], *known[-1:]])]
    if never is not None and len(known) < len(values):
        return f"{ends[0]} s to {never}" if ends else never
    return f"{' to '.join(dict.fromkeys(ends))} s" if ends else "—"


def _messages(values: Sequence[int | None]) -> str:
    known = sorted(value for value in values if value is not None)
    return " to ".join(f"{value:,}" for value in dict.fromkeys([*known[:1], *known[-1:]])) or "—"
