"""Comparisons of two sets, and bin/compare's answers."""

import itertools
import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from omb_charts import cli
from omb_charts.comparing import DEFAULT_METRICS, NO_DIFFERENCE, NOT_DECIDED, compare, parse_threshold
from omb_charts.reading import read
from tests import synthetic


def _set(
    folder: Path, runs: int, p99: float = 10.0, *, system: str = "kafka", noise: float = 0.01, verdict: str = "OK"
) -> Path:
    """Results whose end-to-end p99 from the intended send are p99 and a little more each."""
    for number in range(runs):
        made = synthetic.result("steady", system, 1000, 3.0, seed=number, verdict=verdict)
        made["aggregatedScheduledEndToEndLatency99pct"] = p99 * (1 + noise * number)
        synthetic.write(folder, f"run-{number}", made)
    return folder


def _p99_verdict(base: Path, new: Path) -> str:
    comparison = compare(read([base]), read([new]), ("base", "new"), DEFAULT_METRICS)
    return next(row.verdict for row in comparison.rows if row.metric.name == "scheduledEndToEndLatency99pct")


def test_equal_sets_do_not_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = _set(tmp_path / "a", 5), _set(tmp_path / "b", 5)
    comparison = compare(read([base]), read([new]), ("a", "b"), DEFAULT_METRICS)
    assert {row.verdict for row in comparison.rows if row.metric.name != "brokerCpuCores"} == {
        f"{NO_DIFFERENCE} beyond ±10 %"
    }
    assert len(comparison.rows) == len(DEFAULT_METRICS)
    assert cli.compare_command([str(base), str(new), "--fail-on", "endToEndLatency99pct > +10%"]) == 0
    assert "no difference" in capsys.readouterr().out


def test_who_promises_less_is_named(tmp_path: Path) -> None:
    base, new = _set(tmp_path / "a", 2), _set(tmp_path / "b", 2)
    for file in new.glob("*.json"):
        file.write_text(file.read_text().replace("1 copy, in memory", "1 copy, as its settings tell, in memory"))
    assert not _unlike(base, new), "the sentence alone promises nothing else"
    for file in new.glob("*.json"):
        file.write_text(file.read_text().replace('"copies": 1', '"copies": 3'))
    (note,) = _unlike(base, new)
    assert "b: 1 copy, as its settings tell" in note


def _unlike(base: Path, new: Path) -> list[str]:
    notes = compare(read([base]), read([new]), ("a", "b"), DEFAULT_METRICS).notes
    return [note for note in notes if "different guarantees" in note]


def test_a_fifth_more_in_five_repetitions_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = _set(tmp_path / "a", 5), _set(tmp_path / "b", 5, 12.0)
    assert _p99_verdict(base, new) == "higher (worse)"
    assert cli.compare_command([str(base), str(new), "--fail-on", "endToEndLatency99pct > +10%"]) == 1
    told = capsys.readouterr().out
    assert "| scheduledEndToEndLatency99pct | 10.2 ms | 12.2 ms | +20 % |" in told
    assert "**higher (worse)**" in told
    assert "**Threshold crossed: endToEndLatency99pct > +10%**" in told


def test_an_improvement_crosses_no_threshold(tmp_path: Path) -> None:
    base, new = _set(tmp_path / "a", 5), _set(tmp_path / "b", 5, 8.0)
    assert _p99_verdict(base, new) == "lower (better)"
    assert cli.compare_command([str(base), str(new), "--fail-on", "endToEndLatency99pct > +10%"]) == 0


def test_one_run_each_is_not_decidable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = _set(tmp_path / "a", 1), _set(tmp_path / "b", 1, 50.0)
    assert _p99_verdict(base, new) == "not decidable: one run each is not enough"
    gate = ["--fail-on", "endToEndLatency99pct > +10%"]
    assert cli.compare_command([str(base), str(new), *gate]) == 1
    assert "Threshold not decidable: endToEndLatency99pct > +10%" in capsys.readouterr().out
    assert cli.compare_command([str(base), str(new), *gate, "--lenient"]) == 0


