"""Which runs are repetitions of each other, and what the others are called."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from omb_charts import figures, wording
from omb_charts.comparing import NOT_DECIDABLE, compare
from omb_charts.metrics import SHARED
from omb_charts.model import groups_of
from omb_charts.reading import cells_of, read
from omb_charts.variants import fields_of, file_names, names
from tests import synthetic

_HOME = Path(__file__).resolve().parents[2]
_TEST_RESOURCES = (
    _HOME
    / "benchmark-framework/src/test/resources"
    / SHARED.relative_to(_HOME / "benchmark-framework/src/main/resources")
)
_EXAMPLES: dict[str, dict[str, Any]] = yaml.safe_load(
    (_TEST_RESOURCES / "repetitions-example.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("example", _EXAMPLES["examples"])
def test_variants_are_named_as_bin_benchmark_names_them(example: str) -> None:
    """RunVariantsTest reads the same examples."""
    runs = _EXAMPLES["examples"][example]
    assert names(fields_of([_EXAMPLES["result"] | run for run in runs])) == [run["name"] for run in runs]


def _write(folder: Path, count: int = 2, p99: float = 10.0, *, begin: int = 0, **more: Any) -> None:
    for number in range(begin, begin + count):
        made = synthetic.result("steady", "kafka", more.pop("rate", 1000), 3.0, seed=number, **more)
        made["aggregatedEndToEndLatency99pct"] = p99 + number / 100
        synthetic.write(folder, f"run-{number}", made)


def test_runs_of_another_size_make_no_mean_together(tmp_path: Path) -> None:
    _write(tmp_path, messageSize=100)
    _write(tmp_path, p99=30.0, begin=2, messageSize=1000)
    groups = groups_of(read([tmp_path]).runs)
    assert [group.title for group in groups] == ["steady (messageSize 100)", "steady (messageSize 1000)"]
    means = [bar.estimate for group in groups for bar in figures.bars_of(group, "endToEndLatency99pct")]
    assert [(mean.n, round(mean.mean)) for mean in means] == [(2, 10), (2, 30)]


def test_runs_with_another_driver_file_are_side_by_side(tmp_path: Path) -> None:
    _write(tmp_path, driverConfig={"name": "kafka", "producerConfig": "linger.ms=1\n"})
    _write(tmp_path, begin=2, driverConfig={"name": "kafka", "producerConfig": "linger.ms=5\n"})
    (group,) = groups_of(read([tmp_path]).runs)
    bars = figures.bars_of(group, "endToEndLatency99pct")
    assert [(bar.label, bar.estimate.n) for bar in bars] == [("kafka (linger.ms 1)", 2), ("kafka (linger.ms 5)", 2)]
    told = "steady on kafka: 2 variants, which are not repetitions of each other: linger.ms 1; linger.ms 5."
    assert told in wording.sentences(read([tmp_path]))


def test_several_rates_stay_together_and_make_a_mean_each(tmp_path: Path) -> None:
    for rate in (1000, 2000):
        for seed in (1, 2):
            synthetic.write(tmp_path, f"{rate}-{seed}", synthetic.result("sweep", "kafka", rate, 1.0, seed=seed))
    (group,) = groups_of(read([tmp_path]).runs)
    bars = figures.bars_of(group, "endToEndLatency99pct")
    assert [(bar.place, bar.label, bar.estimate.n) for bar in bars] == [
        ("sweep, producerRate 1000", "kafka", 2),
        ("sweep, producerRate 2000", "kafka", 2),
    ]
    assert {run.label for run in group.runs} == {"kafka (producerRate 1000)", "kafka (producerRate 2000)"}
    assert list(figures.sweeps(group, "endToEndLatency99pct")) == ["kafka"]


def test_ombs_files_are_told_apart_by_their_path(tmp_path: Path) -> None:
    for name in ("classic", "quorum"):
        synthetic.write(tmp_path / name, "result", synthetic.omb_result("w", "RabbitMQ", 5000, 4.0))
    labels = [run.label for run in read([tmp_path]).runs]
    assert labels == ["RabbitMQ (classic/result)", "RabbitMQ (quorum/result)"]
    paths = [Path(f"/r/1-topic-100-partitions-1kb-RabbitMQ-2026-03-01-12-0{minute}.json") for minute in (1, 2)]
    assert file_names(paths) == ["01", "02"]
    assert file_names(paths[:1]) == [""]


def test_sets_that_differ_in_the_client_are_compared_and_that_is_told(tmp_path: Path) -> None:
    for side, client in (("base", "client 1"), ("new", "client 2")):
        for begin, linger in ((0, 1), (2, 5)):
            config = {"name": "kafka", "producerConfig": f"linger.ms={linger}\n"}
            _write(tmp_path / side, begin=begin, clientVersion=client, driverConfig=config)
    found = compare(read([tmp_path / "base"]), read([tmp_path / "new"]), ("base", "new"), ["publishRate"])
    assert [(row.what, row.difference.base.n, row.difference.new.n) for row in found.rows] == [
        ("steady on kafka (linger.ms 1)", 2, 2),
        ("steady on kafka (linger.ms 5)", 2, 2),
    ]
    assert found.notes[0] == ("steady on kafka (linger.ms 1): base and new differ in clientVersion client 1 → client 2")
    assert (found.only_base, found.only_new) == ((), ())


def test_a_variant_that_only_one_set_has_is_no_part_of_the_others_mean(tmp_path: Path) -> None:
    _write(tmp_path / "base", 4, driverConfig={"name": "kafka", "producerConfig": "linger.ms=1\n"})
    _write(tmp_path / "new", 4, driverConfig={"name": "kafka", "producerConfig": "linger.ms=1\n"})
    _write(tmp_path / "new", 4, 90.0, begin=4, driverConfig={"name": "kafka", "producerConfig": "linger.ms=5\n"})
    found = compare(read([tmp_path / "base"]), read([tmp_path / "new"]), ("base", "new"), ["endToEndLatency99pct"])
    (row,) = found.rows
    assert (row.what, row.difference.new.n, row.difference.significant) == ("steady on kafka (linger.ms 1)", 4, False)
    assert found.only_new == ("steady on kafka (linger.ms 5)",)


def test_workloads_that_differ_are_not_compared_under_their_common_name(tmp_path: Path) -> None:
    for side, size in (("base", 100), ("new", 1000)):
        _write(tmp_path / side, messageSize=size)
        synthetic.write(tmp_path / side, "other", synthetic.result("other", "kafka", 1000, 3.0))
    found = compare(read([tmp_path / "base"]), read([tmp_path / "new"]), ("base", "new"), ["publishRate"])
    assert {row.what for row in found.rows} == {"other on kafka"}
    assert found.only_base == ("steady (messageSize 100) on kafka",)
    assert found.only_new == ("steady (messageSize 1000) on kafka",)


def test_ombs_files_of_two_sets_are_paired_if_there_is_one_each(tmp_path: Path) -> None:
    for side in ("base", "new"):
        for workload in ("a", "b"):
            made = synthetic.omb_result(workload, "Kafka", 5000, 4.0)
            synthetic.write(tmp_path / side, f"{workload}-{side}", made)
    found = compare(read([tmp_path / "base"]), read([tmp_path / "new"]), ("base", "new"), ["publishRate"])
    assert [row.what for row in found.rows] == ["a on Kafka", "b on Kafka"]
    assert found.rows[0].verdict.startswith(NOT_DECIDABLE)


def test_a_plans_cell_has_no_mean_of_runs_that_are_no_repetitions(tmp_path: Path) -> None:
    folder = synthetic.plan_folder(tmp_path, "maharjan-2023", repetitions=2)
    changed = min((folder / "runs").glob("throughput-kafka-0-*.json"))
    result = json.loads(changed.read_text())
    result["environment"]["jdk"] = "21"
    changed.write_text(json.dumps(result))
    cell = next(cell for cell in cells_of(read([tmp_path]).runs) if cell.system == "kafka")
    assert (cell.variants, dict(cell.metrics), cell.runs) == (("jdk 21", "jdk 17"), {}, 2)
