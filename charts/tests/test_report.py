"""The page and bin/charts."""

import base64
import json
import re
import shutil
from pathlib import Path

import plotly.graph_objects
import pytest

from omb_charts import cli, pictures, wording
from omb_charts.reading import read
from omb_charts.report import render
from tests import synthetic
from tests.pages import charts_in, figure_of, matrix_in

pytestmark = pytest.mark.pictures


def _charts(page: str) -> list[dict[str, object]]:
    """Those of any metric, and of each workload."""
    data = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    charts: list[dict[str, object]] = json.loads(data[1])["metrics"]
    for block in re.findall(r'<script id="block-\d+" type="application/json">(.*?)</script>', page, re.DOTALL):
        charts += json.loads(block)
    return charts


def _page_alone(page: str) -> str:
    """Without the library's code."""
    return max(re.split(r"<script>", page), key=lambda part: "<main>" in part)


def test_the_page_needs_nothing_from_elsewhere(golden: Path) -> None:
    page = render(read([golden]), "Title", None, {})
    alone = _page_alone(page)
    assert "<h1>Title</h1>" in alone
    assert not re.search(r'(src|href)="(?!#|data:)', alone)
    assert "@import" not in alone
    assert "url(" not in alone
    assert "Plotly" in page


def test_each_chart_of_the_data_is_one_that_plotly_knows_and_has_no_legend(golden: Path) -> None:
    charts = _charts(render(read([golden]), "Title", None, {}))
    assert len(charts) > 20
    for chart in charts:
        figure = plotly.graph_objects.Figure({"data": chart["data"], "layout": chart["layout"]})
        assert not figure.layout.showlegend, chart["title"]
        assert all(trace.meta for trace in figure.data), "the page's script knows the systems by it"


def test_a_charts_axes_have_units_and_its_lines_the_periods(golden: Path) -> None:
    charts = charts_in(golden, "smoke-kafka-1kb")
    assert list(charts)[:3] == [
        "End-to-end latency from the intended send: p50, p99, p99.9 from the left",
        "Distribution of end-to-end latency from the intended send",
        "End-to-end latency from the intended send p99 over time",
    ]
    rates = figure_of(charts["Publish rate over time"])
    assert rates.layout.yaxis.title.text == "msg/s"
    assert rates.layout.xaxis.title.text == "time since the measurement began (s)"
    assert {trace.meta for trace in rates.data} == {"Kafka", "Redis"}
    assert all(len(trace.x) == len(trace.y) == 6 for trace in rates.data)
    latency = figure_of(charts["End-to-end latency from the intended send p99 over time"])
    assert latency.layout.yaxis.type == "log"
    assert "1 ms" in latency.layout.yaxis.ticktext


def test_names_in_results_cannot_become_markup(tmp_path: Path) -> None:
    evil = '</script><script>alert("x")</script><b>'
    synthetic.write(tmp_path, "a", synthetic.result(evil, evil, 100, 1.0))
    page = render(read([tmp_path]), evil, None, {})
    assert "<script>alert" not in page
    assert "<b>" not in _page_alone(page)


def test_all_that_is_known_of_a_run_is_behind_its_fold(golden: Path) -> None:
    page = render(read([golden / "kafka-1kb.json"]), "Title", None, {})
    for expected in ("workloadConfig", "driverConfig", "bootstrap.servers", "Apache Kafka", "processors"):
        assert expected in page


