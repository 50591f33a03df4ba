"""What the Helm chart promises of everything that it renders. Each promise is a function that tells what breaks it."""

import re
from base64 import b64decode
from typing import Any

import yaml

from promises import Complaints, by_name

Manifest = dict[str, Any]

USER = 10001
ARGUMENTS_LIMIT_BYTES = 4096
CONFIG_MAP_LIMIT_BYTES = 1 << 20
TRANSPORTS = {"TCP", "UDP"}


class Release:
    """The manifests of one release."""

    def __init__(self, manifests: list[Manifest], broker_labels: dict[str, str]) -> None:
        self.manifests = manifests
        self.broker_labels = broker_labels

    def all(self, kind: str) -> list[Manifest]:
        """All of a kind."""
        return [manifest for manifest in self.manifests if manifest["kind"] == kind]

    def one(self, kind: str, suffix: str = "") -> Manifest:
        """The only one of a kind whose name ends so."""
        (found,) = [manifest for manifest in self.all(kind) if manifest["metadata"]["name"].endswith(suffix)]
        return found

    def workloads(self) -> list[Manifest]:
        """What has pods."""
        return [self.one("StatefulSet"), self.one("Job")]

    def pods(self) -> list[tuple[str, Manifest]]:
        """The kind of what has them, and their specification."""
        return [(workload["kind"], workload["spec"]["template"]["spec"]) for workload in self.workloads()]

    def containers(self) -> list[tuple[str, Manifest]]:
        """All, those that come before others included."""
        return [
            (f"{kind}: {container['name']}", container)
            for kind, pod in self.pods()
            for container in [*pod.get("initContainers", []), *pod["containers"]]
        ]

    def worker_addresses(self) -> list[str]:
        """What the coordinator is told."""
        addresses: list[str] = yaml.safe_load(self.one("ConfigMap", "-workers")["data"]["workers.yaml"])["workers"]
        return addresses

    def pod_labels(self, kind: str) -> dict[str, str]:
        """Those of the pods of the workers (StatefulSet) or of the coordinator (Job)."""
        labels: dict[str, str] = self.one(kind)["spec"]["template"]["metadata"]["labels"]
        return labels


def arguments(container: Manifest) -> list[str]:
    """The whole command line."""
    return [*container.get("command", []), *container.get("args", [])]


def requests_equal_limits(release: Release) -> Complaints:
    """Quality of service: Guaranteed."""
    for where, container in release.containers():
        resources = container.get("resources", {})
        for what in ("cpu", "memory"):
            requested = resources.get("requests", {}).get(what)
            limit = resources.get("limits", {}).get(what)
            if limit is None or requested != limit:
                yield f"{where}: {what}: requests {requested}, limit {limit}"


def nobody_is_root(release: Release) -> Complaints:
    """A user of its own, which no container changes."""
    for kind, pod in release.pods():
        context = pod.get("securityContext", {})
        if not context.get("runAsNonRoot"):
            yield f"{kind}: may be root"
        for key in ("runAsUser", "runAsGroup", "fsGroup"):
            if context.get(key) != USER:
                yield f"{kind}: {key} is {context.get(key)}"
    for where, container in release.containers():
        context = container.get("securityContext", {})
        if context.get("runAsNonRoot") is False or {"runAsUser", "runAsGroup"} & context.keys():
            yield f"{where}: runs as somebody else"


def root_file_system_is_read_only(release: Release) -> Complaints:
    """Only volumes are written to."""
    for where, container in release.containers():
        if container.get("securityContext", {}).get("readOnlyRootFilesystem") is not True:
            yield f"{where}: can write to its root file system"


def nothing_escalates(release: Release) -> Complaints:
    """No way to more rights than at the start."""
    for where, container in release.containers():
        context = container.get("securityContext", {})
        if context.get("allowPrivilegeEscalation") is not False or context.get("privileged"):
            yield f"{where}: can get more rights"


def no_capabilities(release: Release) -> Complaints:
    """All are dropped."""
    for where, container in release.containers():
        capabilities = container.get("securityContext", {}).get("capabilities", {})
        if capabilities.get("drop") != ["ALL"] or capabilities.get("add"):
            yield f"{where}: has capabilities: {capabilities}"


