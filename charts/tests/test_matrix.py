"""The first screen: what is certainly best, what is unlike, what was lost."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure as MatplotlibFigure

from omb_charts import headline, pictures
from omb_charts.matrix import Figure, Mark, Matrix, Row
from omb_charts.promises import promise_of
from omb_charts.reading import read
from omb_charts.report import render
from omb_charts.style import drawing
from tests import synthetic
from tests.pages import charts_in, figure_of, matrix_in

# As bin/benchmark writes it.
ONE_WRITTEN: dict[str, Any] = {
    "copies": 1,
    "acknowledgedCopies": 1,
    "storage": "WRITTEN",
    "survivesKill": True,
    "survivesPowerCut": False,
    "inWords": "1 copy, written but not synced when acknowledged, survives a killed process",
}
THREE_SYNCED: dict[str, Any] = {
    "copies": 3,
    "acknowledgedCopies": 2,
    "storage": "SYNCED",
    "survivesKill": True,
    "survivesPowerCut": True,
    "inWords": "3 copies, 2 synced to the disk when acknowledged, survives a power cut",
}


def _fill(folder: Path, latencies: Mapping[str, float], runs: Mapping[str, int] | int, **more: Any) -> Path:
    """Runs of several systems at one workload."""
    for system, latency_ms in latencies.items():
        for seed in range(runs if isinstance(runs, int) else runs[system]):
            made = synthetic.result("w", system, 100, latency_ms, seed=seed, **more)
            synthetic.write(folder, f"{system}{seed}", made)
    return folder


def _promising(folder: Path, guarantees: Mapping[str, Mapping[str, Any]], workload: str = "w") -> Path:
    for system, guarantee in guarantees.items():
        broker = {"product": system, "version": "1", "managed": True, "guarantee": dict(guarantee)}
        made = synthetic.result(workload, system, 100, 1.0, broker=broker)
        synthetic.write(folder, f"{workload}-{system}", made)
    return folder


def _column(matrix: Matrix, head: str, block: int = 0) -> dict[str, Figure]:
    place = [column.head for column in matrix.columns].index(head)
    figures = ((row.label, row.figures[place]) for row in matrix.blocks[block].rows)
    return {label: figure for label, figure in figures if figure is not None}


def _marks(matrix: Matrix, head: str = "p99") -> dict[str, Mark]:
    return {label: figure.mark for label, figure in _column(matrix, head).items()}


def _row(matrix: Matrix, label: str) -> Row:
    return next(row for block in matrix.blocks for row in block.rows if row.label == label)


def test_the_best_is_marked_where_its_interval_is_apart_from_all_others(tmp_path: Path) -> None:
    matrix = matrix_in(_fill(tmp_path, {"kafka": 9.0, "redis": 1.0, "pulsar": 50.0}, 4))
    assert _marks(matrix) == {"kafka": Mark.NONE, "redis": Mark.BEST, "pulsar": Mark.NONE}
    assert 8 < float(_column(matrix, "p99")["kafka"].factor.removesuffix("×")) < 10
    assert headline.uncertain(matrix) == ""
    assert matrix.blocks[0].notes == ()


def test_what_overlaps_is_not_marked(tmp_path: Path) -> None:
    matrix = matrix_in(_fill(tmp_path, {"kafka": 1.001, "redis": 1.0, "pulsar": 50.0}, 4))
    assert set(_marks(matrix).values()) == {Mark.NONE}
    figures = _column(matrix, "p99")
    assert [figures[system].factor for system in ("kafka", "redis")] == ["", ""]
    assert figures["pulsar"].factor.startswith("50"), "apart from the best, whichever that is"
    assert all(figure.interval for figure in figures.values())


def test_without_repetitions_nothing_is_certain_and_the_page_says_so(tmp_path: Path) -> None:
    matrix = matrix_in(_fill(tmp_path, {"kafka": 9.0, "redis": 1.0}, 1))
    assert set(_marks(matrix).values()) == {Mark.NONE}
    assert {figure.factor for figure in _column(matrix, "p99").values()} == {""}
    assert headline.uncertain(matrix).startswith("No system has 4 valid runs or more")
    assert matrix.blocks[0].notes == ("too few repetitions",)
    page = render(read([tmp_path]), "Title", None, {})
    assert page.index('id="uncertain"') < page.index('<table class="matrix">')
    assert 'class="number best"' not in page


def test_one_system_without_repetitions_makes_its_comparison_uncertain(tmp_path: Path) -> None:
    matrix = matrix_in(_fill(tmp_path, {"kafka": 9.0, "redis": 1.0}, {"kafka": 4, "redis": 1}))
    assert set(_marks(matrix).values()) == {Mark.NONE}
    assert headline.uncertain(matrix) == (
        "In the comparison, a system has fewer than 4 valid runs: which is best is not certain there, and not marked."
    )
    assert matrix.blocks[0].notes == ("too few valid runs: redis",)


def test_a_single_system_is_compared_with_nothing(tmp_path: Path) -> None:
    matrix = matrix_in(_fill(tmp_path, {"kafka": 9.0}, 1))
    assert headline.uncertain(matrix) == ""
    assert matrix.blocks[0].notes == ()
    assert set(_marks(matrix).values()) == {Mark.NONE}


def test_invalid_runs_are_never_the_best(tmp_path: Path) -> None:
    _fill(tmp_path, {"kafka": 9.0, "pulsar": 50.0}, 4)
    _fill(tmp_path, {"redis": 1.0}, 4, verdict="INVALID")
    matrix = matrix_in(tmp_path)
    assert _marks(matrix) == {"kafka": Mark.BEST, "redis": Mark.NONE, "pulsar": Mark.NONE}
    assert [_row(matrix, system).stands for system in ("kafka", "redis", "pulsar")] == [True, False, True]
    page = render(read([tmp_path]), "Title", None, {})
    assert re.search(
        r'<tr data-system="redis"[^>]*class="invalid"><th scope="row"[^>]*><svg class="mark flawed">', page
    )


def test_systems_have_one_order_and_a_column_one_unit_in_all_comparisons(tmp_path: Path) -> None:
    for workload, kafka_ms in (("a", 9.0), ("b", 0.002)):
        for system, latency_ms in (("artemis", 700.0), ("kafka", kafka_ms), ("redis", 1.0), ("nats", 0.5)):
            verdict = "INVALID" if system == "nats" else "OK"
            made = synthetic.result(workload, system, 100, latency_ms, verdict=verdict)
            synthetic.write(tmp_path, f"{workload}-{system}", made)
    matrix = matrix_in(tmp_path)
    for block in matrix.blocks:
        assert [row.label for row in block.rows] == ["redis", "kafka", "artemis", "nats"], "as the first has them"
    assert [(column.head, column.scale.symbol) for column in matrix.columns[:4]] == [
        ("rate", "msg/s"),
        ("p50", "ms"),
        ("p99", "ms"),
        ("p99.9", "ms"),
    ]
    assert 0.006 < _column(matrix, "p99", 1)["kafka"].value < 0.008
    assert 2000 < _column(matrix, "p99", 1)["artemis"].value < 2700
    titles = [list(charts_in(tmp_path, workload)) for workload in ("a", "b")]
    assert titles[0] == titles[1]
    for workload in ("a", "b"):
        for chart in charts_in(tmp_path, workload).values():
            drawn = list(dict.fromkeys(trace.meta for trace in figure_of(chart).data))
            assert drawn == ["redis", "kafka", "artemis", "nats"], chart.title
    some = pictures.general(read([tmp_path]), each_workload=False)
    with drawing():
        figure = next(picture for picture in some if picture.name == "comparison-publish-rate").draw()
    assert isinstance(figure, MatplotlibFigure)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["redis", "kafka", "artemis", "nats"]
    rows = re.findall(r'data-key="(\w+)">(?=redis|kafka|artemis|nats)', render(read([tmp_path]), "Title", None, {}))
    assert rows == ["redis", "kafka", "artemis", "nats"] * 2, "in the table of runs"


def test_the_rate_of_a_sweep_is_that_at_the_knee(tmp_path: Path) -> None:
    for system, knee in (("kafka", 4000.0), ("redis", 2000.0)):
        sweep = synthetic.rate_sweep(knee, {knee: 2.0, 2 * knee: 90.0})
        made = synthetic.result("w", system, 1000, 1.0, rateSweep=sweep, metrics={"kneeRate": knee})
        synthetic.write(tmp_path, system, made)
    matrix = matrix_in(tmp_path)
    assert {label: figure.text for label, figure in _column(matrix, "rate").items()} == {
        "kafka": "4,000",
        "redis": "2,000",
    }
    assert matrix.blocks[0].about.startswith("the rate at the knee of latency over load")


def test_a_given_rate_is_no_achievement(tmp_path: Path) -> None:
    for system, slower in (("kafka", 0.0), ("redis", 5.0)):
        for seed in range(4):
            made = synthetic.result("w", system, 100, 1.0, seed=seed)
            made["metrics"]["publishRate"] = 100 - slower + seed / 100
            synthetic.write(tmp_path, f"{system}{seed}", made)
    matrix = matrix_in(tmp_path)
    assert set(_marks(matrix, "rate").values()) == {Mark.NONE}
    assert matrix.blocks[0].about == "100 msg/s asked for, end-to-end latency from the intended send"


def test_a_rate_that_was_found_is_one(tmp_path: Path) -> None:
    for system, rate in (("kafka", 5000.0), ("redis", 900.0)):
        for seed in range(4):
            synthetic.write(tmp_path, f"{system}{seed}", synthetic.searched(system, rate, seed))
    matrix = matrix_in(tmp_path)
    assert _marks(matrix, "rate") == {"kafka": Mark.BEST, "redis": Mark.NONE}
    assert matrix.blocks[0].about.startswith("the highest rate that was sustained")


def test_a_rate_without_a_limit_has_its_range_and_decides_nothing(tmp_path: Path) -> None:
    for system, rate in (("kafka", 5000.0), ("redis", 900.0), ("nats", 9000.0)):
        for seed in range(6):
            vague = system == "nats" or (system == "redis" and seed > 3)
            limit = {"low": rate / (min(seed, 4) + 2), "high": 2 * rate if seed < 4 else None, "found": not vague}
            made = synthetic.searched(system, 9999.0 if vague and system == "redis" else rate, seed, limit)
            synthetic.write(tmp_path, f"{system}{seed}", made)
    matrix = matrix_in(tmp_path)
    assert _marks(matrix, "rate") == {"kafka": Mark.NONE, "redis": Mark.NONE, "nats": Mark.VAGUE}
    rates = _column(matrix, "rate")
    assert rates["redis"].lacking == "2 of 6 lack it"
    assert (rates["redis"].value, rates["redis"].text) == (900, "900"), "of the runs that found the limit"
    assert (rates["nats"].text, rates["nats"].interval) == ("(9,000)", "limit above 1,500 msg/s")
    assert [row.label for row in matrix.blocks[0].rows] == ["kafka", "redis", "nats"], "what does not count is last"
    assert [row.runs for row in matrix.blocks[0].rows] == [
        "6 OK",
        "4 OK, 2 limit above 150 msg/s: not narrowed down",
        "6 limit above 1,500 msg/s: not narrowed down",
    ]
    assert [row.repetitions for row in matrix.blocks[0].rows] == [6, 4, 6]
    page = render(read([tmp_path]), "Title", None, {})
    assert '<td class="number vague" data-key="9000.0"><span>(9,000)</span>' in page
    assert "no figure to rely on" in str(charts_in(tmp_path)["Rate"].data)
    for name in ("redis4", "redis5"):
        (tmp_path / f"{name}.json").unlink()
    assert _marks(matrix_in(tmp_path), "rate") == {"kafka": Mark.BEST, "redis": Mark.NONE, "nats": Mark.VAGUE}


def test_a_number_of_messages_has_the_rate_until_the_last_arrived(tmp_path: Path) -> None:
    """Kafka sends ten messages faster, but they arrive later."""
    for system, sent, total in (("kafka", 95_000.0, 860.0), ("rabbitmq", 5_000.0, 4_000.0)):
        for seed in range(4):
            rates = {"publishRate": sent + seed, "totalRate": total + seed}
            made = synthetic.result("w", system, sent, 1.0, seed=seed, metrics=rates, targetRate=None)
            made["workloadEffective"]["producerRate"] = "unlimited"
            synthetic.write(tmp_path, f"{system}{seed}", made)
    matrix = matrix_in(tmp_path)
    assert _marks(matrix, "rate") == {"rabbitmq": Mark.BEST, "kafka": Mark.NONE}
    assert matrix.blocks[0].about.startswith("the rate until the last message arrived")


def test_a_rate_that_was_not_confirmed_is_no_figure(tmp_path: Path) -> None:
    for system, confirmed in (("kafka", 239.0), ("redis", None)):
        search = {"steps": [{"targetRate": 293.0, "achievedRate": 290.0, "sustained": True}]}
        made = synthetic.result("w", system, 239.0, 1.0, search=search, metrics={"sustainableRate": confirmed})
        made["workloadEffective"]["producerRate"] = "0"
        synthetic.write(tmp_path, system, made)
    matrix = matrix_in(tmp_path)
    assert {label: figure.text for label, figure in _column(matrix, "rate").items()} == {"kafka": "239"}
    assert matrix.blocks[0].about.startswith("the highest rate that was sustained (none: not confirmed)")


def test_systems_at_one_rate_each_and_each_at_another_are_together_and_not_compared(tmp_path: Path) -> None:
    """As bin/benchmark quick measures: at half the rate of each."""
    for system, rate in (("kafka", 5000.0), ("redis", 900.0)):
        for seed in range(4):
            synthetic.write(tmp_path, f"{system}{seed}", synthetic.result("w", system, rate, rate / 1e3, seed=seed))
    matrix = matrix_in(tmp_path)
    (block,) = matrix.blocks
    assert block.title == "w"
    assert {row.label for row in block.rows} == {"kafka", "redis"}
    assert block.about.startswith("each system at its own rate: not compared")
    assert set(_marks(matrix).values()) | set(_marks(matrix, "rate").values()) == {Mark.NONE}
    assert {figure.factor for figure in _column(matrix, "p99").values()} == {""}


def _at_rates(folder: Path, rates: Mapping[str, float], workload_rate: str, **more: Any) -> Path:
    """Four runs of each system. Kafka has the highest latency, and gets the most out of a processor at a high rate."""
    for system, rate in rates.items():
        latency_ms = 10.0 if system == "kafka" else 1.0
        for seed in range(4):
            metrics = {
                "publishRate": rate + seed / 1e3,
                "totalSeconds": 1e6 / rate + seed / 1e3,
                "brokerCpuCores": 1 - seed / 1e6,
                "brokerCpuMsPerMessage": 1e3 / (rate + seed),
            }
            made = synthetic.result("w", system, rate, latency_ms, seed=seed, metrics=metrics)
            made["workloadEffective"]["producerRate"] = workload_rate
            synthetic.write(folder, f"{system}{seed}", made | more)
    return folder


_SEARCH = {"search": {"steps": [{"targetRate": 1.0, "achievedRate": 1.0, "sustained": True}]}}


@pytest.mark.parametrize(
    ("workload_rate", "rates", "more", "why"),
    [
        ("0", (203_000.0, 20_000.0), _SEARCH, "the workload does not fix the rate"),
        ("unlimited", (203_000.0, 20_000.0), {"targetRate": None}, "the workload does not fix the rate"),
        ("unlimited", (100.0, 100.0), {"targetRate": None}, "the workload does not fix the rate"),
        ("100", (100.0, 94.0), {"targetRate": 100.0}, "the rates differ by more than 5 %"),
    ],
)
def test_latencies_at_unequal_rates_are_not_judged(
    tmp_path: Path, workload_rate: str, rates: tuple[float, float], more: Mapping[str, Any], why: str
) -> None:
    _at_rates(tmp_path, {"kafka": rates[0], "redis": rates[1]}, workload_rate, **more)
    matrix = matrix_in(tmp_path)
    for head in ("p50", "p99", "p99.9"):
        assert set(_marks(matrix, head).values()) == {Mark.NONE}
        assert {figure.factor for figure in _column(matrix, head).values()} == {""}
    assert matrix.blocks[0].notes == (f"latencies not judged: {why}",)
    assert f"<em>latencies not judged: {why}</em>" in render(read([tmp_path]), "Title", None, {})


def test_what_does_not_depend_on_the_rate_is_judged_at_unequal_rates(tmp_path: Path) -> None:
    _at_rates(tmp_path, {"kafka": 203_000.0, "redis": 20_000.0}, "unlimited", targetRate=None)
    matrix = matrix_in(tmp_path)
    for head in ("rate", "total time", "CPU per message"):
        assert _marks(matrix, head) == {"kafka": Mark.BEST, "redis": Mark.NONE}, head


def test_latencies_at_about_the_rate_that_was_asked_for_are_judged(tmp_path: Path) -> None:
    """Whatever the rate of INVALID runs, and although runs that failed before their load have no rate."""
    _at_rates(tmp_path, {"kafka": 100.0, "redis": 96.0}, "100", targetRate=100.0)
    _at_rates(tmp_path, {"pulsar": 50.0}, "100", targetRate=100.0, verdict="INVALID")
    failed = synthetic.result("w", "redis", 100.0, 1.0, seed=9, verdict="FAILED")
    synthetic.write(tmp_path, "failed", failed | {"targetRate": None, "metrics": {}, "publishRate": []})
    matrix = matrix_in(tmp_path)
    assert _marks(matrix, "p99") == {"kafka": Mark.NONE, "redis": Mark.BEST, "pulsar": Mark.NONE}
    assert set(_marks(matrix, "rate").values()) == {Mark.NONE}
    assert matrix.blocks[0].about.startswith("100 msg/s asked for")
    assert matrix.blocks[0].notes == ()


@pytest.mark.parametrize("lacking", [0, 3])
def test_a_figure_that_some_runs_lack_decides_nothing(tmp_path: Path, lacking: int) -> None:
    for system, seconds in (("kafka", 20.0), ("redis", 30.0), ("pulsar", 10.0)):
        for seed in range(6):
            has = system != "pulsar" or seed >= lacking
            made = synthetic.result("w", system, 100, 1.0, seed=seed)
            made["metrics"]["totalSeconds"] = seconds + seed / 100 if has else None
            synthetic.write(tmp_path, f"{system}{seed}", made)
    column = _column(matrix_in(tmp_path), "total time")
    assert [column[system].mark for system in ("kafka", "redis", "pulsar")] == [
        Mark.NONE,
        Mark.NONE,
        Mark.NONE if lacking else Mark.BEST,
    ]
    assert [bool(figure.factor) for figure in column.values()].count(True) == (0 if lacking else 2)
    assert column["pulsar"].lacking == ("3 of 6 lack it" if lacking else "")


def test_systems_are_compared_at_the_same_rate_only_and_verdicts_are_told(tmp_path: Path) -> None:
    for rate in (100, 200):
        for system in ("kafka", "redis"):
            synthetic.write(tmp_path, f"{system}{rate}", synthetic.result("w", system, rate, 1.0))
    bad = synthetic.result("w", "redis", 200, 1.0, seed=2, verdict="INVALID", audit={"lost": 3})
    synthetic.write(tmp_path, "bad", bad)
    synthetic.write(tmp_path, "worse", synthetic.result("w", "redis", 200, 1.0, seed=3, verdict="FAILED"))
    blocks = matrix_in(tmp_path).blocks
    assert [block.title for block in blocks] == ["w, producerRate 100", "w, producerRate 200"]
    assert {tuple(sorted(row.label for row in block.rows)) for block in blocks} == {("kafka", "redis")}
    redis = next(row for row in blocks[1].rows if row.label == "redis")
    assert redis.runs == "1 OK, 1 INVALID, 1 FAILED"
    page = render(read([tmp_path]), "Title", None, {})
    assert page.index('id="matrix"') < page.index('id="verdicts"') < page.index('id="summary"')


def test_lost_messages_of_all_runs_are_shown(tmp_path: Path) -> None:
    _fill(tmp_path, {"kafka": 1.0, "redis": 1.0}, 2)
    _fill(tmp_path / "bad", {"redis": 1.0}, 1, verdict="INVALID", metrics={"messagesLost": 3})
    synthetic.write(tmp_path, "unknown", synthetic.result("w", "pulsar", 100, 1.0, metrics={"messagesLost": None}))
    matrix = matrix_in(tmp_path)
    told = {label: (_row(matrix, label).lost, _row(matrix, label).has_lost) for label in ("kafka", "redis", "pulsar")}
    assert told == {"kafka": ("0", False), "redis": ("3", True), "pulsar": ("—", False)}
    assert '<td class="number lost" data-key="3">3</td>' in render(read([tmp_path]), "Title", None, {})


def test_processor_time_is_per_message_and_less_is_better(tmp_path: Path) -> None:
    for system, per_second in (("kafka", 5000.0), ("redis", 1250.0)):
        for seed in range(4):
            metrics = {"brokerCpuMsPerMessage": 1e3 / (per_second + seed)}
            synthetic.write(
                tmp_path, f"{system}{seed}", synthetic.result("w", system, 1000, 1.0, seed=seed, metrics=metrics)
            )
    matrix = matrix_in(tmp_path)
    assert _marks(matrix, "CPU per message") == {"kafka": Mark.BEST, "redis": Mark.NONE}
    # The reciprocal of 5,000 messages in a second of processor time.
    assert next(column.scale.symbol for column in matrix.columns if column.head == "CPU per message") == "µs"
    assert 195 < float(_column(matrix, "CPU per message")["kafka"].text) < 205


def test_unlike_guarantees_are_named_at_the_top(tmp_path: Path) -> None:
    _promising(tmp_path, {"kafka": THREE_SYNCED, "redis": ONE_WRITTEN, "pulsar": ONE_WRITTEN})
    matrix = matrix_in(tmp_path)
    assert [(alike.promise.short, set(alike.labels)) for alike in matrix.unlike] == [
        ("3 copies, 2 synced", {"kafka"}),
        ("1 copy, written", {"redis", "pulsar"}),
    ]
    assert "different guarantees" in matrix.blocks[0].notes
    page = " ".join(render(read([tmp_path]), "Title", None, {}).split())
    assert "the figures compare different things" in page
    assert page.index('id="unlike"') < page.index('<table class="matrix">')
    assert "<strong>1 copy, written</strong>, survives a kill: pulsar, redis" in page


def test_a_note_in_the_sentence_makes_no_other_guarantee(tmp_path: Path) -> None:
    noted = {**ONE_WRITTEN, "inWords": ONE_WRITTEN["inWords"] + " (appendfsync everysec)", "order": "KEY"}
    _promising(tmp_path, {"kafka": ONE_WRITTEN, "redis": noted})
    matrix = matrix_in(tmp_path)
    assert matrix.unlike == ()
    page = render(read([tmp_path]), "Title", None, {})
    assert 'id="unlike"' not in page
    assert "(appendfsync everysec)" in page


def test_each_field_of_the_definition_counts(tmp_path: Path) -> None:
    changes: Sequence[tuple[str, object]] = (
        ("copies", 2),
        ("acknowledgedCopies", 0),
        ("storage", "MEMORY"),
        ("survivesKill", False),
    )
    for name, value in changes:
        matrix = matrix_in(_promising(tmp_path / name, {"kafka": ONE_WRITTEN, "redis": {**ONE_WRITTEN, name: value}}))
        assert len(matrix.unlike) == 2, name


def test_systems_of_other_workloads_and_those_that_say_nothing_are_not_unlike(tmp_path: Path) -> None:
    _promising(tmp_path, {"kafka": THREE_SYNCED}, "durable")
    _promising(tmp_path, {"kafka": ONE_WRITTEN, "redis": ONE_WRITTEN}, "fast")
    synthetic.write(tmp_path, "omb", synthetic.omb_result("fast", "pulsar", 100, 1.0))
    assert matrix_in(tmp_path).unlike == ()


def test_a_guarantee_is_short_in_the_table_and_whole_for_a_pointer(tmp_path: Path) -> None:
    shorts = {
        "a": ({**ONE_WRITTEN, "storage": "MEMORY", "survivesKill": False}, "1 copy, in memory", "survives no crash"),
        "b": (THREE_SYNCED, "3 copies, 2 synced", "survives a power cut"),
        "c": ({**ONE_WRITTEN, "copies": 0, "acknowledgedCopies": 0}, "no copy", "survives a kill"),
        "d": ({**ONE_WRITTEN, "acknowledgedCopies": 0}, "1 copy, not acknowledged", "survives a kill"),
        "e": ({**ONE_WRITTEN, "storage": "UNKNOWN"}, "1 copy, written, synced or not", "survives a kill"),
        "f": (
            {**THREE_SYNCED, "storage": "SYNCED_ONCE", "survivesPowerCut": False},
            "3 copies, 2 written, one of them synced",
            "survives a kill",
        ),
    }
    _promising(tmp_path, {system: guarantee for system, (guarantee, _, _) in shorts.items()})
    for run in read([tmp_path]).runs:
        promise = promise_of(run)
        assert promise is not None
        assert (promise.short, promise.survives) == shorts[run.driver][1:]
    assert f'title="{THREE_SYNCED["inWords"]}"' in render(read([tmp_path]), "Title", None, {})


def test_a_guarantee_of_an_unexpected_form_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    odd: Sequence[Any] = ({"inWords": "as you like"}, {"copies": "two"}, {"copies": 1}, "none", [])
    for number, guarantee in enumerate(odd):
        broker = {"product": "x", "guarantee": guarantee}
        synthetic.write(tmp_path, str(number), synthetic.result("w", f"s{number}", 100, 1.0, broker=broker))
    page = render(read([tmp_path]), "Title", None, {})
    assert "as you like" in page
    assert json.dumps(sorted(row.label for row in matrix_in(tmp_path).blocks[0].rows))
