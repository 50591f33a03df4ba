"""The Helm chart on a real API server of Kubernetes, with Kubernetes' own scheduler and controllers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from cluster import KUBERNETES, POOL, Cluster
from helm_chart import CHART, EXAMPLES, release
from helm_promises import Manifest

SERVER = f"a real API server (Kubernetes {KUBERNETES})"
RELEASE = "bench"
NAME = f"{RELEASE}-messaging-benchmark"
OURS = f"--selector=app.kubernetes.io/instance={RELEASE}"
KINDS = "statefulset,job,pod,service,configmap,secret,serviceaccount,networkpolicy,persistentvolumeclaim"
WAIT = ("--wait", "--wait-for-jobs", "--timeout=8m")

MONITORS_NAME = "podmonitors.monitoring.coreos.com"
MONITORS = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": MONITORS_NAME},
    "spec": {
        "group": "monitoring.coreos.com",
        "scope": "Namespaced",
        "names": {"kind": "PodMonitor", "plural": "podmonitors", "singular": "podmonitor"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
            }
        ],
    },
}


class Bench:
    """A release in a namespace."""

    def __init__(self, cluster: Cluster, namespace: str, example: str) -> None:
        self._cluster = cluster
        self._place = f"--namespace={namespace}"
        self._values = EXAMPLES[example]

    def helm(self, verb: str, *options: str) -> str:
        """Installs or upgrades it."""
        return self._cluster.helm(verb, RELEASE, CHART, self._place, "--values", self._values, *options)

    def uninstall(self) -> None:
        """Removes it."""
        self._cluster.helm("uninstall", RELEASE, self._place, "--wait", "--timeout=5m")
        self._cluster.kubectl("wait", "pod", OURS, self._place, "--for=delete", "--timeout=60s")

    def get(self, *what: str) -> list[dict[str, Any]]:
        """Objects of it."""
        return self._cluster.get(*what, self._place)

    def completed(self) -> list[str]:
        """The names of its jobs, all of which are complete."""
        jobs = self.get("job", OURS)
        for job in jobs:
            assert "Complete" in {it["type"] for it in job["status"]["conditions"] if it["status"] == "True"}, job
            assert job["status"]["succeeded"] == 1
        return [job["metadata"]["name"] for job in jobs]

    def workers(self) -> dict[str, tuple[str, str]]:
        """The unique id and the node of each."""
        pods = self.get("pod", f"{OURS},app.kubernetes.io/component=worker")
        return {pod["metadata"]["name"]: (pod["metadata"]["uid"], pod["spec"]["nodeName"]) for pod in pods}


@pytest.mark.ran(f"Helm chart: install, run, upgrade, run and uninstall on {SERVER}; pods simulated by kwok")
@pytest.mark.parametrize("example", EXAMPLES)
def test_each_release_is_a_run_and_workers_stay(cluster: Cluster, example: str) -> None:
    with cluster.namespace(f"load-{example}") as namespace:
        bench = Bench(cluster, namespace, example)
        bench.helm("install", *WAIT)
        workers, key = bench.workers(), bench.get("secret", f"{NAME}-key")[0]["data"]
        assert bench.completed() == [f"{NAME}-run-1"]
        assert len(workers) == yaml.safe_load(EXAMPLES[example].read_text())["workers"].get("count", 2)
        assert bench.get("statefulset", f"{NAME}-worker")[0]["spec"]["updateStrategy"]["rollingUpdate"] == {
            "maxUnavailable": "100%",
            "partition": 0,
        }

        bench.helm("upgrade", *WAIT)
        assert bench.completed() == [f"{NAME}-run-2"]
        assert bench.workers() == workers
        assert bench.get("secret", f"{NAME}-key")[0]["data"] == key

        bench.uninstall()
        kept = [f"{NAME}-results"] if release(example).all("PersistentVolumeClaim") else []
        assert [it["metadata"]["name"] for it in bench.get(KINDS, OURS)] == kept


@pytest.mark.ran(f"Helm chart: workers on nodes of their own, by the scheduler of {SERVER}")
def test_workers_are_placed_apart(cluster: Cluster) -> None:
    # A run waits for its workers: one that ended before the last is placed would leave its node to a worker.
    with cluster.namespace("lasting") as namespace:
        bench = Bench(cluster, namespace, "hundred-workers")
        bench.helm("install", "--wait", "--timeout=8m")
        placed = ("--for=condition=PodScheduled", "--timeout=60s")
        cluster.kubectl("wait", "pod", OURS, f"--namespace={namespace}", *placed)
        nodes = {node for _, node in bench.workers().values()}
        assert len(nodes) == POOL - 1
        assert {node.partition("-")[0] for node in nodes} == {"pool"}
        [run] = bench.get("pod", f"{OURS},app.kubernetes.io/component=coordinator")
        assert run["spec"]["nodeName"] not in nodes
        bench.uninstall()


@pytest.mark.ran(f"Helm chart: a PodMonitor only where the Prometheus operator is, on {SERVER}")
def test_pod_monitor_needs_the_operator(cluster: Cluster) -> None:
    with cluster.namespace("monitored") as namespace:
        bench = Bench(cluster, namespace, "external-kafka-tls-sasl")
        assert "has no Prometheus operator: no PodMonitor was made" in bench.helm("install")

        cluster.create(MONITORS)
        kinds = ("api-resources", "--api-group=monitoring.coreos.com", "--output=name")
        cluster.await_answer(MONITORS_NAME, *kinds)
        try:
            assert "PodMonitor" not in bench.helm("upgrade")
            assert [monitor["metadata"]["name"] for monitor in bench.get("podmonitor")] == [NAME]
            bench.uninstall()
            assert bench.get("podmonitor") == []
        finally:
            cluster.kubectl("delete", "crd", MONITORS_NAME, "--timeout=60s")


def _loose(pod: Manifest) -> None:
    del pod["securityContext"]["seccompProfile"]


def _privileged(pod: Manifest) -> None:
    pod["containers"][0]["securityContext"]["allowPrivilegeEscalation"] = True


@pytest.mark.ran(f"Helm chart: pods by Pod Security 'restricted' of {SERVER}")
@pytest.mark.parametrize("number", [0, 1], ids=["workers", "coordinator"])
@pytest.mark.parametrize("change", [None, _loose, _privileged])
def test_pods_are_as_restricted_as_the_standard_says(
    cluster: Cluster, number: int, change: Callable[[Manifest], None] | None, tmp_path: Path
) -> None:
    _, pod = release("external-kafka-tls-sasl").pods()[number]
    # The account comes with the release.
    del pod["serviceAccountName"]
    if change is not None:
        change(pod)
    file = tmp_path / "pod.yaml"
    file.write_text(yaml.safe_dump({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one"}, "spec": pod}))
    with cluster.namespace("restricted") as namespace:
        place = f"--namespace={namespace}"
        cluster.kubectl("wait", "serviceaccount/default", place, "--for=create", "--timeout=60s")
        admitted = ("create", "--dry-run=server", "--filename", file, place)
        said = cluster.kubectl(*admitted, expected=0 if change is None else 1)
    assert ('violates PodSecurity "restricted:latest"' in said) == (change is not None)