def test_each_worker_of_a_run_has_a_row(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "Kafka", 100, 1.0, **synthetic.two_workers()))
    page = render(read([tmp_path]), "Title", None, {})
    table = re.search(r'<table class="workers">(.*?)</table>', page, re.DOTALL)
    assert table is not None
    rows = re.findall(r"<tr>(.*?)</tr>", table[1], re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
    assert cells[0][0] == "worker"
    assert cells[0][2:4] == ["published (msg/s)", "received (K msg/s)"]
    assert cells[0][5:8] == ["clock known within ± (µs)", "clock drift (ppm)", "round trip (µs)"]
    assert cells[1] == [
        "worker 1 (w1:8080)",
        "2 + 4",
        "50",
        "12",
        "0.35 of 8",
        "150",
        "-12.50",
        "61",
        "0",
        "17",
    ]
    assert cells[2][0] == "worker 2 (w2:8080), lost: its process was restarted"
    assert cells[2][5:8] == ["—", "—", "—"]


def test_a_run_without_workers_of_its_own_has_no_table_of_them(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "Kafka", 100, 1.0))
    assert 'class="workers"' not in render(read([tmp_path]), "Title", None, {})


def test_the_pages_charts_have_the_band_of_the_clocks(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "Kafka", 100, 1.0, periods=4, **synthetic.two_workers()))
    charts = charts_in(tmp_path)
    for title in (
        "End-to-end latency from the intended send p99 over time",
        "Distribution of end-to-end latency from the intended send",
    ):
        low, high, line = figure_of(charts[title]).data
        assert high.fill == "tonexty"
        assert all(a <= b <= c for a, b, c in zip(low.y, line.y, high.y, strict=True))
        assert low.meta == high.meta == line.meta == "Kafka"
        assert high.fillcolor == line.line.color + "33"
    assert not any(trace.fill for trace in figure_of(charts["Publish rate over time"]).data)


def test_what_omb_does_not_know_is_shown_as_missing(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.omb_result("w", "Kafka", 5000, 4.0))
    page = render(read([tmp_path]), "Title", None, {})
    assert "1 no verdict" in page
    assert "The results do not say where they were measured." in page
    assert "1 of 1 results came from OMB: no verdict" in page
    row = re.search(r'id="table">.*?<tbody>(.*?)</tbody>', page, re.DOTALL)
    assert row is not None
    assert "—" in row[1]


def test_losses_come_first_and_what_is_many_is_behind_a_fold(tmp_path: Path) -> None:
    for number in range(14):
        for system in ("kafka", "redis"):
            made = synthetic.result(f"w{number}", system, 100, 1.0, seed=number)
            # Senders were held back, which is told of each.
            made["aggregatedScheduledEndToEndLatency99pct"] = 500.0
            if (number, system) == (7, "redis"):
                made = synthetic.result("w7", system, 100, 1.0, audit={"lost": 3})
            synthetic.write(tmp_path, f"{number}-{system}", made)
    results = read([tmp_path])
    found = wording.sentences(results)
    assert "messages lost: 3" in found[0]
    assert len(found) > 12
    page = render(results, "title", None, {})
    shown, folded = page.split('<ul id="findings">')[1].split("<details>")[:2]
    assert shown.count("<li>") == 12
    assert folded.startswith(f"<summary>{len(found) - 12} more</summary>")


def test_verdicts_findings_and_losses_are_in_words(tmp_path: Path) -> None:
    findings = [{"kind": "messagesLost", "severity": "INVALIDATES", "text": "3 messages were lost"}]
    made = synthetic.result("w", "kafka", 100, 1.0, verdict="INVALID", findings=findings, audit={"lost": 3})
    synthetic.write(tmp_path, "a", made)
    synthetic.write(tmp_path, "b", synthetic.result("w", "redis", 100, 1.0, verdict="FAILED", failure="it broke"))
    results = read([tmp_path])
    page = render(results, "Title", None, {})
    assert "1 INVALID" in page
    assert "3 messages were lost" in page
    assert "it broke" in page
    told = wording.sentences(results)
    assert told[0] == "FAILED: 1 of 2 runs ended with an error; charts of medians leave them out."
    assert "w on kafka: messages lost: 3 (a)." in told