@pytest.mark.parametrize(
    ("runs", "threshold", "exit_code"),
    [
        (1, "endToEndLatency99pct > +10%", 1),
        (4, "endToEndLatency99pct > +10%", 0),
        (4, "sustainableRate < -5%", 1),
    ],
)
def test_a_threshold_has_to_be_judged(tmp_path: Path, runs: int, threshold: str, exit_code: int) -> None:
    base, new = _set(tmp_path / "a", runs), _set(tmp_path / "b", runs)
    assert cli.compare_command([str(base), str(new), "--fail-on", threshold]) == exit_code
    assert cli.compare_command([str(base), str(new), "--fail-on", threshold, "--strict"]) == exit_code
    assert cli.compare_command([str(base), str(new), "--fail-on", threshold, "--lenient"]) == 0


def test_three_runs_each_are_not_decidable_however_far_apart(tmp_path: Path) -> None:
    base, new = _set(tmp_path / "a", 3), _set(tmp_path / "b", 3, 500.0)
    assert _p99_verdict(base, new) == "not decidable: 3 runs each are too few, it takes at least four each"


@pytest.mark.parametrize(("p99", "what"), [(11.5, "find +15 %"), (10.5, "exclude +10 %")])
def test_a_gate_that_could_not_have_seen_its_threshold_is_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], p99: float, what: str
) -> None:
    base, new = _set(tmp_path / "a", 5, noise=0.5), _set(tmp_path / "b", 5, p99, noise=0.5)
    assert _p99_verdict(base, new) == NOT_DECIDED
    gate = ["--fail-on", "endToEndLatency99pct > +10%"]
    assert cli.compare_command([str(base), str(new), *gate]) == 1
    told = capsys.readouterr().out
    assert "Threshold not decidable: endToEndLatency99pct > +10%" in told
    assert re.search(
        rf"would have found -[\d.]+ % or \+[\d.]+ % in 5 and 5 runs; to {re.escape(what)} takes \d{{3}} runs each", told
    )
    assert cli.compare_command([str(base), str(new), *gate, "--lenient"]) == 0


def test_three_slow_runs_of_four_are_not_no_difference(tmp_path: Path) -> None:
    base, new = _set(tmp_path / "a", 4), _set(tmp_path / "b", 3, 18.0)
    synthetic.write(new, "fast", synthetic.result("steady", "kafka", 1000, 3.0, seed=9))
    assert _p99_verdict(base, new) == NOT_DECIDED


