"""Figures for a paper, the points of pictures, and the folder of an artefact."""

import base64
import csv
import hashlib
import itertools
import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import pytest
import yaml
from matplotlib.figure import Figure
from matplotlib.text import Text

from omb_charts import citing, cli, figures, load_curve, paper, pictures, plotted, reading, studies
from omb_charts.hdr_log import read_intervals
from omb_charts.model import Group, PlanResult, Problem, Results, groups_of
from omb_charts.plotted import Point
from omb_charts.reading import read
from omb_charts.style import drawing
from tests import synthetic

pytestmark = pytest.mark.pictures

HOME = Path(__file__).resolve().parents[2]
STUDIES = ("chy-2023", "kaczor-2022", "maharjan-2023", "ramadan-2026", "superstreams-2026")


def _points(figure: Figure | Problem | None) -> list[Point]:
    assert isinstance(figure, Figure)
    return list(plotted.points(figure))


def _group(folder: Path, *made: synthetic.Result) -> Group:
    for number, result in enumerate(made):
        synthetic.write(folder, f"r{number}", result)
    (group,) = groups_of(read([folder]).runs)
    return group


# The points


def test_points_over_time_are_those_of_the_result(golden: Path) -> None:
    group = next(group for group in groups_of(read([golden]).runs) if group.title == "smoke-kafka-1kb")
    with drawing():
        rates = _points(figures.over_time(group, "Rates", figures.RATES))
        latencies = _points(figures.over_time(group, "Latency", figures.latency_panels("endToEndLatency")))
    raw = json.loads((golden / "kafka-1kb.json").read_text())
    published = [point for point in rates if point.series == "Kafka publish"]
    assert [point.y for point in published] == raw["publishRate"]
    assert {(point.axes, point.x_axis, point.y_axis) for point in rates} == {
        (1, "time since the measurement began (s)", "rate (msg/s)")
    }
    # Ticks of a logarithmic axis have units of their own; the points are in one.
    p99 = [point for point in latencies if point.y_axis == "p99 (ms)" and point.series == "Kafka"]
    assert [point.y for point in p99] == raw["endToEndLatency99pct"]
    assert {point.axes for point in p99} == {2}
    assert not any(point.flawed for point in rates)


def test_points_of_repetitions_have_a_line_each_and_those_of_invalid_runs_are_flawed(tmp_path: Path) -> None:
    group = _group(
        tmp_path,
        synthetic.result("w", "kafka", 100, 1.0, periods=3, seed=1),
        synthetic.result("w", "kafka", 100, 1.0, periods=3, seed=2),
        synthetic.result("w", "redis", 100, 1.0, periods=3, seed=3, verdict="INVALID"),
    )
    with drawing():
        points = _points(figures.over_time(group, "Backlog", figures.BACKLOG))
    assert {(point.series, point.line) for point in points} == {("kafka", 1), ("kafka", 2), ("redis INVALID", 1)}
    assert {point.series for point in points if point.flawed} == {"redis INVALID"}


def test_a_band_gives_the_ends_of_the_points_of_its_line(tmp_path: Path) -> None:
    group = _group(tmp_path, synthetic.result("w", "Kafka", 100, 1.0, periods=4, **synthetic.two_workers()))
    with drawing():
        points = _points(figures.over_time(group, "Latency", figures.latency_panels("endToEndLatency")))
    banded = [point for point in points if point.y_axis == "p99 (ms)"]
    assert banded
    for point in banded:
        assert point.ends == "clock error"
        assert point.low == pytest.approx(max(0.1 * point.y, point.y - 0.2))
        assert point.high == pytest.approx(point.y + 0.2)


def test_percentiles_are_written_as_percentiles(golden: Path) -> None:
    (group,) = groups_of(read([golden / "redis-1kb.json"]).runs)
    with drawing():
        points = _points(figures.percentile_spectrum(group, "scheduledEndToEndLatency"))
    assert {(point.x_axis, point.y_axis) for point in points} == {("percentile", "latency at that percentile (ms)")}
    x, y = [point.x for point in points], [point.y for point in points]
    spectrum = group.runs[0].spectra["scheduledEndToEndLatency"]
    assert x[:-1] == pytest.approx(list(spectrum.percentiles)[:-1])
    assert y == list(spectrum.values_ms)


