"""The figures of a whole run by name: the same names as in a plan's summary."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from omb_charts.model import LATENCIES, PERCENTILE_SUFFIXES
from omb_charts.units import Unit


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure of a run.

    ``better`` is +1 where more is better, -1 where less is, 0 where it depends.
    """

    name: str
    label: str
    unit: Unit
    better: int = 0


_SUFFIX_LABELS = {
    "Avg": "mean",
    "50pct": "p50",
    "75pct": "p75",
    "95pct": "p95",
    "99pct": "p99",
    "999pct": "p99.9",
    "9999pct": "p99.99",
    "Max": "maximum",
}


def percentile_label(suffix: str) -> str:
    """What the end of a latency's field name means, such as "p99"."""
    return _SUFFIX_LABELS[suffix]


def _latencies() -> Iterator[Metric]:
    for name, label in LATENCIES.items():
        for suffix in PERCENTILE_SUFFIXES:
            yield Metric(name + suffix, f"{label} {_SUFFIX_LABELS[suffix]}", Unit.MS, -1)


METRICS: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("publishRate", "publish rate", Unit.MESSAGES_PER_SEC, 1),
        Metric("consumeRate", "consume rate", Unit.MESSAGES_PER_SEC, 1),
        Metric("publishMBPerSec", "publish rate", Unit.MB_PER_SEC, 1),
        Metric("consumeMBPerSec", "consume rate", Unit.MB_PER_SEC, 1),
        *_latencies(),
        Metric("sendSeconds", "time to send", Unit.SECONDS, -1),
        Metric("receiveSeconds", "time to receive", Unit.SECONDS, -1),
        Metric("totalSeconds", "time from the first send to the last arrival", Unit.SECONDS, -1),
        Metric("totalRate", "messages over the time from the first send to the last arrival", Unit.MESSAGES_PER_SEC, 1),
        Metric("sustainableRate", "sustainable rate", Unit.MESSAGES_PER_SEC, 1),
        Metric("kneeRate", "rate at the knee", Unit.MESSAGES_PER_SEC, 1),
        Metric("highestSustainedRate", "highest rate of the sweep that was sustained", Unit.MESSAGES_PER_SEC, 1),
        Metric("saturationRate", "rate of the last clean step", Unit.MESSAGES_PER_SEC, 1),
        Metric("saturationProducers", "producers of the last clean step", Unit.PRODUCERS, 1),
        Metric("brokerCpuCores", "processors used by the broker", Unit.CORES, -1),
        Metric("brokerCpuPercent", "broker's processor time, of the host's processors", Unit.PERCENT, -1),
        Metric("brokerMemoryBytes", "memory of the broker", Unit.BYTES, -1),
        Metric("brokerMemoryPercent", "memory of the broker, of the host's", Unit.PERCENT, -1),
        Metric("brokerHeapBytes", "heap used by the broker", Unit.BYTES, -1),
        Metric("brokerCollectionsPerSec", "garbage collections of the broker", Unit.PER_SEC, -1),
        Metric("hostCpuPercent", "processor time of the host", Unit.PERCENT),
        Metric("hostMemoryPercent", "memory used on the host", Unit.PERCENT),
        Metric("harnessCpuCores", "processors used by the harness", Unit.CORES),
        Metric("harnessMemoryBytes", "memory of the harness", Unit.BYTES),
        Metric(
            "messagesPerBrokerCpuSecond",
            "messages a second of the broker's processor time",
            Unit.MESSAGES_PER_CPU_SECOND,
            1,
        ),
    )
}


def metric(name: str) -> Metric:
    """The metric of that name; one without a known unit is shown as it is."""
    return METRICS.get(name) or Metric(name, name, Unit.MESSAGES)
