"""Units, statistics, colours."""

import itertools
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from omb_charts import pictures, report
from omb_charts.comparing import DEFAULT_METRICS
from omb_charts.metrics import LATENCIES, METRICS
from omb_charts.model import Estimate
from omb_charts.statistics import difference, estimate, grown, smallest_p, unseen
from omb_charts.style import looks_of
from omb_charts.units import Unit, count_tick, digits, latency_tick, scale_for, scale_of_column, ticks_of, written
from tests.coverage import ALIKE, SHAPES, UNLIKE, coverage, kept, one_is_worse, told_apart


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


def test_a_column_has_the_unit_of_its_middle_figure() -> None:
    assert scale_of_column(Unit.MS, (0.002, 2.0, 900.0, None)).symbol == "ms"
    assert scale_of_column(Unit.MS, (0.002, 0.003, 900.0)).symbol == "µs"
    assert scale_of_column(Unit.MESSAGES_PER_SEC, (100.0, 31_000.0, 180_000.0)).symbol == "K msg/s"
    assert scale_of_column(Unit.MS, (None, 0.0)).symbol == "ms"


def test_ticks_are_short() -> None:
    assert [latency_tick(ms) for ms in (1e-5, 0.1, 1.0, 2e4)] == ["10 ns", "100 µs", "1 ms", "20 s"]
    assert [count_tick(n) for n in (0.1, 500, 1e4, 1e6)] == ["0.1", "500", "10K", "1M"]
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


def test_an_interval_is_the_one_that_bin_benchmark_computes() -> None:
    """EstimateTest reads the same examples."""
    file = _HOME / "studies/src/test/resources/io/openmessaging/benchmark/summary/estimates-example.json"
    examples = json.loads(file.read_text(encoding="utf-8"))["examples"]
    assert len(examples) > 9
    for example in examples:
        value = estimate(example["values"])
        assert value.median == pytest.approx(example["median"], rel=1e-6)
        for end, name in ((value.low, "ci95Low"), (value.high, "ci95High")):
            expected = example[name]
            assert end == (None if expected is None else pytest.approx(expected, rel=1e-6)), example


def test_an_interval_of_few_runs_is_students_of_the_logarithms() -> None:
    value = estimate([1.0, math.e, math.e**2])
    # t of 2 degrees of freedom is 4.3027 at 97.5 %.
    assert value.low == pytest.approx(math.exp(1 - 4.30265 / 3**0.5), rel=1e-4)
    assert value.high == pytest.approx(math.exp(1 + 4.30265 / 3**0.5), rel=1e-4)
    assert estimate([5.0]) == Estimate(1, 5.0, 5.0)


def test_what_gives_no_interval_has_a_range() -> None:
    assert (estimate([0.0, 3.0, 4.0]).low, estimate([0.0, 3.0, 4.0]).ends) == (None, (0.0, 4.0))
    assert (estimate([3.0, 4.0]).low, estimate([3.0, 4.0]).ends) == (None, (3.0, 4.0))


@pytest.mark.parametrize("runs", [3, 4, 5, 6, 10, 30])
@pytest.mark.parametrize("shape", SHAPES)
def test_an_interval_holds_its_median_as_often_as_it_says(shape: str, runs: int) -> None:
    # 0.93, less three standard errors of 400 samples.
    assert coverage(shape, runs, 400) > 0.93 - 3 * (0.93 * 0.07 / 400) ** 0.5


@pytest.mark.parametrize("shape", SHAPES)
def test_equal_systems_are_not_told_apart(shape: str) -> None:
    assert told_apart(shape, 5, 200) < 0.05 + 3 * (0.05 * 0.95 / 200) ** 0.5
    assert one_is_worse(shape, 4, 40) < 0.05 + 3 * (0.05 * 0.95 / 40) ** 0.5