def test_bars_have_place_interval_and_whether_they_are_invalid(tmp_path: Path) -> None:
    for workload in ("one", "another"):
        for seed in range(5):
            synthetic.write(tmp_path, f"{workload}-k{seed}", synthetic.result(workload, "kafka", 1000, 2.0, seed=seed))
        synthetic.write(
            tmp_path, f"{workload}-r", synthetic.result(workload, "redis", 1000, 2.0, seed=9, verdict="INVALID")
        )
        synthetic.write(
            tmp_path, f"{workload}-k9", synthetic.result(workload, "kafka", 1000, 2.0, seed=9, verdict="INVALID")
        )
    groups = groups_of(read([tmp_path]).runs)
    with drawing():
        points = _points(figures.comparison(groups, "publishRate"))
    expected = {(bar.place, bar.label): bar for group in groups for bar in figures.bars_of(group, "publishRate")}
    assert {(point.x, point.series) for point in points} == set(expected)
    for point in points:
        bar = expected[str(point.x), point.series]
        assert point.x_axis == "place"
        assert point.y_axis == "publish rate (msg/s)"
        assert point.y == pytest.approx(bar.estimate.median)
        assert point.flawed is (point.series == "redis")
        assert (point.runs, point.left_out) == ((1, 0) if point.series == "redis" else (5, 1))
        if bar.estimate.ends is None:
            assert (point.low, point.high, point.ends) == (None, None, "")
        else:
            assert (point.low, point.high) == pytest.approx(bar.estimate.ends)
            assert point.ends == "95 % interval"


def test_points_of_steps_say_which_were_not_sustained(tmp_path: Path) -> None:
    steps = [synthetic.step(1, 1000, 2.0), synthetic.step(2, 2000, 9.0, clean=False)]
    group = _group(tmp_path, synthetic.result("ramp", "kafka", 1000, 2.0, steps=steps))
    with drawing():
        points = _points(figures.rate_against_latency(group, "endToEndLatency99pct"))
    assert [(point.y, point.flawed) for point in points] == [(2.0, False), (9.0, True)]
    assert {point.x_axis for point in points} == {"publish rate (msg/s)"}
    assert all(point.y_axis.endswith("(ms)") for point in points)


def test_points_of_a_sweep_have_the_name_of_the_percentile(tmp_path: Path) -> None:
    sweep = synthetic.rate_sweep(2000, {1000: 1.0, 2000: 2.0, 4000: 30.0}, refused=(4000,))
    group = _group(tmp_path, synthetic.result("sweep", "kafka", 1000, 2.0, rateSweep=sweep))
    with drawing():
        points = _points(load_curve.latency_over_load(group))
    assert {point.series for point in points} == {"kafka p50", "kafka p99", "kafka p99.9"}
    assert {point.x for point in points if point.flawed} == {3200.0}


def test_cells_of_a_heat_map_have_their_ends_and_samples(golden: Path) -> None:
    (run,) = read([golden / "redis-1kb.json"]).runs
    intervals = read_intervals(run.hdr_log, "measure-endToEnd")
    assert not isinstance(intervals, Problem)
    with drawing():
        points = _points(figures.heat_map(run, "endToEndLatency", intervals))
    assert all(point.low is not None and point.high is not None and point.ends == "cell" for point in points)
    assert all(point.low < point.y < point.high for point in points if point.low and point.high)
    samples = sum(sum(interval.counts) / (interval.end_s - interval.start_s) for interval in intervals)
    assert sum(point.samples or 0 for point in points) == pytest.approx(samples)


