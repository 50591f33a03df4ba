"""What was done to a system while it was measured, and what came of it, as a table and as windows of time in charts."""

from collections.abc import Iterable
from datetime import datetime

from omb_charts.fields import Object, child, children, number, text, whole
from omb_charts.model import Fault, Outage, Run

COLUMNS = (
    "workload",
    "system",
    "fault",
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
    """When the system of a result was down or degraded, from the begin of its measurement on."""
    found = []
    for window in children(root, "availability"):
        start, end, state = text(window, "start"), text(window, "end"), text(window, "state")
        if zero is None or start is None or end is None or state not in SHADES:
            continue
        begin, until = datetime.fromisoformat(start), datetime.fromisoformat(end)
        found.append(Outage(state, (begin - zero).total_seconds(), (until - zero).total_seconds()))
    return tuple(found)


def rows(runs: Iterable[Run]) -> list[list[str]]:
    """A row for each fault, see COLUMNS."""
    return [[run.title, run.label, *_cells(fault)] for run in runs for fault in run.faults]


def _cells(fault: Fault) -> list[str]:
    what = fault.what if fault.problem is None else f"{fault.what}, not as planned: {fault.problem}"
    never = {"failover": "—", "recovered": "never", "caughtUp": "never"}
    seconds = [never.get(name, "—") if value is None else f"{value:.1f} s" for name, value in fault.seconds.items()]
    return [what, *seconds, *("—" if value is None else f"{value:,}" for value in fault.messages.values())]
