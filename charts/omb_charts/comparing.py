"""The changes between two sets of results: verdicts, then each metric, and whether repetitions confirm them."""

import difflib
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from omb_charts import promises
from omb_charts.metrics import METRICS, Metric, from_intended_send, has_intended, metric, rests_on, values_of
from omb_charts.model import Results, Run, counted
from omb_charts.statistics import CONFIDENCE, MOST_REPETITIONS, Difference, difference, grown, unseen
from omb_charts.units import digits, written
from omb_charts.variants import changes, told_apart_in_sets
from omb_charts.verdicts import full_machine, on_shared_machine, remedy, vague

# Latencies from the intended send take the place of these where all runs have them.
DEFAULT_METRICS = (
    "publishRate",
    "consumeRate",
    "publishLatency50pct",
    "publishLatency99pct",
    "endToEndLatency50pct",
    "endToEndLatency99pct",
    "endToEndLatency999pct",
    "brokerCpuCores",
)

# Differences between the sets that the comparison names.
_MOST_CHANGES = 6

NO_DIFFERENCE = "no difference"
NOT_DECIDED = "not decided"
NOT_DECIDABLE = "not decidable"
# Two sets count as equal within this share of the base.
MARGIN = 0.1


@dataclass(frozen=True, slots=True)
class Threshold:
    """A relative change that is not accepted, such as "endToEndLatency99pct > +10%"."""

    metric: str
    above: bool
    change: float

    def crossed(self, change: float) -> bool:
        return change > self.change if self.above else change < self.change

    def __str__(self) -> str:
        return f"{self.metric} {'>' if self.above else '<'} {self.change * 100:+g}%"


_THRESHOLD = re.compile(r"\s*(?P<metric>\w+)\s*(?P<sign>[<>])\s*(?P<change>[+-]?\d+(\.\d+)?)\s*%\s*")


def parse_threshold(written_as: str) -> Threshold:
    """Reads a threshold; raises ValueError with a sentence for the user."""
    match = _THRESHOLD.fullmatch(written_as)
    if match is None:
        raise ValueError(f"--fail-on {written_as!r} is not a threshold; write one like 'endToEndLatency99pct > +10%'")
    change = float(match["change"]) / 100
    if change <= -1:
        raise ValueError(
            f"--fail-on {written_as!r}: nothing falls by 100 % or more; write one like 'publishRate < -5%'"
        )
    return Threshold(known_metric(match["metric"]), match["sign"] == ">", change)


def parse_margin(written_as: str) -> float:
    """Reads a share such as "10%"; raises ValueError with a sentence for the user."""
    match = re.fullmatch(r"\s*(\d+(\.\d+)?)\s*%\s*", written_as)
    if match is None or float(match[1]) == 0:
        raise ValueError(f"--margin {written_as!r} is not a share above zero; write one like '10%'")
    return float(match[1]) / 100


def known_metric(name: str) -> str:
    """The name itself; raises ValueError with a suggestion if there is no such metric."""
    if name in METRICS:
        return name
    near = difflib.get_close_matches(name, METRICS, n=1)
    hint = f"; did you mean {near[0]}?" if near else f"; known metrics: {', '.join(METRICS)}"
    raise ValueError(f"{name} is not a metric{hint}")


@dataclass(frozen=True, slots=True)
class Row:
    """A metric that both sets have. Within ``margin``, in units of the base, the sets count as equal.

    ``lacking`` are the counted runs that do not have it. It may be worse there than in any other run: a system that
    never recovered has no recovery time. Or better: a search that did not find the limit has a lower bound at most.
    """

    what: str
    metric: Metric
    difference: Difference
    margin: float
    lacking: int = 0

    @property
    def decidable(self) -> bool:
        """Whether there are enough runs, and all of them have the metric."""
        return self.difference.decidable and not self.lacking

    @property
    def significant(self) -> bool:
        return self.decidable and self.difference.significant

    @property
    def verdict(self) -> str:
        """The verdict of the runs: a direction only if they confirm it, no difference only if they exclude one."""
        change = self.difference
        if not change.decidable:
            return f"{NOT_DECIDABLE}: {_too_few(change)}"
        if self.lacking:
            return f"{NOT_DECIDED}: {_lacking(self)}"
        if self.significant:
            direction = "higher" if change.shift > 0 else "lower"
            judged = {1: "better", -1: "worse", 0: ""}[self.metric.better * (1 if change.shift > 0 else -1)]
            return f"{direction} ({judged})" if judged else direction
        interval = change.relative_interval
        within = interval is not None and -self.margin <= interval[0] and interval[1] <= self.margin
        return f"{NO_DIFFERENCE} beyond ±{self.margin * 100:g} %" if within else NOT_DECIDED


