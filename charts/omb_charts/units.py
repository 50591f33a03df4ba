"""Numbers for people: which unit suits a set of values, and how a value is written."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum


class Unit(Enum):
    """What a metric's values are in, as stored."""

    MESSAGES_PER_SEC = "msg/s"
    MB_PER_SEC = "MB/s"
    MESSAGES = "messages"
    PRODUCERS = "producers"
    FAULTS = "faults"
    MS = "ms"
    SECONDS = "s"
    CORES = "cores"
    PERCENT = "%"
    BYTES = "bytes"
    PER_SEC = "/s"
    MESSAGES_PER_CPU_SECOND = "msg/CPU s"


@dataclass(frozen=True, slots=True)
class Scale:
    """A unit to show values in: shown = stored × factor."""

    factor: float
    symbol: str


_LATENCY = (Scale(1e6, "ns"), Scale(1e3, "µs"), Scale(1.0, "ms"), Scale(1e-3, "s"))
_BYTES = (Scale(1.0, "B"), Scale(1e-3, "kB"), Scale(1e-6, "MB"), Scale(1e-9, "GB"))
_COUNTS = (Scale(1.0, ""), Scale(1e-3, "K"), Scale(1e-6, "M"), Scale(1e-9, "G"))


def scale_for(unit: Unit, values: Iterable[float | None]) -> Scale:
    """The scale in which the largest of the values has one to three digits before the point."""
    largest = max((abs(v) for v in values if v is not None and math.isfinite(v)), default=0.0)
    if unit in (Unit.MS, Unit.SECONDS):
        in_ms = 1.0 if unit is Unit.MS else 1e3
        chosen = _largest_fitting(_LATENCY, largest * in_ms)
        return Scale(chosen.factor * in_ms, chosen.symbol)
    if unit is Unit.BYTES:
        return _largest_fitting(_BYTES, largest)
    if unit in (Unit.MESSAGES_PER_SEC, Unit.MESSAGES, Unit.MESSAGES_PER_CPU_SECOND):
        # Four digits are still read easily: 9,000 rather than 9 K.
        chosen = _COUNTS[0] if largest < 1e4 else _largest_fitting(_COUNTS, largest)
        return Scale(chosen.factor, f"{chosen.symbol} {unit.value}".strip())
    return Scale(1.0, unit.value)


def scale_of_column(unit: Unit, values: Iterable[float | None]) -> Scale:
    """The one scale for a column of figures: that of its middle figure."""
    known = sorted(value for value in values if value)
    return scale_for(unit, known[len(known) // 2 : len(known) // 2 + 1])


def _largest_fitting(scales: tuple[Scale, ...], largest: float) -> Scale:
    if largest == 0:
        return next(scale for scale in scales if scale.factor == 1.0)
    fitting = [scale for scale in scales if largest * scale.factor >= 1.0]
    return fitting[-1] if fitting else scales[0]


def digits(value: float) -> str:
    """A number with three significant digits, none cut off before the point, and commas between thousands."""
    if not math.isfinite(value):
        return "—"
    if value == 0:
        return "0"
    magnitude = math.floor(math.log10(abs(value)))
    decimals = min(max(0, 2 - magnitude), 9)
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def written(value: float | None, unit: Unit) -> str:
    """A value with its unit, such as "1.24 ms" or "35.2 K msg/s"; a dash if there is none."""
    if value is None or not math.isfinite(value):
        return "—"
    scale = scale_for(unit, (value,))
    symbol = scale.symbol
    gap = "" if symbol in ("%", "/s") else " "
    return f"{digits(value * scale.factor)}{gap}{symbol}"


def latency_tick(value_ms: float) -> str:
    """A latency for the label of an axis, such as "100 µs"."""
    scale = scale_for(Unit.MS, (value_ms * (1 + 1e-9),))
    return f"{digits(value_ms * scale.factor)} {scale.symbol}"


def count_tick(value: float) -> str:
    """A count for the label of an axis, such as "10K"."""
    if abs(value) < 1e3:
        return digits(value)
    scale = _largest_fitting(_COUNTS, abs(value) * (1 + 1e-9))
    return f"{digits(value * scale.factor)}{scale.symbol}"


def ticks_of(unit: Unit) -> tuple[str, Callable[[float], str]]:
    """How values as stored stand at an axis whose decades suit different units: the unit of all, if any, and each."""
    match unit:
        case Unit.MS:
            return "", latency_tick
        case Unit.SECONDS:
            return "", lambda value: latency_tick(value * 1e3)
        case Unit.BYTES:
            return "", lambda value: written(value * (1 + 1e-9), unit)
        case Unit.MESSAGES_PER_SEC | Unit.MESSAGES | Unit.MESSAGES_PER_CPU_SECOND:
            return unit.value, count_tick
        case _:
            return unit.value, digits
