"""How charts look: a colour, a marker and a hatch for each system, the same everywhere."""

import colorsys
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.markers import MarkerStyle

from omb_charts.model import Run

# Told apart with the common kinds of colour blindness, which a test computes, and in print by marker and hatch.
# Artemis green, RabbitMQ yellow, Redis blue and Kafka red are as in maharjan-2023.
_COLOURS: Mapping[str, str] = {
    "kafka": "#B22E21",
    "rabbitmq": "#EDBB0E",
    "redis": "#055CBF",
    "artemis": "#08A364",
    "pulsar": "#5D1368",
    "rocketmq": "#86E1F7",
    "redpanda": "#CA5E9F",
    "nats": "#AACC66",
    "inmemory": "#4D4D4D",
}
# The same hues where the page is dark.
_ON_DARK: Mapping[str, str] = {
    "kafka": "#D34A33",
    "rabbitmq": "#F2BC30",
    "redis": "#2A8BDB",
    "artemis": "#07D98A",
    "pulsar": "#A45CF0",
    "rocketmq": "#9FDCF8",
    "redpanda": "#F87CB1",
    "nats": "#DDFF88",
    "inmemory": "#8C8C8C",
}
# For systems that are not known.
_OTHER = "#8A8A8A"
_MARKERS: Mapping[str, str] = {
    "kafka": "o",
    "rabbitmq": "s",
    "redis": "^",
    "artemis": "D",
    "pulsar": "v",
    "rocketmq": "P",
    "redpanda": "X",
    "nats": "<",
    "inmemory": "*",
}
_HATCHES: Mapping[str, str] = {
    "kafka": "",
    "rabbitmq": "//",
    "redis": "..",
    "artemis": "\\\\",
    "pulsar": "xx",
    "rocketmq": "--",
    "redpanda": "oo",
    "nats": "||",
    "inmemory": "++",
}
_OTHER_MARKERS = (">", "p", "h", "d", "8")
_OTHER_HATCHES = ("OO", "**", "/", "\\", "|")
_LINES = ("-", "--", "-.")
# Of a system's variants: more shades of one hue cannot be told apart.
_MOST_SHADES = 2
# Of a turn: hues that are so far apart fill the circle evenly, however many they are.
_GOLDEN_ANGLE = 0.381966
# Of other hues, so that they stand out from the page.
_LIGHTNESS, _LIGHTNESS_ON_DARK = 0.42, 0.62
# Of runs that do not count: no system has this marker or line.
FLAWED_MARKER, _FLAWED_LINE = "x", ":"
_PLOTLY_MARKERS: Mapping[str, str] = {
    "o": "circle",
    "s": "square",
    "^": "triangle-up",
    "D": "diamond",
    "v": "triangle-down",
    "P": "cross",
    "X": "x",
    "*": "star",
    "<": "triangle-left",
    ">": "triangle-right",
    "p": "pentagon",
    "h": "hexagon",
    "d": "diamond-tall",
    "8": "octagon",
    FLAWED_MARKER: "x-thin-open",
}
_PLOTLY_LINES: Mapping[str, str] = {"-": "solid", "--": "dash", "-.": "dashdot", ":": "dot"}


@dataclass(frozen=True, slots=True)
class Look:
    """How a series is drawn."""

    colour: str
    colour_on_dark: str
    marker: str
    hatch: str
    line: str

    @property
    def plotly_marker(self) -> str:
        return _PLOTLY_MARKERS[self.marker]

    @property
    def plotly_line(self) -> str:
        return _PLOTLY_LINES[self.line]


# How the page marks a system whose runs do not count.
FLAWED = Look("", "", FLAWED_MARKER, "", _FLAWED_LINE)


def marker_path(marker: str) -> str:
    """A marker as the path of an SVG image, from -10 to 10."""
    style = MarkerStyle(marker)
    lines = [
        np.asarray(line) for line in style.get_path().transformed(style.get_transform()).to_polygons(closed_only=False)
    ]
    return "".join("M" + "L".join(f"{20 * x:.3g} {-20 * y:.3g}" for x, y in line) for line in lines)