def _lacking(row: Row) -> str:
    runs = row.lacking + row.difference.base.n + row.difference.new.n
    return f"{row.lacking} of {runs} runs {'has' if row.lacking == 1 else 'have'} no {row.metric.name}"


def _too_few(change: Difference) -> str:
    base, new = change.base.n, change.new.n
    runs = f"{base} run{'' if base == 1 else 's'} each" if base == new else f"{base} and {new} runs"
    return f"{runs} are too few, it takes at least four each" if (base, new) != (1, 1) else "one run each is not enough"


@dataclass(frozen=True, slots=True)
class Share:
    """The number of runs of each set with an unwanted verdict."""

    what: str
    bad: str
    base: int
    base_runs: int
    new: int
    new_runs: int

    @property
    def p(self) -> float:
        """The probability that so many more of the new runs are bad by chance alone."""
        return grown(self.base, self.base_runs, self.new, self.new_runs)

    @property
    def more(self) -> bool:
        return self.new * self.base_runs > self.base * self.new_runs

    @property
    def regressed(self) -> bool:
        return self.more and self.p < 1 - CONFIDENCE

    @property
    def verdict(self) -> str:
        if self.regressed:
            return "more (worse)"
        return f"{NOT_DECIDED}: more, but chance alone explains it" if self.more else "not more"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sets of results side by side."""

    base_name: str
    new_name: str
    rows: tuple[Row, ...]
    shares: tuple[Share, ...]
    gates: tuple["Gate", ...]
    missing: tuple[str, ...]
    """Metrics that a threshold asks for and one of the sets, or both, lack."""
    only_base: tuple[str, ...]
    only_new: tuple[str, ...]
    notes: tuple[str, ...]
    lost: tuple[str, ...]
    """Entries with valid runs in the base and none in the new set."""
    full_machine: str
    """That the machine may have been measured; empty if no run says so."""
    remedy: str
    """What to do then."""
    unread: tuple[str, ...]
    """Files whose runs may be missing, each with the reason."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A threshold and the row that decides it: one of as many tests as there are gates, not rows.

    ``valid`` tells whether both sets have runs that are not INVALID, ``left_out`` how many runs were not used.
    """

    threshold: Threshold
    row: Row
    valid: bool
    left_out: int

    @property
    def crossed(self) -> bool:
        relative = self.row.difference.relative
        judged = self.valid and self.row.significant
        return judged and relative is not None and self.threshold.crossed(relative)

    @property
    def kept(self) -> bool:
        """Whether the change is certainly smaller, as far as it is one of all runs."""
        decidable = self.valid and self.row.decidable and not self.crossed
        return decidable and self.row.difference.excludes(self.threshold.change, above=self.threshold.above)

    @property
    def state(self) -> str:
        return "crossed" if self.crossed else "kept" if self.kept else NOT_DECIDABLE


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether the new set passes the gate, and what is worse or open."""

    passed: bool
    reasons: tuple[str, ...]


def outcome(comparison: Comparison, *, lenient: bool) -> Outcome | None:
    """Judges the comparison by its thresholds; None if there are none. What is open passes only if lenient."""
    gates, shares = comparison.gates, comparison.shares
    if not gates and not comparison.missing:
        return None
    crossed, kept = sum(gate.crossed for gate in gates), sum(gate.kept for gate in gates)
    undecided = len(gates) - crossed - kept
    worse = [
        *(
            [f"{len(comparison.unread)} file{'' if len(comparison.unread) == 1 else 's'} not read"]
            * bool(comparison.unread)
        ),
        *([f"{crossed} of {len(gates)} thresholds crossed"] * bool(crossed)),
        *(f"{what} has no valid run" for what in comparison.lost),
        *(f"{share.what}: more runs are {share.bad}" for share in shares if share.regressed),
    ]
    unclear = [
        *([f"{undecided} of {len(gates)} thresholds {NOT_DECIDABLE}"] * bool(undecided)),
        *comparison.missing,
        *(f"{what} is missing" for what in comparison.only_base),
        *(
            f"{share.what}: more runs are {share.bad}, maybe by chance"
            for share in shares
            if share.more and not share.regressed
        ),
    ]
    return Outcome(not worse and (lenient or not unclear), (*worse, *unclear))