def test_a_client_that_blocks_before_its_time_stamp_is_compared_by_the_intended_send(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base, new = _set(tmp_path / "a", 5), _set(tmp_path / "b", 5, 10.05)
    for file in base.glob("*.json"):
        made = json.loads(file.read_text())
        made["aggregatedEndToEndLatency99pct"] /= 5
        file.write_text(json.dumps(made))
    gate = ["--fail-on", "endToEndLatency99pct > +50%"]
    assert cli.compare_command([str(base), str(new), *gate]) == 0
    told = capsys.readouterr().out
    assert "Threshold kept: endToEndLatency99pct > +50%" in told
    assert "judged by scheduledEndToEndLatency99pct" in told
    assert cli.compare_command([str(base), str(new), *gate, "--actual-send"]) == 1
    assert "latencies are from the actual send, as asked for" in capsys.readouterr().out


def test_where_a_run_lacks_the_intended_send_that_is_told(tmp_path: Path) -> None:
    base, new = _set(tmp_path / "a", 4), _set(tmp_path / "b", 4)
    made = json.loads((new / "run-0.json").read_text())
    made["notMeasured"] = ["scheduledEndToEndLatency", "scheduledPublishLatency"]
    (new / "run-0.json").write_text(json.dumps(made))
    comparison = compare(read([base]), read([new]), ("a", "b"), DEFAULT_METRICS)
    assert "endToEndLatency99pct" in {row.metric.name for row in comparison.rows}
    assert any("since not all runs have them from the intended send" in note for note in comparison.notes)


def _with_verdicts(folder: Path, verdicts: Sequence[str]) -> Path:
    for number, verdict in enumerate(verdicts):
        synthetic.write(folder, f"{number}", synthetic.result("w", "kafka", 100, 1.0, seed=number, verdict=verdict))
    return folder


@pytest.mark.parametrize(
    ("base", "new", "exit_code", "lenient", "told"),
    [
        (["OK"] * 4, ["INVALID"] * 4, 1, 1, "w on kafka has no valid run in b"),
        (["OK"] * 10, ["OK"] * 4 + ["INVALID"] * 6, 1, 1, "6 of 10 in b: **more (worse)**"),
        (["OK"] * 6, ["OK"] * 4 + ["FAILED"] * 2, 1, 0, "2 of 6 in b: not decided: more, but chance alone explains it"),
        (["OK"] * 6, ["SLO_MISSED"] * 6, 1, 1, "SLO_MISSED: 0 of 6 runs in a, 6 of 6 in b: **more (worse)**"),
        (["INVALID"] * 4, ["INVALID"] * 4, 1, 0, "all runs of one set are INVALID"),
        (["OK"] * 4 + ["FAILED"] * 2, ["OK"] * 5, 0, 0, "not more"),
        (["OK"] * 4 + ["FAILED"] * 2, ["OK"] * 5, 0, 0, "2 INVALID or unfinished runs are left out"),
        (["OK"] * 5, ["OK"], 1, 0, "5 and 1 runs are too few, it takes at least four each"),
    ],
)
def test_verdicts_are_compared_too(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    base: list[str],
    new: list[str],
    exit_code: int,
    lenient: int,
    told: str,
) -> None:
    _with_verdicts(tmp_path / "a", base)
    _with_verdicts(tmp_path / "b", new)
    gate = [str(tmp_path / "a"), str(tmp_path / "b"), "--fail-on", "endToEndLatency99pct > +20%"]
    assert cli.compare_command(gate) == exit_code
    assert told in capsys.readouterr().out
    assert cli.compare_command([*gate, "--lenient"]) == lenient


def test_messages_lost_where_none_were_cross_any_threshold(tmp_path: Path) -> None:
    for name, lost in (("a", 0), ("b", 50), ("c", 50)):
        for number in range(5):
            made = synthetic.result("w", "kafka", 100, 1.0, seed=number)
            made["metrics"]["messagesLost"] = lost + number if lost else 0
            synthetic.write(tmp_path / name, f"{number}", made)
    gate = [str(tmp_path / "a"), str(tmp_path / "b"), "--fail-on", "messagesLost > +10%"]
    assert cli.compare_command(gate) == 1
    # 10 % more or less than the same spread.
    assert cli.compare_command([gate[1], str(tmp_path / "c"), *gate[2:]]) == 0


def test_messages_that_invalid_runs_lost_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, lost in (("a", 1), ("b", 50_000)):
        for number in range(10):
            made = synthetic.result("w", "kafka", 100, 1.0, seed=number)
            if number < 3:
                made["verdict"] = "INVALID"
                made["metrics"]["messagesLost"] = lost
            synthetic.write(tmp_path / name, f"{number}", made)
    gate = [str(tmp_path / "a"), str(tmp_path / "b"), "--fail-on", "messagesLost > +0%"]
    assert cli.compare_command(gate) == 1
    told = capsys.readouterr().out
    assert "Threshold kept" not in told
    assert "left out)" not in next(line for line in told.splitlines() if "Threshold" in line)


def test_runs_that_never_recovered_are_not_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, never in (("a", 0), ("b", 5)):
        for number in range(10):
            made = synthetic.result("w", "kafka", 100, 1.0, seed=number)
            seconds = None if number < never else (2.0 if name == "a" else 1.0) + number / 100
            made["metrics"]["recoveredSeconds"] = seconds
            synthetic.write(tmp_path / name, f"{number}", made)
    gate = [str(tmp_path / "a"), str(tmp_path / "b"), "--fail-on", "recoveredSeconds > +20%"]
    assert cli.compare_command(gate) == 1
    told = capsys.readouterr().out
    assert "Threshold not decidable: recoveredSeconds > +20%" in told
    assert "5 of 20 runs have no recoveredSeconds" in told
    assert cli.compare_command([*gate, "--lenient"]) == 0


def test_a_metric_that_one_run_lacks_crosses_no_threshold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, seconds in (("a", 1.0), ("b", 5.0)):
        for number in range(6):
            made = synthetic.result("w", "kafka", 100, 1.0, seed=number)
            made["metrics"]["recoveredSeconds"] = seconds + number / 100 if number else None
            synthetic.write(tmp_path / name, f"{number}", made)
    gate = [str(tmp_path / "a"), str(tmp_path / "b"), "--fail-on", "recoveredSeconds > +20%"]
    assert cli.compare_command(gate) == 1
    told = capsys.readouterr().out
    assert "Threshold not decidable: recoveredSeconds > +20%" in told
    assert "not decided: 2 of 12 runs have no recoveredSeconds" in told
    assert "crossed" not in told
    assert cli.compare_command([*gate, "--lenient"]) == 0


@pytest.mark.parametrize("without", ["a", "b"])
def test_a_metric_that_one_set_lacks_leaves_its_threshold_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], without: str
) -> None:
    for name, workload in itertools.product("ab", ("steady", "faulty")):
        for number in range(4):
            made = synthetic.result(workload, "kafka", 100, 1.0, seed=number)
            if (name, workload) != (without, "faulty"):
                made["metrics"]["recoveredSeconds"] = 1.0
            synthetic.write(tmp_path / name, f"{workload}-{number}", made)
    gate = [str(tmp_path / "a"), str(tmp_path / "b"), "--fail-on", "recoveredSeconds > +20%"]
    assert cli.compare_command(gate) == 1
    assert f"not decidable: faulty on kafka: no run in {without} has recoveredSeconds" in capsys.readouterr().out
    assert cli.compare_command([*gate, "--lenient"]) == 0


