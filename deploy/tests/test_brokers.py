"""The brokers that the playbooks set up: from nothing to a result in one playbook, one system after the other."""

import json
import re
import shutil
import socket
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from containers import Podman
from release import WORKLOAD, Release, assert_complete, tell
from ssh_machines import (
    ANSIBLE,
    CONNECT_LIMIT_S,
    INSTALLED,
    MACHINES,
    MAX_EXPOSURE,
    Kind,
    Machines,
    await_port,
    changes,
    refused,
)
from tools import BUILD_LIMIT_S, FOLDER, HOME, installed, run

DEFAULTS = yaml.safe_load((ANSIBLE / "roles/benchmark/defaults/main.yml").read_text())
KAFKA_JARS = HOME / "local-brokers/kafka/src/main/resources/io/openmessaging/benchmark/broker/kafka/jars.pom.xml"

BROKERS = ("broker-1", "broker-2", "broker-3")
KINDS = {
    **MACHINES,
    **{
        name: Kind(user, debian="trixie", installed=f"{INSTALLED} rabbitmq-server redis-server")
        for name, user in zip(BROKERS, ("admin", "root", "admin"), strict=True)
    },
}
DISK_MIB = 2048

# Clients, other nodes, and the name server of Erlang.
PORTS = {"kafka": (9092, 9093), "rabbitmq": (5672, 5552, 5673, 4369), "redis": (6379,)}
SERVICES = {"kafka": "benchmark-kafka", "rabbitmq": "rabbitmq-server", "redis": "redis-server"}

INSTALLS = pytest.mark.long("installs brokers on three machines in containers")


