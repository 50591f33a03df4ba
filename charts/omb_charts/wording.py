"""Findings in words: what a set of results says, and what it does not."""

from collections.abc import Iterator, Sequence

from omb_charts.figures import Bar, bars_of
from omb_charts.metrics import metric
from omb_charts.model import Group, Results, Run
from omb_charts.statistics import apart
from omb_charts.units import Unit, digits, written

# Below that, two systems are called alike.
_WORTH_A_SENTENCE = 1.05
# A latency from the intended send that is that many times the other means that senders were held back.
_HELD_BACK = 2.0
# Below that it is the harness' own threads that wake up late.
_WAKING_UP_MS = 1.0
_MOST_OF_A_KIND = 12


def sentences(results: Results, groups: Sequence[Group]) -> list[str]:
    """Verdicts and losses first, then what separates the systems, then what the latencies hide."""
    found = [*_verdicts(results.runs), *_lost(results.runs), *_variants(results.runs)]
    for name in ("publishRate", "endToEndLatency99pct"):
        found += list(_leaders(groups, name))[:_MOST_OF_A_KIND]
    found += list(_held_back(results.runs))[:_MOST_OF_A_KIND]
    return found


def _verdicts(runs: Sequence[Run]) -> Iterator[str]:
    for verdict, meaning in (
        ("FAILED", "ended with an error and are in no chart of means"),
        ("INTERRUPTED", "were ended by hand"),
        ("INVALID", "went to their end, but their findings say why the figures do not mean what they seem to"),
    ):
        number = sum(run.verdict == verdict for run in runs)
        if number:
            yield f"{number} of {len(runs)} runs are {verdict}: they {meaning}."
    unjudged = sum(run.verdict is None for run in runs)
    if unjudged:
        yield f"{unjudged} of {len(runs)} results are OMB's: without verdict, audit, time stamps and configuration."


def _variants(runs: Sequence[Run]) -> Iterator[str]:
    """Runs of one name that make no mean together."""
    names: dict[str, dict[str, None]] = {}
    for run in runs:
        if run.workload_variant:
            names.setdefault(run.base_title, {})[run.workload_variant] = None
        if run.setup_variant:
            names.setdefault(f"{run.title} on {run.base_label}", {})[run.setup_variant] = None
    for name, variants in names.items():
        yield f"{name}: {len(variants)} variants, which are no repetitions of each other: {'; '.join(variants)}."


def _leaders(groups: Sequence[Group], name: str) -> Iterator[str]:
    what = metric(name)
    for group in groups:
        bars = sorted(bars_of(group, name), key=lambda bar: -what.better * bar.estimate.mean)
        if len(bars) > 1 and not _same_target(group, name):
            yield _leader(group, name, bars[0], bars[1])


def _same_target(group: Group, name: str) -> bool:
    """Whether the rates were given and so say nothing about the systems."""
    return name.endswith("Rate") and all(run.target_rate is not None and not run.tries for run in group.runs)


def _leader(group: Group, name: str, first: Bar, second: Bar) -> str:
    what = metric(name)
    best, next_best = first.estimate, second.estimate
    figures = f"{written(best.mean, what.unit)} against {written(next_best.mean, what.unit)}"
    low, high = sorted((best.mean, next_best.mean))
    ratio = high / low if low > 0 else float("inf")
    separate = apart(best, next_best)
    if ratio < _WORTH_A_SENTENCE:
        return f"{group.title}: {first.label} and {second.label} are alike in {what.label} ({figures})."
    if separate is None:
        certainty = "too few runs to decide whether that is more than chance"
    else:
        certainty = "their 95 % intervals are apart" if separate else "but their 95 % intervals overlap"
    direction = "higher" if what.better > 0 else "lower"
    return (
        f"{group.title}: {first.label} has the {direction} {what.label}, {figures} of {second.label}, "
        f"a factor of {digits(ratio)}; {certainty}."
    )


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
        audit = run.configuration.get("audit")
        lost = audit.get("lost") if isinstance(audit, dict) else None
        if isinstance(lost, int) and lost > 0:
            yield f"{run.title} on {run.label}: {lost:,} messages were lost ({run.name})."
