"""The playbooks: linted, and run over SSH on machines with systemd, from nothing to a result and back to nothing."""

import hashlib
import os
import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from containers import Podman
from release import WORKLOAD, Release, assert_complete, tell
from ssh_machines import (
    ANSIBLE,
    CONNECT_LIMIT_S,
    KERNEL_SETTINGS,
    MACHINES,
    MAX_EXPOSURE,
    REFUSED,
    Machines,
    await_port,
    changes,
    refused,
)
from tools import installed, python_tool, run

KEY = "/etc/benchmark/bench.key"
WORKERS = ("worker-1", "worker-2")
PORT = 8080
REDIS_PORT = 6379
# On one machine, clocks are known to some ten microseconds, on a busy one to less.
MAX_BOUND_NS = 20_000_000

DRIVER = f"""
name: Redis
driverClass: io.openmessaging.benchmark.driver.redis.RedisBenchmarkDriver
redisHost: {{{{ hostvars['broker-1'].private_address }}}}
redisPort: {REDIS_PORT}
mode: STREAM
pipelineDepth: 64
maxLength: 1000000
"""
RUN = (
    "--extra-vars=benchmark_drivers=redis.yaml benchmark_workloads=short.yaml",
    "--extra-vars=benchmark_options=--worker-logs",
)
FROM_RELEASE = "--extra-vars=benchmark_drivers=driver-redis/redis.yaml benchmark_workloads=workloads/quick-1kb.yaml"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *args: object) -> None:
        """Says nothing."""


INSTALLS = pytest.mark.long("installs three machines in containers")


