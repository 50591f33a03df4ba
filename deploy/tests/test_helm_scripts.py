"""The containers of the Helm chart with the programs of this build, without Kubernetes: from the key to the result."""

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Timer

import pytest
import yaml
from kubernetes_validate import validate

from helm_chart import CHART, EXAMPLES, NEWEST, release, render
from helm_pod import Pod
from tools import BUILD_LIMIT_S, HOME, installed, run

pytestmark = pytest.mark.long("runs workers and a Kafka")

SHORT = """
name: short
topics: 2
partitionsPerTopic: 1
messageSize: 100
subscriptionsPerTopic: 1
consumerPerSubscription: 1
producersPerTopic: 1
producerRate: 200
warmupDuration: 1s
testDuration: {length}
samplePeriod: 1s
"""
START_LIMIT_S = 120
RUN_LIMIT_S = 300
# A busy machine may take long to answer itself.
PATIENCE = ",".join(f"--worker-limit,{limit}=1m" for limit in ("connect", "answer", "free", "suspect", "lost"))


@pytest.fixture(scope="module", autouse=True)
def programs() -> None:
    """Those of this build, which is made if it is not there."""
    installed("openssl")
    installed("java", "openjdk-17-jre-headless")
    run([HOME / "bin" / "benchmark", "--version"], limit_s=BUILD_LIMIT_S)


def coordinator(root: Path, example: str, *settings: str) -> Pod:
    """With its key."""
    pod = Pod(release(example, *settings), "Job", root)
    run(pod.command("key"), cwd=root, env=pod.environment())
    return pod


def read_until(process: subprocess.Popen[str], pattern: str, limit_s: float) -> re.Match[str]:
    """Reads what is printed, until a line is like that."""
    assert process.stdout is not None
    stop = Timer(limit_s, process.kill)
    stop.start()
    seen = []
    try:
        for line in process.stdout:
            seen.append(line)
            if found := re.search(pattern, line):
                return found
    finally:
        stop.cancel()
    raise AssertionError(f"{pattern} was not printed within {limit_s} s, but:\n{''.join(seen)}")


@pytest.mark.ran("Helm chart: files and arguments, by bin/benchmark --dry-run")
@pytest.mark.parametrize("example", EXAMPLES)
def test_files_are_accepted_and_take_as_long_as_is_said(example: str, tmp_path: Path) -> None:
    pod = coordinator(tmp_path, example)
    for file in pod.folder("/files").iterdir():
        file.write_text(file.read_text().replace("/secrets", str(pod.folder("/secrets"))))
    said = run(pod.command("check"), cwd=tmp_path, env=pod.environment())
    estimate = yaml.safe_load(EXAMPLES[example].read_text())["run"]["estimate"]
    assert re.search(rf"^all together: at least {estimate}\b", said, re.MULTILINE)


@pytest.mark.ran("Helm chart: files and arguments, by bin/benchmark --dry-run")
def test_thousand_workers_are_accepted(tmp_path: Path) -> None:
    pod = coordinator(tmp_path, "hundred-workers", "workers.count=1000")
    # Names would be looked up, one by one, which takes its time where there are none of these.
    addresses = pod.folder("/workers") / "workers.yaml"
    numbers = iter(range(1000))
    text = re.sub(r"//[^:]+:", lambda _: "//192.0.{}.{}:".format(*divmod(next(numbers), 256)), addresses.read_text())
    addresses.write_text(text)
    said = run(pod.command("check"), cwd=tmp_path, env=pod.environment())
    assert "https://192.0.3.231:8080 (all send and receive)" in said


@pytest.mark.ran("Helm chart: files and arguments, by bin/benchmark --dry-run")
def test_bad_file_is_refused(tmp_path: Path) -> None:
    pod = coordinator(tmp_path, "external-kafka-tls-sasl")
    workload = pod.folder("/files") / "throughput.yaml"
    workload.write_text(workload.read_text().replace("topics:", "topcis:"))
    said = run(pod.command("check"), cwd=tmp_path, env=pod.environment(), expected=2)
    assert "throughput.yaml: topcis:" in said


@pytest.mark.ran("Helm chart: files and arguments, by bin/benchmark --dry-run")
def test_runs_that_cannot_end_in_time_are_refused(tmp_path: Path) -> None:
    pod = coordinator(tmp_path, "kafka-in-cluster", "run.deadline=30s")
    said = run(pod.command("check"), cwd=tmp_path, env=pod.environment(), expected=1)
    assert "take 35s at least, and Kubernetes would end them after 30 s: set run.estimate to 35s" in said


@pytest.mark.ran("Helm chart: key, workers, run and result, against a real Kafka")
def test_key_of_the_user_is_used_as_it_is(tmp_path: Path) -> None:
    pod = Pod(release("kafka-in-cluster", "key.existingSecret=mine"), "StatefulSet", tmp_path)
    said = run(pod.command("key"), cwd=tmp_path, env=pod.environment(), expected=1)
    assert "neither bench.key nor tls.crt with tls.key" in said
    (pod.folder("/key-secret") / "bench.key").write_bytes(b"any")
    run(pod.command("key"), cwd=tmp_path, env=pod.environment())
    made = pod.folder("/key") / "bench.key"
    assert made.read_bytes() == b"any"
    assert made.stat().st_mode & 0o777 == 0o600


@pytest.mark.ran("Helm chart: key, workers, run and result, against a real Kafka")
def test_workers_that_do_not_come_are_waited_for_in_vain(tmp_path: Path) -> None:
    pod = coordinator(tmp_path, "kafka-in-cluster", "workers.wait=1s")
    (pod.folder("/workers") / "workers.yaml").write_text("workers: ['https://127.0.0.1:1']")
    said = run(pod.command("await-workers"), cwd=tmp_path, env=pod.environment(), expected=1)
    assert "https://127.0.0.1:1" in said
    assert "not all workers were there and free within 1 s" in said


