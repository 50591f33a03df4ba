"""Units, statistics, colours."""

import itertools
import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from omb_charts import pictures, report
from omb_charts.comparing import DEFAULT_METRICS
from omb_charts.metrics import LATENCIES, METRICS, SHARED
from omb_charts.model import Estimate
from omb_charts.reading import read
from omb_charts.statistics import apart, difference, estimate, smallest_p
from omb_charts.style import looks_of
from omb_charts.units import Unit, bytes_written, count_tick, digits, latency_tick, scale_for, ticks_of, written


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.000812, Unit.MS, "812 ns"),
        (0.0047, Unit.MS, "4.7 µs"),
        (83.6, Unit.MS, "83.6 ms"),
        (1400.0, Unit.MS, "1.4 s"),
        (0.017, Unit.SECONDS, "17 ms"),
        (999.6, Unit.MESSAGES_PER_SEC, "1,000 msg/s"),
        (9000.0, Unit.MESSAGES_PER_SEC, "9,000 msg/s"),
        (228_123.0, Unit.MESSAGES_PER_SEC, "228 K msg/s"),
        (2_400_000.0, Unit.MESSAGES_PER_SEC, "2.4 M msg/s"),
        (1.22e9, Unit.BYTES, "1.22 GB"),
        (12.345, Unit.PERCENT, "12.3%"),
        (4.0, Unit.PRODUCERS, "4 producers"),
        (0.0, Unit.MS, "0 ms"),
        (None, Unit.MS, "—"),
        (float("nan"), Unit.MS, "—"),
    ],
)
def test_values_are_written_with_a_unit_that_suits_them(value: float | None, unit: Unit, text: str) -> None:
    assert written(value, unit) == text


def test_one_unit_serves_all_values_of_an_axis() -> None:
    scale = scale_for(Unit.MS, [0.2, None, 350.0, float("nan")])
    assert (scale.symbol, scale.factor) == ("ms", 1.0)
    assert scale_for(Unit.MS, []).symbol == "ms"


def test_ticks_and_sizes_are_short() -> None:
    assert [latency_tick(ms) for ms in (1e-5, 0.1, 1.0, 2e4)] == ["10 ns", "100 µs", "1 ms", "20 s"]
    assert [count_tick(n) for n in (0.1, 500, 1e4, 1e6)] == ["0.1", "500", "10K", "1M"]
    assert [bytes_written(n) for n in (10, 1000, 1024, 65536, 1e6)] == ["10 B", "1 kB", "1 KiB", "64 KiB", "1 MB"]
    assert digits(1234567) == "1,234,567"


@pytest.mark.parametrize(
    ("unit", "value", "symbol", "tick"),
    [
        (Unit.MS, 0.1, "", "100 µs"),
        (Unit.SECONDS, 0.1, "", "100 ms"),
        (Unit.BYTES, 1e9, "", "1 GB"),
        (Unit.MESSAGES_PER_SEC, 1e6, "msg/s", "1M"),
        (Unit.MB_PER_SEC, 0.01, "MB/s", "0.01"),
    ],
)
def test_the_decades_of_an_axis_have_units_of_their_own(unit: Unit, value: float, symbol: str, tick: str) -> None:
    shown, written_as = ticks_of(unit)
    assert (shown, written_as(value)) == (symbol, tick)


def test_an_interval_is_students() -> None:
    value = estimate([10.0, 12.0, 14.0])
    assert value.mean == 12.0
    assert value.sd == pytest.approx(2.0)
    # t of 2 degrees of freedom is 4.3027 at 97.5 %.
    assert value.low is not None
    assert value.low == pytest.approx(12 - 4.30265 * 2 / 3**0.5, abs=1e-4)
    assert estimate([5.0]) == Estimate(1, 5.0)


def test_intervals_are_apart_overlap_or_are_not_there() -> None:
    low, high = estimate([1.0, 1.1, 0.9]), estimate([9.0, 9.1, 8.9])
    assert apart(low, high) is True
    assert apart(low, low) is False
    assert apart(low, Estimate(1, 9.0)) is None


def test_three_runs_each_cannot_decide_and_four_can() -> None:
    assert smallest_p(3, 3) == pytest.approx(0.1)
    assert not difference([1.0, 1.1, 1.2], [9.0, 9.1, 9.2]).decidable
    four = difference([1.0, 1.1, 1.2, 1.3], [9.0, 9.1, 9.2, 9.3])
    assert four.significant
    assert four.p == pytest.approx(2 / 70)


