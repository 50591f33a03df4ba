"""The report: one page with everything in it, which needs no network."""

import base64
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources

import jinja2
from plotly.offline import get_plotlyjs

from omb_charts import configurations, faults, headline, interactive, measured, verdicts, wording
from omb_charts.comparing import ABOUT, Comparison, interval_text, p_text, relative_text, smallest_text
from omb_charts.matrix import matrix_of, ranked
from omb_charts.metrics import METRICS, SD, from_intended_send, has_intended, metric
from omb_charts.model import Claim, Json, PlanResult, Results, Run, Worker, groups_of
from omb_charts.promises import promises_of
from omb_charts.style import FLAWED, looks_of_systems, marker_path
from omb_charts.units import Scale, Unit, digits, scale_of_column, written

# More of a study's pictures than this are folded.
_MOST_OPEN_PICTURES = 12
# The same of the matrix' blocks.
_MOST_OPEN_BLOCKS = 8
_VERDICTS = ("OK", "SLO_MISSED", "INVALID", "FAILED", "INTERRUPTED")
# Marks a latency of a run that has none from the intended send.
ACTUAL_SEND = " †"
# Latencies are those from the intended send where a run has them.
TABLE_METRICS = (
    ("publishRate", "publish"),
    ("consumeRate", "consume"),
    ("publishMBPerSec", "publish"),
    ("publishLatency99pct", "publish p99"),
    ("endToEndLatency50pct", "e2e p50"),
    ("endToEndLatency99pct", "e2e p99"),
    ("endToEndLatency999pct", "e2e p99.9"),
    ("endToEndLatencyMax", "e2e max"),
    ("brokerCpuCores", "broker CPU"),
    ("brokerMemoryBytes", "broker memory"),
)


@dataclass(frozen=True, slots=True)
class Field:
    """A cell of the table: what is shown, and what it is sorted by."""

    text: str
    key: str | float
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of the summary."""

    name: str
    value: str


def render(results: Results, title: str, comparison: Comparison | None, studies: Mapping[str, str]) -> str:
    """The page's HTML. ``studies`` are the studies' figures by name, as SVG."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("omb_charts", "page"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    groups = ranked(groups_of(results.runs))
    results = replace(results, runs=tuple(run for group in groups for run in group.runs))
    by_label = looks_of_systems(run for group in groups for run in group.runs)
    matrix = matrix_of(groups)
    metrics = interactive.overview(groups, by_label)
    columns = _columns(results.runs)
    rows = [(run, [*_identity(run), *fields]) for run, *fields in zip(results.runs, *columns.values(), strict=True)]
    data: Json = {
        "metrics": [chart.json() for chart in metrics],
        "dark": {look.colour: look.colour_on_dark for look in by_label.values()},
    }
    return environment.get_template("report.html.j2").render(
        title=title,
        load=measured.load(results.runs),
        full_machine=verdicts.full_machine(("", results.runs)),
        remedy=verdicts.remedy(results.runs),
        measured=_measured(results.runs),
        facts=_facts(results.runs),
        verdicts=_verdicts(results.runs),
        plans=results.plans,
        title_of=results.title_of,
        matrix=matrix,
        answer=headline.answer(matrix),
        uncertain=headline.uncertain(matrix),
        markers={look.marker: marker_path(look.marker) for look in (*by_label.values(), FLAWED)},
        flawed=FLAWED,
        reasons=(reasons := verdicts.reasons(results.runs)),
        reasons_title=_reasons_title(reasons),
        most_blocks=_MOST_OPEN_BLOCKS,
        sentences=wording.sentences(results),
        problems=results.problems,
        comparison=comparison,
        relative_text=relative_text,
        interval_text=interval_text,
        p_text=p_text,
        smallest_text=smallest_text,
        about_comparison=ABOUT,
        written=written,
        claim_values=claim_values,
        judged=_judged,
        charts=[
            _embedded([chart.json() for chart in interactive.charts_of(block, by_label)]) for block in matrix.blocks
        ],
        metrics=metrics,
        overviewed=len(interactive.overviewed(groups)),
        groups=len(groups),
        columns=[*_IDENTITY, *columns],
        rows=rows,
        some_actual=any(field.text.endswith(ACTUAL_SEND) for _, fields in rows for field in fields),
        configurations=_embedded(configurations.shared(results.runs)),
        fault_columns=faults.COLUMNS,
        fault_rows=faults.rows(results.runs),
        workers_table=workers_table,
        zip=zip,
        environments=_environments(results.runs),
        studies=_by_study(studies),
        most_pictures=_MOST_OPEN_PICTURES,
        css=_text("report.css"),
        js=_text("report.js"),
        plotly=get_plotlyjs(),
        data=_embedded(data),
    )


