"""The points that a picture shows, as CSV: read from the drawn figure, so that file and picture cannot differ."""

import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import FillBetweenPolyCollection, LineCollection, QuadMesh
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

# Labels that Matplotlib gives to what has none.
_UNNAMED = ("_child", "_nolegend_", "_container")
_COLORBAR = "<colorbar>"
_HOLLOW = "#ffffff"
_CROSS = "x"
# The axis of percentiles shows 1 / (1 - percentile / 100).
PERCENTILES = "percentile"


class Point(NamedTuple):
    """A row of the file.

    ``axes`` counts the parts of the picture from 1. ``x`` is a number or the place of a bar. ``low`` and ``high`` are
    the ends of what ``ends`` names, see note_ends. ``samples`` are those of a heat map's cell, a second. ``flawed``
    marks what is drawn hollow or as a cross, because it is INVALID or was not sustained. ``runs`` are those that a
    median or mean is of, ``left_out`` those of the same system that it is not of, see note_runs. ``time_scale`` is the
    part of the planned times and counts of messages that they ran with, see note_time_scale.
    """

    axes: int
    x_axis: str
    y_axis: str
    series: str
    line: int
    x: float | str
    y: float
    low: float | None = None
    high: float | None = None
    ends: str = ""
    samples: float | None = None
    flawed: bool = False
    runs: int | None = None
    left_out: int | None = None
    time_scale: float | None = None


def write(figure: Figure, path: Path) -> None:
    """Writes a row for each point of the figure."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(Point._fields)
        rows.writerows(map(_cells, points(figure)))


def _cells(point: Point) -> list[str]:
    return ["" if value is None else _cell(value) for value in point]


def _cell(value: float | str) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def points(figure: Figure) -> Iterator[Point]:
    """All points of a figure that was drawn."""
    shown = [ax for ax in figure.axes if ax.get_label() != _COLORBAR]
    scale = _TIME_SCALES.get(figure)
    for number, ax in enumerate(shown, 1):
        yield from (point._replace(time_scale=scale) for point in _Reader(number, ax).points())


_TIME_SCALES: WeakKeyDictionary[Figure, float] = WeakKeyDictionary()


def note_time_scale(figure: Figure, scale: float) -> None:
    """Notes that a plan ran with this part of its times and counts of messages."""
    _TIME_SCALES[figure] = scale


class Places(NamedTuple):
    """The places over which bars stand, by where they are on the axis; lying bars have them at the y axis."""

    names: Mapping[float, str]
    lying: bool


_PLACES: WeakKeyDictionary[Axes, Places] = WeakKeyDictionary()


def note_places(ax: Axes, names: Mapping[float, str], *, lying: bool) -> None:
    """Notes where bars stand: the tick that is nearest to a bar may be that of another place."""
    _PLACES[ax] = Places(names, lying)


def lies(ax: Axes) -> bool:
    """Whether there are lying bars, with names at the y axis."""
    return ax in _PLACES and _PLACES[ax].lying


def note_unit(ax: Axes, unit: str) -> None:
    """Notes the unit of an axis' values whose label does not name it, because each of its ticks has one."""
    # An axes' own label is not drawn.
    ax.set_label(unit)


def note_ends(drawn: ErrorbarContainer | FillBetweenPolyCollection, what: str) -> None:
    """Notes what the ends of lines over points, or those of a band, are of."""
    # Names that begin with an underscore are in no legend.
    for part in drawn.lines[2] if isinstance(drawn, ErrorbarContainer) else [drawn]:
        part.set_label(f"_{what}")


class Count(NamedTuple):
    """How many runs a median or mean is of, and how many of the same system it leaves out."""

    runs: int
    left_out: int


_COUNTS: WeakKeyDictionary[Artist, Sequence[Count]] = WeakKeyDictionary()


def note_runs(drawn: Artist, counts: Sequence[Count]) -> None:
    """Notes the runs behind a bar or a line: of each of its points, or one for all."""
    _COUNTS[drawn] = counts


def _count(drawn: Artist, place: int) -> Count | None:
    counts = _COUNTS.get(drawn, ())
    return counts[place if len(counts) > 1 else 0] if counts else None