@pytest.fixture(scope="module")
def kafka() -> Path:
    """The Kafka of the playbooks, packed as Apache packs it, but from Maven's registry."""
    found = re.search(r"/(kafka_[\d.]+-([\d.]+))\.tgz$", DEFAULTS["benchmark_kafka_archive"])
    assert found
    name, version = found.groups()
    archive = FOLDER / f"{name}.tgz"
    if not archive.exists():
        libs = FOLDER / name / "libs"
        shutil.rmtree(libs.parent, ignore_errors=True)
        libs.mkdir(parents=True)
        shutil.copy(KAFKA_JARS, libs / "pom.xml")
        maven = (HOME / "mvnw", "-B", "-q", "-f", libs / "pom.xml", f"-Dkafka.version={version}")
        run([*maven, "dependency:copy-dependencies"], limit_s=BUILD_LIMIT_S, cwd=libs)
        with tarfile.open(archive, "w:gz") as packed:
            packed.add(libs.parent, name)
        shutil.rmtree(libs.parent)
    return archive


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A disk without content."""
    file = tmp_path_factory.mktemp("disk") / "disk"
    run(["truncate", f"--size={DISK_MIB}M", file])
    device = run([installed("losetup", "mount"), "--find", "--show", file]).strip()
    try:
        yield device
    finally:
        run(["losetup", "--detach", device])
        file.unlink()


@pytest.fixture(scope="module")
def machines(
    podman: Podman, release: Release, kafka: Path, disk: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Machines]:
    """The machines, on which nothing is installed; the first broker has a disk of its own."""
    installed("ssh", "openssh-client")
    folder = tmp_path_factory.mktemp("machines")
    try:
        machines = Machines(podman, folder, KINDS, {"broker-1": [f"--device={disk}"]})
        machines.brokers += BROKERS
        machines.variables["broker-1"]["data_disk"] = disk
        for name in BROKERS:
            machines.variables[name] |= {
                "benchmark_kafka_archive": str(kafka),
                "benchmark_kafka_heap_opts": "-Xmx384m",
            }
        for name in MACHINES:
            machines.variables[name]["benchmark_archive"] = str(release.archive)
        (folder / "short.yaml").write_text(WORKLOAD)
        yield machines
        machines.close()
    finally:
        shutil.rmtree(folder)


def from_nothing(machines: Machines, driver: str) -> tuple[str, dict[str, Any]]:
    """What everything.yml prints for a driver file, and the only result."""
    shutil.rmtree(machines.folder / "results", ignore_errors=True)
    machines.shell("coordinator-1", "rm -rf /var/lib/benchmark/results")
    said = machines.play(
        "everything.yml",
        f"--extra-vars=benchmark_broker_driver={driver} benchmark_workloads=short.yaml",
        expected=None,
    )
    result = assert_complete(machines.folder / "results")
    assert ("All runs are OK." in said) == (result["verdict"] == "OK")
    assert [(worker["host"], worker.get("lost")) for worker in result["workers"]] == [
        ("worker-1", None),
        ("worker-2", None),
    ]
    return said, result


def assert_inside_alone(machines: Machines, system: str, name: str) -> None:
    """A broker can be reached by the other machines, but not from outside."""
    for port in PORTS[system]:
        with socket.create_connection((machines.address(name, 1), port), timeout=CONNECT_LIMIT_S):
            pass
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((machines.address(name, 0), port), timeout=CONNECT_LIMIT_S)


def running(machines: Machines, name: str) -> set[str]:
    """The systems that run on a machine."""
    return {
        system
        for system, service in SERVICES.items()
        if machines.shell(name, f"systemctl is-active {service}", expected=None).splitlines()[0] == "active"
    }


def guarantee(result: dict[str, Any]) -> tuple[int, int, str]:
    """Copies, acknowledged copies, and where they are, as the run has found them."""
    found = result["broker"]["guarantee"]
    return found["copies"], found["acknowledgedCopies"], found["storage"]


# Nobody answers there (RFC 5737): a playbook that goes there fails in another way.
ANYWHERE = {"ansible_host": "192.0.2.1", "private_address": "192.0.2.1"}


def groups(brokers: int) -> dict[str, Any]:
    """An inventory that has that many brokers."""
    return {
        "coordinator": {"hosts": {"coordinator-1": ANYWHERE}},
        "workers": {"hosts": {"worker-1": ANYWHERE}},
        "brokers": {"hosts": {f"broker-{number + 1}": ANYWHERE for number in range(brokers)}},
    }


@pytest.mark.ran("Ansible: brokers that cannot be set up are refused, before any machine is reached")
@pytest.mark.parametrize(
    ("driver", "brokers", "more", "message"),
    [
        ("driver-kafka/none.yaml", 3, "", "there is no file 'driver-kafka/none.yaml'"),
        ("driver-pulsar/pulsar.yaml", 3, "", "driver-pulsar/pulsar.yaml is for none of the systems"),
        ("driver-redis/redis-cluster.yaml", 3, "", "driver-redis/redis-cluster.yaml is for none of the systems"),
        ("driver-kafka/kafka-durable.yaml", 1, "", "driver-kafka/kafka-durable.yaml needs 3 brokers, but the group"),
        ("driver-kafka/kafka-fast.yaml", 0, "", "driver-kafka/kafka-fast.yaml needs 1 brokers, but the group"),
        (
            "driver-rabbitmq/rabbitmq-fast.yaml",
            2,
            "",
            "rabbitmq decides by majority, for which the last one is of no use",
        ),
        ("driver-kafka/kafka-fast.yaml", 1, "benchmark_kafka_archive=no.tgz", "there is no file 'no.tgz'"),
        (
            "driver-kafka/kafka-fast.yaml",
            1,
            "benchmark_kafka_archive=https://192.0.2.1/kafka.tgz benchmark_kafka_archive_sha512=abc",
            "the SHA-512 of https://192.0.2.1/kafka.tgz is needed",
        ),
    ],
)
def test_brokers_that_cannot_be_set_up_are_refused(
    driver: str, brokers: int, more: str, message: str, tmp_path: Path
) -> None:
    archive = tmp_path / "benchmark.tar.gz"
    archive.touch()
    given = f"--extra-vars=benchmark_archive={archive} benchmark_broker_driver={driver} {more}"

    assert message in refused(tmp_path, groups(brokers), "site.yml", given)


@INSTALLS
@pytest.mark.ran("Ansible: from nothing to a result in one playbook, Kafka on three machines")
def test_kafka_on_three_machines(machines: Machines, record_property: Callable[[str, object], None]) -> None:
    said, result = from_nothing(machines, "driver-kafka/kafka-durable.yaml")
    tell(result, record_property)

    assert set(changes(said)) >= {"localhost", "worker-1", *BROKERS}
    assert guarantee(result) == (3, 2, "SYNCED")
    assert [running(machines, name) for name in BROKERS] == [{"kafka"}] * 3
    for name in BROKERS:
        assert_inside_alone(machines, "kafka", name)
        machines.shell(name, "systemd-analyze verify benchmark-kafka.service")
        machines.shell(name, f"systemd-analyze security --threshold={MAX_EXPOSURE} benchmark-kafka.service")


@INSTALLS
@pytest.mark.ran("Ansible: a second run changes nothing on the brokers")
def test_second_run_changes_nothing(machines: Machines) -> None:
    said = machines.play("site.yml", "--extra-vars=benchmark_broker_driver=driver-kafka/kafka-durable.yaml")

    assert changes(said) == dict.fromkeys(("localhost", *KINDS), 0)


@INSTALLS
@pytest.mark.ran("Ansible: the data of a broker is on its local disk")
def test_data_is_on_the_local_disk(machines: Machines, disk: str) -> None:
    there = machines.shell("broker-1", "findmnt --noheadings --output=SOURCE,FSTYPE,OPTIONS /srv/benchmark")

    assert there.split()[:2] == [disk, "ext4"]
    assert "noatime" in there
    assert machines.shell("broker-1", "ls /srv/benchmark/kafka/*/meta.properties")
    assert machines.shell("broker-2", "findmnt /srv/benchmark", expected=1) == ""


@INSTALLS
@pytest.mark.ran("Ansible: a disk with content of others is refused")
def test_disk_with_other_content_is_refused(machines: Machines, disk: str) -> None:
    # Unless Kafka is installed by now, it has no file system.
    if not run(["blkid", "--probe", disk], expected=None):
        run(["mkfs.ext4", "-q", disk])
    run(["tune2fs", "-L", "others", disk])
    try:
        said = machines.play(
            "site.yml", "--extra-vars=benchmark_broker_driver=driver-kafka/kafka-durable.yaml", expected=None
        )
    finally:
        run(["tune2fs", "-L", "benchmark", disk])

    assert f"broker-1: {disk} has content that is not the benchmark's." in " ".join(said.split())


@INSTALLS
@pytest.mark.ran("Ansible: RabbitMQ on three machines, in place of Kafka")
def test_rabbitmq_takes_the_place_of_kafka(machines: Machines, record_property: Callable[[str, object], None]) -> None:
    _, result = from_nothing(machines, "driver-rabbitmq/rabbitmq-durable.yaml")
    tell(result, record_property)

    assert guarantee(result) == (3, 2, "SYNCED")
    assert [running(machines, name) for name in BROKERS] == [{"rabbitmq"}] * 3
    for name in BROKERS:
        assert_inside_alone(machines, "rabbitmq", name)
    password = machines.shell("worker-1", "cat /etc/benchmark/broker.password")
    assert password not in json.dumps(result)


@INSTALLS
@pytest.mark.ran("Ansible: Redis on two machines, in place of RabbitMQ")
def test_redis_takes_the_place_of_rabbitmq(machines: Machines, record_property: Callable[[str, object], None]) -> None:
    _, result = from_nothing(machines, "driver-redis/redis-durable.yaml")
    tell(result, record_property)

    assert guarantee(result) == (2, 2, "SYNCED")
    assert [running(machines, name) for name in BROKERS] == [{"redis"}, {"redis"}, set()]
    for name in BROKERS[:2]:
        assert_inside_alone(machines, "redis", name)
        refused_login = machines.shell(name, f"redis-cli -h {machines.address(name, 1)} PING")
        assert refused_login.startswith("NOAUTH")


@INSTALLS
@pytest.mark.ran("Ansible: Kafka on one machine, in place of Redis")
def test_kafka_on_one_machine(machines: Machines, record_property: Callable[[str, object], None]) -> None:
    machines.brokers[:] = BROKERS[:1]
    try:
        _, result = from_nothing(machines, "driver-kafka/kafka-fast.yaml")
    finally:
        machines.brokers[:] = BROKERS
    tell(result, record_property)

    assert guarantee(result) == (1, 1, "WRITTEN")
    assert running(machines, "broker-1") == {"kafka"}


@INSTALLS
@pytest.mark.ran("Ansible: a broker that dies is started again")
def test_broker_that_dies_is_started_again(machines: Machines) -> None:
    machines.shell("broker-1", "systemctl kill --signal=KILL benchmark-kafka")

    await_port(machines.address("broker-1", 1), PORTS["kafka"][0])
    assert machines.shell("broker-1", "systemctl show --property=NRestarts --value benchmark-kafka") == "1"


# The last one: nothing is there afterwards.
@INSTALLS
@pytest.mark.ran("Ansible: teardown.yml leaves nothing of the brokers")
def test_teardown_leaves_nothing(machines: Machines) -> None:
    given = "--extra-vars=benchmark_broker_driver=driver-kafka/kafka-durable.yaml"
    machines.play("teardown.yml", given)
    again = machines.play("teardown.yml", given)

    assert machines.changed() == []
    assert set(changes(again).values()) == {0}
    for name in BROKERS:
        assert machines.shell(name, "pgrep --list-full 'java|beam|redis|epmd' || true") == ""