def _embedded(data: Json) -> str:
    """As JSON within a script element, which a "<" would end where a name in the data has "</script>" in it."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False).replace("<", "\\u003c")


def _by_study(pictures: Mapping[str, str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name, svg in pictures.items():
        found.setdefault(re.split(r"-(?:figure|table|section)-", name)[0], {})[name] = _data_uri(svg)
    return found


def _data_uri(svg: str) -> str:
    """As an image of its own: identifiers in it would be the same in several pictures."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode("ascii")


def _text(name: str) -> str:
    return resources.files("omb_charts").joinpath("page", name).read_text(encoding="utf-8")


def _verdicts(runs: Sequence[Run]) -> list[tuple[str, int]]:
    counted = Counter(run.verdict or "no verdict" for run in runs)
    return [(verdict, counted[verdict]) for verdict in (*_VERDICTS, "no verdict") if counted[verdict]]


def _reasons_title(reasons: Sequence[verdicts.Reason]) -> str:
    first = reasons[0].verdict if reasons else ""
    titles = {"INVALID": "Why runs are INVALID", "OK": "What workloads expect of the systems"}
    return titles.get(first, "Runs that are not OK")


def _measured(runs: Sequence[Run]) -> str:
    """When the runs were measured, and on what if that is one machine; empty if they do not say when."""
    started, machines = _started(runs), {_machine(run) for run in runs if run.configuration.get("environment")}
    alone = len(machines) == 1 and not any(run.workers for run in runs)
    return (f"measured {started} UTC" + (f" on {machines.pop()}" if alone else "")) if started else ""


def _started(runs: Sequence[Run]) -> str:
    """When the first and the last run started; empty if no run says so."""
    times = sorted(run.begin for run in runs if run.begin is not None)
    if not times:
        return ""
    first, last = times[0].strftime("%Y-%m-%d %H:%M"), times[-1].strftime("%Y-%m-%d %H:%M")
    return first if first == last else f"{first} to {last}"


def _facts(runs: Sequence[Run]) -> list[Fact]:
    facts = [
        Fact("runs", f"{len(runs):,}"),
        Fact("workloads", f"{len({run.title for run in runs}):,}"),
        Fact("systems", ", ".join(dict.fromkeys(run.base_label for run in runs))),
    ]
    if started := _started(runs):
        facts.append(Fact("started", started))
    machines = dict.fromkeys(_machine(run) for run in runs)
    facts.append(Fact("machine" if len(machines) == 1 else "machines", "; ".join(machines)))
    brokers = dict.fromkeys(text for run in runs if (text := _broker(run)))
    if brokers:
        facts.append(Fact("brokers", ", ".join(brokers)))
    promises = promises_of(runs)
    if len(promises) == 1:
        facts.append(Fact("guarantee", promises[0].in_words))
    elif promises:
        facts.append(Fact("guarantees", "different; see the table of systems"))
    return facts


def _machine(run: Run) -> str:
    environment = run.configuration.get("environment")
    if not isinstance(environment, dict):
        return "unknown"
    processors, memory = environment.get("processors"), environment.get("memoryMiB")
    memory_text = f", {memory / 1024:.0f} GiB" if isinstance(memory, int | float) else ""
    return f"{environment.get('host', 'unnamed')}: {environment.get('os', '')}, {processors} processors{memory_text}"


def _broker(run: Run) -> str:
    broker = run.configuration.get("broker")
    if not isinstance(broker, dict) or not broker.get("product"):
        return ""
    return f"{broker.get('product')} {broker.get('version') or ''}".strip()


def _environments(runs: Iterable[Run]) -> list[tuple[str, int]]:
    """Each environment once, with the number of runs in it."""
    counted = Counter(
        configurations.written(environment)
        for run in runs
        if (environment := run.configuration.get("environment")) is not None
    )
    return counted.most_common()


_IDENTITY = ("workload", "system", "verdict", "started", "size (B)", "target (msg/s)")


