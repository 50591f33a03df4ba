"""The container image: built for real, and run as strictly as an engine can."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from containers import Podman
from release import WORKLOAD, Release, assert_complete
from tools import DEPLOY, HOME, python_tool, run

CONTAINERFILE = DEPLOY / "container/Containerfile"
USER = 10001
GRACE_S = 30

STRICT = ("--rm", "--read-only", "--tmpfs=/tmp:rw,exec", f"--user={USER}", "--network=none", "--cap-drop=all")

# What every Debian lets everybody write, when the root file system is not read-only.
OF_EVERYBODY = {"/tmp", "/var/tmp", "/run/lock"}  # noqa: S108 (names, nothing is written there)


@pytest.fixture(scope="module")
def results(podman: Podman, image: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the result of a run in a container."""
    folder = tmp_path_factory.mktemp("results")
    os.chown(folder, USER, USER)
    workload = tmp_path_factory.mktemp("files") / "workload.yaml"
    workload.write_text(WORKLOAD)
    podman(
        *("run", *STRICT, f"--volume={folder}:/results", f"--volume={workload}:/workload.yaml:ro", image),
        *("benchmark", "--drivers", "/opt/benchmark/driver-inmemory/inmemory-queued.yaml", "/workload.yaml"),
        expected=None,
    )
    return folder


@pytest.mark.validated("container: Containerfile (hadolint)")
def test_hadolint_finds_nothing() -> None:
    run([python_tool("hadolint"), "--failure-threshold", "style", CONTAINERFILE])

    assert re.search(r"^ARG BASE=docker\.io/\S+:17\.\d\S+$", CONTAINERFILE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.ran("container: image, on a base of Debian's packages")
def test_image_says_what_it_is(podman: Podman, image: str, release: Release) -> None:
    (inspected,) = json.loads(podman("inspect", "--type", "image", image))
    config: dict[str, Any] = inspected["Config"]
    prefix = "org.opencontainers.image."

    assert config["User"] == f"{USER}:{USER}"
    assert list(config["Volumes"]) == ["/results"]
    assert not config.get("Entrypoint")
    assert {key: value for key, value in config["Labels"].items() if key.startswith(prefix)} == {
        f"{prefix}title": "Messaging benchmark",
        f"{prefix}licenses": "Apache-2.0",
        f"{prefix}version": release.version,
        f"{prefix}revision": run(["git", "rev-parse", "HEAD"], cwd=HOME).strip(),
    }


@pytest.mark.ran("container: a run, read-only, as user 10001, without network")
def test_run_writes_a_result_to_the_volume(results: Path) -> None:
    result = assert_complete(results)

    assert result["workload"] == "three-seconds"
    assert {file.stat().st_uid for file in results.iterdir()} == {USER}


@pytest.mark.ran("container: charts of that run, likewise")
def test_charts_of_a_run(podman: Podman, image: str, results: Path) -> None:
    podman("run", *STRICT, f"--volume={results}:/results", image, "charts", "results", "-o", "results/charts")

    assert "three-seconds" in (results / "charts/report.html").read_text(encoding="utf-8")


@pytest.mark.ran("container: commands and options of the JVM")
def test_commands_and_heap(podman: Podman, image: str, release: Release) -> None:
    assert "Usage: benchmark COMMAND" in podman("run", *STRICT, image)
    assert "--new-key" in podman("run", *STRICT, image, "benchmark-worker", "--help")
    options = ("--memory=512m", "--env=JVM_OPTS=-XX:+PrintFlagsFinal")
    flags = podman("run", *STRICT, *options, image, "benchmark", "--version")

    assert flags.endswith(f"benchmark {release.printed_version}")
    assert re.search(rf"size_t MaxHeapSize += {256 << 20} ", flags)


@pytest.mark.ran("container: a worker ends when it is stopped")
def test_worker_is_a_jvm_without_a_shell_and_can_be_stopped(podman: Podman, image: str) -> None:
    name = podman.name("worker")
    options = tuple(option for option in STRICT if option != "--rm")
    podman("run", "--detach", "--name", name, *options, image, "benchmark-worker")
    podman.await_line(name, "ready at")

    processes = podman("top", name, "comm").splitlines()[1:]
    podman("stop", "--time", str(GRACE_S), name)

    assert processes == ["java"]
    assert podman("inspect", "--format", "{{.State.ExitCode}}", name) in {"0", "143"}


@pytest.mark.ran("container: nothing can be written, nothing is left behind")
def test_nothing_outside_can_be_written(podman: Podman, image: str) -> None:
    shown = "-not -path '/proc/*' -not -path '/sys/*' -not -path '/dev/*'"
    find = f"find / -xdev {shown} -writable -not -type l 2>/dev/null || true"

    loose = podman("run", "--rm", "--network=none", image, "sh", "-c", find).split()
    strict = podman("run", *STRICT, "--read-only-tmpfs=false", image, "sh", "-c", find).split()

    assert set(loose) == OF_EVERYBODY | {"/results"}
    assert set(strict) == {"/tmp", "/results"}  # noqa: S108


@pytest.mark.ran("container: nothing can be written, nothing is left behind")
def test_no_caches_and_no_secrets(podman: Podman, image: str) -> None:
    places = "/root /home /tmp /var/tmp /results /var/lib/apt/lists /var/cache/apt /opt/benchmark/.brokers"
    left = podman(
        "run", "--rm", "--user=0", image, "sh", "-c", f"find {places} -type f -size +0 2>/dev/null || true"
    ).split()
    keys = "grep -rlE 'BEGIN( [A-Z]+)? PRIVATE KEY' /etc /opt /root /home /usr/local || true"

    assert [Path(file).name for file in left if Path(file).name not in {".bashrc", ".profile"}] == []
    assert podman("run", "--rm", "--user=0", image, "sh", "-c", keys) == ""
    assert not re.search("TOKEN|PASSWORD|SECRET", podman("history", "--no-trunc", image), re.IGNORECASE)
