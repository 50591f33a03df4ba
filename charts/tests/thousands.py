"""Folders with thousands of results, made from a real one. By hand, to time bin/charts."""

import argparse
import json
import random
from pathlib import Path

from omb_charts.fields import Object
from tests.conftest import GOLDEN
from tests.synthetic import Result

_SYSTEMS = ("kafka", "redis", "rabbitmq", "pulsar")
_SPREAD = 0.03


def fill(folder: Path, results: int, workloads: int) -> None:
    """Results of so many workloads on four systems, as many repetitions of each as it takes."""
    folder.mkdir(parents=True, exist_ok=True)
    golden: Result = json.loads((GOLDEN / "kafka-1kb.json").read_text(encoding="utf-8"))
    for number in range(results):
        cell, repetition = number % (workloads * len(_SYSTEMS)), number // (workloads * len(_SYSTEMS))
        workload, system = cell // len(_SYSTEMS), cell % len(_SYSTEMS)
        made = _varied(golden, f"workload {workload}", _SYSTEMS[system], 1 + system / 2, number)
        (folder / f"{workload:04}-{_SYSTEMS[system]}-{repetition:03}.json").write_text(json.dumps(made))


def _varied(golden: Object, workload: str, system: str, times: float, seed: int) -> Result:
    noise = random.Random(seed)
    made: Result = dict(golden)
    for name, value in golden.items():
        if "Latency" in name and isinstance(value, int | float):
            made[name] = value * times * noise.uniform(1 - _SPREAD, 1 + _SPREAD)
    driver = {"driverClass": f"io.openmessaging.benchmark.driver.{system}.Driver", "clientVersion": f"{system} 1"}
    effective = {**made["workloadEffective"], "name": workload}
    return made | driver | {"workload": workload, "driver": system, "workloadEffective": effective, "runId": str(seed)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.thousands", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("results", type=int, nargs="?", default=3000)
    parser.add_argument("workloads", type=int, nargs="?", default=100)
    arguments = parser.parse_args()
    fill(arguments.folder, arguments.results, arguments.workloads)