def looks(runs: Iterable[Run]) -> dict[str, Look]:
    """A look for each label. Several of one system share its hue, in other shades and with other lines.

    A system at several rates also has the look of the first of them, for lines over the rates.
    """
    everything = list(runs)
    found = looks_of((run.label, run.system) for run in everything)
    for run in sorted(everything, key=lambda run: (len(run.label), run.label)):
        found.setdefault(run.system_label, found[run.label])
    return found


def look_of(run: Run, by_label: Mapping[str, Look]) -> Look:
    """The look of the run's label; crosses and a dotted line if the run does not count."""
    look = by_label[run.label]
    return replace(look, marker=FLAWED_MARKER, line=_FLAWED_LINE) if run.flaw else look


def looks_of_systems(runs: Iterable[Run]) -> dict[str, Look]:
    """A look for each system, the same at every rate."""
    return looks_of((run.system_label, run.system) for run in runs)


def looks_of(labelled: Iterable[tuple[str, str]]) -> dict[str, Look]:
    """The same from pairs of label and system."""
    labels_by_system: dict[str, set[str]] = {}
    for label, system in labelled:
        labels_by_system.setdefault(system, set()).add(label)
    found: dict[str, Look] = {}
    unknown = sorted(system for system in labels_by_system if system not in _COLOURS)
    others = itertools.count()
    for system, labels in sorted(labels_by_system.items()):
        for variant, label in enumerate(sorted(labels, key=lambda text: (len(text), text))):
            first = variant == 0 and system in _COLOURS
            found[label] = _look(system, variant, unknown, None if first else next(others))
    return found


def _look(system: str, variant: int, unknown: Sequence[str], other: int | None) -> Look:
    """``other`` counts the series of all systems that do not look like a system of its own."""
    # The first unknown system is grey, the others are told apart like variants of one.
    number = variant if system in _COLOURS else unknown.index(system) + variant
    return Look(
        _shade(_COLOURS.get(system, _OTHER), number, _LIGHTNESS),
        _shade(_ON_DARK.get(system, _OTHER), number, _LIGHTNESS_ON_DARK),
        _MARKERS[system] if other is None else _OTHER_MARKERS[other % len(_OTHER_MARKERS)],
        _HATCHES[system] if other is None else _OTHER_HATCHES[other % len(_OTHER_HATCHES)],
        _LINES[variant % len(_LINES)],
    )


def _shade(colour: str, variant: int, readable: float) -> str:
    """The colour itself, then lighter and darker ones, then other hues, each as far as can be from those before."""
    if variant == 0:
        return colour
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    if variant <= _MOST_SHADES and saturation > 0:
        amount = 0.17 * ((variant + 1) // 2)
        away = variant % 2 == 1
        lightness = min(0.8, max(0.2, lightness + (amount if (lightness < 0.5) == away else -amount)))
    else:
        hue, lightness, saturation = (hue + variant * _GOLDEN_ANGLE) % 1, readable + 0.16 * (variant % 2) - 0.08, 0.6
    return "#" + "".join(f"{round(part * 255):02X}" for part in colorsys.hls_to_rgb(hue, lightness, saturation))


# The size of text, points.
FONT_SIZE = 10.0
_FONT = "DejaVu Sans"
_RC: dict[str, Any] = {
    "figure.constrained_layout.use": True,
    "figure.dpi": 110,
    "savefig.dpi": 150,
    "font.family": _FONT,
    "font.size": FONT_SIZE,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "hatch.linewidth": 0.6,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.5,
    "svg.hashsalt": "omb-charts",
    "svg.fonttype": "none",
    # TrueType, which publishers ask for.
    "pdf.fonttype": 42,
}


def keep_places(figure: Figure) -> None:
    """Ends the layout of a figure that was saved: it would take as long as drawing, for each further format."""
    # "none" would leave a placeholder, with which saving still draws everything twice.
    with mpl.rc_context({"figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)


@contextmanager
def drawing(font: str | None = None) -> Iterator[None]:
    """Matplotlib's settings while figures are made and saved. Characters that a font lacks are of the usual one."""
    family = [_FONT] if font is None else [font, _FONT]
    with mpl.rc_context(cast("Any", {**_RC, "font.family": family})):
        yield
