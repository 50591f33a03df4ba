"""Figures for a paper: of the width of its columns, in its font, without a title, which the caption has."""

import difflib
import fnmatch
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from omb_charts.figures import legend as legend_below
from omb_charts.figures import lines_of
from omb_charts.plotted import lies
from omb_charts.style import FONT_SIZE

_MM_PER_INCH = 25.4
_UNITS_IN_MM: Mapping[str, float] = {"mm": 1.0, "cm": 10.0, "in": _MM_PER_INCH, "pt": _MM_PER_INCH / 72}
_WIDTHS_MM = (40.0, 400.0)
_SIZES_PT = (4.0, 24.0)
DEFAULT_WIDTH = "85mm"
DEFAULT_SIZE = "8pt"
# Journals print nothing smaller; a size below is that of all text.
_LEAST_SIZE_PT = 6.0
_GENERIC = ("serif", "sans-serif", "monospace")
# A letter is about half as wide as it is high.
_LETTER = 0.5
# In a legend, which has wide letters, too, and room between its columns.
_LETTER_OF_LEGEND = 0.65
_LETTERS_OF_HANDLE = 6
# Names beside bars take at most this part of the width.
_NAMES = 0.3
_POINTS_PER_INCH = 72
# Numbers that do not fit become smaller by this factor, twice if need be.
_SMALLER = 0.9
# Figures are made wider than a column; their height shrinks by less than their width, since text keeps its size.
_LEAST_HEIGHT_INCHES = 1.6


@dataclass(frozen=True, slots=True)
class Layout:
    """The width in mm, the name of the font, None for the usual one, and its size in points."""

    width_mm: float
    font: str | None
    size_pt: float


def parse_width(text: str) -> float:
    """A width such as 85mm, in mm; a ValueError says what is wrong."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(mm|cm|in|pt)", text.strip())
    if found is None:
        raise ValueError(f"--width must be a number with mm, cm, in or pt, such as 85mm, got '{text}'")
    width = float(found[1]) * _UNITS_IN_MM[found[2]]
    if not _WIDTHS_MM[0] <= width <= _WIDTHS_MM[1]:
        raise ValueError(f"--width must be from {_WIDTHS_MM[0]:g} to {_WIDTHS_MM[1]:g} mm, got '{text}'")
    return width


def parse_size(text: str) -> float:
    """A size such as 8pt, in points; a ValueError says what is wrong."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:pt)?", text.strip())
    if found is None or not _SIZES_PT[0] <= float(found[1]) <= _SIZES_PT[1]:
        raise ValueError(f"--font-size must be from {_SIZES_PT[0]:g}pt to {_SIZES_PT[1]:g}pt, got '{text}'")
    return float(found[1])


def known_font(name: str) -> str:
    """The name, if there is such a font on this machine; a ValueError names similar ones."""
    installed = sorted({*font_manager.get_font_names(), *_GENERIC})
    exact = {font.lower(): font for font in installed}
    if name.lower() in exact:
        return exact[name.lower()]
    close = difflib.get_close_matches(name, installed, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else "fc-list lists the fonts of this machine"
    raise ValueError(f"--font must be installed on this machine, got '{name}': {hint}")


def chosen(wanted: Sequence[str], names: Sequence[str]) -> list[str]:
    """The names that were asked for, which may have * and ?; a ValueError names similar ones."""
    found: list[str] = []
    for pattern in wanted:
        matching = fnmatch.filter(names, pattern)
        if not matching:
            close = difflib.get_close_matches(pattern, names, n=4, cutoff=0.4) or sorted(names)[:4]
            raise ValueError(
                f"--figure must be the name of a figure of these results, such as {', '.join(close)}; "
                f"'list' tells all {len(names)}, '*' draws them, got '{pattern}'"
            )
        found += [name for name in matching if name not in found]
    return found


def caption(figure: Figure) -> str:
    """What the figure's title and the line below it say."""
    title = figure.get_suptitle()
    below = figure.axes[0].get_title(loc="left") if figure.axes else ""
    return " ".join(f"{title}. {below}".split()).removeprefix(". ")


def fit(figure: Figure, layout: Layout) -> None:
    """Gives a drawn figure the width and the size of text that a paper needs, and takes its title away."""
    width = layout.width_mm / _MM_PER_INCH
    scale = layout.size_pt / FONT_SIZE
    of_width = width / figure.get_figwidth()
    for ax in figure.axes:
        ax.set_title("", loc="left")
    figure.suptitle("")
    figure.set_size_inches(width, max(_LEAST_HEIGHT_INCHES, figure.get_figheight() * max(scale * 0.85, of_width)))
    least = min(layout.size_pt, _LEAST_SIZE_PT)
    _scale_text_and_marks(figure, scale, least)
    # Bars' names were broken into lines for the usual width.
    for ax in figure.axes:
        _wrap_names(ax, int(_NAMES * width * _POINTS_PER_INCH / (layout.size_pt * _LETTER)))
        _wrap_label(ax, figure, layout.size_pt)
    for old in list(figure.legends):
        old.remove()
    size_pt = max(least, 0.9 * layout.size_pt)
    letters = int(width * _POINTS_PER_INCH / (size_pt * _LETTER_OF_LEGEND))
    legend_below(figure, figure.axes, letters=letters, size_pt=size_pt)
    for new in figure.legends:
        for label in new.get_texts():
            label.set_text("\n".join(lines_of(label.get_text(), letters - _LETTERS_OF_HANDLE)))
    figure.draw_without_rendering()
    for ax in figure.axes:
        _turn_if_crowded(ax)
    _part_numbers(figure, least)


def _scale_text_and_marks(figure: Figure, scale: float, least: float) -> None:
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):
            # Those that are made later, when ticks move.
            size = max(least, _tick_size(axis) * scale)
            axis.set_tick_params(which="both", labelsize=size)
        for text in (*ax.texts, ax.xaxis.label, ax.yaxis.label):
            text.set_fontsize(max(least, float(text.get_fontsize()) * scale))
        # A mark as large as before would cover the number beside it.
        for line in ax.lines:
            line.set_markersize(line.get_markersize() * min(1, scale))


