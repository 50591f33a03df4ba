"""Latency over load: the figures of a rate sweep at each rate, with the knee."""

from collections.abc import Iterator
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from omb_charts.figures import head, legend, plain_log_axis
from omb_charts.metrics import LATENCIES, percentile_label
from omb_charts.model import Group, Run, Step
from omb_charts.plotted import note_unit
from omb_charts.style import Look, looks
from omb_charts.units import Unit, count_tick, latency_tick

# From the intended send, which determines the knee, or else from the actual send.
PANELS = (("scheduledPublishLatency", "publishLatency"), ("scheduledEndToEndLatency", "endToEndLatency"))
PERCENTILES = (("50pct", ":"), ("99pct", "-"), ("999pct", "--"))
KNEE_SUFFIX = "99pct"
KNEE_SIZE = 11


@dataclass(frozen=True, slots=True)
class Curve:
    """A percentile of a latency at the rates of one run."""

    run: Run
    suffix: str
    line: str
    rates: tuple[float, ...]
    values_ms: tuple[float, ...]
    sustained: tuple[bool, ...]
    knee: tuple[float, float] | None

    @property
    def label(self) -> str:
        return f"{self.run.legend} {percentile_label(self.suffix)}"


def latency_of(group: Group, names: tuple[str, ...]) -> str | None:
    """The first of the latencies that some rate of the group has."""
    measured = {name for run in group.runs for step in run.sweep for name in step.latencies_ms}
    return next((name for name in names if name + KNEE_SUFFIX in measured), None)


def curves(group: Group, latency: str) -> Iterator[Curve]:
    """The curves of all runs that went through rates."""
    for run in group.runs:
        for suffix, line in PERCENTILES:
            points = [
                (step, rate, value)
                for step in run.sweep
                if (at := _point(step, latency + suffix))
                for rate, value in (at,)
            ]
            if points:
                knees = [(rate, value) for step, rate, value in points if step.knee]
                yield Curve(
                    run,
                    suffix,
                    line,
                    tuple(rate for _, rate, _ in points),
                    tuple(value for _, _, value in points),
                    tuple(step.clean and not run.flaw for step, _, _ in points),
                    knees[0] if knees and suffix == KNEE_SUFFIX else None,
                )


def _point(step: Step, name: str) -> tuple[float, float] | None:
    value = step.latencies_ms.get(name, 0.0)
    return (step.publish_rate, value) if step.publish_rate and value > 0 else None


def latency_over_load(group: Group) -> Figure | None:
    """p50, p99 and p99.9 over the achieved rate on logarithmic axes: publish latency above, end-to-end below."""
    shown = [name for names in PANELS if (name := latency_of(group, names)) is not None]
    if not shown:
        return None
    figure = Figure(figsize=(8.4, 1.4 + 3.2 * len(shown)))
    axes = figure.subplots(len(shown), 1, sharex=True, squeeze=False)[:, 0]
    by_label = looks(group.runs)
    named: set[str] = set()
    for latency, ax in zip(shown, axes, strict=True):
        for curve in curves(group, latency):
            _draw(ax, curve, by_label[curve.run.label], named)
        ax.set_yscale("log")
        plain_log_axis(ax, latency_tick)
        note_unit(ax, Unit.MS.value)
        ax.set_ylabel(LATENCIES[latency].replace(" from", "\nfrom"))
    axes[-1].set_xscale("log")
    axes[-1].xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes[-1].xaxis.set_major_formatter(FuncFormatter(lambda rate, _: count_tick(rate)))
    axes[-1].xaxis.set_minor_formatter(NullFormatter())
    axes[-1].set_xlabel("publish rate (msg/s)")
    refused = any(not step.clean or run.flaw for run in group.runs for step in run.sweep)
    head(
        figure,
        "Latency over load",
        group.title + "; vertical line: knee" + ("; hollow: not sustained, or INVALID" if refused else ""),
    )
    legend(figure, axes)
    return figure


def _draw(ax: Axes, curve: Curve, look: Look, named: set[str]) -> None:
    label = curve.label
    ax.plot(
        curve.rates,
        curve.values_ms,
        color=look.colour,
        linestyle=curve.line,
        label=f"_{label}" if label in named else label,
    )
    named.add(label)
    for rate, value, sustained in zip(curve.rates, curve.values_ms, curve.sustained, strict=True):
        ax.plot(
            [rate],
            [value],
            color=look.colour,
            marker=look.marker,
            markerfacecolor=look.colour if sustained else "white",
        )
    if curve.knee is not None:
        rate, value = curve.knee
        ax.axvline(rate, color=look.colour, linewidth=0.8, linestyle="-.")
        ax.plot([rate], [value], color=look.colour, marker=look.marker, markersize=KNEE_SIZE)
