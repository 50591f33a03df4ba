"""deploy/compose: a run of it in real containers, and what can be told from its files."""

import copy
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from compose_file import FILE, PROMISES, ComposeFile, Service, broken
from containers import JRE, Podman
from release import WORKLOAD, Release, assert_complete
from tools import BUILD_LIMIT_S, DEPLOY, HOME, installed, python_tool, run

FOLDER = FILE.parent
WORKERS = 3
UP_LIMIT_S = 300
# Of fetching the jars, and starting.
BROKER_LIMIT_S = 600

METRICS = "last_over_time(benchmark_worker_up[10m])"

# No public image can be had here: a Kafka of this project's own, and Debian's Prometheus.
OVERRIDE = """
services:
  kafka:
    image: {image}
    pull_policy: never
    command: [bash, -c, 'cd {home} && bin/broker start kafka --host "$$(hostname -i)" && exec bin/broker logs -f kafka']
    volumes: ["{jars}:{home}/.brokers/jars:ro"]
    tmpfs: ["{home}/.brokers:rw"]
  prometheus:
    image: {prometheus}
    entrypoint: [prometheus]
"""


class Project:
    """What a user has after `cd deploy/compose`, in a folder of its own."""

    def __init__(self, podman: Podman, folder: Path, environment: dict[str, str]) -> None:
        self.name = podman.name("compose")
        self.folder = folder
        self._environment = {**podman.environment, **environment}

    def __call__(self, *arguments: str, limit_s: float = 120, expected: int | None = 0) -> str:
        """What podman-compose has printed."""
        return run(
            self._command(*arguments), cwd=self.folder, limit_s=limit_s, env=self._environment, expected=expected
        )

    def attempt(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A run, which may be without success."""
        environment = {**os.environ, **self._environment}
        command = self._command(*arguments)
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=UP_LIMIT_S, check=False
        )

    def _command(self, *arguments: str) -> list[str]:
        return [str(python_tool("podman-compose")), "--in-pod=false", "--project-name", self.name, *arguments]


@dataclass(frozen=True, slots=True)
class Run:
    """What a run has left."""

    exit_code: int
    printed: str
    results: Path
    workers_seen: int
    left: str


@pytest.fixture(scope="module")
def jars(release: Release, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that has Kafka's jars: a start fetches them, for this checkout once."""
    jars = HOME / ".brokers/jars"
    jars.mkdir(parents=True, exist_ok=True)
    home = release.unpack(tmp_path_factory.mktemp("home"))
    (home / ".brokers").mkdir()
    (home / ".brokers/jars").symlink_to(jars)
    run([home / "bin/broker", "start", "kafka", "--port", "0"], limit_s=BROKER_LIMIT_S)
    run([home / "bin/broker", "stop", "kafka"])
    return jars


@pytest.fixture(scope="module")
def project(
    podman: Podman, image: str, release: Release, jars: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Project]:
    """The files of this checkout, and an image that is built from them."""
    home = tmp_path_factory.mktemp("checkout")
    shutil.copytree(DEPLOY, home / "deploy", ignore=shutil.ignore_patterns("tests", "results"))
    (home / "dist/target").mkdir(parents=True)
    shutil.copy(release.archive, home / "dist/target")
    folder = home / "deploy/compose"
    (folder / "workload.yaml").write_text(WORKLOAD)
    (folder / "results").mkdir()
    (folder / "results").chmod(0o777)
    (folder / "compose.override.yaml").write_text(
        OVERRIDE.format(image=image, home=f"/opt/{release.name}", jars=jars, prometheus=podman.base("prometheus"))
    )
    # That of this test goes with it.
    made = Project(podman, folder, {"IMAGE": f"localhost/{podman.name('compose')}:1.0", "BASE": podman.base(*JRE)})
    made("build", "benchmark", limit_s=BUILD_LIMIT_S)
    try:
        yield made
    finally:
        made("--profile", "kafka", "--profile", "monitoring", "down", "--volumes")


@pytest.fixture(scope="module")
def finished(podman: Podman, project: Project) -> Run:
    """A run as README.md has it, looked at, and ended."""
    profiles = ("--profile", "kafka", "--profile", "monitoring")
    project("--profile", "monitoring", "up", "--detach", "prometheus")
    up = project.attempt("--profile", "kafka", "up", "--exit-code-from", "benchmark")
    query = ("promtool", "query", "instant", "http://localhost:9090", METRICS)
    seen = podman("exec", f"{project.name}_prometheus_1", *query, expected=None)
    project("--profile", "charts", "run", "--rm", "charts")
    project(*profiles, "down", "--volumes")
    own = ("--quiet", "--filter", f"name={project.name}")
    left = podman("ps", "--all", *own) + podman("network", "ls", *own) + podman("volume", "ls", *own)
    return Run(
        up.returncode, up.stdout + up.stderr, project.folder / "results", seen.count("benchmark_worker_up"), left
    )


@pytest.mark.ran("compose: key, three workers, coordinator, a Kafka of bin/broker, each in a container")
def test_run_with_three_workers(finished: Run) -> None:
    result = assert_complete(finished.results)

    assert finished.exit_code == (0 if result["verdict"] == "OK" else 1), finished.printed
    assert len({worker["host"] for worker in result["workers"]}) == len(result["workers"]) == WORKERS
    assert all(worker["name"].startswith("https://") for worker in result["workers"])
    assert not any(worker["lost"] for worker in result["workers"])
    assert "kafka:9092" in json.dumps(result["driverConfig"])


@pytest.mark.ran("compose: clocks of that run within their bounds")
def test_clocks_are_within_their_bounds(finished: Run) -> None:
    result = assert_complete(finished.results)

    assert result["clocks"]["boundNs"] > 0
    assert result["clocks"]["impossibleSamples"] == 0
    # All containers have one clock: what is said to be between them is an error, and has to be within its bound.
    assert all(abs(worker["clock"]["aheadNs"]) <= worker["clock"]["boundNs"] for worker in result["workers"])


@pytest.mark.ran("compose: Debian's Prometheus sees the workers of that run")
def test_prometheus_sees_the_run(finished: Run) -> None:
    assert finished.workers_seen == WORKERS


@pytest.mark.ran("compose: charts of that run")
def test_charts_of_the_run(finished: Run) -> None:
    assert "three-seconds" in (finished.results / "charts/report.html").read_text(encoding="utf-8")


@pytest.mark.ran("compose: down leaves no container, network or volume")
def test_nothing_is_left(finished: Run) -> None:
    assert finished.left == ""
