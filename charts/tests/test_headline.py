"""The answer in a sentence."""

from pathlib import Path
from typing import Any

from omb_charts import headline
from tests import synthetic
from tests.pages import matrix_in

_LATE = [{"kind": "SendsLate", "severity": "INVALIDATES", "text": "1 ms late"}]


def _fill(folder: Path, system: str, latency_ms: float, runs: int, workload: str = "w", **more: Any) -> None:
    for seed in range(runs):
        made = synthetic.result(workload, system, 100, latency_ms, seed=seed, **more)
        synthetic.write(folder, f"{workload}-{system}-{seed}", made)


def _told(folder: Path) -> tuple[str, str]:
    matrix = matrix_in(folder)
    return headline.answer(matrix), headline.uncertain(matrix)


def test_the_best_is_named_with_its_figure_and_that_it_is_certain(tmp_path: Path) -> None:
    _fill(tmp_path, "kafka", 8.0, 4)
    _fill(tmp_path, "redis", 1.0, 4)
    _fill(tmp_path, "nats", 0.1, 4, verdict="INVALID", findings=_LATE)
    answer, uncertain = _told(tmp_path)
    assert answer.startswith("redis has the lowest p99, 3.")
    assert " ms; kafka's is 8" in answer or " ms; kafka's is 7." in answer
    assert answer.endswith(" times as high. This is certain. nats does not count (INVALID: SendsLate).")
    assert uncertain == ""


def test_a_median_says_how_many_runs_it_leaves_out(tmp_path: Path) -> None:
    _fill(tmp_path, "kafka", 8.0, 4)
    _fill(tmp_path, "redis", 1.0, 4)
    synthetic.write(tmp_path, "slow", synthetic.result("w", "redis", 100, 90.0, verdict="INVALID", findings=_LATE))
    answer, _ = _told(tmp_path)
    assert answer.startswith("redis has the lowest p99, 3.")
    assert " ms (4 OK, 1 INVALID); kafka's is " in answer
    assert answer.endswith(" times as high. This is certain.")


def test_what_is_certain_on_a_full_machine_names_the_systems_that_had_one(tmp_path: Path) -> None:
    full = [{"kind": "HostSaturated", "severity": "NOTE", "text": "0 %"}]
    _fill(tmp_path, "kafka", 8.0, 4)
    _fill(tmp_path, "redis", 1.0, 4)
    _fill(tmp_path, "nats", 0.1, 4, verdict="INVALID", findings=[*_LATE, *full])
    assert " This is certain. nats" in _told(tmp_path)[0], "nats is not compared"
    synthetic.write(tmp_path, "w-redis-4", synthetic.result("w", "redis", 100, 1.0, seed=4, findings=full))
    assert " This is certain, on a full machine (redis). nats" in _told(tmp_path)[0]


def test_a_system_beside_none_that_counts_is_not_the_best(tmp_path: Path) -> None:
    _fill(tmp_path, "redis", 1.0, 4)
    _fill(tmp_path, "nats", 0.1, 4, verdict="INVALID", findings=_LATE)
    answer, _ = _told(tmp_path)
    assert answer.startswith("Only redis has figures to rely on: p99 3,")
    assert answer.endswith(" µs. nats does not count (INVALID: SendsLate).")


def test_what_the_runs_do_not_tell_apart_is_named(tmp_path: Path) -> None:
    _fill(tmp_path, "kafka", 1.01, 4)
    _fill(tmp_path, "redis", 1.0, 4)
    answer, uncertain = _told(tmp_path)
    assert "This is certain" not in answer
    assert uncertain in ("The runs do not tell it apart from kafka.", "The runs do not tell it apart from redis.")


def test_a_rate_is_the_answer_where_it_was_found(tmp_path: Path) -> None:
    for system, rate in (("kafka", 5000.0), ("redis", 900.0), ("nats", 90.0)):
        for seed in range(4):
            synthetic.write(tmp_path, f"{system}{seed}", synthetic.searched(system, rate + seed, seed))
    assert _told(tmp_path) == (
        "kafka has the highest rate, 5,002 msg/s, 5.55 times that of redis, the next. This is certain.",
        "",
    )