@pytest.mark.parametrize(("base", "new"), [(30, 4), (4, 20), (5, 30)])
@pytest.mark.parametrize("shape", SHAPES)
def test_equal_sets_of_unequal_sizes_are_not_told_apart(shape: str, base: int, new: int) -> None:
    assert told_apart(shape, base, 200, against=new) < 0.05 + 3 * (0.05 * 0.95 / 200) ** 0.5


def test_what_is_the_same_in_all_runs_is_known_to_the_third_digit_only() -> None:
    value = estimate([5.17, 5.17, 5.17, 5.17, 5.17, 5.17])
    assert value.low == pytest.approx(5.165)
    assert value.high == pytest.approx(5.175)
    assert not difference([5.17] * 5, [5.172] * 5).significant
    assert difference([5.17] * 5, [5.25] * 5).significant


def test_three_runs_each_cannot_decide_and_four_can() -> None:
    assert smallest_p(3, 3) == pytest.approx(0.1)
    assert not difference([1.0, 1.1, 1.2], [9.0, 9.1, 9.2]).decidable
    four = difference([1.0, 1.1, 1.2, 1.3], [9.0, 9.1, 9.2, 9.3])
    assert four.significant
    assert four.relative == pytest.approx(7.0, rel=0.03)


def test_equal_samples_do_not_differ_even_if_all_values_are_one() -> None:
    same = difference([7.0] * 5, [7.0] * 5)
    assert (same.significant, same.relative, same.p) == (False, 0.0, 1.0)
    nothing = difference([0.0] * 5, [0.0] * 5)
    assert (nothing.significant, nothing.relative, nothing.p) == (False, 0.0, 1.0)


def test_more_than_nothing_is_more_than_any_percentage() -> None:
    lost = difference([0.0] * 5, [50.0, 60.0, 55.0, 52.0, 58.0])
    assert lost.significant
    assert lost.relative == math.inf


def test_many_tests_at_once_need_more_each() -> None:
    base, new = [1.0, 1.1, 1.2, 1.3, 1.15], [1.3, 1.5, 1.4, 1.6, 1.35]
    alone, together = difference(base, new), difference(base, new, tests=8)
    assert alone.p is not None
    assert together.p is not None
    assert together.p > 2 * alone.p
    assert alone.relative_interval is not None
    assert together.relative_interval is not None
    assert together.relative_interval[0] < alone.relative_interval[0]


def test_the_smallest_change_is_found_four_times_in_five() -> None:
    """Of the spread that is really there: 0.5, in samples of ten, which also has to be what many repetitions need."""
    times = math.exp((2.101 + 0.862) * 0.5 * math.sqrt(2 / 10))
    assert told_apart("lognormal, σ 0.5", 10, 500, times) == pytest.approx(0.8, abs=0.08)
    noise = np.random.default_rng(4)
    base, new = (np.exp(noise.normal(0, 0.5, 200)).tolist() for _ in range(2))
    needed = difference(base, new).repetitions_for(times - 1)
    assert needed is not None
    # Less than the ten that find it, since a bound to one side is nearer.
    assert 5 <= needed <= 10


@pytest.mark.parametrize(("change", "least", "most"), [(0.0, 0.7, 0.9), (0.5, 0.0, 0.08)])
def test_a_change_is_excluded_as_often_as_repetitions_say(change: float, least: float, most: float) -> None:
    """With no change four times in five, and with one as large as the threshold one time in twenty."""
    noise = np.random.default_rng(5)
    runs = 20
    excluded = 0
    for _ in range(300):
        base, new = (np.exp(noise.normal(0, 0.5, runs)) for _ in range(2))
        excluded += difference(base.tolist(), ((1 + change) * new).tolist()).excludes(0.5, above=True)
    assert least <= excluded / 300 <= most


@pytest.mark.parametrize("runs", [4, 10])
@pytest.mark.parametrize("shape", ALIKE)
def test_a_change_of_all_runs_as_large_as_the_threshold_is_kept_one_time_in_twenty(shape: str, runs: int) -> None:
    assert kept(ALIKE[shape], runs, 200) < 0.05 + 3 * (0.05 * 0.95 / 200) ** 0.5