def test_percentiles_of_few_samples_are_marked_and_the_undelivered_are_told(tmp_path: Path) -> None:
    few = {name: {"fewSamples": ["99.9", "99.99"]} for name in ("endToEnd", "scheduledEndToEnd")}
    made = synthetic.result("w", "kafka", 100, 1.0, latencies=few, audit={"lost": 0, "undelivered": 7})
    synthetic.write(tmp_path, "a", made)
    results = read([tmp_path])
    row = next(line for line in render(results, "title", None, {}).splitlines() if 'href="#run-0"' in line)
    assert row.count(">~") == 1
    (block,) = (matrix := matrix_in(tmp_path)).blocks
    marked = [
        column.head
        for column, figure in zip(matrix.columns, block.rows[0].figures, strict=True)
        if figure and "~" in figure.text
    ]
    assert marked == ["p99.9"]
    told = wording.sentences(results)
    assert "w on kafka: messages that had not arrived when the run ended: 7 (a)." in told


def test_what_a_lost_worker_left_unaudited_is_told(tmp_path: Path) -> None:
    audit = {"producers": 4, "lost": 0, "inDoubt": 11, "producersInDoubt": 2}
    synthetic.write(tmp_path, "a", synthetic.result("w", "kafka", 100, 1.0, audit=audit))
    told = wording.sentences(read([tmp_path]))
    assert told == [
        "w on kafka: messages known only to a lost worker: 11 (a).",
        "w on kafka: what 2 of 4 producers, on a lost worker, sent after the last known arrival is not audited (a).",
    ]


def test_an_slo_that_was_missed_is_on_the_page(tmp_path: Path) -> None:
    slo = {"passed": False, "bounds": [{"latency": "endToEndLatency99pct", "limitMs": 5.0, "valueMs": 9.0}]}
    findings = [{"kind": "SloMissed", "severity": "MISSES_SLO", "text": "SLO missed: endToEndLatency99pct"}]
    made = synthetic.result("w", "kafka", 100, 1.0, verdict="SLO_MISSED", findings=findings, slo=slo)
    synthetic.write(tmp_path, "a", made)
    results = read([tmp_path])
    page = render(results, "Title", None, {})
    assert "1 SLO_MISSED" in page
    assert "SLO_MISSED: the figures stand" in page
    assert "end-to-end latency p99 ≤ 5 ms: ✗ kafka 9 ms, met in 0 of 1" in page
    assert "INVALID: the run completed" not in page
    assert "SLO missed: endToEndLatency99pct" in page
    assert r"\"limitMs\": 5.0" in page
    assert wording.sentences(results)[0] == (
        "SLO_MISSED: 1 of 1 runs did what was asked and their figures stand, but a latency exceeded the workload's slo."
    )


def test_a_study_has_claims_with_what_was_measured_and_a_verdict(tmp_path: Path) -> None:
    synthetic.plan_folder(tmp_path, "maharjan-2023", repetitions=1, time_scale=0.1)
    claims = [
        {
            "id": "a",
            "source": "§6.1",
            "text": "Kafka leads.",
            "judgement": "holds",
            "reason": "",
            "values": [
                {
                    "metric": "publishRate",
                    "experiment": "throughput",
                    "system": "kafka",
                    "case": "10 B",
                    "n": 3,
                    "mean": 40000.0,
                    "ci95Low": 39000.0,
                    "ci95High": 41000.0,
                },
                {"metric": "hostCpuPercentSd", "system": "kafka", "case": "10 B", "n": 1, "mean": 3.5},
                {"metric": "hostCpuPercentSd", "system": "redis", "case": "10 B"},
            ],
        },
        {"id": "b", "source": "§6.2", "text": "Redis is quick.", "judgement": "not decidable", "reason": "one run"},
    ]
    (tmp_path / "claims.json").write_text(json.dumps({"study": "maharjan-2023", "claims": claims, "values": []}))
    page = render(read([tmp_path]), "Title", None, {})
    assert "Kafka leads." in page
    assert "kafka, 10 B: 40 K msg/s (39 K msg/s to 41 K msg/s), n = 3" in page
    assert "kafka, 10 B: standard deviation 3.5%, n = 1" in page
    assert "redis, 10 B: standard deviation of processor time" in page
    assert '<strong class="judgement not-decidable">not decidable</strong>' in page
    assert "of 2 claims 1 holds, 1 not decidable" in " ".join(page.split())
    assert page.index("run at 0.1 of the planned time") < page.index("<main>")


