"""What was measured, in words."""

from pathlib import Path
from typing import Any

from omb_charts import measured
from omb_charts.model import Run
from omb_charts.reading import read
from omb_charts.report import render
from tests import synthetic


def _runs(folder: Path, *made: synthetic.Result) -> tuple[Run, ...]:
    for number, result in enumerate(made):
        synthetic.write(folder, f"{number:02}", result)
    return read([folder]).runs


def _clients(producers: int, consumers: int, *, topics: int = 1, partitions: int = 1, **more: Any) -> dict[str, Any]:
    counts = {"producersPerTopic": producers, "consumersPerTopic": consumers, "topics": topics}
    return {**counts, "partitions": partitions, **more}


def test_the_page_says_at_its_top_what_was_measured(tmp_path: Path) -> None:
    clients = _clients(4, 2, partitions=3, subscriptionsPerTopic=2, messageSize=1000)
    runs = _runs(
        tmp_path,
        synthetic.result("w", "Kafka", 10_000, 1.0, **clients),
        synthetic.result("w", "Redis", 10_000, 1.0, **clients),
    )
    load = "1 kB, 10,000 msg/s, 1 topic × 3 partitions, 4 producers, 2 subscriptions × 2 consumers"
    assert measured.systems(runs) == "Kafka and Redis"
    assert measured.load(runs) == load
    page = render(read([tmp_path]), measured.systems(runs), None, {})
    assert f"<title>Kafka and Redis: {load}</title>" in page
    assert page.index("<h1>Kafka and Redis</h1>") < page.index(load, page.index("<h1>")) < page.index('<p id="answer">')


def test_what_differs_between_runs_is_a_range(tmp_path: Path) -> None:
    runs = _runs(
        tmp_path,
        *(
            synthetic.result(f"w{number}", "kafka", 1000.0 * 2**number, 1.0, **_clients(1, 1), messageSize=size)
            for number, size in enumerate((10, 100, 1024, 1_000_000))
        ),
    )
    assert measured.load(runs) == "10 B to 1 MB, 1,000 to 8,000 msg/s, 1 topic × 1 partition, 1 producer, 1 consumer"
    assert measured.load(runs[:2]).startswith("10 B or 100 B, 1,000 or 2,000 msg/s, ")
    assert measured.load(runs[1:3]).startswith("100 B or 1,024 B, 2,000 or 4,000 msg/s, ")


def test_clients_of_several_topics_are_counted_for_each(tmp_path: Path) -> None:
    runs = _runs(tmp_path, synthetic.result("w", "kafka", 50, 1.0, **_clients(2, 1, topics=100)))
    assert measured.load(runs).endswith(
        "50 msg/s, 100 topics × 1 partition, 2 producers per topic, 1 consumer per topic"
    )


def test_rates_that_were_not_given_have_a_name(tmp_path: Path) -> None:
    steps = [{"targetRate": 900.0, "achievedRate": 900.0, "sustained": True}]
    searched = synthetic.result("s", "kafka", 900, 1.0, search={"steps": steps})
    unlimited = synthetic.result("u", "kafka", 900, 1.0, targetRate=None)
    unlimited["workloadEffective"]["producerRate"] = "unlimited"
    swept = synthetic.result("k", "kafka", 900, 1.0, rateSweep=synthetic.rate_sweep(900, {900: 1.0}))
    scheduled = synthetic.result("p", "kafka", 900, 1.0, targetRate=None)
    scheduled["workloadEffective"]["producerRateSchedule"] = [{"rate": 900}]
    runs = _runs(tmp_path, searched, unlimited, swept, scheduled, synthetic.result("w", "kafka", 450, 1.0))
    told = measured.load(runs)
    assert ", 450 msg/s, highest rate searched for, sweep of rates, unlimited rate, schedule of rates, " in told


def test_many_systems_and_the_plan_of_all_runs(tmp_path: Path) -> None:
    names = ("artemis", "kafka", "nats", "pulsar", "redis")
    runs = _runs(tmp_path / "a", *(synthetic.result("w", name, 100, 1.0) for name in names))
    assert measured.systems(runs) == "artemis, kafka, nats and 2 more"
    assert measured.systems(runs[:1]) == "artemis"
    plan = read([synthetic.plan_folder(tmp_path / "p", "kaczor-2022", repetitions=1)])
    assert measured.systems(plan.runs).startswith("kaczor-2022: kafka, rabbitmq, kafka-tools and rabbitmq-tools")
    assert not measured.systems((*plan.runs, *runs)).startswith("kaczor-2022: ")


def test_results_of_omb_say_what_they_know(tmp_path: Path) -> None:
    runs = _runs(tmp_path, synthetic.omb_result("w", "Kafka", 100, 1.0))
    assert measured.load(runs) == "1,024 B, 1 topic × 1 partition, 1 producer, 1 consumer"