def _identity(run: Run) -> list[Field]:
    return [
        Field(run.title, run.title.lower()),
        Field(run.label, run.label.lower()),
        Field(run.verdict or "—", _VERDICTS.index(run.verdict) if run.verdict in _VERDICTS else len(_VERDICTS)),
        Field(run.begin.strftime("%m-%d %H:%M:%S") if run.begin else "—", run.begin.timestamp() if run.begin else -1.0),
        Field(f"{run.message_size:,.0f}" if run.message_size else "—", run.message_size or -1.0, True),
        Field("—" if run.target_rate is None else f"{digits(run.target_rate)}", run.target_rate or -1.0, True),
    ]


def _columns(runs: Sequence[Run]) -> dict[str, list[Field]]:
    """The figures of all runs, by the head of their column with its unit."""
    found: dict[str, list[Field]] = {}
    for name, label in TABLE_METRICS:
        names = [from_intended_send(name, [run]) for run in runs]
        scale = scale_of_column(
            METRICS[name].unit, (run.metrics.get(own) for run, own in zip(runs, names, strict=True))
        )
        found[f"{label} ({scale.symbol})"] = [
            _figure(run, own, scale, actual=has_intended(name) and own == name)
            for run, own in zip(runs, names, strict=True)
        ]
    return found | {"lost": [_lost(run) for run in runs]}


def _figure(run: Run, name: str, scale: Scale, *, actual: bool) -> Field:
    value = run.metrics.get(name)
    if value is None:
        return Field("—", -1.0, True)
    mark = "~" if run.rests_on_few(name) else ""
    return Field(mark + digits(value * scale.factor) + (ACTUAL_SEND if actual else ""), value, True)


def _lost(run: Run) -> Field:
    audit = run.configuration.get("audit")
    lost = audit.get("lost") if isinstance(audit, dict) else None
    return Field(f"{lost:,}", lost, True) if isinstance(lost, int) else Field("—", -1.0, True)


def workers_table(workers: Sequence[Worker]) -> dict[str, list[str]]:
    """What is known of a run's workers, by the head of each column with its unit."""
    return {
        "worker": [w.name if w.lost is None else f"{w.name}, lost: {w.lost}" for w in workers],
        "producers + consumers": [f"{_whole(w.producers)} + {_whole(w.consumers)}" for w in workers],
        **_in_one_unit("published", Unit.MESSAGES_PER_SEC, [w.publish_rate for w in workers]),
        **_in_one_unit("received", Unit.MESSAGES_PER_SEC, [w.consume_rate for w in workers]),
        "processors used": [
            "—" if w.used_processors is None else f"{w.used_processors:.2f} of {_whole(w.processors)}" for w in workers
        ],
        **_in_one_unit("clock known within ±", Unit.MS, [w.clock_bound_ms for w in workers]),
        "clock drift (ppm)": ["—" if w.drift_ppm is None else f"{w.drift_ppm:+.2f}" for w in workers],
        **_in_one_unit("round trip", Unit.MS, [w.round_trip_ms for w in workers]),
        **_in_one_unit("started later by", Unit.MS, [w.started_later_ms for w in workers]),
        "JDK": [w.jdk or "—" for w in workers],
    }


def _in_one_unit(head: str, unit: Unit, values: Sequence[float | None]) -> dict[str, list[str]]:
    scale = scale_of_column(unit, values)
    shown = ["—" if value is None else digits(value * scale.factor) for value in values]
    return {f"{head} ({scale.symbol})": shown}


def _whole(number: int | None) -> str:
    return "—" if number is None else f"{number:,}"


def claim_values(claim: Claim) -> list[str]:
    """What was measured, in words, for each figure that the claim speaks of."""
    found: list[str] = []
    for value in claim.values:
        where = ", ".join(part for part in (value.system, value.case) if part)
        what = metric(value.metric)
        if value.estimate is None:
            found.append(f"{where}: {what.label} not measured")
            continue
        estimate = value.estimate
        interval = ""
        if (ends := estimate.ends) is not None:
            told = "" if estimate.low is not None else "range "
            interval = f" ({told}{written(ends[0], what.unit)} to {written(ends[1], what.unit)})"
        kind = "standard deviation " if value.metric.endswith(SD) else ""
        found.append(f"{where}: {kind}{written(estimate.median, what.unit)}{interval}, n = {estimate.n}")
    return found


def _judged(plan: PlanResult) -> list[tuple[str, int]]:
    return Counter(claim.judgement for claim in plan.claims).most_common()
