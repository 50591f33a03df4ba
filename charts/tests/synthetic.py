"""Results that are made up, in the form of real ones: runs of every kind, and result folders of the five studies."""

import itertools
import json
import math
import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

LATENCIES = (
    "publishLatency",
    "publishDelayLatency",
    "endToEndLatency",
    "scheduledPublishLatency",
    "scheduledEndToEndLatency",
)
SUFFIXES = {
    "Avg": 0.6,
    "50pct": 0.5,
    "75pct": 0.8,
    "95pct": 1.6,
    "99pct": 3.0,
    "999pct": 6.0,
    "9999pct": 9.0,
    "99999pct": 11.0,
    "Max": 12.0,
}
BEGIN = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

# No run is made twice.
_RUNS = itertools.count(1)

Result = dict[str, Any]


def omb_result(workload: str, driver: str, rate: float, latency_ms: float, periods: int = 6, seed: int = 1) -> Result:
    """A result as OMB writes it: flat names only."""
    noise = random.Random(seed)
    result: Result = {
        "workload": workload,
        "driver": driver,
        "messageSize": 1024,
        "topics": 1,
        "partitions": 1,
        "producersPerTopic": 1,
        "consumersPerTopic": 1,
    }
    for name in ("publishRate", "consumeRate"):
        result[name] = [round(rate * noise.uniform(0.98, 1.02), 3) for _ in range(periods)]
    result["publishErrorRate"] = [0.0] * periods
    result["backlog"] = [noise.randrange(40) for _ in range(periods)]
    for name in ("publishLatency", "publishDelayLatency", "endToEndLatency"):
        _add_latency(result, name, latency_ms, periods, noise)
    return result


def early_omb_result(workload: str, driver: str, rate: float, latency_ms: float) -> Result:
    """A result as OMB wrote it in 2020, like those that Confluent has published: fewer names, backlogs below 0."""
    result = omb_result(workload, driver, rate, latency_ms)
    absent = {"messageSize", "topics", "partitions", "producersPerTopic", "consumersPerTopic", "publishErrorRate"}
    result = {
        name: value
        for name, value in result.items()
        if name not in absent and "Delay" not in name and not name.endswith("99999pct")
    }
    result["backlog"] = [-2, -4, -12, 0, 5, -1]
    quantiles = result["aggregatedPublishLatencyQuantiles"]
    lowest = quantiles.pop("0")
    result["aggregatedPublishLatencyQuantiles"] = {"5.484519149445414E-6": lowest, **quantiles}
    return result


def _add_latency(result: Result, name: str, latency_ms: float, periods: int, noise: random.Random) -> None:
    aggregated = f"aggregated{name[0].upper()}{name[1:]}"
    for suffix, factor in SUFFIXES.items():
        result[name + suffix] = [round(latency_ms * factor * noise.uniform(0.9, 1.1), 6) for _ in range(periods)]
        result[aggregated + suffix] = round(latency_ms * factor * noise.uniform(0.97, 1.03), 6)
    percentiles = [*range(0, 100, 5), 97.5, 99, 99.5, 99.9, 99.95, 99.99, 100]
    result[f"{aggregated}Quantiles"] = {
        f"{p:g}": round(latency_ms * 0.3 * (1 + math.log(1 / (1.00001 - p / 100))), 6) for p in percentiles
    }