def _search(folder: Path, system: str, *limits: tuple[float, float | None], found: bool | None = False) -> None:
    """Searches that found 120 msg/s, with the ranges of the limit; ``found`` None as in earlier versions."""
    for seed, (low, high) in enumerate(limits):
        limit = {"low": low, "high": high} | ({} if found is None else {"found": found})
        synthetic.write(folder, f"{system}{seed}", synthetic.searched(system, 120 + seed, seed, limit))


def test_a_limit_that_was_not_found_is_no_figure_to_rely_on(tmp_path: Path) -> None:
    """In the words of bin/benchmark's table."""
    _search(tmp_path, "redis", (106, 2593.4))
    answer, _ = _told(tmp_path)
    limit = "limit between 106 and 2,593 msg/s: not narrowed down"
    assert answer.startswith("redis: rate (120) msg/s, p99 ")
    assert answer.endswith(f" ms. The rate is no figure to rely on: {limit}.")

    _search(tmp_path, "kafka", (20, 200), (15, None))
    vague = "kafka: limit above 15 msg/s: not narrowed down."
    assert _told(tmp_path)[0] == f"No system has figures to rely on. {vague} redis: {limit}."
    _search(tmp_path, "nats", *[(90, 130)] * 4, found=True)
    assert _told(tmp_path)[0] == f"Only nats has figures to rely on: rate 122 msg/s. {vague} redis: {limit}."
    _search(tmp_path, "pulsar", *[(9, 1300)] * 4, found=None)
    assert _told(tmp_path)[0].endswith(f" {vague} redis: {limit}."), "earlier results do not say"
    assert "pulsar" in _told(tmp_path)[0]


def test_a_search_without_a_limit_leaves_open_which_system_is_best(tmp_path: Path) -> None:
    for system, rate in (("kafka", 5000.0), ("redis", 900.0)):
        for seed in range(5):
            limit = {"low": rate, "high": rate + 50, "found": (system, seed) != ("redis", 4)}
            synthetic.write(tmp_path, f"{system}{seed}", synthetic.searched(system, rate, seed, limit))
    answer, uncertain = _told(tmp_path)
    assert answer == "kafka has the highest rate, 5,000 msg/s, 5.56 times redis's."
    assert uncertain == "Some runs of redis have no rate to rely on, so no difference is certain."
    (tmp_path / "redis4.json").unlink()
    assert _told(tmp_path)[0].endswith(" This is certain.")


def test_a_rate_found_while_others_used_the_machine_is_no_figure_to_rely_on(tmp_path: Path) -> None:
    """In the words of bin/benchmark's table."""
    shared = [{"kind": "MachineShared", "severity": "NOTE", "text": "20 %"}]
    limit = {"low": 610, "high": 672, "found": True}
    synthetic.write(tmp_path, "kafka", synthetic.searched("kafka", 640, 1, limit, findings=shared))
    told = "limit between 610 and 672 msg/s: others used the machine."
    assert _told(tmp_path)[0].endswith(f" The rate is no figure to rely on: {told}")
    _search(tmp_path, "redis", (495, 525), found=True)
    assert _told(tmp_path)[0] == f"Only redis has figures to rely on: rate 120 msg/s. kafka: {told}"


def test_latencies_of_a_shared_machine_are_in_brackets_and_decide_nothing(tmp_path: Path) -> None:
    shared = [{"kind": "MachineShared", "severity": "NOTE", "text": "20 %"}]
    _fill(tmp_path, "kafka", 8.0, 5)
    _fill(tmp_path, "redis", 1.0, 5)
    assert _told(tmp_path)[0].endswith(" This is certain.")
    _fill(tmp_path, "redis", 1.0, 5, findings=shared)
    answer, uncertain = _told(tmp_path)
    assert answer.startswith("redis has the lowest p99, ")
    assert "(" not in answer
    assert answer.endswith(" times as high, but others used the machine.")
    assert uncertain == "No difference is certain, since others used the machine in runs of redis."
    (block,) = matrix_in(tmp_path).blocks
    assert block.notes == ("latencies in brackets: others used the machine",)
    in_brackets = {row.label: [bool(figure and figure.text[0] == "(") for figure in row.figures] for row in block.rows}
    assert not any(in_brackets["kafka"])
    assert in_brackets["redis"] == [False, True, True, True, False]
    _fill(tmp_path, "nats", 90.0, 5)
    answer, uncertain = _told(tmp_path)
    assert "certain" not in answer, "redis might be better or worse than the others"
    assert uncertain == "No difference is certain, since others used the machine in runs of redis."
    assert not any(figure.factor for row in matrix_in(tmp_path).blocks[0].rows for figure in row.figures[1:4] if figure)


