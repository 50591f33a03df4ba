"""Result files, folders and plans' result folders, good ones and others."""

import json
import shutil
from pathlib import Path

import pytest

from omb_charts import reading
from omb_charts.hdr_log import read_intervals
from omb_charts.matrix import matrix_of
from omb_charts.model import Problem, groups_of
from omb_charts.reading import read
from omb_charts.report import render
from omb_charts.result_file import system_of
from tests import synthetic


def test_a_real_result_is_read_with_times_units_and_resources(golden: Path) -> None:
    (run,) = read([golden / "kafka-1kb.json"]).runs
    assert (run.ours, run.workload, run.driver, run.system, run.verdict) == (
        True,
        "smoke-kafka-1kb",
        "Kafka",
        "kafka",
        "OK",
    )
    raw = json.loads(run.source.read_text())
    assert run.metrics["publishRate"] == raw["rates"]["publish"]
    assert run.metrics["publishMBPerSec"] == pytest.approx(raw["rates"]["publish"] * 1024 / 1e6)
    assert run.metrics["endToEndLatency99pct"] == raw["latencies"]["endToEnd"]["percentilesNs"]["99"] / 1e6
    assert len(run.spans) == len(run.series["publishRate"]) == 6
    assert run.spans[0].start_s == 0
    assert run.spans[-1].end_s == pytest.approx(30, abs=0.2)
    assert run.metrics["brokerCpuCores"] > 0
    assert len(run.series["brokerMemoryBytes"]) == 6
    assert run.spectra["scheduledEndToEndLatency"].percentiles[-1] == 100


def test_a_result_of_an_earlier_version_has_rates_and_latencies_only(tmp_path: Path) -> None:
    content = synthetic.result("w", "kafka", 100, 1.0)
    del content["metrics"], content["metricsByPeriod"]
    (run,) = read([synthetic.write(tmp_path, "r", content)]).runs
    assert run.metrics["publishRate"] == pytest.approx(sum(content["publishRate"]) / 6)
    assert run.metrics["endToEndLatency99pct"] == content["aggregatedEndToEndLatency99pct"]
    assert "brokerCpuCores" not in run.metrics
    assert "brokerCpuCores" not in run.series


def test_a_searchs_tries_are_read(golden: Path) -> None:
    (run,) = read([golden / "kafka-search.json"]).runs
    assert [a_try.sustained for a_try in run.tries][:2] == [True, True]
    assert run.metrics["sustainableRate"] == max(a_try.target_rate for a_try in run.tries if a_try.sustained)


def test_omb_results_have_rates_and_latencies_and_lack_the_rest(tmp_path: Path) -> None:
    content = synthetic.omb_result("1 topic", "Kafka", 5000, 4.0)
    (run,) = read([synthetic.write(tmp_path, "omb", content)]).runs
    assert not run.ours
    assert run.verdict is None
    assert run.usable
    assert run.spans == ()
    assert run.metrics["publishRate"] == pytest.approx(sum(content["publishRate"]) / 6)
    assert run.metrics["endToEndLatency99pct"] == content["aggregatedEndToEndLatency99pct"]
    assert "brokerCpuCores" not in run.metrics


def test_an_older_omb_result_without_a_size_has_no_bytes(tmp_path: Path) -> None:
    content = synthetic.omb_result("1 topic", "Kafka", 5000, 4.0)
    for name in ("messageSize", "topics", "partitions", "producersPerTopic", "consumersPerTopic"):
        del content[name]
    (run,) = read([synthetic.write(tmp_path, "old", content)]).runs
    assert "publishMBPerSec" not in run.metrics


def test_latencies_that_were_not_measured_are_missing_rather_than_zero(tmp_path: Path) -> None:
    content = synthetic.result("send-only", "kafka", 100, 1.0, notMeasured=["endToEndLatency"])
    (run,) = read([synthetic.write(tmp_path, "r", content)]).runs
    assert "endToEndLatency99pct" not in run.metrics
    assert "endToEndLatency99pct" not in run.series
    assert "publishLatency99pct" in run.metrics


def test_what_is_no_result_is_named_and_the_rest_is_read(tmp_path: Path, golden: Path) -> None:
    shutil.copy(golden / "kafka-1kb.json", tmp_path / "good.json")
    (tmp_path / "truncated.json").write_text((golden / "kafka-1kb.json").read_text()[:5000])
    (tmp_path / "other.json").write_text('{"hello": "world"}')
    (tmp_path / "list.json").write_text("[1, 2]")
    (tmp_path / "newer.json").write_text('{"schemaVersion": 99, "workload": "w", "publishRate": []}')
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00\x80")
    (tmp_path / "calibration.json").write_text("{}")
    results = read([tmp_path, tmp_path / "missing.json"])
    assert [run.name for run in results.runs] == ["good"]
    told = {problem.path.name: problem.text for problem in results.problems}
    assert told.keys() == {"truncated.json", "other.json", "list.json", "newer.json", "binary.json", "missing.json"}
    assert told["truncated.json"].startswith("is not complete JSON (line 1, column ")
    assert told["other.json"] == "is not a result: it has no workload with a list publishRate"
    assert told["newer.json"] == "has schemaVersion 99; this program reads 1"
    assert told["missing.json"] == "does not exist"


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    (problem,) = read([tmp_path]).problems
    assert str(problem) == f"{tmp_path}: contains no result"