# What ends may be of, besides those of an estimate.
DEVIATION, CLOCK_ERROR, CELL = "standard deviation", "clock error", "cell"
# The ends of a point, and what they are of.
_Ends = tuple[float, float, str]


class _Reader:
    """Reads the points of one part of a picture: over places, such as bars, or over an axis of numbers."""

    def __init__(self, number: int, ax: Axes) -> None:
        self.number = number
        self.ax = ax
        self.errors = [container for container in ax.containers if isinstance(container, ErrorbarContainer)]
        self.places, self.lying = _PLACES.get(ax, Places({}, lying=False))
        self.x_axis = "place" if self.places else self._shared_x_label()
        self.y_axis = _one_line(ax.get_xlabel() if self.lying else ax.get_ylabel())
        unit = str(ax.get_label())
        if unit and f"({unit}" not in self.y_axis:
            self.y_axis = f"{self.y_axis} ({unit})"

    def _shared_x_label(self) -> str:
        """The panels of a column have only one, below the last."""
        panels = self.ax.get_shared_x_axes().get_siblings(self.ax)
        return _one_line(next((label for panel in panels if (label := panel.get_xlabel())), ""))

    def points(self) -> Iterator[Point]:
        for container in self.ax.containers:
            if isinstance(container, BarContainer):
                yield from self._of_bars(container)
        yield from self._of_errors()
        yield from self._of_lines()
        yield from self._of_cells(child for child in self.ax.get_children() if isinstance(child, QuadMesh))

    def _point(
        self,
        series: object,
        x: float | str,
        y: float,
        line: int = 1,
        ends: _Ends | None = None,
        *,
        samples: float | None = None,
        flawed: bool = False,
        count: Count | None = None,
    ) -> Point:
        if self.x_axis == PERCENTILES and isinstance(x, float):
            x = 100 * (1 - 1 / x)
        low, high, what = ends or (None, None, "")
        # A name that the legend has already begins with an underscore.
        name = str(series).removeprefix("_")
        axes = (self.number, self.x_axis, self.y_axis)
        return Point(*axes, name, line, x, y, low, high, what, samples, flawed, *(count or (None, None)))

    def _at_place(
        self,
        series: object,
        middle: float,
        value: float,
        ends: _Ends | None,
        *,
        flawed: bool,
        count: Count | None = None,
    ) -> Point:
        place = min(self.places.items(), key=lambda tick: abs(tick[0] - middle))[1]
        return self._point(series, _one_line(place), value, ends=ends, flawed=flawed, count=count)

    def _middle_and_value(self, x: float, y: float) -> tuple[float, float]:
        return (y, x) if self.lying else (x, y)

    # Bars, and marks with ends

    def _of_bars(self, bars: BarContainer) -> Iterator[Point]:
        for patch in bars.patches:
            if self.lying:
                middle, value = patch.get_y() + patch.get_height() / 2, patch.get_width()
            else:
                middle, value = patch.get_x() + patch.get_width() / 2, patch.get_height()
            if value:
                flawed = to_hex(patch.get_facecolor()) == _HOLLOW
                ends = self._ends_at(middle, value)
                yield self._at_place(bars.get_label(), middle, value, ends, flawed=flawed, count=_count(patch, 0))

    def _ends_at(self, middle: float, value: float) -> _Ends | None:
        """The ends of the line that is drawn over a bar or a mark."""
        for errors in self.errors:
            for x, y, ends in _marks(errors):
                own = self._middle_and_value(x, y)
                if math.isclose(own[0], middle, abs_tol=1e-9) and math.isclose(own[1], value, rel_tol=1e-9):
                    return ends
        return None

    def _of_errors(self) -> Iterator[Point]:
        """Marks that were drawn with their ends. Those without a name belong to bars."""
        for errors in self.errors:
            names = errors.lines[0].get_label(), errors.get_label()
            series = next((name for name in names if _is_named(name)), None)
            if series is None:
                continue
            for x, y, ends in _marks(errors):
                if self.places:
                    yield self._at_place(series, *self._middle_and_value(x, y), ends, flawed=False)
                else:
                    yield self._point(series, x, y, ends=ends)

    # Lines

    def _of_lines(self) -> Iterator[Point]:
        """Points of lines with a name; a band that follows its line gives the ends."""
        single = [line for line in self.ax.lines if not _is_named(line.get_label()) and len(_xy(line)) == 1]
        hollow = {_xy(line)[0] for line in single if _is_flawed(line)}
        of_errors = [errors.lines[0] for errors in self.errors]
        drawn: dict[str, int] = {}
        children = self.ax.get_children()
        for line, after in zip(children, [*children[1:], None], strict=True):
            if not isinstance(line, Line2D) or not _is_named(line.get_label()) or line in of_errors:
                continue
            series = str(line.get_label()).removeprefix("_")
            drawn[series] = drawn.get(series, 0) + 1
            if line.get_transform() != self.ax.transData:
                # A line across the whole picture.
                yield self._point(series, "", float(np.asarray(line.get_ydata(), dtype=float)[0]), drawn[series])
                continue
            ends = _ends(after) if isinstance(after, FillBetweenPolyCollection) else {}
            for number, (x, y) in enumerate(_xy(line)):
                count = _count(line, number)
                flawed = (x, y) in hollow or _is_flawed(line)
                if self.places:
                    own = self._middle_and_value(x, y)
                    yield self._at_place(series, *own, self._ends_at(*own), flawed=flawed, count=count)
                else:
                    yield self._point(series, x, y, drawn[series], ends.get(x), flawed=flawed, count=count)

    # Cells

    def _of_cells(self, meshes: Iterable[QuadMesh]) -> Iterator[Point]:
        """The filled cells of a heat map: the beginning of the interval, the middle of the cell, and its ends."""
        for mesh in meshes:
            corners = np.asarray(mesh.get_coordinates())
            values: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = (
                np.ma.masked_invalid(np.ma.asarray(mesh.get_array())).filled(np.nan).reshape(len(corners) - 1, -1)
            )
            for row, column in np.argwhere(~np.isnan(values)):
                x, low = (float(part) for part in corners[row, column])
                high = float(corners[row + 1, column, 1])
                samples = float(values[row, column])
                yield self._point("cells", x, (low * high) ** 0.5, ends=(low, high, CELL), samples=samples)