def test_runs_that_are_all_slower_are_not_kept_because_the_base_had_stalls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, p99, stalls in (("a", 10.0, 6), ("b", 15.0, 0)):
        for number in range(20):
            made = synthetic.result("steady", "kafka", 1000, 3.0, seed=number)
            stall = 50 if number < stalls else 1
            made["aggregatedScheduledEndToEndLatency99pct"] = p99 * (1 + 0.01 * number) * stall
            synthetic.write(tmp_path / name, f"{number}", made)
    gate = [str(tmp_path / "a"), str(tmp_path / "b"), "--fail-on", "endToEndLatency99pct > +10%"]
    assert cli.compare_command(gate) == 1
    told = capsys.readouterr().out
    assert "Threshold not decidable: endToEndLatency99pct > +10%" in told
    assert "the means exclude +10 %, but the ranks of the runs do not" in told


def test_runs_that_are_nearly_enough_are_told_how_many_find_their_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base, new = _set(tmp_path / "a", 4, noise=0.2), _set(tmp_path / "b", 3, 40.0, noise=0.2)
    assert cli.compare_command([str(base), str(new), "--fail-on", "endToEndLatency99pct > +10%"]) == 1
    told = capsys.readouterr().out
    found = re.search(r"to find \+\d+ % takes (\d+) runs each", told)
    assert found is not None, told
    _set(tmp_path / "b", int(found[1]), 40.0, noise=0.2)
    _set(tmp_path / "a", int(found[1]), noise=0.2)
    assert cli.compare_command([str(base), str(new), "--fail-on", "endToEndLatency99pct > +10%"]) == 1
    assert "1 of 1 thresholds crossed" in capsys.readouterr().out