@pytest.mark.parametrize("report_only", [False, True])
def test_a_studys_figures_are_in_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, report_only: bool
) -> None:
    # The pictures of all results have tests of their own.
    monkeypatch.setattr(pictures, "general", lambda _results, **_options: [])
    synthetic.plan_folder(tmp_path / "plan", "maharjan-2023", repetitions=1)
    out = tmp_path / "out"
    assert cli.charts([str(tmp_path / "plan"), "-o", str(out), *(["--report-only"] if report_only else [])]) == 0
    page = (out / "report.html").read_text()
    for number in range(2, 8):
        picture = re.search(rf'id="maharjan-2023-figure-{number}"><img src="data:image/svg[+]xml;base64,([^"]+)"', page)
        assert picture is not None
        assert b"<svg" in base64.b64decode(picture[1])
        assert (out / f"maharjan-2023-figure-{number}.png").exists() is not report_only
    assert not re.search(r'(src|href)="(?!#|data:)', _page_alone(page))


def test_the_command_writes_page_and_pictures_and_names_what_it_left_out(
    golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "results"
    source.mkdir()
    shutil.copy(golden / "redis-1kb.json", source)
    shutil.copy(golden / "redis-1kb.hlog", source)
    (source / "broken.json").write_text('{"workload": ')
    synthetic.write(source, "failed", synthetic.result("w", "kafka", 1, 1.0, verdict="FAILED", failure="it broke"))
    assert cli.charts([str(source), "-o", str(tmp_path / "out")]) == 0
    told = capsys.readouterr()
    assert "broken.json: is not complete JSON" in told.err
    assert "failed.json: the run is FAILED: it broke; it is left out of medians" in told.err
    assert "2 results" in told.out
    out = tmp_path / "out"
    assert (out / "smoke-kafka-1kb-end-to-end-latency.png").stat().st_size > 5000
    assert "broken.json" in (out / "report.html").read_text()


def test_the_command_puts_two_sets_side_by_side(tmp_path: Path) -> None:
    for name, latency in (("old", 1.0), ("new", 3.0)):
        for seed in range(4):
            synthetic.write(tmp_path / name, f"r{seed}", synthetic.result("w", "kafka", 100, latency, seed=seed))
    arguments = [
        "--compare",
        str(tmp_path / "old"),
        str(tmp_path / "new"),
        "-o",
        str(tmp_path / "out"),
        "--report-only",
    ]
    assert cli.charts(arguments) == 0
    page = (tmp_path / "out" / "report.html").read_text()
    assert "<h2>old → new</h2>" in page
    assert "<strong>higher (worse)</strong>" in page
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.html"]


def test_nothing_to_draw_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert cli.charts([str(tmp_path / "empty"), "-o", str(tmp_path / "out")]) == 2
    assert cli.charts(["-o", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert "contains no result" in told
    assert "there are no results to draw" in told
    assert "give files or folders with results" in told


def test_two_hundred_results_fit_in_fifteen_megabytes(tmp_path: Path) -> None:
    for number in range(200):
        workload, system = f"workload {number % 25}", ("kafka", "redis", "rabbitmq", "pulsar")[number % 4]
        if number % 3:
            made = synthetic.result(workload, system, 1000, 2.0, periods=60, seed=number)
        else:
            made = synthetic.omb_result(workload, system, 1000, 2.0, periods=60, seed=number)
        synthetic.write(tmp_path, f"r{number:03}", made)
    page = render(read([tmp_path]), "Title", None, {})
    assert len(page.encode()) < 15e6
    assert page.count('<details id="run-') == 200