def test_the_only_system_with_figures_may_have_shared_the_machine(tmp_path: Path) -> None:
    _fill(tmp_path, "redis", 1.0, 1, findings=[{"kind": "MachineShared", "severity": "NOTE", "text": "20 %"}])
    assert _told(tmp_path)[0].endswith(" ms, but others used the machine.")
    _fill(tmp_path, "kafka", 1.0, 1, verdict="INVALID", findings=_LATE)
    answer, _ = _told(tmp_path)
    assert answer.startswith("Only redis has valid figures: p99 3")
    assert answer.endswith(", but others used the machine. kafka does not count (INVALID: SendsLate).")


def test_several_comparisons_are_counted(tmp_path: Path) -> None:
    for workload, kafka_ms in (("a", 8.0), ("b", 9.0), ("c", 0.1)):
        _fill(tmp_path, "kafka", kafka_ms, 4, workload=workload)
        _fill(tmp_path, "redis", 1.0, 4, workload=workload)
    _fill(tmp_path, "kafka", 1.0, 1, workload="d")
    _fill(tmp_path, "redis", 2.0, 1, workload="d")
    answer, uncertain = _told(tmp_path)
    assert answer == "Lowest p99 in 4 comparisons: redis in 2, kafka in 1, not certain in 1."
    assert uncertain.startswith("In 1 of 4 comparisons, a system has fewer than 4 valid runs")


def test_comparisons_of_which_none_is_certain_are_counted_by_their_medians(tmp_path: Path) -> None:
    for workload, first, second in (("a", 9.0, 1.0), ("b", 8.0, 1.0), ("c", 1.0, 9.0)):
        for system, rate in (("kafka", first), ("redis", second)):
            made = synthetic.result(workload, system, rate, 1.0)
            made["targetRate"] = None
            made["workloadEffective"]["producerRate"] = "0"
            synthetic.write(tmp_path, f"{workload}-{system}", made)
    answer, _ = _told(tmp_path)
    assert answer == "Highest rate in 3 comparisons: not certain in 3. By the medians: kafka in 2, redis in 1."
    for workload in ("a", "b"):
        made = synthetic.result(workload, "redis", 1.0, 1.0, verdict="INVALID", findings=_LATE, targetRate=None)
        made["workloadEffective"]["producerRate"] = "0"
        synthetic.write(tmp_path, f"{workload}-redis", made)
    answer, _ = _told(tmp_path)
    assert answer.endswith(": not certain in 3. By the medians: redis in 1."), "nobody is ahead of nobody"


def test_a_single_system_is_described(tmp_path: Path) -> None:
    _fill(tmp_path, "kafka", 1.0, 1, verdict="INVALID", findings=_LATE)
    answer, uncertain = _told(tmp_path)
    assert answer.startswith("kafka: rate ")
    assert answer.endswith(" ms. It does not count: INVALID, SendsLate.")
    assert uncertain == ""


def test_without_a_valid_run_there_is_no_answer(tmp_path: Path) -> None:
    for system in ("kafka", "redis", "nats"):
        _fill(tmp_path, system, 1.0, 1, verdict="INVALID", findings=_LATE)
    assert _told(tmp_path)[0] == (
        "No system has figures to rely on. kafka, nats and 1 more do not count (INVALID: SendsLate)."
    )


def test_latencies_at_unequal_rates_give_no_answer(tmp_path: Path) -> None:
    for system, rate in (("kafka", 100.0), ("redis", 50.0)):
        for seed in range(3):
            made = synthetic.result("w", system, 100.0, 1.0, seed=seed, metrics={"publishRate": rate})
            synthetic.write(tmp_path, f"{system}{seed}", made)
    assert _told(tmp_path)[0] == "The systems' latencies are not compared: the rates differ by more than 5 %."