def test_intervals_say_what_they_are_corrected_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = _set(tmp_path / "a", 4, noise=0.1), _set(tmp_path / "b", 4, noise=0.1)
    cli.compare_command([str(base), str(new), "--fail-on", "publishRate < -5%"])
    told = capsys.readouterr().out
    assert re.search(r"- Threshold kept: publishRate < -5% \(.*, p [\d.]+, corrected for 1 threshold;", told)
    assert f"4 and 4 runs; intervals and p are corrected for {len(DEFAULT_METRICS)} metrics\n" in told


def test_a_threshold_that_is_kept_says_what_its_runs_may_not_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base, new = _set(tmp_path / "a", 4), _set(tmp_path / "b", 4)
    assert cli.compare_command([str(base), str(new), "--fail-on", "endToEndLatency99pct > +10%"]) == 0
    told = capsys.readouterr().out
    assert "Threshold kept: endToEndLatency99pct > +10%" in told
    assert "a change in up to 53 % of runs may not show in 4" in told


def test_a_copy_of_a_result_is_no_repetition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = _set(tmp_path / "a", 4), _set(tmp_path / "b", 2)
    shutil.copytree(new, new / "backup")
    assert cli.compare_command([str(base), str(new), "--fail-on", "publishRate < -5%"]) == 1
    outcome = capsys.readouterr()
    assert "4 and 2 runs are too few" in outcome.out
    assert "is the same run as" in outcome.err


@pytest.mark.parametrize("broken", ["a", "b"])
@pytest.mark.parametrize("options", [["--fail-on", "publishRate < -5%", "--lenient"], []])
def test_a_set_with_a_result_that_cannot_be_read_passes_no_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], broken: str, options: list[str]
) -> None:
    base, new, out = _set(tmp_path / "a", 5), _set(tmp_path / "b", 5), tmp_path / "pull-request.md"
    file = tmp_path / broken / "run-4.json"
    file.write_text(file.read_text()[:500])
    assert cli.compare_command([str(base), str(new), "-o", str(out), *options]) == 2
    outcome = capsys.readouterr()
    assert outcome.out == out.read_text()
    assert f"- **Not read: {file}: is not complete JSON" in outcome.out
    assert f"{file}: is not complete JSON" in outcome.err
    assert ("## Gate failed: a → b\n\n1 file not read." in outcome.out) == bool(options)


def test_an_experiment_without_cases_is_named_once(tmp_path: Path) -> None:
    place = {"name": "gate", "experiment": "gate", "case": "default", "repetition": 1}
    for name in "ab":
        made = synthetic.result("steady", "redis", 1000, 3.0, plan=place | {"system": "redis"})
        synthetic.write(tmp_path / name, "run", made)
    comparison = compare(read([tmp_path / "a"]), read([tmp_path / "b"]), ("a", "b"), DEFAULT_METRICS)
    assert {row.what for row in comparison.rows} == {"gate on redis"}


def test_a_file_of_published_figures_that_cannot_be_read_fails_no_gate(tmp_path: Path) -> None:
    sets = [synthetic.plan_folder(tmp_path / name, "superstreams-2026", repetitions=1) for name in "ab"]
    (sets[1] / "published.yaml").write_text("values: [")
    assert read([sets[1]]).problems
    assert cli.compare_command([*map(str, sets)]) == 0


def test_what_is_in_both_sets_counts_in_the_new_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _set(tmp_path / "all", 4)
    new = _set(tmp_path / "all" / "after", 4)
    cli.compare_command([str(tmp_path / "all"), str(new)])
    told = capsys.readouterr().out
    assert "4 and 4 runs" in told
    assert "4 runs are in both sets, and left out of all" in told


@pytest.mark.parametrize(("before", "after"), [(8, 2), (2, 8), (3, 5), (3, 30)])
def test_a_set_of_less_than_four_runs_decides_nothing_however_large_the_other_is(
    tmp_path: Path, before: int, after: int
) -> None:
    base, new = _set(tmp_path / "a", before), _set(tmp_path / "b", after, 14.0)
    assert _p99_verdict(base, new).startswith("not decidable")
    assert cli.compare_command([str(base), str(new), "--fail-on", "endToEndLatency99pct > +10%"]) == 1


