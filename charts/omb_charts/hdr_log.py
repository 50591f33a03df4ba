"""Reads the interval histograms beside a result."""

from dataclasses import dataclass
from pathlib import Path

from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader

from omb_charts.model import Problem

# The range that the harness records: 1 ns to 73 minutes with three digits.
_LARGEST_NS = 2**42
_DIGITS = 3
_MS_PER_NS = 1e-6


@dataclass(frozen=True, slots=True)
class Interval:
    """The samples of a period: how many had which value. Times are in seconds since the epoch."""

    start_s: float
    end_s: float
    values_ms: tuple[float, ...]
    counts: tuple[int, ...]


def read_intervals(path: Path, tag: str) -> tuple[Interval, ...] | Problem:
    """The intervals with a tag such as "measure-endToEnd", in the order of the file."""
    intervals: list[Interval] = []
    reference = HdrHistogram(1, _LARGEST_NS, _DIGITS)
    try:
        reader = HistogramLogReader(str(path), reference)
        try:
            while (histogram := reader.get_next_interval_histogram()) is not None:
                if histogram.get_tag() == tag:
                    intervals.append(_interval(histogram))
        finally:
            reader.close()
    except Exception as e:  # noqa: BLE001, the library lets whatever a damaged line causes through
        return Problem(path, f"is not a complete histogram log ({type(e).__name__}: {e})")
    return tuple(intervals)


def _interval(histogram: HdrHistogram) -> Interval:
    values: list[float] = []
    counts: list[int] = []
    for item in histogram.get_recorded_iterator():
        values.append(item.value_iterated_to * _MS_PER_NS)
        counts.append(item.count_at_value_iterated_to)
    start, end = histogram.get_start_time_stamp() / 1e3, histogram.get_end_time_stamp() / 1e3
    return Interval(start, end, tuple(values), tuple(counts))
