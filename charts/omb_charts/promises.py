"""The systems' guarantees for acknowledged messages, and whether they are equal.

The rule is bin/benchmark's: both read guarantees.yaml. The fields decide, not the sentence: its notes promise nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from omb_charts.fields import Object, child, text, whole
from omb_charts.metrics import shared_definitions
from omb_charts.model import Run

_LISTED = shared_definitions("guarantees.yaml").get("compared")
_COMPARED = [str(name) for name in _LISTED] if isinstance(_LISTED, list) else []
_WHERE = {
    "MEMORY": "in memory",
    "WRITTEN": "written",
    "SYNCED_ONCE": "written, one of them synced",
    "SYNCED": "synced",
    "UNKNOWN": "written, synced or not",
}


@dataclass(frozen=True, slots=True)
class Promise:
    """A guarantee: the fields that like ones have in common, in short, what it survives, and as the full sentence."""

    fields: tuple[str, ...]
    short: str
    survives: str
    in_words: str


def promise_of(run: Run) -> Promise | None:
    """The guarantee of the run's system; None if the result does not say."""
    broker = run.configuration.get("broker")
    guarantee = child(broker, "guarantee") if isinstance(broker, dict) else {}
    if not guarantee:
        return None
    return Promise(
        tuple(str(guarantee.get(name, "")) for name in _COMPARED),
        _short(guarantee),
        _survives(guarantee),
        text(guarantee, "inWords") or "",
    )


def _short(guarantee: Object) -> str:
    copies, acknowledged = whole(guarantee, "copies"), whole(guarantee, "acknowledgedCopies")
    if copies is None:
        return text(guarantee, "inWords") or ""
    if copies == 0:
        return "no copy"
    kept = f"{copies} {'copy' if copies == 1 else 'copies'}"
    if acknowledged is None:
        return kept
    if acknowledged == 0:
        return f"{kept}, not acknowledged"
    storage = text(guarantee, "storage") or ""
    where = _WHERE.get(storage, storage.lower())
    return f"{kept}, {where}" if copies == 1 else f"{kept}, {acknowledged} {where}"


def _survives(guarantee: Object) -> str:
    if guarantee.get("survivesPowerCut") is True:
        return "survives a power cut"
    if guarantee.get("survivesKill") is True:
        return "survives a kill"
    return "survives no crash" if guarantee.get("survivesKill") is False else ""


def promises_of(runs: Iterable[Run]) -> tuple[Promise, ...]:
    """Those of the runs, each once by its fields."""
    found: dict[tuple[str, ...], Promise] = {}
    for run in runs:
        promise = promise_of(run)
        if promise is not None:
            found.setdefault(promise.fields, promise)
    return tuple(found.values())


def differ(first: Run, second: Run) -> bool:
    """Whether the guarantees of two runs' systems differ, as far as both say."""
    one, other = promise_of(first), promise_of(second)
    return one is not None and other is not None and one.fields != other.fields