def system_calls_are_filtered(release: Release) -> Complaints:
    """By the filter of the container runtime."""
    for kind, pod in release.pods():
        if pod.get("securityContext", {}).get("seccompProfile") != {"type": "RuntimeDefault"}:
            yield f"{kind}: has no filter of system calls"
    for where, container in release.containers():
        if "seccompProfile" in container.get("securityContext", {}):
            yield f"{where}: has a filter of its own"


def no_rights_in_the_cluster(release: Release) -> Complaints:
    """No token, and nothing that one could be used for."""
    for kind, pod in release.pods():
        if pod.get("automountServiceAccountToken") is not False:
            yield f"{kind}: gets a token"
        if any("projected" in volume for volume in pod["volumes"]):
            yield f"{kind}: may get a token by a volume"
    if release.one("ServiceAccount").get("automountServiceAccountToken") is not False:
        yield "the account gives tokens away"
    for manifest in release.manifests:
        if manifest["kind"].endswith(("Role", "RoleBinding")):
            yield f"{manifest['kind']}: the account gets rights"


def nothing_of_the_node(release: Release) -> Complaints:
    """Neither its network nor its processes nor its files."""
    for kind, pod in release.pods():
        for key in ("hostNetwork", "hostPID", "hostIPC"):
            if pod.get(key):
                yield f"{kind}: {key}"
        if any("hostPath" in volume for volume in pod["volumes"]):
            yield f"{kind}: sees files of the node"
    for where, container in release.containers():
        if any("hostPort" in port for port in container.get("ports", [])):
            yield f"{where}: takes a port of the node"


def no_secret_in_environment(release: Release) -> Complaints:
    """Variables are seen by whoever may look at a pod, and are inherited."""
    for where, container in release.containers():
        if container.get("envFrom"):
            yield f"{where}: takes its environment from elsewhere"
        for variable in container.get("env", []):
            if "valueFrom" in variable or variable["name"] != "HEAP_OPTS":
                yield f"{where}: has the variable {variable['name']}"


def secrets_are_only_secrets(release: Release) -> Complaints:
    """What is in a Secret is nowhere else."""
    values = [b64decode(value).decode() for secret in release.all("Secret") for value in secret["data"].values()]
    elsewhere = str([manifest for manifest in release.manifests if manifest["kind"] != "Secret"])
    if "PRIVATE KEY" in elsewhere or any(repr(value)[1:-1] in elsewhere for value in values):
        yield "what is in a Secret is elsewhere, too"


def images_are_fixed(release: Release) -> Complaints:
    """A version or a digest: what is measured tomorrow is what is measured today."""
    for where, container in release.containers():
        if not re.fullmatch(r"[^@\s]+(:(v?\d|sha-)[\w.-]*|@sha256:[0-9a-f]{64})", container["image"]):
            yield f"{where}: image {container['image']}"


def arguments_do_not_grow(release: Release) -> Complaints:
    """With the number of workers, that is: a command line has an end."""
    hosts = [address.split("/")[2].split(".")[0] for address in release.worker_addresses()]
    for where, container in release.containers():
        line = " ".join(arguments(container)) + str(container.get("env", ""))
        if len(line) > ARGUMENTS_LIMIT_BYTES or any(host in line for host in hosts):
            yield f"{where}: names workers in its arguments"


def config_maps_are_small(release: Release) -> Complaints:
    """The API server refuses larger ones."""
    for config in release.all("ConfigMap"):
        size = len(str(config["data"]).encode())
        if size > CONFIG_MAP_LIMIT_BYTES / 2:
            yield f"{config['metadata']['name']}: {size} bytes"


def pods_stay(release: Release) -> Complaints:
    """The autoscaler does not move them, and a worker is not killed for being busy."""
    for workload in release.workloads():
        annotations = workload["spec"]["template"]["metadata"].get("annotations", {})
        if annotations.get("cluster-autoscaler.kubernetes.io/safe-to-evict") != "false":
            yield f"{workload['kind']}: may be evicted"
    for where, container in release.containers():
        if "livenessProbe" in container:
            yield f"{where}: may be killed while it is busy"


def _terms(pod: Manifest) -> list[Manifest]:
    anti_affinity = pod.get("affinity", {}).get("podAntiAffinity", {})
    preferred = anti_affinity.get("preferredDuringSchedulingIgnoredDuringExecution", [])
    return [
        *anti_affinity.get("requiredDuringSchedulingIgnoredDuringExecution", []),
        *[term["podAffinityTerm"] for term in preferred],
    ]


