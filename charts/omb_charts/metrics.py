"""The figures of a whole run by name, as defined by bin/benchmark. Plans' summaries have the same figures."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from omb_charts.fields import Object, as_number, child, children, number, numbers, text
from omb_charts.model import Json, Run, Series, counted
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
    """A figure of a run.

    ``better`` is +1 where more is better, -1 where less is, 0 where it depends. ``all_runs`` tells that INVALID runs
    count as well. The rest says where it is in a result file: metrics.yaml explains it.
    """

    name: str
    label: str
    unit: Unit
    better: int = 0
    path: str | None = None
    figure: str | None = None
    inverse: bool = False
    times: float = 1.0
    per: str | None = None
    rest_of: float | None = None
    where: str | None = None
    latency: str | None = None
    all_runs: bool = False

    def of(self, root: Object) -> float | None:
        """The figure of the whole measurement; None if the result does not have it."""
        if (self.where is not None and _at(root, self.where) is not True) or self.latency in not_measured(root):
            return None
        if self.path is not None:
            return self._scaled(root, as_number(_at(root, self.path)))
        means = [mean for node in self._figures(root) if (mean := number(node, "mean")) is not None]
        return self._scaled(root, sum(means) if means else None)

    def series(self, root: Object) -> Series | None:
        """The use in each period, for all nodes together; a period that one of them lacks is None."""
        if self.figure is None:
            return None
        lists = [values for node in self._figures(root) if (values := numbers(node, "periodMean")) is not None]
        if not lists or (self.where is not None and _at(root, self.where) is not True):
            return None
        sums = (
            None if any(value is None for value in period) else sum(value for value in period if value is not None)
            for period in zip(*lists, strict=False)
        )
        return tuple(self._scaled(root, value) for value in sums)

    def _figures(self, root: Object) -> list[Object]:
        """The figure of each process, target or host of the role."""
        role, _, name = (self.figure or "").partition("/")
        entries = [entry for entry in children(child(root, "resources"), "entries") if text(entry, "role") == role]
        return [node for entry in entries if (node := child(child(entry, "figures"), name))]

    def _scaled(self, root: Object, value: float | None) -> float | None:
        divisor = 1.0 if self.per is None else as_number(_at(root, self.per))
        if value is None or not divisor or divisor < 0 or (self.inverse and value <= 0):
            return None
        scaled = self.times * (1 / value if self.inverse else value) / divisor
        return scaled if self.rest_of is None else self.rest_of - scaled


def not_measured(root: Object) -> list[object]:
    """The latencies of which a result has no sample: OMB's fields are null there, or 0 in a file of OMB.

    Our results name them. In OMB's own, a maximum of 0 tells: no sample is that short.
    """
    names = root.get("notMeasured")
    named: list[object] = list(names) if isinstance(names, list) else []
    return named + [name for name in LATENCIES if root.get(aggregated(name, "Max")) == 0]


def _at(root: Object, path: str) -> Json:
    *parents, name = path.split("/")
    node = root
    for parent in parents:
        node = child(node, parent)
    return node.get(name)


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
    factor = number(node, "times")
    return Metric(
        name=name + suffix,
        label=f"{text(node, 'label')} {figure_label}".strip(),
        unit=_UNITS[text(node, "unit") or ""],
        better=_BETTER[text(node, "better")],
        path=aggregated(name, suffix) if suffix else text(node, "from"),
        figure=text(node, "figure"),
        inverse=node.get("inverse") is True,
        times=1.0 if factor is None else factor,
        per=text(node, "per"),
        rest_of=number(node, "restOf"),
        where=text(node, "where"),
        latency=name if suffix else None,
        all_runs=node.get("allRuns") is True,
    )


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
    """The metric of that name; one without a known unit is shown as it is."""
    return METRICS.get(name) or Metric(name, name, Unit.MESSAGES)


def rests_on(name: str, runs: Iterable[Run]) -> tuple[Run, ...]:
    """The runs that a metric is computed from, if they have it."""
    return tuple(run for run in runs if run.usable) if metric(name).all_runs else counted(runs)