def test_a_file_that_is_named_twice_counts_once(golden: Path) -> None:
    results = read([golden, golden / "kafka-1kb.json"])
    assert len(results.runs) == 3


def test_a_failed_run_is_read_but_counts_in_no_mean(tmp_path: Path) -> None:
    content = synthetic.result("w", "kafka", 100, 1.0, verdict="FAILED", failure="broker died")
    (run,) = read([synthetic.write(tmp_path, "r", content)]).runs
    assert not run.usable
    assert run.failure == "broker died"


def test_ours_and_ombs_of_one_name_are_groups_apart(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "kafka", 100, 1.0))
    synthetic.write(tmp_path, "b", synthetic.omb_result("w", "Kafka", 100, 1.0))
    assert [(group.title, group.timed) for group in groups_of(read([tmp_path]).runs)] == [
        ("w", True),
        ("w (OMB)", False),
    ]


@pytest.mark.parametrize(
    ("driver_class", "names", "system"),
    [
        ("io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver", ("Kafka sync",), "kafka"),
        ("io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver", ("redpanda",), "redpanda"),
        (None, ("RabbitMQ-classic",), "rabbitmq"),
        (None, ("RocketMQ",), "rocketmq"),
        (None, ("NATS",), "nats"),
        (None, ("NSQ",), "NSQ"),
        ("io.openmessaging.benchmark.driver.inmemory.InMemoryBenchmarkDriver", ("x",), "inmemory"),
    ],
)
def test_the_system_is_known_from_class_or_name(driver_class: str | None, names: tuple[str, ...], system: str) -> None:
    assert system_of(driver_class, *names) == system


def test_a_plans_folder_is_read_with_its_cells(tmp_path: Path) -> None:
    synthetic.plan_folder(tmp_path, "maharjan-2023", repetitions=3, time_scale=0.1)
    results = read([tmp_path])
    (plan,) = results.plans
    assert (plan.study, plan.time_scale, len(plan.runs), len(plan.cells)) == ("maharjan-2023", 0.1, 132, 44)
    assert [cell.case for cell in plan.cells if cell.system == "redis"][:3] == ["10 B", "100 B", "1 KB"]
    assert plan.cells[0].metrics["publishRate"].n == 3
    assert results.runs[0].title == "maharjan-2023: throughput, 10 B"
    assert not results.problems


def test_a_plans_summary_claims_and_published_values_are_read(tmp_path: Path) -> None:
    synthetic.plan_folder(tmp_path, "maharjan-2023", repetitions=1)
    cell = {
        "experiment": "throughput",
        "system": "kafka",
        "case": "10 B",
        "parameters": {},
        "runs": 5,
        "invalid": 1,
        "failed": 2,
        "metrics": {"publishRate": {"n": 4, "mean": 9.0, "sd": 1.0, "ci95Low": 8.0, "ci95High": 10.0}},
    }
    (tmp_path / "summary.json").write_text(json.dumps({"plan": "p", "cells": [cell]}))
    claim = {
        "id": "a",
        "source": "§1",
        "text": "Kafka is fast.",
        "expression": "…",
        "judgement": "holds",
        "reason": "",
        "values": [
            {
                "metric": "publishRate",
                "experiment": "throughput",
                "system": "kafka",
                "case": "10 B",
                "n": 4,
                "mean": 9.0,
                "ci95Low": 8.0,
                "ci95High": 10.0,
            }
        ],
    }
    value = {
        "source": "Table 1",
        "metric": "publishRate",
        "experiment": "throughput",
        "system": "kafka",
        "case": "10 B",
        "published": 12.0,
        "publishedSd": 2.0,
        "n": 4,
        "mean": 9.0,
        "sd": 1.0,
        "ci95Low": 8.0,
        "ci95High": 10.0,
    }
    (tmp_path / "claims.json").write_text(json.dumps({"study": "s", "claims": [claim], "values": [value]}))
    (plan,) = read([tmp_path]).plans
    assert (plan.cells[0].runs, plan.cells[0].invalid, plan.cells[0].failed) == (5, 1, 2)
    assert plan.cells[0].metrics["publishRate"].high == 10.0
    assert plan.claims[0].judgement == "holds"
    assert plan.claims[0].values[0].estimate is not None
    assert (plan.published[0].value, plan.published[0].sd) == (12.0, 2.0)
    assert plan.published[0].measured is not None
    assert plan.published[0].measured.mean == 9.0


def test_runs_of_a_plan_that_were_not_done_are_told(tmp_path: Path) -> None:
    runs = [{"experiment": "e", "system": "s", "case": "c", "repetition": 2, "status": "failed", "reason": "no broker"}]
    (tmp_path / "manifest.json").write_text(json.dumps({"plan": "p", "runs": runs}))
    (plan,) = read([tmp_path]).plans
    assert plan.not_done == ("e, s, c, repetition 2: failed (no broker)",)


