"""Runs in which nodes were killed: the table of faults, and windows behind the lines."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from omb_charts import faults, figures
from omb_charts.model import groups_of
from omb_charts.reading import read
from omb_charts.report import render
from omb_charts.style import drawing, looks
from tests import synthetic
from tests.pages import charts_in

BEGIN = synthetic.BEGIN + timedelta(minutes=1)


def _window(state: str, start_s: float, end_s: float) -> dict[str, Any]:
    return {
        "state": state,
        "start": (BEGIN + timedelta(seconds=start_s)).isoformat(),
        "end": (BEGIN + timedelta(seconds=end_s)).isoformat(),
        "seconds": end_s - start_s,
    }


def _killed() -> dict[str, Any]:
    return {
        "faults": [
            {
                "what": "killed kafka-1 (leader)",
                "problem": None,
                "downSeconds": 3.2,
                "degradedSeconds": 1.0,
                "failoverSeconds": 3.2,
                "recoveredSeconds": None,
                "caughtUpSeconds": 4.0,
                "messages": {
                    "acknowledgedLost": 1234,
                    "foundAnew": 56,
                    "failed": 5,
                    "failedButReceived": 2,
                    "duplicated": 0,
                    "outOfOrder": 7,
                },
            }
        ],
        "availability": [_window("down", 10, 13.2), _window("degraded", 13.2, 14.2)],
    }


def test_what_was_not_judged_is_no_number(tmp_path: Path) -> None:
    killed = _killed()
    killed["faults"][0]["messages"]["outOfOrder"] = None
    synthetic.write(tmp_path, "a", synthetic.result("w", "Kafka", 100, 1.0, **killed))
    (row,) = faults.rows(read([tmp_path]).runs)
    assert dict(zip(faults.COLUMNS, row, strict=True))["out of order"] == "—"


def test_each_fault_has_a_row(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "Kafka", 100, 1.0, **_killed()))
    page = render(read([tmp_path]), "Title", None, {})
    table = re.search(r'<table class="faults">(.*?)</table>', page, re.DOTALL)
    assert table is not None
    row = re.findall(r"<tr>(.*?)</tr>", table[1], re.DOTALL)[1]
    assert re.findall(r"<td[^>]*>(.*?)</td>", row) == [
        "w",
        "Kafka",
        "killed kafka-1 (leader)",
        "1",
        "3.2 s",
        "1.0 s",
        "3.2 s",
        "never",
        "4.0 s",
        "1,234",
        "56",
        "5",
        "2",
        "0",
        "7",
    ]


def test_repetitions_of_a_fault_are_a_row_with_their_range_and_systems_stand_together(tmp_path: Path) -> None:
    for seed, (system, down, recovered, lost) in enumerate(
        [("Kafka", 3.2, 7.0, 0), ("Redis", 9.0, 1.0, 5), ("Kafka", 1.0, None, 12), ("Kafka", 2.0, 6.0, 3)], 1
    ):
        (fault,) = _killed()["faults"]
        fault |= {"what": f"killed {system}-{seed}", "downSeconds": down, "recoveredSeconds": recovered}
        fault["messages"] = fault["messages"] | {"acknowledgedLost": lost, "failed": None}
        second = fault | {"what": "cut the network", "problem": "no root"}
        made = synthetic.result("w", system, 100, 1.0, seed=seed, faults=[fault, second])
        synthetic.write(tmp_path, f"r{seed}", made)
    rows = faults.rows(read([tmp_path]).runs)
    assert [row[:4] for row in rows] == [
        ["w", "Kafka", "killed Kafka-1; killed Kafka-3; …", "3"],
        ["w", "Redis", "killed Redis-2", "1"],
        ["w", "Kafka", "cut the network, not as planned: no root", "3"],
        ["w", "Redis", "cut the network, not as planned: no root", "1"],
    ]
    cells = dict(zip(faults.COLUMNS, rows[0], strict=True))
    assert cells["down"] == "1.0 to 3.2 s"
    assert cells["degraded"] == "1.0 s"
    assert cells["recovered after its end"] == "6.0 s to never"
    assert cells["acknowledged and lost"] == "0 to 12"
    assert cells["failed"] == "—"
    page = render(read([tmp_path]), "Title", None, {})
    assert page.index('id="matrix"') < page.index('id="faults"') < page.index('id="summary"')


def test_runs_without_faults_have_no_table_of_them(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "Kafka", 100, 1.0))
    assert 'class="faults"' not in render(read([tmp_path]), "Title", None, {})


def test_charts_over_time_show_when_the_system_was_away(tmp_path: Path) -> None:
    synthetic.write(tmp_path, "a", synthetic.result("w", "Kafka", 100, 1.0, **_killed()))
    (group,) = groups_of(read([tmp_path]).runs)
    colour = looks(group.runs)["Kafka"].colour

    shapes = charts_in(tmp_path)["Publish rate over time"].layout["shapes"]
    assert isinstance(shapes, list)
    assert [(shape["x0"], shape["x1"], shape["fillcolor"]) for shape in shapes if isinstance(shape, dict)] == [
        (10, 13.2, colour),
        (13.2, 14.2, colour),
    ]

    with drawing():
        figure = figures.over_time(group, "Rates", figures.RATES)
    assert figure is not None
    for ax in figure.axes:
        spans = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
        assert [(round(span.get_x(), 3), round(span.get_width(), 3)) for span in spans] == [(10, 3.2), (13.2, 1)]
        assert all(tuple(span.get_facecolor())[:3] == to_rgb(colour) for span in spans)
        assert [tuple(span.get_facecolor())[3] for span in spans] == [0.3, 0.12]
