"""Findings in words: what a set of results says, and what it does not."""

from collections.abc import Iterator, Sequence

from omb_charts.fields import child, whole
from omb_charts.model import Results, Run
from omb_charts.units import Unit, written

# Senders were held back if the latency from the intended send is this many times the other one.
_HELD_BACK = 2.0
# Below this, late wake-ups of the harness' own threads explain it.
_WAKING_UP_MS = 1.0
_MOST_OF_A_KIND = 12
# Messages by the field of the audit with their number.
_MISSING = {
    "lost": "messages lost",
    "undelivered": "messages that had not arrived when the run ended",
    "inDoubt": "messages known only to a lost worker",
}


def sentences(results: Results) -> list[str]:
    """Verdicts and losses first, then runs that are not repetitions, then what the latencies hide."""
    found = [*_verdicts(results.runs), *_lost(results.runs), *_variants(results.runs)]
    found += list(_held_back(results.runs))[:_MOST_OF_A_KIND]
    return found


def _verdicts(runs: Sequence[Run]) -> Iterator[str]:
    for verdict, meaning in (
        ("FAILED", "ended with an error; charts of medians leave them out"),
        ("INTERRUPTED", "ended when the user stopped them"),
        ("SLO_MISSED", "did what was asked and their figures stand, but a latency exceeded the workload's slo"),
        ("INVALID", "completed, but their findings say why the figures do not mean what they seem to"),
    ):
        number = sum(run.verdict == verdict for run in runs)
        if number:
            yield f"{verdict}: {number} of {len(runs)} runs {meaning}."
    unjudged = sum(run.verdict is None for run in runs)
    if unjudged:
        yield f"{unjudged} of {len(runs)} results came from OMB: no verdict, audit, time stamps and configuration."


def _variants(runs: Sequence[Run]) -> Iterator[str]:
    """Runs of one name that are not repetitions of each other."""
    names: dict[str, dict[str, None]] = {}
    for run in runs:
        if run.workload_variant:
            names.setdefault(run.base_title, {})[run.workload_variant] = None
        if run.setup_variant:
            names.setdefault(f"{run.title} on {run.base_label}", {})[run.setup_variant] = None
    for name, variants in names.items():
        yield f"{name}: {len(variants)} variants, which are not repetitions of each other: {'; '.join(variants)}."


def _held_back(runs: Sequence[Run]) -> Iterator[str]:
    """Where latencies from the actual send hide that senders had to wait; one sentence for all repetitions."""
    of_cell: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        of_cell.setdefault((run.title, run.label), []).append(run)
    for (title, label), repetitions in of_cell.items():
        held = [run for run in repetitions if _was_held_back(run)]
        if held:
            worst = max(held, key=lambda run: run.metrics[_INTENDED])
            where = "" if len(repetitions) == 1 else f" in {len(held)} of {len(repetitions)} runs"
            up_to = "" if len(held) == 1 else "up to "
            yield (
                f"{title} on {label}: senders were held back{where}. Counted from the intended send, the end-to-end "
                f"p99 is {up_to}{written(worst.metrics[_INTENDED], Unit.MS)} instead of "
                f"{written(worst.metrics[_ACTUAL], Unit.MS)} ({worst.name})."
            )


_ACTUAL = "endToEndLatency99pct"
_INTENDED = "scheduledEndToEndLatency99pct"


def _was_held_back(run: Run) -> bool:
    actual, intended = run.metrics.get(_ACTUAL, 0), run.metrics.get(_INTENDED, 0)
    return run.target_rate is not None and actual > 0 and intended > max(_HELD_BACK * actual, _WAKING_UP_MS)


def _lost(runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        audit = child(run.configuration, "audit")
        for key, missing in _MISSING.items():
            if count := whole(audit, key):
                yield f"{run.title} on {run.label}: {missing}: {count:,} ({run.name})."
        if unaudited := whole(audit, "producersInDoubt"):
            producers = whole(audit, "producers") or unaudited
            yield (
                f"{run.title} on {run.label}: what {unaudited:,} of {producers:,} producers, on a lost worker, sent "
                f"after the last known arrival is not audited ({run.name})."
            )