def test_published_values_are_found_beside_the_plans_file(tmp_path: Path) -> None:
    folder = synthetic.plan_folder(tmp_path / "results" / "run", "kaczor-2022", repetitions=1)
    (folder / "claims.json").unlink()
    study = tmp_path / "workloads" / "kaczor-2022"
    study.mkdir(parents=True)
    (folder / "manifest.json").write_text(
        '{"plan": "kaczor-2022", "file": "workloads/kaczor-2022/plan.yaml", "runs": []}'
    )
    (study / "published.yaml").write_text(
        "study: kaczor-2022\nvalues:\n"
        '  - {source: Table 2, experiment: own-application, system: kafka, case: "10 B x *"'
        ", metric: totalRate, value: 23676, unit: msg/s}\n"
    )
    (plan,) = read([folder]).plans
    assert plan.published[0].value == 23676


def test_published_values_of_a_changed_plan_are_found_in_the_installed_folder_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "HOME", tmp_path / "home")
    folder = synthetic.plan_folder(tmp_path / "run", "kaczor-2022", repetitions=1)
    manifest = json.loads((folder / "manifest.json").read_text())
    synthetic.write(folder, "manifest", manifest | {"file": "/gone/a-study/plan.yaml"})
    (tmp_path / "home/workloads/a-study").mkdir(parents=True)
    (tmp_path / "home/workloads/a-study/published.yaml").write_text("study: s\ncitation: A study.\n")
    (plan,) = read([folder]).plans
    assert plan.citation == "A study."


def test_intervals_of_a_histogram_log_are_read(golden: Path) -> None:
    intervals = read_intervals(golden / "redis-1kb.hlog", "measure-endToEnd")
    assert not isinstance(intervals, Problem)
    raw = json.loads((golden / "redis-1kb.json").read_text())
    assert [sum(interval.counts) for interval in intervals] == [p["samples"]["endToEnd"] for p in raw["periods"]]
    largest = max(max(interval.values_ms) for interval in intervals)
    assert largest == pytest.approx(raw["latencies"]["endToEnd"]["maxNs"] / 1e6, rel=0.002)


def test_a_damaged_histogram_log_is_a_problem(tmp_path: Path, golden: Path) -> None:
    damaged = tmp_path / "x.hlog"
    damaged.write_text((golden / "redis-1kb.hlog").read_text()[:2500])
    outcome = read_intervals(damaged, "measure-endToEnd")
    assert isinstance(outcome, Problem)
    assert "is not a complete histogram log" in outcome.text


def test_results_come_in_the_order_of_the_numbers_in_their_names(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        synthetic.write(tmp_path, f"run-{number}", synthetic.result(f"workload {number}", "kafka", 1000, 10))
    assert [run.workload for run in read([tmp_path]).runs] == ["workload 1", "workload 2", "workload 10"]


def test_a_plan_that_is_named_twice_is_read_once_and_two_of_a_study_are_told_apart(tmp_path: Path) -> None:
    for name in ("first", "second"):
        synthetic.plan_folder(tmp_path / name, "maharjan-2023", repetitions=1)
    results = read([tmp_path / "first", tmp_path])
    assert [plan.folder.name for plan in results.plans] == ["first", "second"]
    assert all(plan.runs for plan in results.plans)
    assert [results.title_of(plan) for plan in results.plans] == ["maharjan-2023 (first)", "maharjan-2023 (second)"]
    (only,) = read([tmp_path / "first"]).plans
    assert read([tmp_path / "first"]).title_of(only) == "maharjan-2023"


def _send_only(driver: str, latency_ms: float) -> synthetic.Result:
    """A result in OMB's form of a run without consumers: the end-to-end fields are there, and 0."""
    made = synthetic.omb_result("send only", driver, 1000, latency_ms)
    for name, value in made.items():
        if "ndToEnd" in name:
            made[name] = [0.0] * len(value) if isinstance(value, list) else {"100.0": 0.0} if "Quant" in name else 0.0
    return made


def test_what_has_no_sample_is_absent_in_omb_s_results_too(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", _send_only("A", 4.0))
    synthetic.write(tmp_path, "b", _send_only("B", 8.0))
    results = read([tmp_path])
    for run in results.runs:
        assert not any("ndToEnd" in name for name in (*run.metrics, *run.series, *run.spectra))
        assert "publishLatency99pct" in run.metrics
    (block,) = matrix_of(groups_of(results.runs)).blocks
    assert block.about.endswith("publish latency")
    page = render(results, "Title", None, {})
    assert ">0 ms<" not in page


def test_a_period_without_a_sample_is_a_gap(tmp_path: Path) -> None:
    made = synthetic.omb_result("w", "A", 1000, 4.0)
    for name, value in made.items():
        if name.startswith("endToEnd") and isinstance(value, list):
            value[2] = 0.0
    synthetic.write(tmp_path, "a", made)
    (run,) = read([tmp_path]).runs
    assert [value is None for value in run.series["endToEndLatency99pct"]] == [False, False, True, False, False, False]