def result(
    workload: str,
    driver: str,
    rate: float,
    latency_ms: float,
    *,
    periods: int = 6,
    seed: int = 1,
    period_s: float = 5.0,
    verdict: str = "OK",
    target: float | None = None,
    plan: Mapping[str, Any] | None = None,
    metrics: Mapping[str, float | None] | None = None,
    **more: Any,
) -> Result:
    """A result as this benchmark writes it."""
    noise = random.Random(seed)
    made = omb_result(workload, driver, rate, latency_ms, periods, seed)
    for name in LATENCIES[3:]:
        _add_latency(made, name, latency_ms * 1.1, periods, noise)
    begin = BEGIN + timedelta(minutes=seed)
    size = more.get("messageSize", 1024)
    made |= {
        "schemaVersion": 1,
        "runId": f"run{next(_RUNS)}",
        "verdict": verdict,
        "findings": [],
        "failure": None,
        "beginTime": _time(begin),
        "endTime": _time(begin + timedelta(seconds=periods * period_s)),
        "subscriptionsPerTopic": 1,
        "targetRate": rate if target is None else target,
        "sustainableRate": None,
        "messageSize": size,
        "notMeasured": [],
        "audit": {"sent": 1000, "lost": 0, "duplicated": 0, "outOfOrder": 0, "subscriptions": []},
        "search": None,
        "periods": [
            {
                "start": _time(begin + timedelta(seconds=i * period_s)),
                "end": _time(begin + timedelta(seconds=(i + 1) * period_s)),
                "stalls": {
                    "count": period_s * 1000,
                    "p50Ns": 0,
                    "p99Ns": 0,
                    "p999Ns": 250_000 * i,
                    "maxNs": 12_000_000,
                },
            }
            for i in range(periods)
        ],
        "broker": {
            "product": driver,
            "version": "1.0",
            "managed": True,
            "guarantee": {"copies": 1, "inWords": "1 copy, in memory when acknowledged, survives no crash"},
        },
        "driverClass": f"io.openmessaging.benchmark.driver.{driver.split('-', maxsplit=1)[0]}.Driver",
        "clientVersion": f"{driver}-client 1.0",
        "driverConfig": {"name": driver},
        "workloadConfig": {"name": workload, "messageSize": size, "producerRate": rate if target is None else target},
        "workloadEffective": {
            "name": workload,
            "topics": 1,
            "messageSize": size,
            "producerRate": f"{rate if target is None else target:g}",
        },
        "environment": {"host": "lab", "os": "Linux", "processors": 2, "memoryMiB": 16000, "jdk": "17"},
    }
    of_resources = _resources(periods, noise)
    made["metrics"] = (
        _rates(rate * noise.uniform(0.99, 1.01), rate, size)
        | {"messagesLost": 0.0, "messagesPerBrokerCpuSecond": 12000.0, "brokerCpuMsPerMessage": 1 / 12}
        | {name: mean for name, (mean, _) in of_resources.items()}
        | dict(metrics or {})
    )
    made["metricsByPeriod"] = {name: values for name, (_, values) in of_resources.items()}
    if "rateSweep" in more:
        # The workload names the rates to go through instead of one.
        del made["workloadConfig"]["producerRate"], made["workloadEffective"]["producerRate"]
    if plan is not None:
        made["plan"] = dict(plan)
    return made | more


def searched(driver: str, rate: float, seed: int = 1, limit: Mapping[str, Any] | None = None, **more: Any) -> Result:
    """A search that found this rate, and the range of the system's limit."""
    search = {"steps": [{"targetRate": rate, "achievedRate": rate, "sustained": True}], "range": limit}
    found = {"sustainableRate": rate}
    made = result("w", driver, rate, 1.0, seed=seed, search=search, metrics=found, **more)
    made["workloadEffective"]["producerRate"] = "0"
    return made


def _rates(publish: float, consume: float, size: float) -> Result:
    rates = {"publish": publish, "consume": consume}
    return {f"{name}Rate": rate for name, rate in rates.items()} | {
        f"{name}MBPerSec": rate * size / 1e6 for name, rate in rates.items()
    }


