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

from compose_file import FILE, PROMISES, ComposeFile, Service, own_version
from containers import JRE, Podman
from promises import broken
from release import WORKLOAD, Release, assert_complete, tell
from tools import BUILD_LIMIT_S, DEPLOY, HOME, python_tool, run

FOLDER = FILE.parent
WORKERS = 3
# Minutes where nobody else works; on a busy machine all of it takes its time.
UP_LIMIT_S = 1200
# Of fetching the jars, and starting.
BROKER_LIMIT_S = 600

PROFILES = ("--profile", "kafka", "--profile", "monitoring")
METRIC = "benchmark_worker_up"

# No public image can be had here: a Kafka of this project's own, and Debian's Prometheus.
OVERRIDE = """
services:
  kafka:
    image: {image}
    pull_policy: never
    user: "0:0"
    working_dir: {home}
    command:
      - bash
      - -c
      - bin/broker start kafka --host "$$(hostname -i)" && exec bin/broker logs --follow kafka >/dev/null
    volumes: ["{jars}:{home}/.brokers/jars:ro"]
    tmpfs: ["/results:rw"]
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

    def __call__(self, *arguments: str, limit_s: float = 600, expected: int | None = 0) -> str:
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
    left: set[str]


@pytest.fixture(scope="module")
def jars(release: Release, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that has Kafka's jars: a start fetches them, for this checkout once.

    Whether a Kafka is ready in time is what the run shows.
    """
    jars = HOME / ".brokers/jars"
    jars.mkdir(parents=True, exist_ok=True)
    home = release.unpack(tmp_path_factory.mktemp("home"))
    (home / ".brokers").mkdir()
    (home / ".brokers/jars").symlink_to(jars)
    run([home / "bin/broker", "start", "kafka", "--port", "0"], limit_s=BROKER_LIMIT_S, expected=None)
    run([home / "bin/broker", "stop", "kafka"], expected=None)
    assert list(jars.glob(f"kafka-{own_version('kafka')}/*.jar"))
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
    made = Project(
        podman,
        folder,
        {"IMAGE": f"localhost/{podman.name('compose')}:1.0", "BASE": podman.base(*JRE), "LIMIT_S": "600"},
    )
    made("build", "benchmark", limit_s=BUILD_LIMIT_S)
    try:
        yield made
    finally:
        made(*PROFILES, "down", "--volumes")


def everything(podman: Podman) -> set[str]:
    """Containers, networks and volumes, also those without a name."""
    kinds = ("ps --all", "network ls", "volume ls")
    return {f"{kind} {found}" for kind in kinds for found in podman(*kind.split(), "--quiet").split()}


@pytest.fixture(scope="module")
def finished(podman: Podman, project: Project) -> Run:
    """A run as README.md has it, looked at, and ended."""
    before = everything(podman)
    project("--profile", "monitoring", "up", "--detach", "prometheus")
    up = project.attempt("--profile", "kafka", "up", "--exit-code-from", "benchmark")
    query = ("promtool", "query", "instant", "http://localhost:9090", f"last_over_time({METRIC}[10m])")
    seen = podman("exec", f"{project.name}_prometheus_1", *query, expected=None)
    project("--profile", "charts", "run", "--rm", "charts")
    project(*PROFILES, "down", "--volumes")
    left = everything(podman) - before
    return Run(up.returncode, up.stdout + up.stderr, project.folder / "results", seen.count(f"{METRIC}{{"), left)


@pytest.mark.ran("compose: key, three workers, coordinator, a Kafka of bin/broker, each in a container")
def test_run_with_three_workers(finished: Run, record_property: Callable[[str, object], None]) -> None:
    result = assert_complete(finished.results)
    tell(result, record_property)

    assert finished.exit_code == (0 if result["verdict"] == "OK" else 1), finished.printed
    assert len({worker["host"] for worker in result["workers"]}) == len(result["workers"]) == WORKERS
    assert not any(worker["lost"] for worker in result["workers"])
    assert finished.printed.count("ready at https://0.0.0.0:8080") == WORKERS
    assert "kafka:9092" in str(result["driverConfig"])


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
    assert finished.left == set()


@pytest.mark.ran("compose: what run.sh says when something is not there")
def test_missing_broker_and_results_are_named(podman: Podman, image: str) -> None:
    options = ("run", "--rm", "--network=none", f"--volume={FOLDER}:/compose:ro")
    environment = ("--env=BROKERS=kafka=kafka:9092", "--env=WORKERS=1", "--env=LIMIT_S=1")
    command = (image, "bash", "/compose/run.sh")

    silent = podman(*options, *environment, *command, expected=2)
    read_only = podman(
        *options,
        *environment,
        "--read-only",
        "--read-only-tmpfs=false",
        "--volume=/tmp:/results:ro",
        *command,
        expected=2,
    )

    assert "run: no broker has answered within 1 s" in silent
    assert "chmod 777 results" in read_only