def test_published_numbers_stand_beside_the_measured_with_the_name_of_the_system(tmp_path: Path) -> None:
    folder = synthetic.plan_folder(tmp_path / "plan", "ramadan-2026", repetitions=3)
    shutil.copy(HOME / "workloads/ramadan-2026/published.yaml", folder)
    (folder / "claims.json").unlink()
    (plan,) = read([folder]).plans
    tables = {picture.name: picture for picture in studies.pictures(plan)}
    with drawing():
        points = _points(tables["ramadan-2026-table-1"].draw())
    assert {"kafka", "rabbitmq", "kafka, published", "rabbitmq, published"} == {point.series for point in points}
    published = next(value for value in plan.published if value.source.startswith("Table 1"))
    same = [point for point in points if point.series == f"{published.system}, published"]
    assert any(point.y == pytest.approx(published.value, rel=1e-6) for point in same)
    assert {point.ends for point in same} == {"standard deviation"}
    assert {point.ends for point in points if point.series == "kafka"} == {"95 % interval"}


def test_caption_and_points_say_how_many_runs_were_left_out(tmp_path: Path) -> None:
    folder = synthetic.plan_folder(tmp_path / "plan", "kaczor-2022", repetitions=3)
    for verdict, name in (("INVALID", "tools-rabbitmq-tools-0-1"), ("FAILED", "tools-kafka-tools-0-3")):
        file = folder / f"runs/{name}.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | {"verdict": verdict}))
    (plan,) = read([folder]).plans
    drawn = pictures.draw_all(
        [picture for picture in studies.pictures(plan) if picture.name.endswith(("figure-7", "figure-8"))], tmp_path
    )
    name = "kaczor-2022-figure-7"
    assert drawn.captions[name].endswith(
        ", of 2 runs; left out: 1 of 3 runs of kafka-tools, 1 of 3 runs of rabbitmq-tools (failed, INVALID)"
    )
    assert drawn.captions["kaczor-2022-figure-8"].endswith("95 % interval, of 3 runs")
    with (tmp_path / f"{name}.csv").open(newline="") as file_of_points:
        rows = {(row["series"], row["x"]): (row["runs"], row["left_out"]) for row in csv.DictReader(file_of_points)}
    assert rows == {
        (system, x): ("2", "1") for system in ("kafka-tools", "rabbitmq-tools") for x in ("sent", "received")
    }


def test_a_caption_says_how_many_rates_are_no_figures_to_rely_on(tmp_path: Path) -> None:
    folder = synthetic.plan_folder(tmp_path / "plan", "kaczor-2022", repetitions=3)
    file = folder / "runs/tools-kafka-tools-0-3.json"
    search = {"range": {"low": 1, "high": None, "found": False}}
    file.write_text(json.dumps(json.loads(file.read_text()) | {"search": search}))
    (plan,) = read([folder]).plans
    drawn = pictures.draw_all([each for each in studies.pictures(plan) if each.name.endswith("figure-7")], tmp_path)
    assert drawn.captions["kaczor-2022-figure-7"].endswith(
        ", of 2 to 3 runs; left out: 1 of 3 runs of kafka-tools (no figure to rely on)"
    )


def test_the_file_of_the_points_says_what_the_ends_of_each_are(tmp_path: Path) -> None:
    """A mean with its deviation, an interval of three runs, a range of two, and single numbers in one picture."""
    folder = synthetic.plan_folder(tmp_path / "plan", "maharjan-2023", repetitions=3)
    for case, repetition in ((1, 2), (1, 3), (2, 3)):
        (folder / f"runs/throughput-kafka-{case}-{repetition}.json").unlink()
    (folder / "claims.json").unlink()
    common = "source: Table 9, experiment: throughput, system: kafka, metric: publishRate, unit: msg/s"
    (folder / "published.yaml").write_text(
        "study: maharjan-2023\nvalues:\n"
        f'  - {{{common}, case: "100 B", value: 20000}}\n'
        f'  - {{{common}, case: "1 KB", value: 9000, sd: 700}}\n'
        f'  - {{{common}, case: "10 KB", value: 5000}}\n'
    )
    (plan,) = read([folder]).plans
    (table,) = (picture for picture in studies.pictures(plan) if "table" in picture.name)
    drawn = pictures.draw_all([table], tmp_path, formats=("csv",))
    assert drawn.names == ["maharjan-2023-table-9"]
    with (tmp_path / "maharjan-2023-table-9.csv").open(newline="") as file:
        rows = {(row["series"], row["x"]): (row["ends"], bool(row["low"])) for row in csv.DictReader(file)}
    assert rows == {
        ("kafka", "100 B"): ("", False),
        ("kafka", "1 KB"): ("range", True),
        ("kafka", "10 KB"): ("95 % interval", True),
        ("kafka, published", "100 B"): ("", False),
        ("kafka, published", "1 KB"): ("standard deviation", True),
        ("kafka, published", "10 KB"): ("", False),
    }


