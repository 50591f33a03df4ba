"""Why runs are not OK."""

from pathlib import Path

from omb_charts.reading import read
from omb_charts.report import render
from omb_charts.verdicts import FULL_MACHINE, bounds, full_machine, reasons, remedy
from tests import synthetic


def _finding(kind: str, text: str, severity: str = "INVALIDATES") -> dict[str, str]:
    return {"kind": kind, "severity": severity, "text": text}


def test_what_makes_runs_invalid_comes_first_and_is_counted_by_finding(tmp_path: Path) -> None:
    note = _finding("HarnessPaused", "a pause", "NOTE")
    for seed in range(15):
        findings = [_finding("SendsLate", f"{seed} ms late"), note]
        if seed == 0:
            findings.append(_finding("MessagesLost", "3 messages were lost"))
        made = synthetic.result("w", "kafka", 100, 1.0, seed=seed, verdict="INVALID", findings=findings)
        synthetic.write(tmp_path, f"k{seed:02}", made)
    missed = [_finding("SloMissed", "p99 of 9 ms", "MISSES_SLO")]
    synthetic.write(tmp_path, "m", synthetic.result("w", "redis", 100, 1.0, verdict="SLO_MISSED", findings=missed))
    synthetic.write(tmp_path, "x", synthetic.result("w", "redis", 100, 1.0, verdict="FAILED", failure="it broke"))
    synthetic.write(tmp_path, "y", synthetic.result("w", "redis", 100, 1.0, findings=[note]))
    results = read([tmp_path])
    found = reasons(results.runs)
    assert [(reason.verdict, reason.code, reason.number) for reason in found] == [
        ("INVALID", "SendsLate", 15),
        ("INVALID", "MessagesLost", 1),
        ("FAILED", "", 1),
        ("SLO_MISSED", "SloMissed", 1),
    ]
    assert found[0].texts == ("0 ms late", "1 ms late", "2 ms late")
    assert len(found[0].linked) == 12
    assert found[2].texts == ("it broke",)
    page = " ".join(render(results, "Title", None, {}).split())
    assert "<h2>Why runs are INVALID</h2>" in page
    assert "and 3 more" in page
    assert "bin/benchmark explain SendsLate MessagesLost SloMissed<" in page
    for place, _ in found[1].linked:
        assert f'<a href="#run-{place}">' in page
        assert f'id="run-{place}"' in page


def test_an_ok_run_says_what_its_workload_expects(tmp_path: Path) -> None:
    expected = [_finding("ConsumersBehind", "consumers fell behind", "EXPECTED")]
    synthetic.write(tmp_path, "a", synthetic.result("w", "kafka", 100, 1.0, findings=expected))
    results = read([tmp_path])
    (reason,) = reasons(results.runs)
    assert (reason.verdict, reason.code, reason.texts) == ("OK", "ConsumersBehind", ("consumers fell behind",))
    page = " ".join(render(results, "Title", None, {}).split())
    assert "<h2>What workloads expect of the systems</h2>" in page


def test_an_invalid_run_without_such_a_finding_is_told(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "kafka", 100, 1.0, verdict="INVALID"))
    (reason,) = reasons(read([tmp_path]).runs)
    assert reason.texts == ("the result does not say why",)


def test_where_all_runs_are_ok_there_is_nothing_to_explain(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "kafka", 100, 1.0))
    synthetic.write(tmp_path, "b", synthetic.omb_result("w", "kafka", 100, 1.0))
    results = read([tmp_path])
    assert reasons(results.runs) == []
    assert 'id="verdicts"' not in render(results, "Title", None, {})


def test_the_page_says_first_that_the_machine_was_full(tmp_path: Path) -> None:
    cases = (
        ("kafka", "OK", [_finding("HostSaturated", "3 % to spare", "NOTE")]),
        ("kafka", "INVALID", [_finding("HarnessCpuBound", "95 %"), _finding("HostSaturated", "1 %", "NOTE")]),
        ("redis", "OK", [_finding("HarnessPaused", "a pause", "NOTE")]),
    )
    for number, (system, verdict, findings) in enumerate(cases):
        made = synthetic.result("w", system, 100, 1.0, seed=number, verdict=verdict, findings=findings)
        synthetic.write(tmp_path, f"{number}", made)
    results = read([tmp_path])
    told = full_machine(("", results.runs))
    assert told == ("The machine was full in 2 of 3 runs (kafka), so it may have been measured instead of the system.")
    page = render(results, "Title", None, {})
    assert page.index("<h1>") < page.index(told) < page.index(remedy(results.runs)) < page.index('<p id="answer">')


