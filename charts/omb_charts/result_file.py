"""Reads one result file, ours or OMB's, into a Run."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from omb_charts.faults import faults_of, outages_of
from omb_charts.fields import Object, as_number, child, children, number, numbers, text, whole
from omb_charts.metrics import LATENCIES, LATENCY_FIGURES, METRICS, aggregated, latency_key, not_measured
from omb_charts.model import (
    Finding,
    Json,
    Place,
    Run,
    Series,
    Span,
    Spectrum,
    Step,
    Try,
    Worker,
)
from omb_charts.verdicts import SHARED_MACHINE

NEWEST_SCHEMA = 1
BYTES_PER_MB = 1e6

_SYSTEMS = ("kafka", "rabbitmq", "redis", "artemis", "pulsar", "rocketmq", "redpanda", "nats", "inmemory")
_OMB_SERIES = ("publishRate", "publishErrorRate", "consumeRate", "backlog")
_CONFIGURATION = (
    "workloadFile",
    "workloadConfig",
    "workloadEffective",
    "driverClass",
    "clientVersion",
    "driverConfig",
    "broker",
    "limits",
    "plan",
    "seed",
    "environment",
    "phases",
    "counts",
    "latencies",
    "clocks",
    "slo",
    "audit",
    "auditOff",
    "errors",
    "harness",
)
_SEARCHED = frozenset(name for name, each in METRICS.items() if each.searched)
# Whose whole distributions are drawn, the first that there is; reading all five would take a third of a file's time.
_DRAWN_SPECTRA = (("scheduledPublishLatency", "publishLatency"), ("scheduledEndToEndLatency", "endToEndLatency"))
# Longer distributions are thinned: a line of 1,000 points looks no better than one of 300.
_SPECTRUM_POINTS = 300


class NotAResultError(Exception):
    """The file cannot be charted; the message is a sentence for the user."""


def load_json(path: Path) -> Object:
    """The JSON object in the file."""
    try:
        parsed: Json = json.loads(path.read_bytes())
    except json.JSONDecodeError as e:
        raise NotAResultError(f"is not complete JSON (line {e.lineno}, column {e.colno}: {e.msg})") from None
    except UnicodeDecodeError:
        raise NotAResultError("is not JSON text") from None
    except OSError as e:
        raise NotAResultError(f"cannot be read: {e.strerror}") from None
    if not isinstance(parsed, dict):
        raise NotAResultError("is not a result: its JSON is not an object")
    return parsed


def run_of(path: Path, root: Object) -> Run:
    """The run in a result file's parsed content."""
    ours = "schemaVersion" in root
    schema = whole(root, "schemaVersion")
    if ours and schema != NEWEST_SCHEMA:
        raise NotAResultError(f"has schemaVersion {root['schemaVersion']}; this program reads {NEWEST_SCHEMA}")
    if not isinstance(root.get("workload"), str) or not isinstance(root.get("publishRate"), list):
        raise NotAResultError("is not a result: it has no workload with a list publishRate")
    driver = text(root, "driver") or "unknown driver"
    place = _place(child(root, "plan"))
    series = _series(root)
    vague_limit = _vague_limit(root)
    return Run(
        source=path,
        ours=ours,
        workload=text(root, "workload") or "",
        driver=driver,
        system=system_of(text(root, "driverClass"), place.system if place else "", driver),
        verdict=text(root, "verdict"),
        findings=tuple(
            Finding(text(f, "kind") or "", text(f, "severity") or "", text(f, "text") or "")
            for f in children(root, "findings")
        ),
        failure=text(root, "failure"),
        begin=_time(text(root, "beginTime")),
        end=_time(text(root, "endTime")),
        message_size=number(root, "messageSize"),
        topics=whole(root, "topics"),
        partitions=whole(root, "partitions"),
        producers=whole(root, "producersPerTopic"),
        consumers=whole(root, "consumersPerTopic"),
        subscriptions=whole(root, "subscriptionsPerTopic"),
        target_rate=number(root, "targetRate"),
        place=place,
        metrics=_metrics(root, series),
        series=series,
        spans=_spans(root),
        spectra=_spectra(root),
        tries=_tries(root),
        vague_limit=vague_limit,
        unreliable=_SEARCHED if vague_limit is not None else frozenset(),
        steps=_steps(root),
        sweep=_sweep(root),
        workers=tuple(_worker(node) for node in children(root, "workers")),
        faults=faults_of(root),
        outages=outages_of(root, _first_period(root)),
        clock_bound_ms=_clock_bound_ms(child(root, "clocks")),
        run_id=text(root, "runId") or "",
        configuration={name: root[name] for name in _CONFIGURATION if root.get(name) is not None},
    )