def test_every_picture_of_every_study_has_points(tmp_path: Path) -> None:
    for study in STUDIES:
        (plan,) = read([synthetic.plan_folder(tmp_path / study, study, repetitions=1)]).plans
        with drawing():
            for picture in studies.pictures(plan):
                figure = picture.draw()
                if isinstance(figure, Figure):
                    assert list(plotted.points(figure)), picture.name


# Figures for a paper


def _charts(*arguments: object) -> int:
    return cli.charts([str(argument) for argument in arguments])


def _svg_mm(path: Path) -> float:
    found = re.search(r'<svg[^>]* width="([0-9.]+)pt"', path.read_text())
    assert found is not None
    return float(found[1]) / 72 * 25.4


def test_a_figure_has_the_width_and_the_font_that_was_asked_for_and_no_title(
    golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "smoke-kafka-1kb-rates"
    options = ("--figure", name, "--width", "85mm", "--font", "dejavu serif", "--font-size", "7pt")
    assert _charts(golden, "-o", tmp_path, *options) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("benchmark.bib", *(f"{name}.{ending}" for ending in ("csv", "pdf", "png", "svg"))),
    ]
    assert "@misc{messaging-benchmark," in (tmp_path / "benchmark.bib").read_text()
    assert _svg_mm(tmp_path / f"{name}.svg") == pytest.approx(85, abs=0.1)
    svg = (tmp_path / f"{name}.svg").read_text()
    assert "DejaVu Serif" in svg
    assert "7px" in svg
    assert ">Publish and consume rate<" not in svg
    assert f"{name}.{{png,svg,pdf,csv}}: Publish and consume rate. smoke-kafka-1kb" in capsys.readouterr().out
    pdf = (tmp_path / f"{name}.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert b"/CreationDate" not in pdf
    assert b"/Type3" not in pdf
    with (tmp_path / f"{name}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["series"] for row in rows} == {"Kafka publish", "Kafka consume", "Redis publish", "Redis consume"}


@pytest.mark.parametrize("width_mm", [60.0, 85.0, 180.0])
def test_a_figure_of_any_width_is_readable(golden: Path, tmp_path: Path, width_mm: float) -> None:
    (plan,) = read([synthetic.plan_folder(tmp_path, "kaczor-2022", repetitions=2)]).plans
    some = [
        *(p for p in studies.pictures(plan) if p.name.endswith(("figure-1", "table-2"))),
        *pictures.general(read([golden]), each_workload=True),
    ]
    drawn = 0
    for picture in some:
        with drawing():
            figure = picture.draw()
            if not isinstance(figure, Figure):
                continue
            paper.fit(figure, paper.Layout(width_mm, None, 8))
            figure.draw_without_rendering()
        drawn += 1
        assert figure.bbox.width / figure.dpi * 25.4 == pytest.approx(width_mm)
        for part in (*figure.axes, *figure.legends):
            box = part.get_tightbbox()
            assert box is not None
            assert box.x0 >= -1, picture.name
            assert box.x1 <= figure.bbox.width + 1, picture.name
        assert not any(
            old.get_window_extent().overlaps(ax.get_window_extent()) for old in figure.legends for ax in figure.axes
        )
    assert drawn > 10


def _sizes(figure: Figure) -> set[float]:
    """Of all text that is shown."""
    return {
        round(float(text.get_fontsize()), 2) for text in figure.findobj(Text) if text.get_text() and text.get_visible()
    }


@pytest.mark.parametrize(("size_pt", "least"), [(8, 6), (6, 6), (5, 5)])
@pytest.mark.parametrize("name", ["tables-3-and-4", "figure-1"])
def test_no_text_is_smaller_than_a_journal_prints_nor_larger_than_asked_for(
    kaczor: PlanResult, name: str, size_pt: float, least: float
) -> None:
    with drawing():
        figure = _picture(kaczor, name)
        paper.fit(figure, paper.Layout(60, None, size_pt))
        figure.draw_without_rendering()
    sizes = _sizes(figure)
    assert min(sizes) >= least
    assert max(sizes) <= size_pt


def test_a_shortened_plan_says_so_at_its_axis_and_in_each_row(tmp_path: Path) -> None:
    (plan,) = read([synthetic.plan_folder(tmp_path, "kaczor-2022", repetitions=1, time_scale=0.05)]).plans
    with drawing():
        figure = _picture(plan, "figure-3")
    points = list(plotted.points(figure))
    assert {point.time_scale for point in points} == {0.05}
    assert "500 × 0.05 messages" in {point.x for point in points}
    assert "times and counts × 0.05" in paper.caption(figure)


@pytest.fixture(scope="module")
def kaczor(tmp_path_factory: pytest.TempPathFactory) -> PlanResult:
    """The plan of a study with published numbers beside the measured ones."""
    folder = synthetic.plan_folder(tmp_path_factory.mktemp("kaczor"), "kaczor-2022", repetitions=3)
    shutil.copy(HOME / "workloads/kaczor-2022/published.yaml", folder)
    (folder / "claims.json").unlink()
    (plan,) = read([folder]).plans
    return plan


def _picture(plan: PlanResult, name: str) -> Figure:
    figure = next(picture for picture in studies.pictures(plan) if picture.name == f"{plan.study}-{name}").draw()
    assert isinstance(figure, Figure)
    return figure


@pytest.mark.parametrize("width_mm", [60.0, 85.0, 120.0])
@pytest.mark.parametrize("name", ["tables-3-and-4", "table-2", "figure-7", "figure-1"])
def test_numbers_over_bars_of_any_width_do_not_overlap(kaczor: PlanResult, name: str, width_mm: float) -> None:
    with drawing():
        figure = _picture(kaczor, name)
        paper.fit(figure, paper.Layout(width_mm, None, 8))
        figure.draw_without_rendering()
    (ax,) = figure.axes
    boxes = [text.get_window_extent() for text in ax.texts if text.get_visible()]
    assert boxes
    assert not any(first.overlaps(second) for first, second in itertools.combinations(boxes, 2))
    assert all(box.y1 <= figure.bbox.height for box in boxes)


def test_lines_over_points_end_within_the_axis(kaczor: PlanResult) -> None:
    wide = tuple(replace(each, sd=0.95 * each.value) for each in kaczor.published)
    with drawing():
        figure = _picture(replace(kaczor, published=wide), "tables-3-and-4")
    ends = {point.low: point for point in plotted.points(figure) if point.low is not None}
    lowest = ends[min(ends)]
    assert lowest.ends == "standard deviation"
    assert lowest.low == pytest.approx(0.05 * lowest.y)
    low, high = figure.axes[0].get_ylim()
    assert low < min(ends)
    assert high > max(point.high for point in ends.values() if point.high is not None)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--figure", "rates"), "--figure must be the name of a figure of these results, such as "),
        (("--figure", "*", "--width", "85"), "--width must be a number with mm, cm, in or pt, such as 85mm, got '85'"),
        (("--figure", "*", "--width", "2m"), "got '2m'"),
        (("--figure", "*", "--width", "1mm"), "--width must be from 40 to 400 mm, got '1mm'"),
        (("--figure", "*", "--font", "DejaVu Sanz"), "got 'DejaVu Sanz': did you mean DejaVu Sans"),
        (("--figure", "*", "--font-size", "80pt"), "--font-size must be from 4pt to 24pt, got '80pt'"),
        (("--width", "85mm"), "--width needs --artefact, or --figure"),
        (("--font-size", "8pt"), "--font-size needs --artefact, or --figure"),
        (("--artefact", "--width", "85"), "--width must be a number with mm"),
        (("--figure", "*", "--artefact"), "cannot be combined with --artefact"),
        (("--artefact", "--report-only"), "cannot be combined with --report-only"),
    ],
)
def test_a_wrong_option_is_refused_with_the_rule_and_the_value(
    golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], reason: str
) -> None:
    assert _charts(golden / "redis-1kb.json", "-o", tmp_path / "out", *options) == 2
    assert reason in capsys.readouterr().err


