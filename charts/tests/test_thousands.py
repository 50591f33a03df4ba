"""A page of many results opens: what grows with them is bounded."""

import json
import re
from pathlib import Path

import pytest

from omb_charts import cli
from omb_charts.interactive import MOST_ROWS
from omb_charts.model import MOST_RUNS, groups_of, sample
from omb_charts.reading import read
from omb_charts.report import render
from tests import synthetic, thousands
from tests.pages import charts_in, metrics_in

pytestmark = pytest.mark.pictures


def test_hundreds_of_results_give_a_page_and_no_picture_unless_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    thousands.fill(tmp_path / "results", 520, 13)
    assert cli.charts([str(tmp_path / "results"), "-o", str(tmp_path / "out")]) == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.html"]
    assert "--each-workload draws their pictures" in capsys.readouterr().out
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    library = max(len(part) for part in re.split(r"</?script>", page))
    assert (len(page) - library) / 520 < 12_000, "characters a result"


def test_what_runs_have_in_common_is_in_the_page_once(tmp_path: Path) -> None:
    thousands.fill(tmp_path, 40, 2)
    page = render(read([tmp_path]), "Title", None, {})
    embedded = re.search(r'<script id="configurations"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert embedded is not None
    configurations = json.loads(embedded[1])
    assert len(configurations["texts"]) == len(set(configurations["texts"]))
    assert sum("bootstrap.servers" in text for text in configurations["texts"]) == 1
    assert len(configurations["runs"]) == 40
    for run in configurations["runs"]:
        parts = {name: json.loads(configurations["texts"][place]) for name, place in run}
        assert parts["driverConfig"]
        assert "environment" not in parts


def test_a_chart_of_hundreds_of_repetitions_has_lines_of_some_of_each_system(tmp_path: Path) -> None:
    for number in range(120):
        system = "redis" if number < 3 else "kafka"
        verdict = "FAILED" if number % 2 else "OK"
        made = synthetic.result("w", system, 100, 1.0, seed=number, verdict=verdict)
        synthetic.write(tmp_path, f"{number:03}", made)
    (group,) = groups_of(read([tmp_path]).runs)
    some = sample(group, MOST_RUNS)
    labels = [run.label for run in some.runs]
    assert (len(labels), labels.count("redis")) == (MOST_RUNS, 3)
    assert all(run.usable for run in some.runs if run.label == "kafka"), "those with figures first"
    assert [run.name for run in some.runs] == sorted(run.name for run in some.runs)
    assert sample(group, 120) is group
    assert len(charts_in(tmp_path)["Publish rate over time"].data) == MOST_RUNS


def test_the_chart_of_any_metric_is_of_as_many_workloads_as_can_be_looked_at(tmp_path: Path) -> None:
    for number in range(MOST_ROWS + 10):
        synthetic.write(tmp_path, f"{number:03}", synthetic.omb_result(f"w{number}", "kafka", 100, 1.0))
    for chart in metrics_in(tmp_path).values():
        assert len(chart.data) <= MOST_ROWS
    page = render(read([tmp_path]), "Title", None, {})
    assert f"of the first {MOST_ROWS} of {MOST_ROWS + 10} workloads" in page