def system_of(driver_class: str | None, *names: str) -> str:
    """The messaging system: from the driver's class or else from a name; the last name itself if it is none known.

    A driver named after Redpanda may use Kafka's class, so names go first there.
    """
    folded = [re.sub(r"[^a-z0-9]", "", name.lower()) for name in names]
    if any("redpanda" in name for name in folded):
        return "redpanda"
    package = (driver_class or "").lower().split(".driver.")[-1]
    for candidate in [package, *folded]:
        for system in _SYSTEMS:
            if system in candidate:
                return system
    return names[-1]


def _time(written: str | None) -> datetime | None:
    if written is None:
        return None
    try:
        return datetime.fromisoformat(written)
    except ValueError:
        return None


def _place(plan: Object) -> Place | None:
    experiment, system = text(plan, "experiment"), text(plan, "system")
    if experiment is None or system is None:
        return None
    time_scale = number(plan, "timeScale")
    return Place(
        plan=text(plan, "name") or "",
        experiment=experiment,
        system=system,
        case=text(plan, "case") or "",
        parameters=dict(child(plan, "parameters")),
        repetition=whole(plan, "repetition") or 1,
        time_scale=1.0 if time_scale is None else time_scale,
    )


def _measured(root: Object) -> tuple[str, ...]:
    """The latencies with samples. Ours are 0 where there is none, and named in notMeasured."""
    missing = not_measured(root)
    return tuple(name for name in LATENCIES if name not in missing and f"{name}Avg" in root)


def _series(root: Object) -> dict[str, Series]:
    series = {name: values for name in _OMB_SERIES if (values := numbers(root, name)) is not None}
    for latency in _measured(root):
        for suffix in LATENCY_FIGURES:
            values = numbers(root, latency + suffix)
            if values is not None:
                longest = numbers(root, f"{latency}Max") or ()
                series[latency + suffix] = _without_empty(values, longest)
    series |= _stalls(root)
    by_period = child(root, "metricsByPeriod")
    return series | {name: values for name in METRICS if (values := numbers(by_period, name)) is not None}


def _without_empty(values: Series, longest: Series) -> Series:
    """Without those of periods that have no sample: their maximum is 0."""
    empty = [*(value == 0 for value in longest), *(False for _ in values)]
    return tuple(None if nothing else value for value, nothing in zip(values, empty, strict=False))


def _stalls(root: Object) -> dict[str, Series]:
    """The harness' own stalls, in ms."""
    periods = [child(period, "stalls") for period in children(root, "periods")]
    if not any(periods):
        return {}
    return {
        name: tuple(None if (ns := number(stalls, field)) is None else ns / 1e6 for stalls in periods)
        for name, field in (("stall999pct", "p999Ns"), ("stallMax", "maxNs"))
    }


def _metrics(root: Object, series: Mapping[str, Series]) -> dict[str, float]:
    """Those that the result names. Results of OMB and of earlier versions have rates and latencies only."""
    of_omb = _rates(root, series) | {
        latency + suffix: value
        for latency in _measured(root)
        for suffix in LATENCY_FIGURES
        if (value := number(root, aggregated(latency, suffix))) is not None
    }
    written = child(root, "metrics")
    return of_omb | {name: value for name in METRICS if (value := number(written, name)) is not None}


def _rates(root: Object, series: Mapping[str, Series]) -> dict[str, float]:
    """The mean rates of the periods."""
    found: dict[str, float] = {}
    size = number(root, "messageSize")
    for name in ("publish", "consume"):
        rate = _mean(series.get(f"{name}Rate"))
        if rate is not None:
            found[f"{name}Rate"] = rate
            if size:
                found[f"{name}MBPerSec"] = rate * size / BYTES_PER_MB
    return found


def _mean(values: Series | None) -> float | None:
    """Of periods that are equally long, but for the last."""
    known = [value for value in values or () if value is not None]
    return sum(known) / len(known) if known else None


def _first_period(root: Object) -> datetime | None:
    return next((_time(text(period, "start")) for period in children(root, "periods")), None)


def _spans(root: Object) -> tuple[Span, ...]:
    spans: list[tuple[datetime, datetime]] = []
    for period in children(root, "periods"):
        start, end = _time(text(period, "start")), _time(text(period, "end"))
        if start is None or end is None:
            return ()
        spans.append((start, end))
    if not spans:
        return ()
    zero = spans[0][0]
    return tuple(Span((start - zero).total_seconds(), (end - zero).total_seconds()) for start, end in spans)