@pytest.mark.parametrize("runs", [6, 20])
def test_stalls_of_the_base_make_no_room_for_a_change_of_all_other_runs(runs: int) -> None:
    """By the means alone, the threshold would be kept in 8 % of the comparisons, and in 65 %."""
    (gate,) = (gate for what, gate in UNLIKE.items() if what.startswith("three runs in ten stalled"))
    assert kept(gate, runs, 300) < 0.05


def test_stalls_that_no_run_shows_are_not_excluded_and_their_share_is_told() -> None:
    assert unseen(4) == pytest.approx(0.527, abs=0.001)
    assert (1 - unseen(20)) ** 20 == pytest.approx(0.05)
    stalling = UNLIKE["one run in ten stalls now, `> +25%`"]
    # As often as no run stalls, and no more often.
    assert kept(stalling, 10, 300) < 0.9**10 + 3 * (0.35 * 0.65 / 300) ** 0.5


def test_a_threshold_is_kept_by_sets_that_are_equal() -> None:
    assert kept(UNLIKE["nothing has changed, `> +25%`"], 5, 200) > 0.85
    assert difference([0.0] * 4, [0.0] * 4).excludes(0.1, above=True)
    assert difference([100.0] * 4, [99.0] * 4).excludes(-0.05, above=False)


def test_a_share_of_bad_runs_that_grew_has_a_test_of_its_own() -> None:
    assert grown(0, 4, 4, 4) == pytest.approx(1 / 70)
    assert grown(0, 10, 6, 10) < 0.05
    assert grown(0, 6, 2, 6) > 0.05
    assert grown(3, 6, 3, 6) > 0.5


# Simulations of colour blindness by Machado, Oliveira and Fernandes (2009), full severity, on linear RGB.
_SIGHT = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
_SYSTEMS = ("kafka", "rabbitmq", "redis", "artemis", "pulsar", "rocketmq", "redpanda", "nats", "inmemory")


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
    looks = looks_of([(name, name) for name in (*_SYSTEMS, "mosquitto", "activemq")])
    assert len({look.marker for look in looks.values()}) == 11
    assert len({look.hatch for look in looks.values()}) == 11


def test_a_system_looks_the_same_whatever_it_stands_beside() -> None:
    alone = looks_of([("kafka", "kafka")])["kafka"]
    assert looks_of([("redis", "redis"), ("kafka", "kafka"), ("kafka-sync", "kafka")])["kafka"] == alone


def test_variants_of_a_system_differ_in_shade_and_line() -> None:
    looks = looks_of([("kafka", "kafka"), ("kafka-sync", "kafka"), ("kafka-zstd", "kafka")])
    assert len({look.colour for look in looks.values()}) == 3
    assert len({look.line for look in looks.values()}) == 3


def test_variants_of_different_systems_differ_in_marker_and_hatch() -> None:
    pairs = [(f"{system}{more}", system) for system in ("rabbitmq", "kafka") for more in ("", "-tools")]
    looks = looks_of([*pairs, ("mosquitto", "mosquitto")])
    assert len({look.marker for look in looks.values()}) == 5
    assert len({look.hatch for look in looks.values()}) == 5
    assert looks_of(reversed([*pairs, ("mosquitto", "mosquitto")])) == looks


@pytest.mark.parametrize("kind", ["kafka", ""])
def test_twenty_variants_or_unknown_systems_differ(kind: str) -> None:
    looks = looks_of([(f"system-{number:02}", kind or f"system-{number:02}") for number in range(20)])
    for first, second in itertools.combinations(looks.values(), 2):
        distance = np.linalg.norm(_seen(first.colour, "normal") - _seen(second.colour, "normal"))
        assert distance > 20 or first.marker != second.marker, (first, second)
    for look in looks.values():
        lightness, _, _ = _seen(look.colour, "normal")
        assert 10 < lightness < 80, "seen on a white page"


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