def workers_keep_apart(release: Release) -> Complaints:
    """From one another; the coordinator from them, too."""
    labels = release.pod_labels("StatefulSet")
    for kind, pod in release.pods():
        if not any(
            term["topologyKey"] == "kubernetes.io/hostname" and term["labelSelector"]["matchLabels"] == labels
            for term in _terms(pod)
        ):
            yield f"{kind}: does not keep away from workers"


def pods_keep_away_from_brokers(release: Release) -> Complaints:
    """Where brokers are in this cluster."""
    for kind, pod in release.pods():
        if release.broker_labels and not any(
            term["topologyKey"] == "kubernetes.io/hostname"
            and term["labelSelector"]["matchLabels"] == release.broker_labels
            and ("namespaces" in term or term.get("namespaceSelector") == {})
            for term in _terms(pod)
        ):
            yield f"{kind}: does not keep away from brokers"


def a_measurement_is_tried_once(release: Release) -> Complaints:
    """And ends, whatever happens."""
    job = release.one("Job")["spec"]
    if job.get("backoffLimit") != 0 or job["template"]["spec"].get("restartPolicy") != "Never":
        yield "the run is repeated when it fails"
    if not job.get("activeDeadlineSeconds", 0) > 0:
        yield "the run has no deadline"


def names_are_those_of_the_service(release: Release) -> Complaints:
    """Each worker has a name, and the coordinator is told just these."""
    workers, service = release.one("StatefulSet"), release.one("Service")
    namespace = workers["metadata"].get("namespace", r"[a-z0-9-]+")
    spec, name = service["spec"], service["metadata"]["name"]
    if spec.get("clusterIP") != "None" or not spec.get("publishNotReadyAddresses"):
        yield "the service does not give each worker a name from the start"
    if workers["spec"]["serviceName"] != name:
        yield "the workers belong to another service"
    if not spec["selector"].items() <= release.pod_labels("StatefulSet").items():
        yield "the service does not select the workers"
    (worker,) = workers["spec"]["template"]["spec"]["containers"]
    port = int(arguments(worker)[arguments(worker).index("--port") + 1])
    names = {declared["name"]: declared for declared in worker["ports"]}
    reached = {
        (offered["port"], names[offered["targetPort"]]["containerPort"], offered["protocol"])
        for offered in spec["ports"]
        if offered["protocol"] == names[offered["targetPort"]]["protocol"]
    }
    if reached != {(port, port, transport) for transport in TRANSPORTS}:
        yield f"the service does not lead to port {port} by TCP and UDP"
    for number, address in enumerate(release.worker_addresses()):
        host = rf"{workers['metadata']['name']}-{number}\.{name}\.{namespace}\.svc"
        if not re.fullmatch(rf"https://{host}:{port}", address):
            yield f"worker {number} is not at {address}"
    if len(release.worker_addresses()) != workers["spec"]["replicas"]:
        yield "the coordinator is not told of all workers"


def objects_select_their_pods(release: Release) -> Complaints:
    """And none of the others."""
    for kind in ("StatefulSet", "NetworkPolicy", "PodMonitor"):
        for manifest in release.all(kind):
            spec = manifest["spec"]
            labels = (spec.get("podSelector") or spec["selector"]).get("matchLabels", {})
            if [release.pod_labels(pods) for pods in ("StatefulSet", "Job")].count(labels) != 1:
                yield f"{kind} {manifest['metadata']['name']}: selects {labels}"