def _time(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _resources(periods: int, noise: random.Random) -> Mapping[str, tuple[float, Sequence[float]]]:
    """Mean and periods of each."""
    cores = 0.6 * noise.uniform(0.5, 1.5)
    means = {
        "brokerCpuCores": cores,
        "brokerCpuPercent": 50 * cores,
        "brokerMemoryBytes": 5e8,
        "brokerMemoryPercent": 3.0,
        "brokerHeapBytes": 2e8,
        "brokerCollectionsPerSec": 0.4,
        "brokerCollectionPercent": 1.1,
        "harnessCpuCores": 0.3,
        "harnessMemoryBytes": 2e8,
        "hostCpuPercent": 60.0,
        "hostMemoryPercent": 55.0,
    }
    return {
        name: (mean, [round(mean * noise.uniform(0.8, 1.2), 4) for _ in range(periods)]) for name, mean in means.items()
    }


def two_workers(bound_ns: int | None = 200_000, *, between_workers: bool = True) -> Result:
    """What a result has more if it is of two workers."""
    known = {"largestBoundNs": 150_000, "driftPpm": -12.5, "medianRoundTripNs": 61_000}
    return {
        "clocks": {"boundNs": bound_ns, "endToEndBetweenWorkers": between_workers, "control": {}},
        "workers": [
            {
                "name": f"worker {number} (w{number}:8080)",
                "lost": None if number == 1 else "its process was restarted",
                "producers": 2,
                "consumers": 4,
                "rates": {"send": 50.0, "publish": 50.0, "consume": 12_000.0},
                "startedLaterNs": 12_000 * (number - 1),
                "used": {"usedProcessors": 0.35},
                "clock": known if number == 1 else None,
                "host": f"w{number}",
                "processors": 8,
                "jdk": "17",
            }
            for number in (1, 2)
        ],
    }


def write(folder: Path, name: str, content: Mapping[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def step(producers: int, rate: float, p99_ms: float, clean: bool = True) -> Result:
    percentiles = {"50": p99_ms * 2e5, "99": p99_ms * 1e6}
    return {
        "producers": producers,
        "consumers": 4,
        "seconds": 120.0,
        "rates": {"publish": rate, "consume": rate},
        "latencies": {"endToEnd": {"percentilesNs": percentiles}},
        "clean": clean,
        "abortedBy": None if clean else "endToEndLatency99pct",
    }


def rate_sweep(knee: float, rates: Mapping[float, float], refused: Sequence[float] = ()) -> Result:
    """What went through rates, with the p99 of each in ms."""
    steps = []
    for rate, p99_ms in rates.items():
        percentiles = {"50": p99_ms * 4e5, "99": p99_ms * 1e6, "99.9": p99_ms * 2e6}
        steps.append(
            {
                "targetRate": rate,
                "sustained": rate not in refused,
                "reason": "pace" if rate in refused else None,
                "rates": {"publish": rate * (0.8 if rate in refused else 1), "consume": rate},
                "latencies": {
                    "scheduledPublish": {"percentilesNs": percentiles},
                    "scheduledEndToEnd": {"percentilesNs": {name: 1.5 * value for name, value in percentiles.items()}},
                },
            }
        )
    return {
        "knee": {"targetRate": knee, "publishRate": knee, "latency": "scheduledEndToEnd"},
        "highestSustainedRate": max(rate for rate in rates if rate not in refused),
        "steps": steps,
    }


_SIZES = ("10 B", "100 B", "1 KB", "10 KB", "100 KB", "1 MB")

# Systems, and the cases of each experiment, as the studies' plans have them.
STUDIES: Mapping[str, tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]]] = {
    "kaczor-2022": (
        {"own-application": ("kafka", "rabbitmq"), "tools": ("kafka-tools", "rabbitmq-tools")},
        {
            "own-application": tuple(f"{size} x {n}" for size in _SIZES for n in (10, 100, 500, 1000)),
            "tools": ("1p:1c", "2p:1c", "1p:2c", "2p:2c"),
        },
    ),
    "maharjan-2023": (
        {"throughput": ("artemis", "rabbitmq", "redis", "kafka"), "latency": ("artemis", "rabbitmq", "redis", "kafka")},
        {
            "throughput": ("10 B", "100 B", "1 KB", "10 KB", "50 KB", "100 KB"),
            "latency": ("1 MB/s", "3 MB/s", "6 MB/s", "10 MB/s", "15 MB/s"),
        },
    ),
    "chy-2023": (
        {"sizes": ("kafka", "pulsar", "artemis", "rocketmq"), "flood": ("rocketmq",)},
        {"sizes": ("1 KB", "10 KB", "100 KB", "1000 KB"), "flood": ("1 KB", "10 KB", "100 KB", "1000 KB")},
    ),
    "ramadan-2026": (
        dict.fromkeys(("message-size", "volume", "consumers", "stress"), ("kafka", "rabbitmq")),
        {
            "message-size": ("1 KB", "10 KB", "100 KB"),
            "volume": ("10K", "50K", "100K"),
            "consumers": ("1 consumer", "5 consumers", "10 consumers"),
            "stress": ("100K in 10 s",),
        },
    ),
    "superstreams-2026": (
        dict.fromkeys(
            ("symmetric", "producer-heavy", "consumer-heavy", "message-size", "rate", "soak", "ramp"),
            ("redpanda", "rabbitmq"),
        ),
        {
            "symmetric": ("2p:2c", "4p:4c", "8p:8c"),
            "producer-heavy": ("2p:1c", "4p:1c", "8p:1c"),
            "consumer-heavy": ("1p:2c", "1p:4c", "1p:8c"),
            "message-size": ("1 KB", "10 KB"),
            "rate": ("2,000/s", "10,000/s", "20,000/s"),
            "soak": ("4p:4c",),
            "ramp": ("default",),
        },
    ),
}

_SPEED = {
    "kafka": 40000.0,
    "rabbitmq": 12000.0,
    "redis": 9000.0,
    "artemis": 4000.0,
    "pulsar": 30000.0,
    "rocketmq": 11000.0,
    "redpanda": 60000.0,
}


def plan_folder(folder: Path, study: str, repetitions: int = 3, time_scale: float = 1.0) -> Path:
    """A result folder of a study's plan: results, manifest and claims; the summary is left to be computed."""
    systems, cases = STUDIES[study]
    runs: list[Result] = []
    seed = 0
    for experiment, of_experiment in cases.items():
        for case_number, case in enumerate(of_experiment):
            for system in systems[experiment]:
                for repetition in range(1, repetitions + 1):
                    seed += 1
                    place = {
                        "name": study,
                        "experiment": experiment,
                        "system": system,
                        "case": case,
                        "parameters": {},
                        "repetition": repetition,
                        "timeScale": time_scale,
                    }
                    made = _of_plan(place, case_number, seed)
                    name = f"{experiment}-{system}-{case_number}-{repetition}"
                    write(folder / "runs", name, made)
                    runs.append({"number": seed, **place, "status": "done", "file": f"runs/{name}.json"})
    write(folder, "manifest", {"plan": study, "file": "plan.yaml", "timeScale": time_scale, "runs": runs})
    write(folder, "claims", {"study": study, "claims": [], "values": []})
    return folder


def _of_plan(place: Result, case_number: int, seed: int) -> Result:
    system = place["system"].split("-")[0]
    if place["experiment"] == "flood" or (system == "rocketmq" and case_number > 0):
        return result(
            "flood", system, 0.0, 1.0, periods=0, seed=seed, plan=place, verdict="FAILED", failure="no message came"
        ) | {"metrics": {}}
    rate = _SPEED[system] / 2**case_number * random.Random(seed).uniform(0.95, 1.05)
    more: Result = {"messageSize": 10 * 10**case_number, "target": 0, "targetRate": None}
    if place["experiment"] == "own-application":
        more["metrics"] = {"totalSeconds": 400 / rate, "totalRate": rate}
    if place["experiment"] == "ramp":
        more["steps"] = [step(2, rate, 90.0), step(4, 2 * rate, 400.0), step(6, 2.5 * rate, 20000.0, clean=False)]
    return result(
        place["experiment"], system, rate, 5e4 / _SPEED[system] * (1 + case_number), seed=seed, plan=place, **more
    )