def test_each_bound_says_which_systems_met_it(tmp_path: Path) -> None:
    def write(name: str, system: str, value_ms: float | None, verdict: str) -> None:
        bound = {"latency": "publishLatency99pct", "limitMs": 200, "valueMs": value_ms, "passed": verdict == "OK"}
        slo = {"passed": verdict == "OK", "bounds": [bound]}
        synthetic.write(tmp_path, name, synthetic.result("w", system, 100, 1.0, verdict=verdict, slo=slo))

    for seed, value_ms in enumerate((100.0, 150.0, 180.0)):
        write(f"r{seed}", "redis", value_ms, "OK")
    write("r3", "redis", 900.0, "INVALID")
    write("k0", "kafka", 190.0, "OK")
    write("k1", "kafka", 1760.0, "SLO_MISSED")
    write("n", "nats", None, "SLO_MISSED")
    (told,) = bounds(read([tmp_path]).runs)
    assert told == (
        "publish latency p99 ≤ 200 ms: ✗ kafka 975 ms, met in 1 of 2; ✗ nats not measured, met in 0 of 1; "
        "✓ redis 150 ms, met in 3 of 3"
    )
    bound = {"latency": "publishLatency99pct", "limitMs": 200, "valueMs": 7, "samples": 9, "samplesNeeded": 100}
    slo = {"passed": False, "bounds": [bound | {"passed": False}]}
    for number in range(4):
        made = synthetic.result("w", f"a{number}", 100, 1.0, verdict="SLO_MISSED", slo=slo)
        synthetic.write(tmp_path, f"a{number}", made)
    (told,) = bounds(read([tmp_path]).runs)
    assert "✗ a0 7 ms, met in 0 of 1 (few samples); " in told
    assert told.endswith("; 3 more, of which 2 missed it")


def test_what_others_took_of_a_full_machine_is_ended_first(tmp_path: Path) -> None:
    """In the words of bin/benchmark's table."""
    full, shared = (_finding(kind, "…", "NOTE") for kind in ("HostSaturated", "MachineShared"))
    last = "fewer nodes and clients, a lower rate, or more machines (bin/benchmark explain HostSaturated)."
    for name, findings in (("a", [full]), ("b", [shared])):
        synthetic.write(tmp_path, name, synthetic.result("w", "kafka", 100, 1.0, findings=findings))
    assert remedy(read([tmp_path]).runs) == f"Use {last}"
    synthetic.write(tmp_path, "c", synthetic.result("w", "kafka", 100, 1.0, findings=[shared, full]))
    assert remedy(read([tmp_path]).runs) == (
        f"Others used it, too: end their programs first (bin/benchmark explain MachineShared), then use {last}"
    )


def test_a_machine_with_time_to_spare_is_not_mentioned(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "kafka", 100, 1.0))
    results = read([tmp_path])
    assert full_machine(("", results.runs)) == ""
    assert 'id="full-machine"' not in render(results, "Title", None, {})


def test_many_systems_on_a_full_machine_are_not_all_named(tmp_path: Path) -> None:
    full = [_finding("HostSaturated", "0 %", "NOTE")]
    for system in ("artemis", "kafka", "nats", "pulsar", "redis"):
        synthetic.write(tmp_path, system, synthetic.result("w", system, 100, 1.0, findings=full))
    told = full_machine(("", read([tmp_path]).runs))
    assert "in 5 of 5 runs (artemis, kafka, nats, pulsar, …), so" in told


def test_what_tells_of_a_full_machine_is_documented() -> None:
    """The names are those that bin/benchmark gives its findings, whose documentation its tests check."""
    documented = (Path(__file__).resolve().parents[2] / "docs/FINDINGS.md").read_text(encoding="utf-8")
    heads = {kind for line in documented.splitlines() if line.startswith("### ") for kind in line[4:].split(", ")}
    assert {"HostSaturated", "HarnessCpuBound"} <= FULL_MACHINE
    assert heads >= FULL_MACHINE