def _spectra(root: Object) -> dict[str, Spectrum]:
    spectra: dict[str, Spectrum] = {}
    measured = _measured(root)
    drawn = {next((name for name in names if name in measured), None) for names in _DRAWN_SPECTRA}
    for latency in (name for name in measured if name in drawn):
        quantiles = child(root, aggregated(latency, "Quantiles"))
        points = sorted(
            (float(percentile), value)
            for percentile, raw in quantiles.items()
            if _is_decimal(percentile) and (value := as_number(raw)) is not None
        )
        if points:
            spectra[latency] = _thinned(points)
    return spectra


def _is_decimal(written: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?([eE][-+]?\d+)?", written) is not None


def _thinned(points: list[tuple[float, float]]) -> Spectrum:
    """Keeps the points of the tail: each step is as many points as there are to skip, measured from the top."""
    step = max(1, -(-len(points) // _SPECTRUM_POINTS))
    kept = sorted({*range(0, len(points), step), *range(max(0, len(points) - _SPECTRUM_POINTS // 6), len(points))})
    return Spectrum(tuple(points[i][0] for i in kept), tuple(points[i][1] for i in kept))


def _tries(root: Object) -> tuple[Try, ...]:
    tries: list[Try] = []
    for step in children(child(root, "search"), "steps"):
        target, achieved = number(step, "targetRate"), number(step, "achievedRate")
        if target is not None and achieved is not None:
            tries.append(Try(target, achieved, step.get("sustained") is True))
    return tuple(tries)


def _vague_limit(root: Object) -> tuple[float, float | None] | None:
    """Results of earlier versions do not say whether the limit was found, and have no finding of a shared machine."""
    limit = child(child(root, "search"), "range")
    low = number(limit, "low")
    shared = any(text(finding, "kind") in SHARED_MACHINE for finding in children(root, "findings"))
    vague = (shared or limit.get("found") is False) and text(root, "verdict") in ("OK", "SLO_MISSED")
    return (low, number(limit, "high")) if vague and low is not None else None


def _steps(root: Object) -> tuple[Step, ...]:
    steps: list[Step] = []
    for node in children(root, "steps"):
        rates, latencies = child(node, "rates"), child(node, "latencies")
        steps.append(
            Step(
                producers=whole(node, "producers"),
                consumers=whole(node, "consumers"),
                publish_rate=number(rates, "publish"),
                consume_rate=number(rates, "consume"),
                latencies_ms=_step_latencies(latencies),
                clean=node.get("clean") is True,
                aborted_by=text(node, "abortedBy"),
            )
        )
    return tuple(steps)


def _sweep(root: Object) -> tuple[Step, ...]:
    """The rates that a run went through."""
    sweep = child(root, "rateSweep")
    knee = number(child(sweep, "knee"), "targetRate")
    return tuple(
        Step(
            producers=None,
            consumers=None,
            publish_rate=number(child(node, "rates"), "publish"),
            consume_rate=number(child(node, "rates"), "consume"),
            latencies_ms=_step_latencies(child(node, "latencies")),
            clean=node.get("sustained") is True,
            aborted_by=text(node, "reason"),
            knee=knee is not None and number(node, "targetRate") == knee and node.get("sustained") is True,
        )
        for node in children(sweep, "steps")
    )


def _worker(node: Object) -> Worker:
    rates, used, clock = child(node, "rates"), child(node, "used"), child(node, "clock")
    return Worker(
        name=text(node, "name") or "",
        lost=text(node, "lost"),
        producers=whole(node, "producers"),
        consumers=whole(node, "consumers"),
        publish_rate=number(rates, "publish"),
        consume_rate=number(rates, "consume"),
        used_processors=number(used, "usedProcessors"),
        processors=whole(node, "processors"),
        clock_bound_ms=_ms(clock, "largestBoundNs"),
        drift_ppm=number(clock, "driftPpm"),
        round_trip_ms=_ms(clock, "medianRoundTripNs"),
        started_later_ms=_ms(node, "startedLaterNs"),
        jdk=text(node, "jdk"),
    )


def _ms(node: Object, name: str) -> float | None:
    ns = number(node, name)
    return None if ns is None else ns / 1e6


def _clock_bound_ms(clocks: Object) -> float | None:
    """Latencies of messages that stayed on one worker have no such bound."""
    return _ms(clocks, "boundNs") if clocks.get("endToEndBetweenWorkers") is True else None


def _step_latencies(latencies: Object) -> dict[str, float]:
    """By the names of OMB's fields, from the form that the whole measurement's latencies have."""
    found: dict[str, float] = {}
    for latency in LATENCIES:
        percentiles = child(child(latencies, latency_key(latency)), "percentilesNs")
        for percentile, raw in percentiles.items():
            value = as_number(raw)
            if value is not None:
                found[f"{latency}{percentile.replace('.', '')}pct"] = value / 1e6
    return found