@pytest.fixture(scope="module")
def machines(podman: Podman, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """The machines, on which nothing is installed."""
    installed("ssh", "openssh-client")
    folder = tmp_path_factory.mktemp("machines")
    try:
        machines = Machines(podman, folder, MACHINES)
        redis = ("redis-server", "--bind", "0.0.0.0", "--protected-mode", "no", "--save", "")  # noqa: S104 (a container)
        machines.add_broker("broker-1", "redis-server", *redis)
        yield machines
        machines.close()
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def served(release: Release, machines: Machines) -> Iterator[str]:
    """The URL of the release, in the network inside."""
    gateway = machines.gateway()
    with ThreadingHTTPServer((gateway, 0), partial(Quiet, directory=release.archive.parent)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://{gateway}:{server.server_port}/{release.archive.name}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def installation(machines: Machines, release: Release, served: str) -> str:
    """What site.yml prints, in full. One worker has a kernel to be set, the other one downloads the release."""
    machines.shell("worker-1", "mount -o remount,bind,rw /proc/sys")
    machines.variables["worker-1"] |= {
        "benchmark_set_kernel": True,
        "benchmark_kernel_settings": [
            {"key": key, "value": value, "reason": "A container has it of its own."}
            for key, value in KERNEL_SETTINGS.items()
        ],
    }
    machines.variables["worker-2"] |= {
        "benchmark_archive": served,
        "benchmark_archive_sha256": hashlib.sha256(release.archive.read_bytes()).hexdigest(),
    }
    return machines.play("site.yml", "-vvv")


# Nobody answers there (RFC 5737): a playbook that goes there fails in another way.
ANYWHERE = {"ansible_host": "192.0.2.1", "private_address": "192.0.2.1"}
COORDINATOR = {"hosts": {"coordinator-1": ANYWHERE}}
BOTH = {"coordinator": COORDINATOR, "workers": {"hosts": {"worker-1": ANYWHERE}}}


@pytest.mark.validated("Ansible: playbooks and roles (ansible-lint, profile production)")
def test_linter_finds_nothing() -> None:
    programs = f"{python_tool('ansible-lint').parent}{os.pathsep}{os.environ['PATH']}"
    said = run([python_tool("ansible-lint"), "--offline", "--nocolor"], cwd=ANSIBLE, env={"PATH": programs})

    assert "Profile 'production' was required, and it passed" in said


@pytest.mark.ran("Ansible: bad input ends with one message, before any machine is reached")
@pytest.mark.parametrize("playbook", ["site.yml", "benchmark.yml"])
def test_inventory_without_workers_is_refused(playbook: str, tmp_path: Path) -> None:
    said = refused(tmp_path, {"coordinator": COORDINATOR, "workers": {"hosts": {}}}, playbook)

    assert "The group 'workers' of the inventory has no machine." in said


@pytest.mark.ran("Ansible: bad input ends with one message, before any machine is reached")
def test_inventory_without_coordinator_or_addresses_is_refused(tmp_path: Path) -> None:
    no_coordinator = refused(tmp_path, {"workers": BOTH["workers"]}, "site.yml")
    no_address = refused(tmp_path, BOTH | {"workers": {"hosts": {"worker-1": {}}}}, "site.yml")

    assert "The group 'coordinator' of the inventory has to have one machine, it has 0." in no_coordinator
    assert "private_address is missing in the inventory: worker-1." in no_address


@pytest.mark.ran("Ansible: bad input ends with one message, before any machine is reached")
def test_archive_that_is_not_there_is_refused(tmp_path: Path) -> None:
    missing = refused(tmp_path, BOTH, "site.yml", "--extra-vars=benchmark_archive=no.tar.gz")
    unknown = refused(tmp_path, BOTH, "site.yml", "--extra-vars=benchmark_archive=https://192.0.2.1/no.tar.gz")

    assert "benchmark_archive: there is no file 'no.tar.gz'." in missing
    assert "benchmark_archive_sha256: the SHA-256 of https://192.0.2.1/no.tar.gz is needed" in unknown


@pytest.mark.ran("Ansible: bad input ends with one message, before any machine is reached")
def test_nothing_to_run_is_refused(tmp_path: Path) -> None:
    nothing = refused(tmp_path, BOTH, "benchmark.yml")
    both = refused(
        tmp_path,
        BOTH,
        "benchmark.yml",
        "--extra-vars={benchmark_plan: a, benchmark_drivers: b, benchmark_workloads: c}",
    )

    assert "Nothing is to be run:" in nothing
    assert "benchmark_plan has its drivers and workloads" in both


@INSTALLS
@pytest.mark.ran("Ansible: install on three machines with systemd, over SSH")
def test_first_run_installs_all(machines: Machines, installation: str) -> None:
    assert set(changes(installation)) == {"localhost", *MACHINES}
    for name in MACHINES:
        assert machines.shell(name, "java -version 2>&1").startswith('openjdk version "17')
        assert "maxslewrate 10" in machines.shell(name, "chronyd -p")
    for name in WORKERS:
        assert f"https://{machines.address(name, 1)}:{PORT}" in installation


@INSTALLS
@pytest.mark.ran("Ansible: a second run changes nothing")
def test_second_run_changes_nothing(machines: Machines, installation: str) -> None:
    assert sum(changes(installation).values()) > 0

    assert changes(machines.play("site.yml")) == dict.fromkeys(("localhost", *MACHINES), 0)


@INSTALLS
@pytest.mark.ran("Ansible: the key is the same everywhere, and told nobody")
@pytest.mark.usefixtures("installation")
def test_key_is_for_workers_alone(machines: Machines, installation: str) -> None:
    key = {machines.shell(name, f"base64 --wrap=0 {KEY}") for name in MACHINES}
    about = {machines.shell(name, f"stat --format='%U %a' {KEY}") for name in MACHINES}

    (content,) = key
    assert about == {"benchmark 400"}
    assert content[:60] not in installation
    for name in MACHINES:
        assert content[:60] not in machines.shell(name, "journalctl --quiet --no-pager")
        assert "Permission denied" in machines.shell(
            name, f"setpriv --reuid=nobody --clear-groups cat {KEY}", expected=1
        )
    assert machines.shell("coordinator-1", "find / -xdev -name bench.key") == KEY


@INSTALLS
@pytest.mark.ran("Ansible: workers are confined by systemd")
@pytest.mark.usefixtures("installation")
def test_workers_are_confined(machines: Machines) -> None:
    for name in WORKERS:
        machines.shell(name, "systemd-analyze verify benchmark-worker.service")
        machines.shell(name, f"systemd-analyze security --threshold={MAX_EXPOSURE} benchmark-worker.service")
        status = machines.shell(name, "cat /proc/$(systemctl show --property=MainPID --value benchmark-worker)/status")
        assert re.search(r"^NoNewPrivs:\s1$", status, re.MULTILINE)
        assert re.search(r"^CapBnd:\s0+$", status, re.MULTILINE)
        assert re.search(r"^Name:\sjava$", status, re.MULTILINE)
        assert not re.search(r"^Uid:.*\b0\b", status, re.MULTILINE)
    inside = "systemd-run --quiet --pipe --wait --unit=benchmark-trial sh -c"
    assert (
        machines.shell("worker-1", f"{inside} 'whoami; pwd; touch here && rm here'") == "benchmark\n/var/lib/benchmark"
    )
    assert "Read-only file system" in machines.shell("worker-1", f"{inside} 'touch /var/tmp/../here'", expected=1)


@INSTALLS
@pytest.mark.ran("Ansible: workers listen inside alone")
@pytest.mark.usefixtures("installation")
def test_workers_listen_inside_alone(machines: Machines) -> None:
    for name in WORKERS:
        await_port(machines.address(name, 1), PORT)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((machines.address(name, 0), PORT), timeout=CONNECT_LIMIT_S)


@INSTALLS
@pytest.mark.ran("Ansible: the kernel's settings, where a container has its own")
@pytest.mark.usefixtures("installation")
def test_kernel_is_set_where_there_is_one(machines: Machines) -> None:
    read = "sysctl --values net.ipv4.ip_local_port_range net.ipv4.tcp_tw_reuse"

    assert machines.shell("worker-1", read).split() == ["10240", "65535", "1"]
    assert machines.shell("worker-2", read).split() != ["10240", "65535", "1"]


@pytest.mark.validated("Ansible: this kernel knows all settings")
def test_kernel_knows_all_settings() -> None:
    defaults = yaml.safe_load((ANSIBLE / "roles/benchmark/defaults/main.yml").read_text())
    keys = [setting["key"] for setting in defaults["benchmark_kernel_settings"]]

    assert keys
    assert [key for key in keys if not Path("/proc/sys", *key.split(".")).exists()] == []


@INSTALLS
@pytest.mark.ran("Ansible: a worker that dies is started again")
@pytest.mark.usefixtures("installation")
def test_worker_that_dies_is_started_again(machines: Machines) -> None:
    machines.shell("worker-2", "systemctl kill --signal=KILL benchmark-worker")

    await_port(machines.address("worker-2", 1), PORT)
    assert machines.shell("worker-2", "systemctl show --property=NRestarts --value benchmark-worker") == "1"


@INSTALLS
@pytest.mark.ran("Ansible: only what has changed is restarted")
@pytest.mark.usefixtures("installation")
def test_only_what_has_changed_is_restarted(machines: Machines) -> None:
    before = machines.main_pids(*WORKERS)
    machines.variables["worker-2"]["benchmark_heap_opts"] = "-Xmx512m"
    said = machines.play("site.yml")
    after = machines.main_pids(*WORKERS)

    assert changes(said) == {"localhost": 0, "coordinator-1": 0, "worker-1": 0, "worker-2": 2}
    assert before["worker-1"] == after["worker-1"]
    assert before["worker-2"] != after["worker-2"]
    assert "-Xmx512m" in machines.shell("worker-2", f"tr '\\0' ' ' </proc/{after['worker-2']}/cmdline")


@INSTALLS
@pytest.mark.ran("Ansible: benchmark.yml, a run on two workers with Redis")
@pytest.mark.usefixtures("installation")
def test_run_gives_a_result(machines: Machines, record_property: Callable[[str, object], None]) -> None:
    (machines.folder / "redis.yaml").write_text(DRIVER)
    (machines.folder / "short.yaml").write_text(WORKLOAD)
    said = machines.play("benchmark.yml", *RUN, expected=None)
    result = assert_complete(machines.folder / "results")
    tell(result, record_property)

    assert ("All runs are OK." in said) == (result["verdict"] == "OK")
    assert ("ended with exit code 1: a run failed, is INVALID" in said) == (result["verdict"] == "INVALID")
    assert [(worker["host"], worker.get("lost")) for worker in result["workers"]] == [(name, None) for name in WORKERS]
    assert sum(worker["producers"] for worker in result["workers"]) == 2
    assert 0 < result["clocks"]["boundNs"] < MAX_BOUND_NS
    for worker in result["workers"]:
        clock = worker["clock"]
        # All machines have the clock of this one: what is said of them is right if it contains no difference.
        assert abs(clock["aheadNs"]) <= clock["boundNs"] < MAX_BOUND_NS
        assert clock["breaks"] == []
    assert result["clocks"]["impossibleSamples"] == 0
    assert len(list((machines.folder / "results").glob("*-worker-*.hlog"))) == len(WORKERS)


@INSTALLS
@pytest.mark.ran("Ansible: benchmark.yml, bad input and exit codes")
@pytest.mark.usefixtures("installation")
def test_run_says_why_it_fails(machines: Machines) -> None:
    missing = machines.play(
        "benchmark.yml", "--extra-vars=benchmark_drivers=a.yaml benchmark_workloads=b.yaml", expected=REFUSED
    )
    wrong = machines.play(
        "benchmark.yml", FROM_RELEASE, "--extra-vars=benchmark_options=--no-such-option", expected=REFUSED
    )

    assert f"Neither in {machines.folder} nor in the release: a.yaml, b.yaml." in missing
    assert re.search(r"^coordinator-1 +: ok=\d+ +changed=0 ", missing, re.MULTILINE)
    assert "bin/benchmark has ended with exit code 2: bad arguments or configuration, nothing was run." in " ".join(
        wrong.split()
    )


# The last one: nothing is there afterwards.
@INSTALLS
@pytest.mark.ran("Ansible: teardown.yml leaves nothing")
@pytest.mark.usefixtures("installation")
def test_teardown_leaves_nothing(machines: Machines) -> None:
    machines.play("teardown.yml")
    again = machines.play("teardown.yml")

    assert machines.changed() == []
    assert set(changes(again).values()) == {0}
    for name in MACHINES:
        assert machines.shell(name, "pgrep java || true") == ""
    assert machines.shell("worker-1", "sysctl --values net.ipv4.tcp_tw_reuse") == machines.shell(
        "worker-2", "sysctl --values net.ipv4.tcp_tw_reuse"
    )