def own_runs(base: Results, new: Results) -> list[Run]:
    """The runs of the base that are not in the new set as well."""
    in_new = {run.run_id for run in new.runs if run.run_id}
    return [run for run in base.runs if run.run_id not in in_new]


def compare(
    base: Results,
    new: Results,
    names: tuple[str, str],
    metrics: Sequence[str],
    thresholds: Sequence[Threshold] = (),
    *,
    margin: float = MARGIN,
    actual_send: bool = False,
) -> Comparison:
    """Compares what both sets have: the same workload, or experiment and case, on the same system.

    Values that all runs of a set have in common, such as the version of the client, may differ between the sets. The
    comparison is about them and names them. Variants within a set are paired by what tells them apart there. Latencies
    are from the intended send where all runs have them, unless those from the actual send are requested.
    """
    only_in_base = own_runs(base, new)
    in_both = len(base.runs) - len(only_in_base)
    base_by_key, new_by_key = _by_key(only_in_base, new.runs)
    pairs = [(key, key) for key in base_by_key if key in new_by_key]
    if not pairs and len(base_by_key) == len(new_by_key) == 1:
        pairs = [(next(iter(base_by_key)), next(iter(new_by_key)))]
    found = [_Pair.of(base_key, base_by_key[base_key], new_key, new_by_key[new_key]) for base_key, new_key in pairs]
    paired_base, paired_new = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}
    return Comparison(
        *names,
        rows=tuple(row for pair in found for row in pair.rows(metrics, margin, actual_send=actual_send)),
        shares=tuple(share for pair in found for share in pair.shares()),
        gates=tuple(_gates(found, thresholds, margin, actual_send=actual_send)),
        missing=tuple(_missing(found, thresholds, names)),
        only_base=tuple(_what(key) for key in base_by_key if key not in paired_base),
        only_new=tuple(_what(key) for key in new_by_key if key not in paired_new),
        notes=(
            *(
                [f"{in_both} run{' is' if in_both == 1 else 's are'} in both sets, and left out of {names[0]}"]
                * bool(in_both)
            ),
            *(note for pair in found for note in pair.notes(names, metrics, actual_send=actual_send)),
        ),
        lost=tuple(pair.what for pair in found if _valid(pair.base) and not _valid(pair.new)),
        full_machine=full_machine((names[0], only_in_base), (names[1], new.runs)),
        remedy=remedy([*only_in_base, *new.runs]),
        unread=tuple(str(problem) for problem in (*base.problems, *new.problems) if not problem.harmless),
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    """The runs of both sets of the same thing."""

    what: str
    base: Sequence[Run]
    new: Sequence[Run]

    @staticmethod
    def of(base_key: "_Key", base: Sequence[Run], new_key: "_Key", new: Sequence[Run]) -> "_Pair":
        what = _what(base_key) if base_key == new_key else f"{_what(base_key)} → {_what(new_key)}"
        return _Pair(what, base, new)

    def rows(self, metrics: Sequence[str], margin: float, *, actual_send: bool, tests: int = 0) -> Iterable[Row]:
        """The metrics that both have. They are that many tests, or as many as given."""
        names = dict.fromkeys(name if actual_send else self.compared(name) for name in metrics)
        values = {name: (values_of(name, self.base), values_of(name, self.new)) for name in names}
        both = {name: (old, young) for name, (old, young) in values.items() if old and young}
        for name, (old, young) in both.items():
            counting = len(rests_on(name, self.base)) + len(rests_on(name, self.new))
            lacking = counting - len(old) - len(young)
            yield Row(self.what, metric(name), difference(old, young, tests or len(both)), margin, lacking)

    def compared(self, name: str) -> str:
        """The same latency from the intended send, if all runs that count have it."""
        return from_intended_send(name, [*counted(self.base), *counted(self.new)])

    def shares(self) -> Iterable[Share]:
        for bad, of, verdicts in (
            ("FAILED or INVALID", ("OK", "SLO_MISSED"), ("FAILED", "INVALID")),
            ("SLO_MISSED", ("OK",), ("SLO_MISSED",)),
        ):
            counts = [
                (
                    sum(run.verdict in verdicts for run in runs),
                    sum(run.verdict in (*of, *verdicts) for run in runs),
                )
                for runs in (self.base, self.new)
            ]
            (old, old_runs), (young, young_runs) = counts
            if old_runs and young_runs and old + young:
                yield Share(self.what, bad, old, old_runs, young, young_runs)

    def notes(self, names: tuple[str, str], metrics: Sequence[str], *, actual_send: bool) -> list[str]:
        told = _guarantees(self.what, names, self.base[0], self.new[0])
        told += _changes(self.what, names, self.base[0], self.new[0])
        told += _notes(self.what, names[0], self.base) + _notes(self.what, names[1], self.new)
        hidden = [
            name
            for name in metrics
            if has_intended(name)
            and (actual_send or self.compared(name) == name)
            and values_of(name, self.base)
            and values_of(name, self.new)
        ]
        if hidden:
            why = "as asked for" if actual_send else "since not all runs have them from the intended send"
            told.append(
                f"{self.what}: latencies are from the actual send, {why}: a client that blocks before it accepts a "
                "message hides its stalls there"
            )
        return told


def _gates(
    pairs: Sequence[_Pair], thresholds: Sequence[Threshold], margin: float, *, actual_send: bool
) -> Iterable[Gate]:
    """Each threshold with each pair that has its metric."""
    asked = [(threshold, pair) for threshold in thresholds for pair in pairs]
    for threshold, pair in asked:
        for row in pair.rows([threshold.metric], margin, actual_send=actual_send, tests=len(asked)):
            left_out = sum(len(runs) - len(rests_on(row.metric.name, runs)) for runs in (pair.base, pair.new))
            valid = row.metric.all_runs or (_valid(pair.base) and _valid(pair.new))
            yield Gate(threshold, row, valid, left_out)


def _missing(pairs: Sequence[_Pair], thresholds: Sequence[Threshold], names: tuple[str, str]) -> Iterable[str]:
    """Where a threshold's metric is in one set only, or which of them no pair has in both."""
    for name in dict.fromkeys(threshold.metric for threshold in thresholds):
        having = [(pair.what, [bool(values_of(name, runs)) for runs in (pair.base, pair.new)]) for pair in pairs]
        alone = [f"{what}: no run in {names[have.index(False)]} has {name}" for what, have in having if sum(have) == 1]
        yield from alone
        if not alone and not any(all(have) for _, have in having):
            yield f"the two sets have no runs with {name} in common"


def _valid(runs: Sequence[Run]) -> bool:
    return any(run.usable and run.verdict != "INVALID" for run in runs)


_Key = tuple[str, str]
_ByKey = dict[_Key, list[Run]]


def _by_key(base: Sequence[Run], new: Sequence[Run]) -> tuple[_ByKey, _ByKey]:
    """The runs of each set by workload and system, named alike in both: by what differs within one of them."""
    together = told_apart_in_sets(base, new)
    found: tuple[_ByKey, _ByKey] = ({}, {})
    for by_key, runs in zip(found, together, strict=True):
        for run in runs:
            by_key.setdefault((run.title, run.label), []).append(run)
    return found


def _changes(what: str, names: tuple[str, str], base: Run, new: Run) -> list[str]:
    """The differences between both sets, except for OMB's files, which do not tell."""
    if not (base.ours and new.ours):
        return []
    told = changes(base.fields, new.fields)
    more = [f"{len(told) - _MOST_CHANGES} more"] if len(told) > _MOST_CHANGES else []
    return [f"{what}: {names[0]} and {names[1]} differ in {'; '.join(told[:_MOST_CHANGES] + more)}"] if told else []


def _guarantees(what: str, names: tuple[str, str], base: Run, new: Run) -> list[str]:
    """A system with a weaker guarantee has less to do."""
    if not promises.differ(base, new):
        return []
    return [f"{what}: different guarantees: {names[0]}: {base.guarantee}; {names[1]}: {new.guarantee}"]


def _what(key: tuple[str, str]) -> str:
    return f"{key[0]} on {key[1]}"


def _notes(what: str, name: str, runs: Sequence[Run]) -> list[str]:
    invalid = sum(run.verdict == "INVALID" for run in runs)
    unusable = sum(not run.usable for run in runs)
    notes: list[str] = []
    if invalid:
        counts = "are left out" if _valid(runs) else "are the only runs"
        notes.append(f"{what}: {invalid} of {len(runs)} runs in {name} are INVALID and {counts}")
    slos = [slo for run in runs if isinstance(slo := run.configuration.get("slo"), dict)]
    if slos:
        missed = sum(slo.get("passed") is not True for slo in slos)
        notes.append(f"{what}: {missed} of {len(slos)} runs in {name} missed their SLO")
    if unreliable := sum(run.vague_limit is not None for run in runs):
        notes.append(f"{what}: the rates of {unreliable} of {len(runs)} runs in {name} are left out: {vague(runs)}")
    if shared := sum(on_shared_machine([run]) for run in counted(runs)):
        notes.append(
            f"{what}: others used the machine in {shared} of {len(runs)} runs in {name}, which may raise latencies"
        )
    if unusable:
        notes.append(f"{what}: {unusable} of {len(runs)} runs in {name} did not complete and are left out")
    return notes


def relative_text(row: Row) -> str:
    """The difference in percent of the base, such as "+12.3 %"."""
    relative = row.difference.relative
    return "—" if relative is None else _percent(relative)


def interval_text(row: Row) -> str:
    """The interval of the difference, in percent of the base."""
    interval = row.difference.relative_interval
    return "—" if interval is None else f"{_percent(interval[0])} … {_percent(interval[1])}"


def p_text(row: Row) -> str:
    p = row.difference.p
    return "—" if p is None else _p(p)


def smallest_text(row: Row) -> str:
    """The smallest changes that would have been found, in percent of the base."""
    smallest = row.difference.smallest_changes
    if smallest is None or not row.difference.decidable:
        return "—"
    return " or ".join(_percent(change) for change in smallest)


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _percent(share: float) -> str:
    """With three digits, since a change can be a thousandfold one."""
    if math.isinf(share):
        return "from zero"
    text = digits(round(share * 100, 1))
    return f"{text if share < 0 else f'+{text}'} %"


ABOUT = (
    "Base and new are geometric means over runs (means where a value is 0), other than medians of the same runs. "
    "Differences are in percent of the base, with Welch's test and interval on logarithms, corrected for the number of "
    "metrics (Bonferroni): all intervals of a table hold jointly with 95 %. A p of less than 0.05 counts; it is no "
    "smaller than that of a rank test. The smallest change is what would have been found four times in five, at the "
    "spread of these runs."
)


def markdown(comparison: Comparison, judged: Outcome | None = None) -> str:
    """The comparison for a pull request: first whether it passes, and what to know before any figure."""
    sets = f"{comparison.base_name} → {comparison.new_name}"
    lines = [f"## {sets}" if judged is None else f"## Gate {'passed' if judged.passed else 'failed'}: {sets}", ""]
    if judged is not None:
        lines += [_why(judged), ""]
    if comparison.full_machine:
        lines += [f"**{comparison.full_machine}** {comparison.remedy}", ""]
    lines += [f"- **Not read: {what}**" for what in comparison.unread]
    lines += [_gate_line(gate) for gate in comparison.gates]
    lines += [f"- Threshold {NOT_DECIDABLE}: {what}" for what in comparison.missing]
    lines += [f"- **{what} has no valid run in {comparison.new_name}**" for what in comparison.lost]
    lines += [""]
    for what in dict.fromkeys((*(row.what for row in comparison.rows), *(share.what for share in comparison.shares))):
        lines += [f"### {what}", ""]
        lines += _table([row for row in comparison.rows if row.what == what])
        lines += [share_text(share, comparison) for share in comparison.shares if share.what == what]
        lines += [""]
    lines += [f"- Note: {note}" for note in comparison.notes]
    lines += [f"- Only in {comparison.base_name}: {what}" for what in comparison.only_base]
    lines += [f"- Only in {comparison.new_name}: {what}" for what in comparison.only_new]
    return re.sub(r"\n{3,}", "\n\n", "\n".join([*lines, "", ABOUT])) + "\n"


# Of the reasons for an outcome; the lists below have all.
_MOST_REASONS = 4


def _why(judged: Outcome) -> str:
    if not judged.reasons:
        return "All thresholds are kept."
    rest = len(judged.reasons) - _MOST_REASONS
    told = [*judged.reasons[:_MOST_REASONS], *([f"{rest} more"] if rest > 0 else [])]
    return f"{'--lenient accepts: ' if judged.passed else ''}{'; '.join(told)}."


def share_text(share: Share, comparison: Comparison) -> str:
    """How many runs have that verdict in each set, as an entry of a list."""
    counts = (
        f"{share.base} of {share.base_runs} runs in {comparison.base_name}, "
        f"{share.new} of {share.new_runs} in {comparison.new_name}"
    )
    verdict = f"**{share.verdict}**" if share.regressed else share.verdict
    return f"- {share.bad}: {counts}: {verdict} (Fisher's exact test, one-sided: p {_p(share.p)})"


def _table(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    first = rows[0].difference
    lines = [
        f"{first.base.n} and {first.new.n} runs; intervals and p are corrected for {_tests(first, 'metric')}",
        "",
        "| metric | base | new | difference | 95 % interval | p | smallest change that would have been found | |",
        "|---|--:|--:|--:|--:|--:|--:|---|",
    ]
    for row in rows:
        unit = row.metric.unit
        cells = [
            row.metric.name,
            *(written(mean, unit) for mean in row.difference.means),
            relative_text(row),
            interval_text(row),
            p_text(row),
            smallest_text(row),
            f"**{row.verdict}**" if row.significant else row.verdict,
        ]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return [*lines, ""]


def _gate_line(gate: Gate) -> str:
    row, change = gate.row, gate.row.difference
    judged_by = "" if row.metric.name == gate.threshold.metric else f", judged by {row.metric.name}"
    head = f"Threshold {gate.state}: {gate.threshold}"
    head = f"**{head}**" if gate.crossed else head
    told = f"{row.what}{judged_by}: {relative_text(row)} ({interval_text(row)}), p {p_text(row)}"
    told += f", corrected for {_tests(change, 'threshold')}"
    if gate.left_out:
        told += f"; {gate.left_out} INVALID or unfinished {'run is' if gate.left_out == 1 else 'runs are'} left out"
    if not gate.valid:
        return f"- {head} ({told}; all runs of one set are INVALID)"
    if not change.decidable:
        return f"- {head} ({told}; {_too_few(change)}{_repetitions(gate)})"
    if row.lacking:
        return f"- {head} ({told}; {_lacking(row)})"
    found = f"would have found {smallest_text(row)} in {change.base.n} and {change.new.n} runs"
    return f"- {head} ({told}; {found}{_not_shown(gate)})"


def _not_shown(gate: Gate) -> str:
    """What the runs do not show: what is too rare for a threshold that is kept, or why nothing is decided."""
    threshold, change = gate.threshold, gate.row.difference
    if gate.kept:
        return f"; a change in up to {unseen(change.new.n) * 100:.0f} % of runs may not show in {change.new.n}"
    if gate.crossed:
        return ""
    if change.means_exclude(threshold.change, above=threshold.above):
        return f"; the means exclude {threshold.change * 100:+g} %, but the ranks of the runs do not"
    return _repetitions(gate)


def _repetitions(gate: Gate) -> str:
    """How many repetitions it takes to find a change beyond the threshold; otherwise, to exclude the threshold."""
    threshold, change = gate.threshold, gate.row.difference
    if change.error is None:
        return ""
    if change.relative is not None and threshold.crossed(change.relative):
        what, needed = f"find {relative_text(gate.row)}", change.repetitions_to_find()
    elif threshold.change:
        what, needed = f"exclude {threshold.change * 100:+g} %", change.repetitions_for(threshold.change)
    else:
        return ""
    times = f"more than {MOST_REPETITIONS:,}" if needed is None else f"{needed:,}"
    return f"; to {what} takes {times} runs each"


def _tests(change: Difference, noun: str) -> str:
    return f"{change.tests} {noun}{'' if change.tests == 1 else 's'}"
