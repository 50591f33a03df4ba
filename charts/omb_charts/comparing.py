"""What has changed from one set of results to another, metric by metric, and whether repetitions bear it out."""

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from omb_charts import promises
from omb_charts.metrics import METRICS, Metric, metric
from omb_charts.model import Results, Run, counted
from omb_charts.statistics import Difference, difference
from omb_charts.units import written
from omb_charts.variants import changes, told_apart_in_sets

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

# Differences between the sets that are named.
_MOST_CHANGES = 6

NO_DIFFERENCE = "no difference"
NOT_DECIDABLE = "not decidable"


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
    return Threshold(known_metric(match["metric"]), match["sign"] == ">", float(match["change"]) / 100)


def known_metric(name: str) -> str:
    """The name itself; raises ValueError with a suggestion if there is no such metric."""
    if name in METRICS:
        return name
    near = difflib.get_close_matches(name, METRICS, n=1)
    hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(METRICS)}"
    raise ValueError(f"{name} is not a metric{hint}")


@dataclass(frozen=True, slots=True)
class Row:
    """A metric of what both sets have."""

    what: str
    metric: Metric
    difference: Difference

    @property
    def verdict(self) -> str:
        """What the runs say: a direction only if they bear it out."""
        change = self.difference
        if not change.decidable:
            return f"{NOT_DECIDABLE}: {_too_few(change)}"
        if not change.significant:
            return NO_DIFFERENCE
        direction = "higher" if change.absolute > 0 else "lower"
        judged = {1: "better", -1: "worse", 0: ""}[self.metric.better * (1 if change.absolute > 0 else -1)]
        return f"{direction} ({judged})" if judged else direction


def _too_few(change: Difference) -> str:
    base, new = change.base.n, change.new.n
    runs = f"{base} run{'' if base == 1 else 's'} each" if base == new else f"{base} and {new} runs"
    return f"{runs} are too few, four each would do" if (base, new) != (1, 1) else "one run each says nothing"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sets of results side by side."""

    base_name: str
    new_name: str
    rows: tuple[Row, ...]
    only_base: tuple[str, ...]
    only_new: tuple[str, ...]
    notes: tuple[str, ...]
    lost: tuple[str, ...]
    """What has usable runs in the base and only failed ones in the new set."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """A threshold and the row that it speaks of."""

    threshold: Threshold
    row: Row

    @property
    def crossed(self) -> bool:
        relative = self.row.difference.relative
        return self.row.difference.significant and relative is not None and self.threshold.crossed(relative)


def compare(base: Results, new: Results, names: tuple[str, str], metrics: Sequence[str]) -> Comparison:
    """Compares what both sets have: the same workload, or experiment and case, on the same system.

    What all runs of a set have in common, such as the version of the client, may differ between the sets: that is what
    is compared, and is told. Variants within a set are paired by what tells them apart there.
    """
    base_by_key, new_by_key = _by_key(base.runs, new.runs)
    pairs = [(key, key) for key in base_by_key if key in new_by_key]
    if not pairs and len(base_by_key) == len(new_by_key) == 1:
        pairs = [(next(iter(base_by_key)), next(iter(new_by_key)))]
    rows: list[Row] = []
    notes: list[str] = []
    lost: list[str] = []
    for base_key, new_key in pairs:
        what = _what(base_key) if base_key == new_key else f"{_what(base_key)} → {_what(new_key)}"
        base_runs, new_runs = base_by_key[base_key], new_by_key[new_key]
        notes += _guarantees(what, names, base_runs[0], new_runs[0])
        notes += _changes(what, names, base_runs[0], new_runs[0])
        notes += _notes(what, names[0], base_runs) + _notes(what, names[1], new_runs)
        if any(run.usable for run in base_runs) and not any(run.usable for run in new_runs):
            lost.append(what)
        rows += _rows(what, base_runs, new_runs, metrics)
    paired_base, paired_new = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}
    return Comparison(
        *names,
        rows=tuple(rows),
        only_base=tuple(_what(key) for key in base_by_key if key not in paired_base),
        only_new=tuple(_what(key) for key in new_by_key if key not in paired_new),
        notes=tuple(notes),
        lost=tuple(lost),
    )


def crossings(comparison: Comparison, thresholds: Iterable[Threshold]) -> list[Crossing]:
    """Each threshold with each row of its metric."""
    return [
        Crossing(threshold, row)
        for threshold in thresholds
        for row in comparison.rows
        if row.metric.name == threshold.metric
    ]


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
    """What is not the same in both sets, apart from OMB's files, which do not say."""
    if not (base.ours and new.ours):
        return []
    told = changes(base.fields, new.fields)
    more = [f"{len(told) - _MOST_CHANGES} more"] if len(told) > _MOST_CHANGES else []
    return [f"{what}: {names[0]} and {names[1]} differ in {'; '.join(told[:_MOST_CHANGES] + more)}"] if told else []