def _tick_size(axis: Axis) -> float:
    labels = axis.get_ticklabels()
    return float(labels[0].get_fontsize()) if labels else FONT_SIZE


def _wrap_names(ax: Axes, letters: int) -> None:
    if lies(ax):
        names = [" ".join(label.get_text().split()) for label in ax.get_yticklabels()]
        ax.set_yticklabels(["\n".join(lines_of(name, max(8, letters))) for name in names])


def _wrap_label(ax: Axes, figure: Figure, size_pt: float) -> None:
    """Breaks an axis' label that is longer than the axis."""
    letter = size_pt * _LETTER
    rows = max(1, len({round(other.get_position().y0, 3) for other in figure.axes}))
    across = int(0.7 * figure.get_figwidth() * _POINTS_PER_INCH / letter)
    up = int(0.8 * figure.get_figheight() / rows * _POINTS_PER_INCH / letter)
    for label, room in ((ax.xaxis.label, across), (ax.yaxis.label, up)):
        if len(label.get_text()) > room:
            label.set_text("\n".join(lines_of(" ".join(label.get_text().split()), room)))


def _turn_if_crowded(ax: Axes) -> None:
    """Turns the x axis' labels where they would overlap."""
    shown = [text for text in ax.get_xticklabels() if text.get_text() and text.get_visible()]
    boxes = [text.get_window_extent() for text in shown]
    if any(left.overlaps(right) for left, right in itertools.pairwise(boxes)):
        ax.tick_params(axis="x", labelrotation=40)
        for text in ax.get_xticklabels():
            _end_at_tick(text)


def _part_numbers(figure: Figure, least: float) -> None:
    """Makes numbers that overlap upright, then smaller, and leaves out the rest: the file of points has them."""
    shrink = partial(_shrink, least=least)
    for change in (_set_upright, shrink, shrink, _leave_out):
        crowded = [ax for ax in figure.axes if not lies(ax) and _overlapping(ax)]
        for ax in crowded:
            change(ax)
            _make_room(ax)
        if crowded:
            figure.draw_without_rendering()


def _overlapping(ax: Axes) -> list[Text]:
    """Those that touch one before."""
    boxes: list[Bbox] = []
    found: list[Text] = []
    for text in (text for text in ax.texts if text.get_visible()):
        box = text.get_window_extent()
        if any(box.overlaps(other) for other in boxes):
            found.append(text)
        else:
            boxes.append(box)
    return found


def _set_upright(ax: Axes) -> None:
    for text in ax.texts:
        text.set_rotation(90)


def _shrink(ax: Axes, least: float) -> None:
    for text in ax.texts:
        text.set_fontsize(max(least, _SMALLER * float(text.get_fontsize())))


def _leave_out(ax: Axes) -> None:
    for text in _overlapping(ax):
        text.set_visible(False)


def _make_room(ax: Axes) -> None:
    """Raises the end of the y axis so far that its numbers end below it."""
    to_axis = ax.yaxis.get_transform()
    low, high = (float(end) for end in to_axis.transform(ax.get_ylim()))
    ends = [high]
    for box in (text.get_window_extent() for text in ax.texts if text.get_visible()):
        # Parts of the axis: where the number begins, over its bar, and where it must, since its height stays.
        begins, most = (box.y0 - ax.bbox.y0) / ax.bbox.height, 1 - box.height / ax.bbox.height
        if begins > most > 0:
            ends.append(low + (high - low) * begins / most)
    ax.set_ylim(top=float(to_axis.inverted().transform(max(ends))))


def _end_at_tick(text: Text) -> None:
    text.set_horizontalalignment("right")
    text.set_rotation_mode("anchor")