def test_what_is_missing_in_the_new_set_fails_a_gate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _set(tmp_path / "a" / "k", 4)
    _set(tmp_path / "a" / "r", 4, system="redis")
    _set(tmp_path / "b", 4)
    gate = [str(tmp_path / "a"), str(tmp_path / "b"), "--fail-on", "endToEndLatency99pct > +10%"]
    assert cli.compare_command(gate) == 1
    assert "Only in a: steady on redis" in capsys.readouterr().out
    assert cli.compare_command([*gate, "--lenient"]) == 0


def test_a_fall_of_the_rate_can_be_a_threshold(tmp_path: Path) -> None:
    for name, rate in (("a", 1000.0), ("b", 800.0)):
        for number in range(4):
            made = synthetic.result("w", "kafka", rate, 1.0, seed=number)
            made["metrics"]["publishRate"] = rate + number
            synthetic.write(tmp_path / name, f"r{number}", made)
    arguments = [str(tmp_path / "a"), str(tmp_path / "b"), "--fail-on", "publishRate < -5%"]
    assert cli.compare_command(arguments) == 1


def test_only_failed_runs_in_the_new_set_fail_a_threshold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = _set(tmp_path / "a", 4), _set(tmp_path / "b", 4, verdict="FAILED")
    assert cli.compare_command([str(base), str(new), "--fail-on", "endToEndLatency99pct > +10%"]) == 1
    told = capsys.readouterr().out
    assert "steady on kafka has no valid run in b" in told
    assert "4 of 4 runs in b did not complete and are left out" in told


def test_invalid_runs_are_told(tmp_path: Path) -> None:
    base, new = _set(tmp_path / "a", 4), _set(tmp_path / "b", 4, verdict="INVALID")
    comparison = compare(read([base]), read([new]), ("a", "b"), DEFAULT_METRICS)
    assert comparison.notes == ("steady on kafka: 4 of 4 runs in b are INVALID and are the only runs",)


def test_an_slo_that_was_missed_is_told_and_its_run_counts(tmp_path: Path) -> None:
    base, new = _set(tmp_path / "a", 2), tmp_path / "b"
    for number, passed in enumerate((True, False)):
        verdict = "OK" if passed else "SLO_MISSED"
        made = synthetic.result("steady", "kafka", 1000, 3.0, seed=number, verdict=verdict, slo={"passed": passed})
        synthetic.write(new, f"run-{number}", made)
    comparison = compare(read([base]), read([new]), ("a", "b"), DEFAULT_METRICS)
    assert comparison.notes == ("steady on kafka: 1 of 2 runs in b missed their SLO",)
    assert {row.difference.new.n for row in comparison.rows} == {2}


@pytest.mark.parametrize(
    ("p99", "runs", "options", "first", "why"),
    [
        (10.0, 5, [], "## Gate passed: a → b", "All thresholds are kept."),
        (12.0, 5, [], "## Gate failed: a → b", "1 of 1 thresholds crossed."),
        (10.0, 2, [], "## Gate failed: a → b", "1 of 1 thresholds not decidable."),
        (10.0, 2, ["--lenient"], "## Gate passed: a → b", "--lenient accepts: 1 of 1 thresholds not decidable."),
    ],
)
def test_the_first_line_says_whether_the_gate_is_passed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], p99: float, runs: int, options: list[str], first: str, why: str
) -> None:
    base, new = _set(tmp_path / "a", runs), _set(tmp_path / "b", runs, p99)
    exit_code = cli.compare_command([str(base), str(new), "--fail-on", "endToEndLatency99pct > +10%", *options])
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [first, "", why]
    assert lines[4].lstrip("*- ").startswith("Threshold "), "before any table"
    assert exit_code == (0 if "passed" in first else 1)