def _guarantees(what: str, names: tuple[str, str], base: Run, new: Run) -> list[str]:
    """Whoever promises less has less to do."""
    if not promises.differ(base, new):
        return []
    return [f"{what}: not the same guarantee: {names[0]}: {base.guarantee}; {names[1]}: {new.guarantee}"]


def _what(key: tuple[str, str]) -> str:
    return f"{key[0]} on {key[1]}"


def _notes(what: str, name: str, runs: Sequence[Run]) -> list[str]:
    invalid = sum(run.verdict == "INVALID" for run in runs)
    unusable = sum(not run.usable for run in runs)
    notes: list[str] = []
    if invalid:
        counts = "are left out" if any(run.usable and run.verdict != "INVALID" for run in runs) else "are all there is"
        notes.append(f"{what}: {invalid} of {len(runs)} runs in {name} are INVALID and {counts}")
    slos = [slo for run in runs if isinstance(slo := run.configuration.get("slo"), dict)]
    if slos:
        missed = sum(slo.get("passed") is not True for slo in slos)
        notes.append(f"{what}: {missed} of {len(slos)} runs in {name} missed their SLO")
    if unusable:
        notes.append(f"{what}: {unusable} of {len(runs)} runs in {name} did not go to their end and are left out")
    return notes


def _rows(what: str, base: Sequence[Run], new: Sequence[Run], metrics: Sequence[str]) -> Iterable[Row]:
    for name in metrics:
        base_values, new_values = _values(base, name), _values(new, name)
        if base_values and new_values:
            yield Row(what, metric(name), difference(base_values, new_values))


def _values(runs: Sequence[Run], name: str) -> list[float]:
    return [run.metrics[name] for run in counted(runs) if name in run.metrics]


def relative_text(row: Row) -> str:
    """The difference in percent of the base, such as "+12.3 %"."""
    relative = row.difference.relative
    return "—" if relative is None else _percent(relative)


def interval_text(row: Row) -> str:
    """The 95 % interval of the difference, in percent of the base."""
    interval = row.difference.relative_interval
    return "—" if interval is None else f"{_percent(interval[0])} … {_percent(interval[1])}"


def p_text(row: Row) -> str:
    p = row.difference.p
    if p is None:
        return "—"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _percent(share: float) -> str:
    return f"{share * 100:+.1f} %"


def markdown(comparison: Comparison, found: Sequence[Crossing]) -> str:
    """The comparison for a pull request."""
    lines = [f"## {comparison.base_name} → {comparison.new_name}", ""]
    for what in dict.fromkeys(row.what for row in comparison.rows):
        lines += _table(what, [row for row in comparison.rows if row.what == what])
    lines += [f"- **{what} has no usable run in {comparison.new_name}**" for what in comparison.lost]
    lines += [_crossing_line(crossing) for crossing in found]
    lines += [f"- Note: {note}" for note in comparison.notes]
    lines += [f"- Only in {comparison.base_name}: {what}" for what in comparison.only_base]
    lines += [f"- Only in {comparison.new_name}: {what}" for what in comparison.only_new]
    lines += [
        "",
        "Differences of means in percent of the base, with Welch's 95 % interval; p of the two-sided Mann–Whitney test "
        "over repetitions, where less than 0.05 counts as a difference.",
    ]
    return "\n".join(lines) + "\n"


def _table(what: str, rows: Sequence[Row]) -> list[str]:
    runs = rows[0].difference
    lines = [
        f"### {what}",
        "",
        f"{runs.base.n} and {runs.new.n} runs",
        "",
        "| metric | base | new | difference | 95 % interval | p | |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for row in rows:
        unit = row.metric.unit
        cells = [
            row.metric.name,
            written(row.difference.base.mean, unit),
            written(row.difference.new.mean, unit),
            relative_text(row),
            interval_text(row),
            p_text(row),
            f"**{row.verdict}**" if row.difference.significant else row.verdict,
        ]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return [*lines, ""]


def _crossing_line(crossing: Crossing) -> str:
    row = crossing.row
    if crossing.crossed:
        return f"- **Threshold crossed: {crossing.threshold}** ({row.what}: {relative_text(row)}, p {p_text(row)})"
    state = NOT_DECIDABLE if not row.difference.decidable else "kept"
    return f"- Threshold {state}: {crossing.threshold} ({row.what}: {relative_text(row)})"