@pytest.mark.validated("compose: compose.yaml (JSON schema of the Compose specification)")
def test_schema() -> None:
    run([python_tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", FILE])


@pytest.mark.validated("compose: images, versions, addresses, limits and rights of all brokers")
@pytest.mark.parametrize("promise", PROMISES)
def test_promises_are_kept(promise: str) -> None:
    assert list(PROMISES[promise](ComposeFile.read())) == []


@pytest.mark.validated("compose: each broker's profile (podman-compose config); no public image was run")
@pytest.mark.parametrize("profile", ComposeFile.read().brokers())
def test_profile_starts_its_broker_and_no_other(profile: str) -> None:
    command: list[str | Path] = [python_tool("podman-compose"), "--file", FILE, "--profile", profile, "config"]
    started = yaml.safe_load(_stdout(command))["services"]

    assert set(started) == {"worker", "benchmark", *ComposeFile.read().of(profile)}
    assert int(started["worker"]["scale"]) == WORKERS


def _stdout(command: list[str | Path]) -> str:
    """Without what is said beside it."""
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=60, check=True).stdout


Change = Callable[[dict[str, Service]], Any]
CHANGES: list[tuple[str, Change]] = [
    ("images_are_fixed", lambda all_: all_["redis"].update(image="docker.io/library/redis:latest")),
    ("images_are_fixed", lambda all_: all_["redis"].update(image="docker.io/library/redis")),
    ("images_are_fixed", lambda all_: all_["grafana"].update(image="docker.io/grafana/grafana:12")),
    ("our_image_is_never_pulled", lambda all_: all_["worker"].update(pull_policy="missing")),
    ("our_image_is_never_pulled", lambda all_: all_["worker"].update(image="localhost/benchmark:0.0.1")),
    ("versions_are_those_of_one_place", lambda all_: all_["kafka"].update(image="docker.io/apache/kafka:4.3.0")),
    ("versions_are_those_of_one_place", lambda all_: all_["redis"].update(image="docker.io/library/redis:8.0.2")),
    ("versions_are_those_of_one_place", lambda all_: all_["nats"].update(image="docker.io/library/nats:2.14.8")),
    ("every_broker_is_found", lambda all_: all_.update(queue=all_.pop("rabbitmq"))),
    ("every_broker_is_found", lambda all_: all_["artemis"].update(profiles=["activemq"])),
    ("every_broker_is_found", lambda all_: all_["benchmark"]["environment"].update(BROKERS="kafka=kafka:9093")),
    ("clients_come_back", lambda all_: all_["kafka"]["environment"].pop("KAFKA_ADVERTISED_LISTENERS")),
    ("memory_is_limited", lambda all_: all_["pulsar"].pop("mem_limit")),
    ("nothing_escalates", lambda all_: all_["worker"].pop("cap_drop")),
    ("nothing_escalates", lambda all_: all_["kafka"].update(privileged=True)),
    ("ours_are_read_only", lambda all_: all_["worker"].pop("read_only")),
    ("ours_are_read_only", lambda all_: all_["worker"]["volumes"].append("./:/files")),
    ("ports_are_of_this_machine", lambda all_: all_["grafana"].update(ports=["3000:3000"])),
    ("what_is_mounted_is_there", lambda all_: all_["grafana"]["volumes"].append("./dashboard.json:/dashboard.json:ro")),
    ("the_key_is_in_memory", lambda all_: all_["kafka"].update(volumes=["key:/key"])),
    ("the_key_is_in_memory", lambda all_: all_["worker"]["command"].remove("--key")),
]


@pytest.mark.validated("compose: each promise, broken on purpose")
@pytest.mark.parametrize(("promise", "change"), CHANGES)
def test_broken_promise_is_seen(promise: str, change: Change) -> None:
    file = copy.deepcopy(ComposeFile.read())
    change(file.services)

    assert promise in broken(PROMISES, file)


@pytest.mark.validated("compose: each promise, broken on purpose")
def test_every_promise_is_broken_once() -> None:
    assert {promise for promise, _ in CHANGES} == set(PROMISES)


@pytest.mark.validated("compose: Prometheus' configuration (promtool)")
def test_promtool_finds_nothing(podman: Podman) -> None:
    mounted = f"--volume={FOLDER / 'monitoring'}:/monitoring:ro"
    check = ("promtool", "check", "config", "/monitoring/prometheus.yml")

    assert "is valid prometheus config file" in podman(
        "run", "--rm", "--network=none", mounted, podman.base("prometheus"), *check
    )
    (job,) = yaml.safe_load((FOLDER / "monitoring/prometheus.yml").read_text())["scrape_configs"]
    script = (FOLDER / "run.sh").read_text()
    assert job["static_configs"] == [{"targets": [f"benchmark:{_port(script)}"]}]


def _port(script: str) -> str:
    """On which the coordinator serves its figures."""
    (port,) = re.findall(r"--metrics-port (\d+)", script)
    return str(port)


@pytest.mark.validated("compose: Grafana's provisioning; no Grafana has read it")
def test_grafana_is_told_of_prometheus_and_of_the_dashboard() -> None:
    grafana = ComposeFile.read().services["grafana"]
    mounted = {inside: outside for outside, inside, _ in (volume.split(":") for volume in grafana["volumes"])}
    (source,) = yaml.safe_load((FOLDER / "monitoring/datasource.yml").read_text())["datasources"]
    (provider,) = yaml.safe_load((FOLDER / "monitoring/dashboards.yml").read_text())["providers"]
    dashboard = grafana["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    variables = json.loads((FOLDER / mounted[dashboard]).read_text())["templating"]["list"]

    assert (source["type"], source["url"]) == ("prometheus", "http://prometheus:9090")
    assert [each["query"] for each in variables if each["type"] == "datasource"] == [source["type"]]
    assert Path(dashboard).parent == Path(provider["options"]["path"])
    assert {str(Path(path).parent) for path in mounted} == {
        *(f"/etc/grafana/provisioning/{kind}" for kind in ("datasources", "dashboards")),
        str(Path(dashboard).parent),
    }
