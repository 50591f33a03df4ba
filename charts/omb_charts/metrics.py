"""The figures of a whole run by name, as defined by bin/benchmark. Plans' summaries have the same figures."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from omb_charts.fields import Object, child, text
from omb_charts.model import UNRELIABLE, Run, counted
from omb_charts.units import Unit

# The files that bin/benchmark and the charts share. A release has them in a folder beside this file.
_RELEASED = Path(__file__).resolve().parent / "shared"
_SOURCES = (
    Path(__file__).resolve().parents[2] / "benchmark-framework/src/main/resources/io/openmessaging/benchmark/result"
)
SHARED = _RELEASED if _RELEASED.is_dir() else _SOURCES


def shared_definitions(name: str) -> Object:
    """The content of a YAML file that bin/benchmark reads too."""
    content: Object = yaml.safe_load((SHARED / name).read_text(encoding="utf-8"))
    return content


_DEFINITIONS = shared_definitions("metrics.yaml")
_UNITS: Mapping[str, Unit] = {"1/s": Unit.PER_SEC} | {unit.value: unit for unit in Unit}
_BETTER: Mapping[str | None, int] = {"more": 1, "less": -1, None: 0}


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure of a run. Results have its value; bin/benchmark has computed it as metrics.yaml defines.

    ``better`` is +1 where more is better, -1 where less is, 0 where it depends. ``all_runs`` tells that INVALID runs
    count as well. ``searched`` tells that a search for the sustainable rate finds it. ``latency`` is the latency that
    it is a figure of.
    """

    name: str
    label: str
    unit: Unit
    better: int = 0
    latency: str | None = None
    all_runs: bool = False
    searched: bool = False


def not_measured(root: Object) -> list[object]:
    """The latencies of which a result has no sample: OMB's fields are null there, or 0 in a file of OMB.

    Our results name them. In OMB's own, a maximum of 0 tells: no sample is that short.
    """
    names = root.get("notMeasured")
    named: list[object] = list(names) if isinstance(names, list) else []
    return named + [name for name in LATENCIES if root.get(aggregated(name, "Max")) == 0]


# The ends of the names of latencies' figures, with what people call them.
LATENCY_FIGURES: Mapping[str, str] = {
    suffix: str(label) for suffix, label in child(_DEFINITIONS, "latencyFigures").items()
}
_NODES: Mapping[str, Object] = {
    name: child(child(_DEFINITIONS, "metrics"), name) for name in child(_DEFINITIONS, "metrics")
}
# The latencies that runs are compared by: how the names of their fields begin, with what people call them.
LATENCIES: Mapping[str, str] = {
    name: text(node, "label") or ""
    for name, node in _NODES.items()
    if "latency" in node and node.get("compared") is not False
}


def latency_key(name: str) -> str:
    """What a result's latencies call the latency of that name."""
    return text(_NODES[name], "latency") or ""


def aggregated(name: str, suffix: str) -> str:
    """The name of a latency's field for the whole measurement."""
    return f"aggregated{name[0].upper()}{name[1:]}{suffix}"


def _metrics() -> Iterator[Metric]:
    for name, node in _NODES.items():
        if name in LATENCIES:
            yield from (_metric(name, node, suffix, label) for suffix, label in LATENCY_FIGURES.items())
        elif "latency" not in node:
            yield _metric(name, node)


def _metric(name: str, node: Object, suffix: str = "", figure_label: str = "") -> Metric:
    return Metric(
        name=name + suffix,
        label=f"{text(node, 'label')} {figure_label}".strip(),
        unit=_UNITS[text(node, "unit") or ""],
        better=_BETTER[text(node, "better")],
        latency=name if suffix else None,
        all_runs=node.get("allRuns") is True,
        searched=node.get("searched") is True,
    )


# Ends the name of the standard deviation of a metric over the runs of a cell.
SD = "Sd"

METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _metrics()}


# Names of latencies from the intended send. A client that blocks before it takes a message cannot hide these.
_INTENDED = {"publishLatency": "scheduledPublishLatency", "endToEndLatency": "scheduledEndToEndLatency"}


def from_intended_send(name: str, runs: Iterable[Run]) -> str:
    """The same latency, or figure of one, from the intended send where all runs that have it have that too."""
    latency = next((latency for latency in _INTENDED if name.startswith(latency)), None)
    if latency is None:
        return name
    suffix = name.removeprefix(latency)
    intended, judged = _INTENDED[latency] + suffix, suffix or "99pct"
    having = [run for run in runs if latency + judged in run.metrics]
    return intended if having and all(_INTENDED[latency] + judged in run.metrics for run in having) else name


def has_intended(name: str) -> bool:
    """Whether there is the same figure from the intended send."""
    return name.startswith(tuple(_INTENDED))


def percentile_label(suffix: str) -> str:
    """What the end of a latency's field name means, such as "p99"."""
    return LATENCY_FIGURES[suffix]


def metric(name: str) -> Metric:
    """The metric of that name, or its standard deviation; one without a known unit is shown as it is."""
    known = METRICS.get(name.removesuffix(SD))
    if known is None:
        return Metric(name, name, Unit.MESSAGES)
    return known if known.name == name else replace(known, name=name, label=f"standard deviation of {known.label}")


def rests_on(name: str, runs: Iterable[Run]) -> tuple[Run, ...]:
    """The runs that a metric is computed from, if they have it."""
    return tuple(run for run in runs if run.usable) if metric(name).all_runs else counted(runs)


def values_of(name: str, runs: Iterable[Run]) -> list[float]:
    """The values of a metric that means and tests may rest on: none of a search that is no figure to rely on."""
    return [
        run.metrics[name] for run in rests_on(name, runs) if name in run.metrics and run.flaw_of(name) != UNRELIABLE
    ]