def only_the_coordinator_reaches_workers(release: Release) -> Complaints:
    """And who must be reached can be."""
    policies = {
        tuple(policy["spec"]["podSelector"]["matchLabels"].items()): policy["spec"]
        for policy in release.all("NetworkPolicy")
    }
    workers = policies.get(tuple(release.pod_labels("StatefulSet").items()), {})
    coordinator = policies.get(tuple(release.pod_labels("Job").items()), {})
    for name, policy in (("workers", workers), ("coordinator", coordinator)):
        if set(policy.get("policyTypes", [])) != {"Ingress", "Egress"}:
            yield f"{name}: not both directions are limited"
        if [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}] not in [
            rule.get("ports") for rule in policy.get("egress", [])
        ]:
            yield f"{name}: cannot look names up"
    port = int(release.worker_addresses()[0].rsplit(":", 1)[1])
    ports = [{"port": port, "protocol": "TCP"}, {"port": port, "protocol": "UDP"}]
    from_coordinator = {"from": [{"podSelector": {"matchLabels": release.pod_labels("Job")}}], "ports": ports}
    if workers.get("ingress") != [from_coordinator]:
        yield "workers: others than the coordinator reach them, or it does not"
    to_workers = {"to": [{"podSelector": {"matchLabels": release.pod_labels("StatefulSet")}}], "ports": ports}
    if to_workers not in coordinator.get("egress", []):
        yield "coordinator: cannot reach workers"
    if any("from" not in rule or "ports" not in rule for rule in coordinator.get("ingress", [])):
        yield "coordinator: anybody reaches it"


def what_is_used_is_there(release: Release) -> Complaints:
    """Volumes, and the files that arguments name."""
    for kind, pod in release.pods():
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        for container in [*pod.get("initContainers", []), *pod["containers"]]:
            where = f"{kind}: {container['name']}"
            mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
            for path, volume in mounts.items():
                if volume not in volumes:
                    yield f"{where}: there is no volume for {path}"
            named = [part for argument in arguments(container) for part in re.split("[=,]", argument)]
            for file in filter(None, (re.fullmatch(r"(/[\w-]+)/([\w.-]+)", part) for part in named)):
                yield from (f"{where}: {problem}" for problem in _missing(release, file[1], file[2], mounts, volumes))


def _missing(
    release: Release, folder: str, name: str, mounts: dict[str, str], volumes: dict[str, Manifest]
) -> Complaints:
    if folder not in mounts:
        yield f"{folder} is not there"
        return
    source = volumes.get(mounts[folder], {}).get("configMap", {}).get("name")
    for config in release.all("ConfigMap"):
        if config["metadata"]["name"] == source and name not in config["data"]:
            yield f"{name} is not in {source}"


def results_are_kept(release: Release) -> Complaints:
    """Results on a claim outlive the release."""
    volumes = {volume["name"]: volume for volume in release.one("Job")["spec"]["template"]["spec"]["volumes"]}
    if not {"persistentVolumeClaim", "emptyDir"} & volumes["results"].keys():
        yield "results are nowhere"
    for claim in release.all("PersistentVolumeClaim"):
        if claim["metadata"].get("annotations", {}).get("helm.sh/resource-policy") != "keep":
            yield "results go when the release goes"
        if volumes["results"].get("persistentVolumeClaim", {}).get("claimName") != claim["metadata"]["name"]:
            yield "results are not on their claim"


def the_key_is_the_owners(release: Release) -> Complaints:
    """It is made in memory, from the Secret, which nothing else sees."""
    for kind, pod in release.pods():
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        if volumes["key"].get("emptyDir", {}).get("medium") != "Memory":
            yield f"{kind}: the key is on a disk"
        for container in [*pod["initContainers"], *pod["containers"]]:
            if container["name"] == "key":
                continue
            for mount in container["volumeMounts"]:
                if mount["name"] == "key-secret":
                    yield f"{kind}: {container['name']} sees the Secret of the key"
                if mount["name"] == "key" and not mount.get("readOnly"):
                    yield f"{kind}: {container['name']} can change the key"
    for where, container in release.containers():
        line = arguments(container)
        if not where.endswith(": key") and ("--insecure" in line or "--key" not in line):
            yield f"{where}: does without the key"


PROMISES = by_name(
    requests_equal_limits,
    nobody_is_root,
    root_file_system_is_read_only,
    nothing_escalates,
    no_capabilities,
    system_calls_are_filtered,
    no_rights_in_the_cluster,
    nothing_of_the_node,
    no_secret_in_environment,
    secrets_are_only_secrets,
    images_are_fixed,
    arguments_do_not_grow,
    config_maps_are_small,
    pods_stay,
    workers_keep_apart,
    pods_keep_away_from_brokers,
    a_measurement_is_tried_once,
    names_are_those_of_the_service,
    objects_select_their_pods,
    only_the_coordinator_reaches_workers,
    what_is_used_is_there,
    results_are_kept,
    the_key_is_the_owners,
)