def test_equal_samples_do_not_differ_even_if_all_values_are_one() -> None:
    same = difference([7.0] * 5, [7.0] * 5)
    assert (same.significant, same.low, same.high, same.p) == (False, 0.0, 0.0, 1.0)


def test_welchs_interval_holds_the_true_difference_nineteen_times_in_twenty() -> None:
    noise = random.Random(7)
    hits = 0
    for _ in range(400):
        base = [noise.gauss(100, 5) for _ in range(5)]
        new = [noise.gauss(110, 15) for _ in range(8)]
        change = difference(base, new)
        assert change.low is not None
        assert change.high is not None
        hits += change.low <= 10 <= change.high
    assert 0.91 < hits / 400 < 0.985


# Simulations of colour blindness by Machado, Oliveira and Fernandes (2009), full severity, on linear RGB.
_SIGHT = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
_SYSTEMS = ("kafka", "rabbitmq", "redis", "artemis", "pulsar", "rocketmq", "redpanda", "inmemory")


def _seen(colour: str, sight: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """CIE L*a*b* of a colour as someone with that sight sees it."""
    srgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.asarray(_SIGHT[sight]) @ linear, 0, 1)
    to_xyz = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]
    xyz = np.asarray(to_xyz) @ seen / np.array([0.95047, 1, 1.08883])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", _SIGHT)
def test_colours_of_systems_can_be_told_apart(sight: str) -> None:
    looks = looks_of([(name, name) for name in _SYSTEMS])
    for first, second in itertools.combinations(_SYSTEMS, 2):
        distance = np.linalg.norm(_seen(looks[first].colour, sight) - _seen(looks[second].colour, sight))
        assert distance > 20, f"{first} and {second}"


def test_without_colours_markers_and_hatches_tell_systems_apart() -> None:
    looks = looks_of([(name, name) for name in (*_SYSTEMS, "nats", "activemq")])
    assert len({look.marker for look in looks.values()}) == 10
    assert len({look.hatch for look in looks.values()}) == 10


def test_a_system_looks_the_same_whatever_it_stands_beside() -> None:
    alone = looks_of([("kafka", "kafka")])["kafka"]
    assert looks_of([("redis", "redis"), ("kafka", "kafka"), ("kafka-sync", "kafka")])["kafka"] == alone


def test_variants_of_a_system_differ_in_shade_and_line() -> None:
    looks = looks_of([("kafka", "kafka"), ("kafka-sync", "kafka"), ("kafka-zstd", "kafka")])
    assert len({look.colour for look in looks.values()}) == 3
    assert len({look.line for look in looks.values()}) == 3


def test_every_metric_has_the_value_that_bin_benchmark_takes_from_the_same_result(tmp_path: Path) -> None:
    """RunMetricsTest reads the same example."""
    example = json.loads((_TEST_RESOURCES / "metrics-example.json").read_text(encoding="utf-8"))
    (tmp_path / "example.json").write_text(json.dumps(example["result"]))
    (run,) = read([tmp_path]).runs
    assert run.metrics == example["metrics"]
    assert set(run.metrics) == set(METRICS), "the example has a value of each"


def test_every_metric_is_explained_to_the_user() -> None:
    section = (_HOME / "docs/PLANS.md").read_text(encoding="utf-8").split("### Metrics")[1].split("\n## ")[0]
    explained = set(re.findall(r"`(\w+)…?`", section))
    whole = {name for name in METRICS if not name.startswith(tuple(LATENCIES))}
    assert whole | set(LATENCIES) <= explained
    assert {metric.name.removeprefix(metric.latency) for metric in METRICS.values() if metric.latency} <= explained


def test_pictures_page_and_comparisons_show_metrics_that_there_are() -> None:
    shown = {*DEFAULT_METRICS, *pictures.COMPARED, *(name for name, _ in report.TABLE_METRICS)}
    assert shown <= set(METRICS)


_HOME = Path(__file__).resolve().parents[2]
_TEST_RESOURCES = (
    _HOME
    / "benchmark-framework/src/test/resources"
    / SHARED.relative_to(_HOME / "benchmark-framework/src/main/resources")
)