def test_the_message_for_an_unknown_figure_suggests_similar_ones(
    golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _charts(golden, "-o", tmp_path, "--figure", "smoke-kafka-1kb-rate") == 2
    assert "smoke-kafka-1kb-rates" in capsys.readouterr().err


def test_the_names_of_all_figures_are_listed(golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "figures"
    assert _charts(golden, "-o", out, "--figure", "list") == 0
    names = capsys.readouterr().out.splitlines()
    assert {"smoke-kafka-1kb-rates", "comparison-publish-rate"} <= set(names)
    assert not out.exists()


def test_widths_are_in_any_unit() -> None:
    assert [paper.parse_width(text) for text in ("85mm", "8.5 cm", "3.5in", "252pt")] == [
        pytest.approx(85),
        pytest.approx(85),
        pytest.approx(88.9),
        pytest.approx(88.9),
    ]


# The artefact


def test_an_artefact_has_results_figures_setup_versions_and_how_to_run_again(golden: Path, tmp_path: Path) -> None:
    out = tmp_path / "artefact"
    source = tmp_path / "results"
    source.mkdir()
    for name in ("redis-1kb.json", "redis-1kb.hlog", "kafka-1kb.json"):
        shutil.copy(golden / name, source)
    (source / "notes.txt").write_text("private")
    assert _charts(source, "-o", out, "--artefact", "--title", "My paper") == 0

    assert sorted(path.name for path in out.iterdir()) == [
        *("CITATION.cff", "README.md", "SHA256SUMS", "figures", "references.bib", "report.html", "results", "setup"),
    ]
    assert sorted(path.name for path in (out / "results/results").iterdir()) == [
        *("kafka-1kb.json", "redis-1kb.hlog", "redis-1kb.json"),
    ]
    readme = (out / "README.md").read_text()
    assert readme.startswith("# My paper\n")
    result = json.loads((golden / "kafka-1kb.json").read_text())
    for version in (result["environment"]["jdk"], result["clientVersion"], result["environment"]["benchmarkVersion"]):
        assert version in readme
    commands = re.findall(r"`bin/benchmark -d \$ARTEFACT/(\S+) \$ARTEFACT/(\S+)`", readme)
    assert len(commands) == 2
    configurations = [
        (yaml.safe_load((out / driver).read_text()), yaml.safe_load((out / workload).read_text()))
        for driver, workload in commands
    ]
    assert (result["driverConfig"], result["workloadConfig"]) in configurations
    assert "[smoke-kafka-1kb-rates](figures/smoke-kafka-1kb-rates.pdf)" in readme
    for link in re.findall(r"]\(([^)]+)\)", readme):
        assert (out / link).is_file()
    assert read([out / "results"]).runs
    lines = (line.split("  ") for line in (out / "SHA256SUMS").read_text().splitlines())
    told = {name: digest for digest, name in lines}
    assert told == {
        path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in out.rglob("*")
        if path.is_file() and path.name != "SHA256SUMS"
    }


def test_an_artefact_has_figures_of_a_column_and_one_version(
    golden: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def one(results: Results, *, each_workload: bool) -> list[pictures.Picture]:
        group = groups_of(results.runs)[0]
        bars = [partial(figures.comparison, [group], name) for name in ("publishMBPerSec", "kneeRate")]
        return [pictures.Picture(f"bars-{number}", draw) for number, draw in enumerate(bars)]

    monkeypatch.setattr(pictures, "general", one)
    results, out = tmp_path / "results", tmp_path / "artefact"
    folder = synthetic.plan_folder(results, "maharjan-2023", repetitions=1)
    for file in folder.glob("runs/*.json"):
        made = json.loads(file.read_text())
        made["environment"]["benchmarkVersion"] = "0.1.0+1fb98908"
        file.write_text(json.dumps(made))
    assert _charts(folder, "-o", out, "--artefact", "--width", "60mm", "--font", "DejaVu Serif") == 0

    drawn = sorted((out / "figures").glob("*.svg"))
    assert {"bars-0.svg", "maharjan-2023-figure-2.svg"} <= {path.name for path in drawn}
    for path in drawn:
        assert _svg_mm(path) == pytest.approx(60, abs=0.1)
    assert (
        "bin/charts $ARTEFACT/results/results -o figures --figure '*' --width 60mm --font 'DejaVu Serif'\n"
        in (out / "README.md").read_text()
    )
    assert yaml.safe_load((out / "CITATION.cff").read_text())["version"] == "0.1.0+1fb98908"
    assert "version 0.1.0+1fb98908}" in (out / "references.bib").read_text()
    page = re.findall(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)", (out / "report.html").read_text())
    assert any(b"Throughput in events a second" in base64.b64decode(each) for each in page), "with its title"
    assert re.search(rf"{len(drawn)} pictures as PNG.*; 1 more would show nothing;", capsys.readouterr().out)


def _write(folder: Path, files: Mapping[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def _set_manifest(folder: Path, plan: Path, ran: Mapping[str, str], **keys: int) -> None:
    """Makes the manifest say that this plan ran, with the contents of its files."""
    manifest = json.loads((folder / "manifest.json").read_text())
    digests = {name: hashlib.sha256(content.encode()).hexdigest() for name, content in ran.items()}
    manifest |= {"file": str(plan), "digests": digests} | keys
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_an_artefact_of_a_plan_has_the_files_that_ran_and_names_those_that_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The pictures have tests of their own.
    monkeypatch.setattr(pictures, "general", lambda _results, **_options: [])
    folder = synthetic.plan_folder(tmp_path / "run", "maharjan-2023", repetitions=1, time_scale=0.1)
    there = tmp_path / "there"
    files = {"plans/plan.yaml": "name: p", "plans/w.yaml": "name: w", "driver.yaml": "name: d"}
    _write(there, files)
    ran = {"plan.yaml": "name: p", "w.yaml": "as it was", "../driver.yaml": "name: d"}
    _set_manifest(folder, there / "plans/plan.yaml", ran, repetitions=1)
    out = tmp_path / "artefact"
    assert _charts(folder, "-o", out, "--artefact") == 0

    setup = out / "setup/maharjan-2023"
    assert sorted(path.relative_to(setup).as_posix() for path in setup.rglob("*.yaml")) == [
        *("driver.yaml", "plans/plan.yaml"),
    ]
    readme = (out / "README.md").read_text()
    assert (
        "bin/benchmark plan $ARTEFACT/setup/maharjan-2023/plans/plan.yaml --time-scale 0.1 --repetitions 1\n" in readme
    )
    assert "were moved or changed since: plans/w.yaml" in readme
    references = (out / "references.bib").read_text()
    assert references.index("@misc{messaging-benchmark,") < references.index("@article{maharjan-2023,")
    assert "figures/maharjan-2023-figure-2.pdf" in readme


def test_an_artefact_finds_a_plan_that_has_moved_among_the_installed_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "general", lambda _results, **_options: [])
    monkeypatch.setattr(reading, "HOME", tmp_path / "home")
    folder = synthetic.plan_folder(tmp_path / "run", "maharjan-2023", repetitions=1)
    installed = tmp_path / "home/workloads/study"
    ran = {"plan.yaml": "name: p", "../../driver.yaml": "name: d"}
    published = "study: maharjan-2023\ncitation: Maharjan et al.\n"
    _write(installed, ran | {"other.yaml": "name: o", "published.yaml": published})
    _set_manifest(folder, Path("/gone/workloads/study/plan.yaml"), ran)
    out = tmp_path / "artefact"
    assert _charts(folder, "-o", out, "--artefact") == 0

    setup = out / "setup/maharjan-2023"
    assert sorted(path.relative_to(setup).as_posix() for path in setup.rglob("*.yaml")) == [
        *("driver.yaml", "workloads/study/plan.yaml", "workloads/study/published.yaml"),
    ]
    readme = (out / "README.md").read_text()
    assert "bin/benchmark plan $ARTEFACT/setup/maharjan-2023/workloads/study/plan.yaml" in readme
    assert "moved or changed" not in readme
    (plan,) = read([folder]).plans
    assert plan.citation == "Maharjan et al."


def test_an_artefact_overwrites_nothing_and_does_not_copy_itself(
    golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(golden / "kafka-1kb.json", tmp_path)
    assert _charts(tmp_path, "-o", tmp_path / "out", "--artefact") == 2
    assert "must not be inside" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert _charts(golden, "-o", tmp_path, "--artefact") == 2
    assert "needs a new or empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["kafka-1kb.json"]


# Citations


# The schema of version 1.2.0 allows no others.
_KEYS_OF_CFF = {
    *("abstract", "authors", "cff-version", "commit", "contact", "date-released", "doi", "identifiers", "keywords"),
    *("license", "license-url", "message", "preferred-citation", "references", "repository", "repository-artifact"),
    *("repository-code", "title", "type", "url", "version"),
}


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((HOME / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= set(citation) <= _KEYS_OF_CFF
    released = not citation["version"].endswith("-SNAPSHOT")
    assert ("date-released" in citation) == released, "a release has the date of its tag, YYYY-MM-DD"
    assert isinstance(citation.get("date-released", date.min), date)
    own = re.search(r"<version>([^<]+)</version>", (HOME / "pom.xml").read_text())
    assert own is not None
    assert citation["version"] == own[1]
    assert citation["license"] == "Apache-2.0"


def test_the_benchmark_has_an_entry_for_bibtex_with_the_versions_that_ran(golden: Path) -> None:
    citation = yaml.safe_load((HOME / "CITATION.cff").read_text())
    results = read([golden])
    version = json.loads((golden / "kafka-1kb.json").read_text())["environment"]["benchmarkVersion"]
    assert citing.references(results) == (
        "% No year and url: CITATION.cff has none, since this is no published release.\n"
        "@misc{messaging-benchmark,\n"
        f"  author       = {{{{{citation['authors'][0]['name']}}}}},\n"
        f"  title        = {{{{{citation['title']}}}}},\n"
        f"  howpublished = {{Software, version {version}}},\n"
        "}\n"
    )


def test_a_citation_with_people_a_date_and_addresses_is_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(citing, "CITATION", tmp_path / "CITATION.cff")
    citing.CITATION.write_text(
        "title: Brokers & more\nversion: 1.2_3\ndate-released: 2027-03-01\ndoi: 10.5281/zenodo.1\n"
        "repository-code: https://example.org/it\n"
        "authors: [{family-names: Doe, given-names: Jane}, {name: A & B}]\n"
    )
    synthetic.write(tmp_path, "a", synthetic.omb_result("w", "kafka", 100, 1.0))
    entry = citing.references(read([tmp_path / "a.json"]))
    fields = dict(re.findall(r"^  (\w+) *= \{(.+)\},$", entry, re.MULTILINE))
    assert fields == {
        "author": r"Doe, Jane and {A \& B}",
        "title": r"{Brokers \& more}",
        "howpublished": r"Software, version 1.2\_3",
        "year": "2027",
        "doi": "10.5281/zenodo.1",
        "url": "https://example.org/it",
    }


@pytest.mark.parametrize("study", STUDIES)
def test_each_study_has_an_entry_for_bibtex(study: str) -> None:
    text = (HOME / "workloads" / study / "study.bib").read_text()
    assert text.count("{") == text.count("}")
    assert re.findall(r"@\w+\{([^,]+),", text) == [study]
    fields = dict(re.findall(r"^  (\w+) *= (.+),$", text, re.MULTILINE))
    assert fields["year"] == f"{{{study[-4:]}}}"
    title = re.sub(r"[{}]", "", fields["title"]).replace("---", "—")
    readme = (HOME / "workloads" / study / "README.md").read_text()
    told = re.search(r"\*([^*]+)\*", readme)
    assert told is not None
    # The README's may be shorter.
    first = told[1].replace("JVM-Based", "").split()[:4]
    assert all(word in title for word in first), (title, told[1])
    assert "study.bib" in (HOME / "workloads/README.md").read_text()