def _is_named(label: object) -> bool:
    return bool(label) and not str(label).startswith(_UNNAMED)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _is_flawed(line: Line2D) -> bool:
    """Whether its markers are crosses, or hollow without a line, as those of runs that do not count."""
    if line.get_marker() == _CROSS:
        return True
    colour = line.get_markerfacecolor()
    alone = line.get_linestyle() == "None" or len(_xy(line)) == 1
    return alone and isinstance(colour, str) and colour != "none" and to_hex(colour) == _HOLLOW


def _xy(line: Line2D) -> list[tuple[float, float]]:
    """The points of a line; a gap has none."""
    # A gap is NaN; Matplotlib fills what is masked with it.
    return [(float(x), float(y)) for x, y in np.asarray(line.get_xydata(), dtype=float) if not math.isnan(y)]


def _marks(errors: ErrorbarContainer) -> Iterator[tuple[float, float, _Ends | None]]:
    """Each mark with the ends of its line; a number without a deviation has none."""
    data, _, bars = errors.lines
    for number, (x, y) in enumerate(_xy(data)):
        for line in bars:
            if isinstance(line, LineCollection):
                (x0, y0), (x1, y1) = np.asarray(line.get_segments()[number])
                low, high = (x0, x1) if errors.has_xerr else (y0, y1)
                what = _noted(line)
                yield x, y, None if what == DEVIATION and low == high else (float(low), float(high), what)


def _ends(band: FillBetweenPolyCollection) -> dict[float, _Ends]:
    """The lowest and the highest value of a band at each of its places."""
    found: dict[float, _Ends] = {}
    for path in band.get_paths():
        for x, y in np.asarray(path.vertices, dtype=float):
            low, high, what = found.get(float(x), (y, y, _noted(band)))
            found[float(x)] = (float(min(low, y)), float(max(high, y)), what)
    return found


def _noted(drawn: Artist) -> str:
    label = str(drawn.get_label())
    return label.removeprefix("_") if _is_named(label) else ""