@pytest.mark.ran("Helm chart: key, workers, run and result, against a real Kafka")
@pytest.mark.parametrize(
    ("prints", "why"),
    [("worker 1 (https://w1:8080): another build", "there and free within 1 s"), ("benchmark: --key: wrong", "--key")],
)
def test_only_workers_of_another_build_are_waited_for(prints: str, why: str, tmp_path: Path) -> None:
    benchmark = tmp_path / "benchmark"
    benchmark.write_text(f"#!/bin/sh\necho '{prints}'\nexit 2\n")
    benchmark.chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    said = run(["bash", CHART / "scripts" / "await-workers.sh", "1"], cwd=tmp_path, env=path, expected=1)
    assert why in said
    assert ("await-workers" in said) == prints.startswith("worker")


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pod]:
    """A coordinator whose two workers run here, with the key of the release."""
    rendered = release("kafka-in-cluster", f"run.options={{{PATIENCE}}}")
    root = tmp_path_factory.mktemp("coordinator")
    pod = Pod(rendered, "Job", root)
    run(pod.command("key"), cwd=root, env=pod.environment())
    with ExitStack() as stack:
        addresses = []
        for _ in range(2):
            worker = Pod(rendered, "StatefulSet", tmp_path_factory.mktemp("worker"))
            run(worker.command("key"), cwd=worker.root, env=worker.environment())
            on_loopback = {"0.0.0.0": "127.0.0.1", "8080": "0"}  # noqa: S104
            process = worker.start([on_loopback.get(part, part) for part in worker.command("worker")])
            stack.enter_context(process)
            stack.callback(process.kill)
            addresses.append(read_until(process, r"ready at (https://\S+:\d+)", START_LIMIT_S)[1])
        (pod.folder("/workers") / "workers.yaml").write_text(json.dumps({"workers": addresses}))
        driver = pod.folder("/files") / "kafka.yaml"
        driver.write_text(driver.read_text().replace("kafka.kafka.svc:", "localhost:"))
        yield pod


def run_command(pod: Pod, length: str) -> list[str]:
    """That of the coordinator, but with a workload of that length, and a broker that it starts itself."""
    (pod.folder("/files") / "short.yaml").write_text(SHORT.format(length=length))
    instead = {"external": "local", "workloads/smoke/kafka-1kb.yaml": "files/short.yaml"}
    return [instead.get(part, part) for part in pod.command("coordinator")]


def printed_result(said: str) -> tuple[str, dict[str, object]]:
    """The only one: its file and what is in it."""
    found = re.search(r"^=== (\S+)\n(.*)\Z", said, re.MULTILINE | re.DOTALL)
    assert found is not None, said
    return found[1], json.loads(found[2])


@pytest.mark.ran("Helm chart: key, workers, run and result, against a real Kafka")
def test_run_prints_its_result(ready: Pod) -> None:
    said = run(ready.command("await-workers"), cwd=ready.root, env=ready.environment(), limit_s=RUN_LIMIT_S)
    assert len(re.findall(", free$", said, re.MULTILINE)) == 2
    process = ready.start(run_command(ready, "3s"))
    said, _ = process.communicate(timeout=RUN_LIMIT_S)
    name, result = printed_result(said)
    assert json.loads((ready.root / name).read_text()) == result
    # What a busy machine makes of it is not this test's matter, but the exit code has to say the same.
    assert process.returncode == (0 if result["verdict"] == "OK" else 1)
    assert result["verdict"] in {"OK", "INVALID"}
    assert len(result["workers"]) == 2  # type: ignore[arg-type]


@pytest.mark.ran("Helm chart: key, workers, run and result, against a real Kafka")
def test_run_that_is_ended_prints_what_was_measured(ready: Pod) -> None:
    process = ready.start(run_command(ready, "10m"))
    read_until(process, "^measure ", RUN_LIMIT_S)
    process.send_signal(signal.SIGTERM)
    said, _ = process.communicate(timeout=RUN_LIMIT_S)
    assert process.returncode == 130
    assert printed_result(said)[1]["verdict"] == "INTERRUPTED"


@pytest.mark.validated("Helm chart: what helm install says")
def test_notes(tmp_path: Path) -> None:
    # Without a cluster helm shows manifests only: a copy of the chart says it in one of these.
    chart = tmp_path / "chart"
    shutil.copytree(CHART, chart)
    notes = (chart / "templates" / "NOTES.txt").read_text()
    (chart / "templates" / "_notes.tpl").write_text('{{ define "notes" }}' + notes + "{{ end }}")
    (chart / "templates" / "notes.yaml").write_text('kind: Notes\ntext: {{ include "notes" . | toJson }}')
    rendered = [part for part in yaml.safe_load_all(render("hundred-workers", chart=chart)) if part["kind"] == "Notes"]
    said = rendered[0]["text"]

    expected = release("hundred-workers")
    assert f"logs -f job/{expected.one('Job')['metadata']['name']} -c coordinator" in said
    (text,) = re.findall(r"<<'END'\n(.*?)\nEND\n", said, re.DOTALL)
    pod = yaml.safe_load(text)
    validate(pod, NEWEST, strict=True)
    (_, coordinator_pod) = expected.pods()[1]
    for part in ("resources", "image", "securityContext"):
        assert pod["spec"]["containers"][0][part] == coordinator_pod["containers"][0][part]
    assert pod["spec"]["securityContext"] == coordinator_pod["securityContext"]
    claim = expected.one("PersistentVolumeClaim")["metadata"]["name"]
    assert pod["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"] == claim
