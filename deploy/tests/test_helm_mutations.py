"""Each promise of the Helm chart is broken on purpose: its check has to see it, and no other one."""

from collections.abc import Callable

import pytest

from helm_chart import release
from helm_promises import PROMISES, Manifest, Release
from promises import broken

Change = Callable[[Release], None]

CONTAINERS = 6


def each_container(change: Callable[[Manifest], None]) -> list[Change]:
    """The change at workers and coordinator, and at what comes before them."""

    def at(number: int) -> Change:
        return lambda changed: change(changed.containers()[number][1])

    return [at(number) for number in range(CONTAINERS)]


def each_workload(change: Callable[[Manifest], None]) -> list[Change]:
    """The change at the workers, and at the coordinator."""

    def at(number: int) -> Change:
        return lambda changed: change(changed.workloads()[number])

    return [at(number) for number in range(2)]


def each_pod(change: Callable[[Manifest], None]) -> list[Change]:
    """Likewise, in the specification of their pods."""
    return each_workload(lambda workload: change(workload["spec"]["template"]["spec"]))


def value(kind: str, suffix: str, path: str, new: object) -> list[Change]:
    """A single value."""
    return [lambda changed: put(changed.one(kind, suffix), path, new)]


def put(target: Manifest, path: str, value: object) -> None:
    """Sets what is at a path such as spec.replicas."""
    *parents, last = path.split(".")
    for parent in parents:
        target = target.setdefault(parent, {})
    target[last] = value


def drop(target: Manifest, path: str) -> None:
    """Removes it; it has to be there."""
    *parents, last = path.split(".")
    for parent in parents:
        target = target[parent]
    del target[last]


def name_workers(container: Manifest) -> None:
    """As somebody would who does not think of a thousand."""
    container["command"] += [f"--workers=https://trial-messaging-benchmark-worker-{number}:8080" for number in range(2)]


def secret_in_environment(container: Manifest) -> None:
    """The usual way elsewhere."""
    container["env"].append({"name": "PASSWORD", "valueFrom": {"secretKeyRef": {"name": "login", "key": "password"}}})


def tell_secret(changed: Release) -> None:
    """A password in a driver file."""
    changed.one("Secret")["data"]["login"] = "aHVudGVyMg=="
    changed.one("ConfigMap", "-files")["data"]["kafka.yaml"] += "password=hunter2"


def rename(old: str, new: str) -> list[Change]:
    """In the file with the workers' addresses."""

    def at(changed: Release) -> None:
        data = changed.one("ConfigMap", "-workers")["data"]
        assert old in data["workers.yaml"]
        data["workers.yaml"] = data["workers.yaml"].replace(old, new)

    return [at]


def policy(name: str, alter: Callable[[Manifest], None]) -> list[Change]:
    """That of the workers or of the coordinator."""
    return [lambda changed: alter(changed.one("NetworkPolicy", name)["spec"])]


def drop_terms(number: int, about: str) -> list[Change]:
    """The rules of a pod about what it keeps away from."""

    def at(changed: Release) -> None:
        affinity = changed.pods()[number][1]["affinity"]["podAntiAffinity"]
        before = str(affinity)
        for kind, terms in affinity.items():
            affinity[kind] = [term for term in terms if about not in str(term)]
        assert str(affinity) != before

    return [at]


def give_key_secret(container: Manifest) -> None:
    """What only the container that makes the key file is to see."""
    container["volumeMounts"].append({"name": "key-secret", "mountPath": "/key-secret", "readOnly": True})


def without_key(container: Manifest) -> None:
    """As in a network that is one's own."""
    line = container["args"] if "args" in container else container["command"]
    line[line.index("--key")] = "--insecure"


def volume(pod: Manifest, name: str) -> Manifest:
    """Of that name."""
    (found,) = [volume for volume in pod["volumes"] if volume["name"] == name]
    return found  # type: ignore[no-any-return]


def result_volume_on(source: Manifest) -> list[Change]:
    """Instead of the claim."""

    def at(changed: Release) -> None:
        results = volume(changed.pods()[1][1], "results")
        results.clear()
        results.update(name="results", **source)

    return [at]


