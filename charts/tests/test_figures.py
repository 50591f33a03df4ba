"""Pictures by their structure: axes, labels, series."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from omb_charts import figures, load_curve, pictures, studies
from omb_charts.hdr_log import read_intervals
from omb_charts.model import Group, Problem, groups_of
from omb_charts.reading import read
from omb_charts.statistics import estimate
from omb_charts.style import drawing, looks
from tests import synthetic
from tests.pages import charts_in, figure_of, metrics_in

pytestmark = pytest.mark.pictures


def _kafka_and_redis(golden: Path) -> Group:
    return next(group for group in groups_of(read([golden]).runs) if group.title == "smoke-kafka-1kb")


def _legend(figure: Figure) -> list[str]:
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def _x(line: Line2D) -> list[float]:
    return [float(value) for value in np.asarray(line.get_xdata())]


def _y(line: Line2D) -> list[float]:
    return [float(value) for value in np.asarray(line.get_ydata())]


def _assert_readable(figure: Figure) -> None:
    """Every axis has data and a label with its unit, and nothing is outside the picture."""
    with drawing():
        figure.draw_without_rendering()
    width, height = figure.bbox.width, figure.bbox.height
    for ax in figure.axes:
        assert ax.has_data()
        assert ax.get_ylabel() or ax.get_yticklabels()
        box = ax.get_tightbbox()
        assert box is not None
        assert box.x0 >= -1
        assert box.y0 >= -1
        assert box.x1 <= width + 1
        assert box.y1 <= height + 1
    for legend in figure.legends:
        box = legend.get_window_extent()
        assert box.x0 >= -1
        assert box.x1 <= width + 1
        assert all(not box.overlaps(ax.get_window_extent()) for ax in figure.axes)


def test_rates_over_time_are_at_the_times_that_the_result_names(golden: Path) -> None:
    group = _kafka_and_redis(golden)
    with drawing():
        figure = figures.over_time(group, "Publish and consume rate", figures.RATES)
    assert figure is not None
    (ax,) = figure.axes
    raw = json.loads((golden / "kafka-1kb.json").read_text())
    line = next(line for line in ax.lines if line.get_label() == "Kafka publish")
    assert _y(line) == raw["publishRate"]
    spans = group.runs[0].spans
    assert _x(line) == [(span.start_s + span.end_s) / 2 for span in spans]
    assert ax.get_xlabel() == "time since the measurement began (s)"
    assert ax.get_ylabel() == "rate (msg/s)"
    assert _legend(figure) == ["Kafka publish", "Kafka consume", "Redis publish", "Redis consume"]
    _assert_readable(figure)


def test_without_time_stamps_periods_are_numbered(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.omb_result("w", "Kafka", 100, 1.0, periods=4))
    (group,) = groups_of(read([tmp_path]).runs)
    with drawing():
        figure = figures.over_time(group, "Rates", figures.RATES)
    assert figure is not None
    assert figure.axes[0].get_xlabel() == "period"
    assert _x(figure.axes[0].lines[0]) == [1, 2, 3, 4]


def test_lines_have_the_colour_of_their_system(golden: Path) -> None:
    group = _kafka_and_redis(golden)
    with drawing():
        figure = figures.over_time(group, "End-to-end latency", figures.latency_panels("endToEndLatency"))
    assert figure is not None
    assert [ax.get_ylabel() for ax in figure.axes] == ["p50", "p99", "maximum"]
    assert all(ax.get_yscale() == "log" for ax in figure.axes)
    by_label = looks(group.runs)
    for line in figure.axes[0].lines:
        assert line.get_color() == by_label[str(line.get_label())].colour
    _assert_readable(figure)


def test_latencies_between_workers_have_a_band_of_what_their_clocks_are_known_to(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "Kafka", 100, 1.0, periods=4, **synthetic.two_workers()))
    (group,) = groups_of(read([tmp_path]).runs)
    (run,) = group.runs
    assert run.clock_bound_ms == 0.2
    with drawing():
        ends = figures.over_time(group, "End-to-end latency", figures.latency_panels("endToEndLatency"))
        spectrum = figures.percentile_spectrum(group, "scheduledEndToEndLatency")
        publish = figures.over_time(group, "Publish latency", figures.latency_panels("publishLatency"))
    assert ends is not None
    assert spectrum is not None
    assert publish is not None
    for ax in (*ends.axes[:3], *spectrum.axes):
        (line,), (band,) = ax.lines, ax.collections
        around = np.asarray(band.get_paths()[0].vertices, dtype=float)[:, 1]
        assert around.max() == pytest.approx(max(_y(line)) + 0.2)
        assert around.min() == pytest.approx(max(0.1 * min(_y(line)), min(_y(line)) - 0.2))
    assert not any(ax.collections for ax in (*publish.axes, ends.axes[3]))
    _assert_readable(ends)


def test_latencies_of_messages_on_one_worker_have_no_band(tmp_path: Path) -> None:
    withheld = synthetic.two_workers(9_000_000, between_workers=False)
    synthetic.write(tmp_path, "a", synthetic.result("w", "Kafka", 100, 1.0, **withheld))
    synthetic.write(tmp_path, "b", synthetic.result("w", "Kafka", 100, 1.0, **synthetic.two_workers(None)))
    synthetic.write(tmp_path, "c", synthetic.result("w", "Kafka", 100, 1.0))
    assert [run.clock_bound_ms for run in read([tmp_path]).runs] == [None, None, None]


def test_a_band_stays_above_zero() -> None:
    assert figures.band([2.0, None, 0.5], 1.0) == ([1.0, None, 0.05], [3.0, None, 1.5])
    assert figures.band([None, None], 1.0) is None
    assert figures.band([2.0], None) is None


def test_latencies_have_the_stalls_of_the_harness_below_them(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "Kafka", 100, 1.0, periods=4))
    (group,) = groups_of(read([tmp_path]).runs)
    with drawing():
        figure = figures.over_time(group, "Publish latency", figures.latency_panels("publishLatency"))
    assert figure is not None
    ax = figure.axes[3]
    assert ax.get_ylabel() == "harness' stalls (ms)"
    assert [_y(line) for line in ax.lines] == [[12, 12, 12, 12], [0, 0.25, 0.5, 0.75]]
    assert {"Kafka max", "Kafka p99.9"} <= set(_legend(figure))
    _assert_readable(figure)


def test_resources_show_broker_and_harness(golden: Path) -> None:
    with drawing():
        figure = figures.over_time(_kafka_and_redis(golden), "Processors, memory, GC", figures.RESOURCES)
    assert figure is not None
    assert [ax.get_ylabel() for ax in figure.axes][:2] == ["processors used (cores)", "memory (MB)"]
    assert "Kafka broker" in _legend(figure)
    assert "Redis harness" in _legend(figure)
    _assert_readable(figure)


def test_what_was_not_measured_gives_no_picture(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.omb_result("w", "Kafka", 100, 1.0))
    (group,) = groups_of(read([tmp_path]).runs)
    assert figures.over_time(group, "Processors", figures.RESOURCES) is None
    assert figures.search(group) is None
    assert figures.rate_against_latency(group, "endToEndLatency99pct") is None
    assert figures.comparison([group], "brokerCpuCores") is None


def test_percentiles_stand_on_hdrhistograms_axis(golden: Path) -> None:
    group = _kafka_and_redis(golden)
    with drawing():
        figure = figures.percentile_spectrum(group, "scheduledEndToEndLatency")
        assert figure is not None
        figure.draw_without_rendering()
    (ax,) = figure.axes
    labels = [label.get_text() for label in ax.get_xticklabels()]
    assert labels[:5] == ["0 %", "50 %", "90 %", "99 %", "99.9 %"]
    assert list(ax.get_xticks())[:4] == pytest.approx([1, 2, 10, 100])
    run = group.runs[0]
    line = next(line for line in ax.lines if line.get_label() == run.label)
    assert max(_y(line)) == run.metrics["scheduledEndToEndLatencyMax"]
    _assert_readable(figure)


def test_a_heat_map_has_a_column_for_each_interval(golden: Path) -> None:
    (run,) = read([golden / "redis-1kb.json"]).runs
    intervals = read_intervals(run.hdr_log, "measure-endToEnd")
    assert not isinstance(intervals, Problem)
    with drawing():
        figure = figures.heat_map(run, "endToEndLatency", intervals)
    assert figure is not None
    heat, bar = figure.axes
    assert len(heat.collections) == len(intervals) == 6
    assert heat.get_yscale() == "log"
    assert bar.get_ylabel() == "samples a second"
    counted = sum(array.sum() * 5 for collection in heat.collections if (array := collection.get_array()) is not None)
    assert counted == pytest.approx(sum(sum(interval.counts) for interval in intervals), rel=0.02)
    _assert_readable(figure)


def test_bars_show_mean_and_interval_of_repetitions(tmp_path: Path) -> None:
    for seed, rate in enumerate((90.0, 100.0, 110.0)):
        made = synthetic.result("w", "kafka", 100, 1.0, seed=seed, metrics={"publishRate": rate})
        synthetic.write(tmp_path, f"k{seed}", made)
    synthetic.write(tmp_path, "r", synthetic.result("w", "redis", 300, 1.0, target=100))
    with drawing():
        figure = figures.comparison(groups_of(read([tmp_path]).runs), "publishRate")
    assert figure is not None
    (ax,) = figure.axes
    assert next(bar.get_width() for container in ax.containers for bar in container if hasattr(bar, "get_width")) == 100
    assert len(ax.collections) == 1, "an interval for the system with repetitions only"
    assert _legend(figure) == ["kafka", "redis"]
    assert ax.get_xlabel() == "publish rate (msg/s)"
    _assert_readable(figure)


def test_an_invalid_run_counts_only_where_there_is_no_other(tmp_path: Path) -> None:
    for number, (verdict, rate) in enumerate((("OK", 100.0), ("INVALID", 900.0))):
        made = synthetic.result("w", "kafka", 100, 1.0, verdict=verdict, metrics={"publishRate": rate})
        synthetic.write(tmp_path, f"r{number}", made)
    (group,) = groups_of(read([tmp_path]).runs)
    assert figures.bars_of(group, "publishRate")[0].estimate.mean == 100
    only_invalid = Group("w", tuple(run for run in group.runs if run.verdict == "INVALID"))
    assert figures.bars_of(only_invalid, "publishRate")[0].estimate.mean == 900


def test_a_search_shows_what_was_sustained_and_refused(golden: Path) -> None:
    group = next(group for group in groups_of(read([golden]).runs) if group.title == "smoke-search")
    with drawing():
        figure = figures.search(group)
    assert figure is not None
    (ax,) = figure.axes
    drawn = {line.get_label(): len(_x(line)) for line in ax.lines}
    (run,) = group.runs
    assert drawn["Kafka, sustained"] == sum(a_try.sustained for a_try in run.tries)
    assert drawn["Kafka, refused"] == sum(not a_try.sustained for a_try in run.tries)
    _assert_readable(figure)


def test_a_ramp_gives_rate_against_latency(tmp_path: Path) -> None:
    steps = [synthetic.step(2, 1000, 5), synthetic.step(4, 2000, 8), synthetic.step(6, 2100, 900, clean=False)]
    synthetic.write(tmp_path, "ramp", synthetic.result("ramp", "kafka", 1000, 5.0, steps=steps))
    (group,) = groups_of(read([tmp_path]).runs)
    with drawing():
        figure = figures.rate_against_latency(group, "endToEndLatency99pct")
    assert figure is not None
    (ax,) = figure.axes
    assert _x(ax.lines[0]) == [1000, 2000, 2100]
    assert _y(ax.lines[0]) == [5, 8, 900]
    assert [line.get_markerfacecolor() for line in ax.lines[1:]][-1] == "white"
    _assert_readable(figure)


def _swept(folder: Path) -> Group:
    for system, factor in (("kafka", 1.0), ("redis", 2.0)):
        rates = {1000 * factor: 2.0, 2000 * factor: 3.0, 4000 * factor: 9.0, 8000 * factor: 400.0}
        sweep = synthetic.rate_sweep(2000 * factor, rates, refused=(8000 * factor,))
        made = synthetic.result("curve", system, 2000 * factor, 3.0, rateSweep=sweep)
        synthetic.write(folder, system, made)
    (group,) = groups_of(read([folder]).runs)
    return group


def test_a_sweep_gives_latency_over_load_with_its_knee(tmp_path: Path) -> None:
    group = _swept(tmp_path)
    with drawing():
        figure = load_curve.latency_over_load(group)
    assert figure is not None
    publish, end_to_end = figure.axes
    p99 = next(line for line in end_to_end.lines if line.get_label() == "_kafka p99")
    assert _x(p99) == [1000, 2000, 4000, 6400]
    assert _y(p99) == pytest.approx([3.0, 4.5, 13.5, 600.0])
    assert {line.get_label() for line in publish.lines if " p" in str(line.get_label())} == {
        f"{system} {percentile}" for system in ("kafka", "redis") for percentile in ("p50", "p99", "p99.9")
    }
    large = [(_x(line)[0], _y(line)[0]) for line in end_to_end.lines if line.get_markersize() == load_curve.KNEE_SIZE]
    assert large == [(2000, 4.5), (4000, 4.5)]
    hollow = [line for line in end_to_end.lines if line.get_markerfacecolor() == "white"]
    assert [_x(line) for line in hollow] == [[6400]] * 3 + [[12800]] * 3
    _assert_readable(figure)


def test_the_page_has_the_same_curves(tmp_path: Path) -> None:
    _swept(tmp_path)
    charts = charts_in(tmp_path)
    first = next(iter(charts))
    assert first.startswith("End-to-end latency from the intended send p99 over load")
    (trace,) = [trace for trace in figure_of(charts[first]).data if trace.meta == "redis"]
    assert list(trace.x) == [2000, 4000, 8000, 12800]
    assert [symbol.endswith("-open") for symbol in trace.marker.symbol] == [False, False, False, True]
    assert [size == 1.5 * load_curve.KNEE_SIZE for size in trace.marker.size] == [False, True, False, False]


def test_without_a_sweep_there_is_no_curve(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "kafka", 100, 1.0))
    (group,) = groups_of(read([tmp_path]).runs)
    assert load_curve.latency_over_load(group) is None
    assert not [title for title in charts_in(tmp_path) if "load" in title]


def test_runs_at_several_rates_give_rate_against_latency(tmp_path: Path) -> None:
    for rate in (3000, 1000, 2000):
        synthetic.write(tmp_path, f"r{rate}", synthetic.result("sweep", "kafka", rate, rate / 100))
    (group,) = groups_of(read([tmp_path]).runs)
    line = figures.sweeps(group, "endToEndLatency99pct")["kafka"]
    assert [round(rate, -3) for rate, *_ in line] == [1000, 2000, 3000]


def test_all_pictures_of_a_set_are_files_of_each_format(golden: Path, tmp_path: Path) -> None:
    results = read([golden / "redis-1kb.json"])
    drawn = pictures.draw_all(list(pictures.general(results, each_workload=True)), tmp_path)
    assert "smoke-kafka-1kb-rates" in drawn.names
    assert "redis-1kb-heat-map" in drawn.names
    assert "smoke-kafka-1kb-search" in drawn.empty
    assert not drawn.problems
    assert {path.name for path in tmp_path.iterdir()} == {
        f"{name}.{ending}" for name in drawn.names for ending in ("png", "svg", "pdf", "csv")
    }


def test_bars_far_apart_stand_on_a_logarithmic_axis_and_the_study_is_named_once(tmp_path: Path) -> None:
    for case, rate in (("10 B", 1_000_000), ("100 KB", 100)):
        result = synthetic.result("sizes", "kafka", rate, 10)
        result["plan"] = {"name": "a-study", "experiment": "sizes", "system": "kafka", "case": case, "repetition": 1}
        synthetic.write(tmp_path, case, result)
    with drawing():
        figure = figures.comparison(groups_of(read([tmp_path]).runs), "publishRate")
    assert figure is not None
    (ax,) = figure.axes
    assert ax.get_xscale() == "log"
    assert ax.get_xlabel() == "publish rate (msg/s, logarithmic axis)"
    assert ax.get_title(loc="left") + ax.get_title() == "a-study: one run each"
    names = [label.get_text().replace("\N{NO-BREAK SPACE}", " ") for label in ax.get_yticklabels()]
    assert sorted(names) == ["sizes, 10 B", "sizes, 100 KB"]


def test_ombs_published_results_are_drawn_with_what_they_have(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "classic", synthetic.early_omb_result("100-partitions", "RabbitMQ", 30_244, 0.58))
    results = read([tmp_path])
    assert not results.problems
    drawn = pictures.draw_all(list(pictures.general(results, each_workload=True)), tmp_path)
    assert not drawn.problems
    assert {"100-partitions-rates", "100-partitions-publish-latency-percentiles"} <= set(drawn.names)
    assert "100-partitions-resources" in drawn.empty
    with drawing():
        figure = figures.over_time(groups_of(results.runs)[0], "Backlog", figures.BACKLOG)
    assert figure is not None
    assert figure.axes[0].get_ylim()[0] < -12


def test_of_many_workloads_only_comparisons_are_drawn_unless_asked_for(tmp_path: Path) -> None:
    for number in range(pictures.MANY_GROUPS + 1):
        synthetic.write(tmp_path, f"r{number}", synthetic.result(f"workload {number}", "kafka", 1000, 10))
    results = read([tmp_path])
    assert pictures.are_many(results)
    names = [picture.name for picture in pictures.general(results, each_workload=False)]
    assert names
    assert all(name.startswith("comparison-") for name in names)
    assert "workload-3-rates" in [picture.name for picture in pictures.general(results, each_workload=True)]


@pytest.mark.parametrize(
    ("study", "figures_of_the_study"),
    [
        ("kaczor-2022", range(1, 11)),
        ("maharjan-2023", range(2, 8)),
        ("chy-2023", range(6, 24)),
        ("ramadan-2026", range(2, 42)),
    ],
)
def test_each_figure_of_a_study_is_drawn(tmp_path: Path, study: str, figures_of_the_study: range) -> None:
    synthetic.plan_folder(tmp_path, study, repetitions=2)
    (plan,) = read([tmp_path]).plans
    drawn: dict[str, Figure | None] = {}
    with drawing():
        for picture in studies.pictures(plan):
            outcome = picture.draw()
            assert not isinstance(outcome, Problem)
            drawn[picture.name] = outcome
    assert set(drawn) == {f"{study}-figure-{number}" for number in figures_of_the_study}
    for figure in drawn.values():
        assert figure is not None
    first = next(iter(drawn.values()))
    assert first is not None
    _assert_readable(first)


def test_a_period_whose_figure_could_not_be_read_is_a_gap(tmp_path: Path) -> None:
    synthetic.plan_folder(tmp_path, "chy-2023", repetitions=1)
    for path in (tmp_path / "runs").glob("sizes-kafka-0-*.json"):
        result = json.loads(path.read_text())
        result["metricsByPeriod"]["brokerHeapBytes"][1] = None
        path.write_text(json.dumps(result))
    (plan,) = read([tmp_path]).plans
    (picture,) = [each for each in studies.pictures(plan) if each.name == "chy-2023-figure-16"]
    with drawing():
        figure = picture.draw()
    assert isinstance(figure, Figure)
    (line,) = [line for line in figure.axes[0].lines if line.get_label() == "kafka"]
    assert [bool(np.isnan(value)) for value in np.asarray(line.get_ydata())][:3] == [False, True, False]


def test_the_report_of_no_numbered_figures_has_its_sections(tmp_path: Path) -> None:
    synthetic.plan_folder(tmp_path, "superstreams-2026", repetitions=2)
    (plan,) = read([tmp_path]).plans
    with drawing():
        drawn = {
            picture.name.removeprefix("superstreams-2026-section-"): picture.draw()
            for picture in studies.pictures(plan)
        }
    assert len(drawn) == 9
    ramp = drawn["1.7"]
    assert isinstance(ramp, Figure)
    assert [ax.get_ylabel() for ax in ramp.axes] == ["publish rate (K msg/s)", "end-to-end p99"]
    _assert_readable(ramp)


def test_the_ramp_shows_the_reports_steps_and_its_bound(tmp_path: Path) -> None:
    folder = synthetic.plan_folder(tmp_path, "superstreams-2026", repetitions=1)
    steps = (("publish rate", 2, "clean", 918766), ("endToEndLatency99pct", 4, "aborted", 24100))
    values = [
        {
            "source": "§1.7",
            "experiment": "ramp",
            "system": "rabbitmq",
            "metric": f"{what} of step 0, {producers} producers, {end}",
            "published": value,
        }
        for what, producers, end, value in steps
    ]
    synthetic.write(folder, "claims", {"study": "superstreams-2026", "claims": [], "values": values})
    (plan,) = read([folder]).plans
    with drawing():
        figure = next(each for each in studies.pictures(plan) if each.name.endswith("section-1.7")).draw()
    assert isinstance(figure, Figure)
    above, below = figure.axes
    (rate,) = [line for line in above.lines if line.get_label() == "_published"]
    (latency,) = [line for line in below.lines if line.get_label() == "_published"]
    assert (_x(rate), _y(latency)) == ([2], [24100])
    assert to_hex(latency.get_markerfacecolor()) == "#ffffff", "the step that ended the ramp is hollow"
    assert _y(rate)[0] < above.get_ylim()[1], "within the axes"
    low, high = below.get_ylim()
    assert low <= 100
    assert high >= 100_000, "whole decades, with more than one label"
    assert "10 s" in [text.get_text() for text in below.texts]


def test_a_system_without_a_bar_keeps_its_colour_in_the_legend(tmp_path: Path) -> None:
    folder = synthetic.plan_folder(tmp_path, "chy-2023", repetitions=1)
    for file in (folder / "runs").glob("sizes-rocketmq-*.json"):
        file.unlink()
    (plan,) = read([folder]).plans
    with drawing():
        figure = next(each for each in studies.pictures(plan) if each.name.endswith("figure-11")).draw()
    assert isinstance(figure, Figure)
    (ax,) = figure.axes
    assert "one run each" in ax.get_title(loc="left") + ax.get_title()
    colours = [to_hex(patch.get_facecolor()) for patch in figure.legends[0].get_patches()]
    assert len(set(colours)) == len(colours)
    assert "#1f77b4" not in colours, "Matplotlib's first colour is that of no system"


def test_what_bars_are_depends_on_the_runs() -> None:
    one, two = estimate([1.0]), estimate([1.0, 2.0])
    three = estimate([1.0, 1.1, 1.2])
    assert studies.what_bars_are([one, one]) == "one run each"
    assert studies.what_bars_are([three, three]) == "median and 95 % interval"
    assert studies.what_bars_are([three, two]).endswith("or with the range (no caps) where the runs give no interval")


def test_maharjans_figures_have_its_axis_and_colours(tmp_path: Path) -> None:
    synthetic.plan_folder(tmp_path, "maharjan-2023", repetitions=3)
    (plan,) = read([tmp_path]).plans
    with drawing():
        figure = next(picture for picture in studies.pictures(plan) if picture.name.endswith("figure-2")).draw()
    assert isinstance(figure, Figure)
    (ax,) = figure.axes
    assert ax.get_yscale() == "log"
    assert [label.get_text() for label in ax.get_xticklabels()] == ["10 B", "100 B", "1 KB", "10 KB", "50 KB", "100 KB"]
    assert _legend(figure) == ["artemis", "rabbitmq", "redis", "kafka"]
    channels: dict[object, list[int]] = {}
    for line in ax.lines:
        colour = to_hex(line.get_color())
        channels.setdefault(line.get_label(), [int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    red, green, blue = range(3)
    assert max(range(3), key=channels["artemis"].__getitem__) == green
    assert max(range(3), key=channels["redis"].__getitem__) == blue
    assert max(range(3), key=channels["kafka"].__getitem__) == red
    assert min(channels["rabbitmq"][red], channels["rabbitmq"][green]) > 3 * channels["rabbitmq"][blue]
    assert len(ax.collections) == 24, "an interval for each point"
    assert not ax.patches, "nothing stands on an axis without 0"


def test_a_published_number_stands_beside_the_measured_bar(tmp_path: Path) -> None:
    synthetic.plan_folder(tmp_path, "kaczor-2022", repetitions=2)
    (tmp_path / "claims.json").unlink()
    (tmp_path / "published.yaml").write_text(
        "study: kaczor-2022\nvalues:\n"
        + "".join(
            f'  - {{source: Table 2, experiment: own-application, system: {system}, case: "{size} x *",'
            f" metric: totalRate, value: {value}, unit: msg/s}}\n"
            for size, system, value in (("10 B", "kafka", 23676), ("10 B", "rabbitmq", 6389), ("1 KB", "kafka", 7594))
        )
    )
    (plan,) = read([tmp_path]).plans
    with drawing():
        figure = next(picture for picture in studies.pictures(plan) if picture.name == "kaczor-2022-table-2").draw()
    assert isinstance(figure, Figure)
    (ax,) = figure.axes
    marks = [line for line in ax.lines if line.get_marker() == "D"]
    assert sorted(y for line in marks for y in _y(line)) == [6389, 7594, 23676]
    assert "published" in _legend(figure)
    bars = [patch for container in ax.containers if hasattr(container, "patches") for patch in container.patches]
    for x in (x for line in marks for x in _x(line)):
        assert all(not bar.get_x() <= x <= bar.get_x() + bar.get_width() for bar in bars), "beside, not on, a bar"
    _assert_readable(figure)


def test_a_system_that_failed_is_shown_as_missing(tmp_path: Path) -> None:
    synthetic.plan_folder(tmp_path, "chy-2023", repetitions=2)
    (plan,) = read([tmp_path]).plans
    with drawing():
        figure = next(picture for picture in studies.pictures(plan) if picture.name.endswith("figure-6")).draw()
    assert isinstance(figure, Figure)
    assert [text.get_text() for text in figure.axes[0].texts].count("none") == 3


def test_time_scaled_results_say_that_they_measure_no_study(tmp_path: Path) -> None:
    synthetic.plan_folder(tmp_path, "maharjan-2023", repetitions=1, time_scale=0.02)
    (plan,) = read([tmp_path]).plans
    with drawing():
        figure = next(iter(studies.pictures(plan))).draw()
    assert isinstance(figure, Figure)
    assert "times and counts × 0.02: not a measurement of the study" in figure.axes[0].get_title(loc="left")


def test_the_studies_plans_have_the_experiments_and_cases_that_are_drawn() -> None:
    """The names that figures are made from are those of the plans in this repository."""
    yaml = pytest.importorskip("yaml")
    workloads = Path(__file__).resolve().parents[2] / "workloads"
    plans = {study: workloads / study / "plan.yaml" for study in synthetic.STUDIES}
    assert workloads.is_dir()
    for study, path in plans.items():
        if path.exists():
            plan = yaml.safe_load(path.read_text(encoding="utf-8"))
            cases = {
                e["name"]: tuple(c["name"] for c in e.get("cases", ())) or ("default",) for e in plan["experiments"]
            }
            assert cases == synthetic.STUDIES[study][1]
            systems = {e["name"]: tuple(e.get("systems", plan["systems"])) for e in plan["experiments"]}
            drawn = synthetic.STUDIES[study][0]
            assert {name: set(of) for name, of in systems.items()} == {name: set(of) for name, of in drawn.items()}


def test_names_of_files_are_plain() -> None:
    assert pictures.slug("maharjan-2023: latency, 15 MB/s") == "maharjan-2023-latency-15-mb-s"
    assert re.fullmatch(r"[a-z0-9.-]+", pictures.slug("§ 1.1 Ünïcode/../x"))


def _flawed(folder: Path) -> Group:
    """A good system, and one of which all runs are INVALID, with an impossibly good latency."""
    for seed in range(3):
        synthetic.write(folder, f"good{seed}", synthetic.result("w", "kafka", 100, 9.0, seed=seed))
        bad = synthetic.result("w", "redis", 100, 1.0, seed=seed, verdict="INVALID")
        synthetic.write(folder, f"bad{seed}", bad)
    return groups_of(read([folder]).runs)[0]


def test_lines_of_invalid_runs_are_crosses_dotted_and_named(tmp_path: Path) -> None:
    group = _flawed(tmp_path)
    with drawing():
        over_time = figures.over_time(group, "Latency", figures.latency_panels("scheduledEndToEndLatency"))
        spectrum = figures.percentile_spectrum(group, "scheduledEndToEndLatency")
    assert over_time is not None
    assert spectrum is not None
    for ax in (*over_time.axes[:3], *spectrum.axes):
        looks_by_label = {(line.get_label(), line.get_marker(), line.get_linestyle()) for line in ax.lines}
        assert ("redis INVALID", "x", ":") in looks_by_label
        assert ("kafka", "o", "-") in looks_by_label
    for title in list(charts_in(tmp_path))[1:3]:
        traces = figure_of(charts_in(tmp_path)[title]).data
        marks = {(trace.meta, trace.marker.symbol, trace.line.dash) for trace in traces}
        assert marks == {("redis", "x-thin-open", "dot"), ("kafka", "circle", "solid")}, title


def test_bars_of_invalid_runs_are_hollow_and_named(tmp_path: Path) -> None:
    group = _flawed(tmp_path)
    with drawing():
        figure = figures.comparison([group], "scheduledEndToEndLatency99pct")
    assert figure is not None
    (ax,) = figure.axes
    texts = [text.get_text() for text in ax.texts]
    assert sorted(text.endswith("INVALID") for text in texts) == [False, True]
    faces = [patch.get_facecolor()[:3] for patch in ax.patches]
    assert faces.count((1.0, 1.0, 1.0)) == 1
    assert "runs are INVALID or ended early" in ax.get_title(loc="left")
    for chart in (next(iter(charts_in(tmp_path).values())), next(iter(metrics_in(tmp_path).values()))):
        good, bad = figure_of(chart).data
        assert (good.marker.symbol, bad.marker.symbol) == ("circle", "x-thin-open")
        assert ["INVALID" in text for text in figure_of(chart).layout.yaxis.ticktext].count(True) == 1


def test_bars_on_a_logarithmic_axis_are_points_with_intervals(tmp_path: Path) -> None:
    for system, latency_ms in (("kafka", 1.0), ("redis", 900.0)):
        for seed in range(3):
            verdict = "INVALID" if system == "redis" else "OK"
            made = synthetic.result("w", system, 100, latency_ms, seed=seed, verdict=verdict)
            synthetic.write(tmp_path, f"{system}{seed}", made)
    (group,) = groups_of(read([tmp_path]).runs)
    with drawing():
        figure = figures.comparison([group], "scheduledEndToEndLatency99pct")
    assert figure is not None
    (ax,) = figure.axes
    assert ax.get_xscale() == "log"
    assert not ax.patches
    assert {(line.get_label(), line.get_marker()) for line in ax.lines if len(_x(line)) == 1} >= {
        ("kafka", "o"),
        ("redis", "x"),
    }
    assert len(ax.collections) == 2, "an interval each"
    _assert_readable(figure)


def test_pictures_show_latencies_from_the_intended_send(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "kafka", 100, 1.0))
    with drawing():
        titles = {
            picture.name: figure.get_suptitle()
            for picture in pictures.general(read([tmp_path]), each_workload=True)
            if isinstance(figure := picture.draw(), Figure)
        }
    assert titles["comparison-publish-rate"] == "Publish rate (msg/s)"
    assert titles["comparison-publish-mb-per-sec"] == "Publish rate (MB/s)"
    assert titles["w-end-to-end-latency"] == "End-to-end latency from the intended send"
    assert titles["w-publish-latency-percentiles"] == "Percentiles of publish latency from the intended send"
    assert titles["comparison-end-to-end-latency99pct"] == "End-to-end latency from the intended send p99"


def test_bars_of_a_study_say_which_are_of_invalid_runs(tmp_path: Path) -> None:
    folder = synthetic.plan_folder(tmp_path, "maharjan-2023")
    for file in (folder / "runs").glob("*redis*.json"):
        made = json.loads(file.read_text())
        file.write_text(json.dumps(made | {"verdict": "INVALID"}))
    (plan,) = read([folder]).plans
    with drawing():
        figure = next(picture for picture in studies.pictures(plan) if picture.name.endswith("figure-7")).draw()
    assert isinstance(figure, Figure)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert sum(text.endswith(" INVALID") for text in texts) == 5
    assert sum(line.get_marker() == "x" for line in figure.axes[0].lines) == 5