def test_without_a_gate_the_first_line_names_the_sets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = _set(tmp_path / "a", 2), _set(tmp_path / "b", 2)
    assert cli.compare_command([str(base), str(new)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("## a → b\n\n### steady on kafka\n")


def test_why_a_gate_failed_is_told_in_full_below(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for system in ("kafka", "redis", "nats"):
        _set(tmp_path / "a" / system, 4, system=system)
    _set(tmp_path / "b" / "kafka", 4, verdict="INVALID")
    _set(tmp_path / "b" / "redis", 4, system="redis")
    gates = ["--fail-on", "endToEndLatency99pct > +10%", "--fail-on", "sustainableRate < -5%"]
    assert cli.compare_command([str(tmp_path / "a"), str(tmp_path / "b"), *gates]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[2] == (
        "steady on kafka has no valid run; steady on kafka: more runs are FAILED or INVALID; "
        "1 of 2 thresholds not decidable; the two sets have no runs with sustainableRate in common; 1 more."
    )
    assert "- Only in a: steady on nats" in told


def test_the_difference_is_that_of_the_figures_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, values in (("a", (5.0, 5.2, 5.1, 40.0)), ("b", (18.0, 18.4, 18.2, 3.0))):
        for number, p99 in enumerate(values):
            made = synthetic.result("steady", "kafka", 1000, 3.0, seed=number)
            made["aggregatedScheduledEndToEndLatency99pct"] = p99
            synthetic.write(tmp_path / name, f"{number}", made)
    cli.compare_command([str(tmp_path / "a"), str(tmp_path / "b"), "--metric", "endToEndLatency99pct"])
    told = capsys.readouterr().out
    found = re.search(r"\| scheduledEndToEndLatency99pct \| ([\d.]+) ms \| ([\d.]+) ms \| ([+-][\d.]+) % \|", told)
    assert found is not None
    base, new, change = (float(number) for number in found.groups())
    assert 100 * (new / base - 1) == pytest.approx(change, abs=1)
    assert base == pytest.approx((5.0 * 5.2 * 5.1 * 40.0) ** 0.25, rel=0.01)
    assert "geometric means" in told


def test_a_full_machine_is_told_before_any_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = _set(tmp_path / "a", 4), _set(tmp_path / "b", 4)
    full = [{"kind": "HostSaturated", "severity": "NOTE", "text": "0 % to spare"}]
    for file in (new / "run-0.json", new / "run-2.json"):
        file.write_text(json.dumps(json.loads(file.read_text()) | {"findings": full}))
    assert cli.compare_command([str(base), str(new), "--fail-on", "endToEndLatency99pct > +10%"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[4].startswith(
        "**The machine was full in 0 of 4 runs in a and 2 of 4 runs in b (kafka), so it may have been measured instead"
        " of the system.** Use fewer nodes"
    )
    assert not lines[5]
    assert lines[6].startswith("- Threshold kept")


@pytest.mark.parametrize(
    ("high", "others", "told"),
    [
        (None, [], "limit above 99 msg/s: not narrowed down"),
        (105, ["MachineShared"], "limit between 99 and 105 msg/s: others used the machine"),
    ],
)
def test_a_rate_is_not_judged_if_a_search_did_not_find_the_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], high: float | None, others: Sequence[str], told: str
) -> None:
    """It is a lower bound at most. Latencies at that rate are figures like any others."""
    for name, number in itertools.product("ab", range(5)):
        vague = (name, number) == ("b", 4)
        limit = {"low": 99, "high": high if vague else 105, "found": high is not None or not vague}
        findings = [{"kind": kind, "severity": "NOTE", "text": "…"} for kind in others if vague]
        made = synthetic.searched("kafka", 900.0 if vague else 100 + number / 10, number, limit, findings=findings)
        synthetic.write(tmp_path / name, f"{number}", made)
    sets = [tmp_path / "a", tmp_path / "b"]
    gate = [*map(str, sets), "--fail-on"]
    assert cli.compare_command([*gate, "sustainableRate < -20%"]) == 1
    said = capsys.readouterr().out
    assert "Threshold not decidable: sustainableRate < -20%" in said
    assert "1 of 10 runs has no sustainableRate" in said
    assert f"Note: w on kafka: the rates of 1 of 5 runs in b are left out: {told}\n" in said
    shared = "Note: w on kafka: others used the machine in 1 of 5 runs in b, which may raise latencies\n"
    assert (shared in said) == bool(others)
    assert cli.compare_command([*gate, "publishLatency99pct > +50%"]) == 0
    rows = compare(read(sets[:1]), read(sets[1:]), ("a", "b"), ("publishRate", "publishLatency99pct")).rows
    assert [row.difference.new.n for row in rows] == [4, 5]


def test_what_only_one_set_has_is_told(tmp_path: Path) -> None:
    _set(tmp_path / "a" / "k", 1)
    _set(tmp_path / "a" / "r", 1, system="redis")
    _set(tmp_path / "b", 1)
    comparison = compare(read([tmp_path / "a"]), read([tmp_path / "b"]), ("a", "b"), DEFAULT_METRICS)
    assert comparison.only_base == ("steady on redis",)
    assert comparison.only_new == ()


def test_a_single_system_each_is_compared_under_both_names(tmp_path: Path) -> None:
    base, new = _set(tmp_path / "a", 1), _set(tmp_path / "b", 1, system="redis")
    comparison = compare(read([base]), read([new]), ("a", "b"), DEFAULT_METRICS)
    assert comparison.rows[0].what == "steady on kafka → steady on redis"


def test_the_markdown_is_also_written_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = _set(tmp_path / "a", 2), _set(tmp_path / "b", 2)
    cli.compare_command([str(base), str(new), "-o", str(tmp_path / "pull-request.md"), "--metric", "publishRate"])
    assert (tmp_path / "pull-request.md").read_text() == capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--fail-on", "endToEndLatency99pct"], "is not a threshold; write one like 'endToEndLatency99pct > +10%'"),
        (
            ["--fail-on", "endToEndLatency99 > +10%"],
            "endToEndLatency99 is not a metric; did you mean endToEndLatency99pct?",
        ),
        (["--metric", "publishrate"], "publishrate is not a metric; did you mean publishRate?"),
        (["--fail-on", "publishRate < -100%"], "nothing falls by 100 % or more"),
        (["--margin", "wide"], "--margin 'wide' is not a share above zero; write one like '10%'"),
    ],
)
def test_bad_arguments_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    base = _set(tmp_path / "a", 1)
    assert cli.compare_command([str(base), str(base), *arguments]) == 2
    assert told in capsys.readouterr().err


def test_a_set_is_not_compared_with_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = _set(tmp_path / "a", 2)
    shutil.copytree(base, tmp_path / "copy")
    assert cli.compare_command([str(base), str(tmp_path / "copy")]) == 2
    assert f"all runs of BASE, {base}, are in NEW, {tmp_path / 'copy'}: nothing to compare" in capsys.readouterr().err


def test_missing_and_unlike_sets_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = _set(tmp_path / "a", 1)
    assert cli.compare_command([str(base), str(tmp_path / "none")]) == 2
    _set(tmp_path / "b", 1, system="redis")
    synthetic.write(tmp_path / "b", "other", synthetic.result("other", "redis", 1, 1.0))
    assert cli.compare_command([str(base), str(tmp_path / "b")]) == 2
    told = capsys.readouterr().err
    assert "does not exist" in told
    assert "have no workload and system in common" in told


def test_thresholds_are_read_with_any_spacing() -> None:
    threshold = parse_threshold(" publishRate<-2.5 % ")
    assert (threshold.metric, threshold.above, threshold.change) == ("publishRate", False, -0.025)
    assert str(threshold) == "publishRate < -2.5%"