# Which promise is broken by what: by each change alone.
BREAKS: dict[str, list[list[Change]]] = {
    "requests_equal_limits": [
        each_container(lambda container: drop(container, "resources.limits.cpu")),
        each_container(lambda container: drop(container, "resources.limits")),
        each_container(lambda container: drop(container, "resources.requests.memory")),
        each_container(lambda container: put(container, "resources.requests.cpu", "1m")),
    ],
    "nobody_is_root": [
        each_pod(lambda pod: put(pod, "securityContext.runAsUser", 0)),
        each_pod(lambda pod: drop(pod, "securityContext.runAsNonRoot")),
        each_pod(lambda pod: drop(pod, "securityContext.fsGroup")),
        each_container(lambda container: put(container, "securityContext.runAsUser", 0)),
        each_container(lambda container: put(container, "securityContext.runAsNonRoot", value=False)),
    ],
    "root_file_system_is_read_only": [
        each_container(lambda container: put(container, "securityContext.readOnlyRootFilesystem", value=False)),
        each_container(lambda container: drop(container, "securityContext.readOnlyRootFilesystem")),
    ],
    "nothing_escalates": [
        each_container(lambda container: drop(container, "securityContext.allowPrivilegeEscalation")),
        each_container(lambda container: put(container, "securityContext.privileged", value=True)),
    ],
    "no_capabilities": [
        each_container(lambda container: drop(container, "securityContext.capabilities")),
        each_container(lambda container: put(container, "securityContext.capabilities.add", ["NET_RAW"])),
    ],
    "system_calls_are_filtered": [
        each_pod(lambda pod: drop(pod, "securityContext.seccompProfile")),
        each_container(lambda container: put(container, "securityContext.seccompProfile", {"type": "Unconfined"})),
    ],
    "no_rights_in_the_cluster": [
        each_pod(lambda pod: drop(pod, "automountServiceAccountToken")),
        each_pod(lambda pod: pod["volumes"].append({"name": "token", "projected": {"sources": []}})),
        value("ServiceAccount", "", "automountServiceAccountToken", new=True),
        [lambda changed: changed.manifests.append({"kind": "RoleBinding", "metadata": {"name": "all"}})],
    ],
    "nothing_of_the_node": [
        each_pod(lambda pod: put(pod, "hostNetwork", value=True)),
        each_pod(lambda pod: pod["volumes"].append({"name": "node", "hostPath": {"path": "/"}})),
        each_container(
            lambda container: container.update(ports=[*container.get("ports", []), {"hostPort": 80, "name": "x"}])
        ),
    ],
    "no_secret_in_environment": [
        each_container(secret_in_environment),
        each_container(lambda container: put(container, "envFrom", [{"secretRef": {"name": "login"}}])),
        each_container(lambda container: container["env"].append({"name": "PASSWORD", "value": "hunter2"})),
    ],
    "secrets_are_only_secrets": [
        [tell_secret],
        value("ConfigMap", "-files", "data.new", "-----BEGIN PRIVATE KEY-----"),
    ],
    "images_are_fixed": [
        each_container(lambda container: put(container, "image", "registry.example.com/messaging-benchmark:latest")),
        each_container(lambda container: put(container, "image", "registry.example.com/messaging-benchmark")),
        each_container(lambda container: put(container, "image", "registry.example.com:5000/messaging-benchmark")),
    ],
    "arguments_do_not_grow": [
        each_container(name_workers),
        each_container(lambda container: container["command"].append("x" * 5000)),
    ],
    "config_maps_are_small": [value("ConfigMap", "-files", "data.new", "x" * 1_000_000)],
    "pods_stay": [
        each_workload(lambda workload: drop(workload, "spec.template.metadata.annotations")),
        each_container(lambda container: put(container, "livenessProbe", {"tcpSocket": {"port": 8080}})),
    ],
    "workers_keep_apart": [drop_terms(0, "worker"), drop_terms(1, "worker")],
    "pods_keep_away_from_brokers": [drop_terms(0, "kafka"), drop_terms(1, "kafka")],
    "a_measurement_is_tried_once": [
        value("Job", "", "spec.backoffLimit", 1),
        [lambda changed: drop(changed.one("Job"), "spec.backoffLimit")],
        [lambda changed: drop(changed.one("Job"), "spec.activeDeadlineSeconds")],
        value("Job", "", "spec.template.spec.restartPolicy", "OnFailure"),
    ],
    "names_are_those_of_the_service": [
        value("Service", "", "spec.clusterIP", "10.0.0.1"),
        value("Service", "", "spec.publishNotReadyAddresses", new=False),
        [lambda changed: changed.one("Service")["spec"]["ports"].pop()],
        [lambda changed: put(changed.one("Service")["spec"]["ports"][1], "protocol", "TCP")],
        [lambda changed: put(changed.one("Service")["spec"]["ports"][0], "port", 80)],
        value("Service", "", "spec.selector.other", "label"),
        value("StatefulSet", "", "spec.serviceName", "other"),
        value("StatefulSet", "", "spec.replicas", 3),
        rename("worker-1", "worker-2"),
        rename("https:", "http:"),
        rename(".svc", ""),
    ],
    "objects_select_their_pods": [
        [lambda changed: drop(changed.one("PodMonitor"), "spec.selector.matchLabels")],
        [lambda changed: changed.one("StatefulSet")["spec"]["selector"]["matchLabels"].update(other="label")],
    ],
    "only_the_coordinator_reaches_workers": [
        policy("-worker", lambda spec: spec["ingress"].append({})),
        policy("-worker", lambda spec: spec["ingress"][0].pop("from")),
        policy("-worker", lambda spec: spec["ingress"][0]["ports"].pop()),
        policy("-worker", lambda spec: spec.update(policyTypes=["Ingress"])),
        policy("-worker", lambda spec: spec["egress"].pop(0)),
        policy("-coordinator", lambda spec: spec["egress"].pop(0)),
        policy("-coordinator", lambda spec: spec["egress"].pop(1)),
        policy("-coordinator", lambda spec: spec["ingress"].append({})),
    ],
    "what_is_used_is_there": [
        each_pod(lambda pod: pod["volumes"].remove(volume(pod, "tmp"))),
        each_container(lambda container: container["volumeMounts"].pop(0)),
        [lambda changed: changed.one("ConfigMap", "-files")["data"].pop("kafka.yaml")],
        [lambda changed: changed.one("ConfigMap", "-scripts")["data"].pop("run.sh")],
    ],
    "results_are_kept": [
        [lambda changed: drop(changed.one("PersistentVolumeClaim"), "metadata.annotations")],
        result_volume_on({"emptyDir": {}}),
        result_volume_on({"persistentVolumeClaim": {"claimName": "other"}}),
    ],
    "the_key_is_the_owners": [
        each_pod(lambda pod: put(volume(pod, "key"), "emptyDir", {})),
        [lambda changed: give_key_secret(changed.containers()[1][1])],
        [lambda changed: give_key_secret(changed.containers()[5][1])],
        [lambda changed: without_key(changed.containers()[1][1])],
        [lambda changed: without_key(changed.containers()[5][1])],
    ],
}


def cases() -> list[tuple[str, Change]]:
    """Each change with the promise that it breaks."""
    return [(promise, change) for promise, changes in BREAKS.items() for alike in changes for change in alike]


def everything() -> Release:
    """An example with all that can be there."""
    return release("external-kafka-tls-sasl", "brokers.podLabels.app=kafka")


@pytest.mark.validated("Helm chart: checks of the promises find what breaks them")
def test_each_promise_is_broken_once_at_least() -> None:
    assert list(BREAKS) == list(PROMISES)
    assert len(everything().containers()) == CONTAINERS
    assert broken(PROMISES, everything()) == {}


@pytest.mark.validated("Helm chart: checks of the promises find what breaks them")
@pytest.mark.parametrize(
    ("promise", "change"), cases(), ids=[f"{promise}-{n}" for n, (promise, _) in enumerate(cases())]
)
def test_broken_promise_is_found(promise: str, change: Change) -> None:
    changed = everything()
    change(changed)
    assert list(broken(PROMISES, changed)) == [promise]
