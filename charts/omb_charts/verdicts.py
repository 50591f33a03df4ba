"""Why runs are not OK, or OK with a weakness that their workload expects."""

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from omb_charts.fields import Object, child, children, number
from omb_charts.metrics import metric, shared_definitions
from omb_charts.model import Run
from omb_charts.units import Unit, digits, written


def _listed(name: str) -> frozenset[str]:
    """bin/benchmark's rule: both read findings.yaml."""
    kinds = shared_definitions("findings.yaml").get(name)
    return frozenset(str(kind) for kind in kinds) if isinstance(kinds, list) else frozenset[str]()


FULL_MACHINE = _listed("fullMachine")
SHARED_MACHINE = _listed("sharedMachine")
# Each verdict with the severity of the findings that it rests on; a run that ended early has a failure instead.
_SEVERITIES = {
    "INVALID": "INVALIDATES",
    "FAILED": "",
    "INTERRUPTED": "",
    "SLO_MISSED": "MISSES_SLO",
    "OK": "EXPECTED",
}
# More than these say no more, and a page must open that has thousands.
_MOST_TEXTS = 3
_MOST_RUNS = 12
_MOST_SYSTEMS = 4
_REMEDY = "fewer nodes and clients, a lower rate, or more machines (bin/benchmark explain HostSaturated)."


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for a verdict, with the runs that have it: their places among all runs, and their names.

    ``code`` is the finding's, with which bin/benchmark explains it; empty for a failure. ``texts`` are the first that
    differ, ``linked`` the first of the runs.
    """

    verdict: str
    code: str
    number: int
    texts: tuple[str, ...]
    linked: tuple[tuple[int, str], ...]


def reasons(runs: Sequence[Run]) -> list[Reason]:
    """The reasons of each verdict, those of most runs first."""
    found: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for place, run in enumerate(runs):
        for code, text in _of(run):
            found.setdefault((str(run.verdict), code), []).append((place, text))
    verdicts = list(_SEVERITIES)
    ordered = sorted(found.items(), key=lambda item: (verdicts.index(item[0][0]), -len(_places(item[1]))))
    return [_reason(verdict, code, told, runs) for (verdict, code), told in ordered]


def causes(run: Run) -> list[str]:
    """The codes of the findings behind a verdict other than OK."""
    return [code for code, _ in _of(run) if code and run.verdict != "OK"]


def limit(runs: Iterable[Run]) -> str:
    """The range that has the limits of all searches whose rate is not to rely on, as bin/benchmark writes it."""
    ranges = [run.vague_limit for run in runs if run.vague_limit is not None]
    if not ranges:
        return ""
    low = digits(min(low for low, _ in ranges))
    highs = [high for _, high in ranges if high is not None]
    ends = f"above {low}" if len(highs) < len(ranges) else f"between {low} and {digits(max(highs))}"
    return f"limit {ends} msg/s"


def vague(runs: Iterable[Run]) -> str:
    """That range with the reason why the rate is no figure to rely on; empty if it is one."""
    own = [run for run in runs if run.vague_limit is not None]
    why = "others used the machine" if on_shared_machine(own) else "not narrowed down"
    return f"{limit(own)}: {why}" if own else ""


def on_shared_machine(runs: Iterable[Run]) -> bool:
    """Whether a finding of a run tells that others used its machine."""
    return any(found.kind in SHARED_MACHINE for run in runs for found in run.findings)


def bounds(runs: Iterable[Run]) -> tuple[str, ...]:
    """Each bound of a latency, with the systems' medians and in how many runs they met it: who missed it first."""
    found: dict[str, dict[str, list[Object]]] = {}
    for run in (run for run in runs if run.verdict in ("OK", "SLO_MISSED")):
        for bound in children(child(run.configuration, "slo"), "bounds"):
            what = f"{metric(str(bound.get('latency'))).label} ≤ {written(number(bound, 'limitMs'), Unit.MS)}"
            found.setdefault(what, {}).setdefault(run.system_label, []).append(bound)
    return tuple(f"{what}: {_met(by_system)}" for what, by_system in found.items())


def _met(by_system: Mapping[str, Sequence[Object]]) -> str:
    missed = {label for label, own in by_system.items() if not all(each.get("passed") is True for each in own)}
    labels = sorted(by_system, key=lambda label: label not in missed)
    told = [
        f"{'✗' if label in missed else '✓'} {_outcome(label, by_system[label])}" for label in labels[:_MOST_SYSTEMS]
    ]
    others = labels[_MOST_SYSTEMS:]
    more = [f"{len(others)} more, of which {len(missed.intersection(others))} missed it"] if others else []
    return "; ".join(told + more)


def _outcome(label: str, outcomes: Sequence[Object]) -> str:
    """The median and in how many runs the bound was met; a value within it may rest on too few samples to show so."""
    met = sum(outcome.get("passed") is True for outcome in outcomes)
    values = [value for outcome in outcomes if (value := number(outcome, "valueMs")) is not None]
    median = written(statistics.median(values), Unit.MS) if values else "not measured"
    few = any((number(each, "samples") or 0) < (number(each, "samplesNeeded") or 0) for each in outcomes)
    return f"{label} {median}, met in {met} of {len(outcomes)}{' (few samples)' if few else ''}"


def on_full_machine(run: Run) -> bool:
    """Whether a finding tells that a machine had no processor time left."""
    return any(found.kind in FULL_MACHINE for found in run.findings)


def full_machine(*sets: tuple[str, Sequence[Run]]) -> str:
    """That the machine may have been measured; empty if no run says so. ``remedy`` tells what to do.

    Each set of runs has the name that tells it from the others, empty if there is only one.
    """
    full = [[run for run in runs if on_full_machine(run)] for _, runs in sets]
    if not any(full):
        return ""
    counted = [
        f"{len(own)} of {len(runs)} run{'' if len(runs) == 1 else 's'}{f' in {name}' if name else ''}"
        for own, (name, runs) in zip(full, sets, strict=True)
    ]
    systems = list(dict.fromkeys(run.base_label for own in full for run in own))
    more = ["…"] if len(systems) > _MOST_SYSTEMS else []
    named = ", ".join(systems[:_MOST_SYSTEMS] + more)
    where = " and ".join(counted)
    return f"The machine was full in {where} ({named}), so it may have been measured instead of the system."


def remedy(runs: Iterable[Run]) -> str:
    """What to do about a full machine, as bin/benchmark says it: what others took may be all that is missing."""
    if on_shared_machine(run for run in runs if on_full_machine(run)):
        return (
            f"Others used it, too: end their programs first (bin/benchmark explain MachineShared), then use {_REMEDY}"
        )
    return f"Use {_REMEDY}"


def _of(run: Run) -> Iterator[tuple[str, str]]:
    severity = _SEVERITIES.get(run.verdict or "")
    if severity is None:
        return
    findings = [finding for finding in run.findings if severity and finding.severity == severity]
    for finding in findings:
        yield finding.kind, finding.text
    if not findings and run.verdict != "OK":
        yield "", run.failure or "the result does not say why"


def _places(told: Iterable[tuple[int, str]]) -> list[int]:
    return list(dict.fromkeys(place for place, _ in told))


def _reason(verdict: str, code: str, told: Sequence[tuple[int, str]], runs: Sequence[Run]) -> Reason:
    places = _places(told)
    texts = tuple(dict.fromkeys(text for _, text in told))
    return Reason(
        verdict,
        code,
        len(places),
        texts[:_MOST_TEXTS],
        tuple((place, runs[place].name) for place in places[:_MOST_RUNS]),
    )
