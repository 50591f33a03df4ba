"""The Helm chart: what it renders is valid and keeps its promises, and what it refuses."""

import pytest
from kubernetes_validate import validate
from kubernetes_validate.utils import all_versions

from helm_chart import CHART, EVERY, EXAMPLES, NAMESPACE, NEWEST, helm, release, render
from helm_promises import PROMISES, Release
from promises import broken
from tools import HOME

OLDEST = "1.28"
VERSIONS = [
    version
    for version in all_versions()
    if [int(part) for part in version.split(".")] >= [int(part) for part in OLDEST.split(".")]
]


def coordinator_arguments(rendered: Release) -> list[str]:
    """What bin/benchmark gets."""
    (container,) = rendered.one("Job")["spec"]["template"]["spec"]["containers"]
    arguments: list[str] = container["args"]
    return arguments


@pytest.mark.validated("Helm chart: helm lint --strict")
@pytest.mark.parametrize("example", EXAMPLES)
def test_lint(example: str) -> None:
    helm("lint", "--strict", "--kube-version", NEWEST, "--values", EXAMPLES[example], CHART)


@pytest.mark.validated(f"Helm chart: manifests by the schemas of Kubernetes {OLDEST} to {NEWEST}")
@pytest.mark.parametrize(
    ("name", "version"), [(name, version) for name in EVERY for version in (VERSIONS if name in EXAMPLES else [NEWEST])]
)
def test_schemas_of_kubernetes(name: str, version: str) -> None:
    example, settings = EVERY[name]
    for manifest in release(example, *settings).manifests:
        if manifest["kind"] == "PodMonitor":  # is the Prometheus operator's
            assert manifest["apiVersion"] == "monitoring.coreos.com/v1"
        else:
            validate(manifest, version, strict=True)


@pytest.mark.validated("Helm chart: promises kept by all manifests")
@pytest.mark.parametrize("name", EVERY)
def test_promises_are_kept(name: str) -> None:
    example, settings = EVERY[name]
    given_up = {"only_the_coordinator_reaches_workers"} if "networkPolicy.enabled=false" in settings else set()
    assert broken(PROMISES, release(example, *settings)).keys() == given_up


@pytest.mark.validated("Helm chart: promises kept by all manifests")
def test_version_is_that_of_the_build() -> None:
    (pom,) = [line.strip() for line in (HOME / "pom.xml").read_text().splitlines() if line.startswith("  <version>")]
    version = pom.removeprefix("<version>").removesuffix("</version>")
    assert f"appVersion: {version}\n" in (CHART / "Chart.yaml").read_text()
    assert release("kafka-in-cluster").containers()[0][1]["image"].endswith(f"/messaging-benchmark:{version}")


@pytest.mark.validated("Helm chart: promises kept by all manifests")
def test_number_of_workers_changes_only_their_number_and_their_names() -> None:
    few, many = release("hundred-workers", "workers.count=2"), release("hundred-workers", "workers.count=1000")
    assert (len(few.worker_addresses()), len(many.worker_addresses())) == (2, 1000)
    assert many.worker_addresses()[999] == (
        "https://trial-messaging-benchmark-worker-999.trial-messaging-benchmark-worker.load.svc:8080"
    )
    many.one("StatefulSet")["spec"]["replicas"] = 2
    for rendered in (few, many):
        rendered.manifests.remove(rendered.one("ConfigMap", "-workers"))
        rendered.manifests.remove(rendered.one("Secret"))  # is another one each time
    assert few.manifests == many.manifests


@pytest.mark.validated("Helm chart: promises kept by all manifests")
def test_names_stay_short_enough_for_what_kubernetes_adds() -> None:
    manifests = helm(
        "template", "r" * 53, CHART, "--namespace", NAMESPACE, "--kube-version", NEWEST,
        "--values", EXAMPLES["hundred-workers"], "--is-upgrade",
    )  # fmt: skip
    names = {line.split()[1] for line in manifests.splitlines() if line.startswith("  name: ")}
    # A label has 63 characters, of which the hash of a revision and a number of a pod need eleven.
    assert max(len(name) for name in names) <= 52
    assert f"{'r' * 40}-worker" in names


@pytest.mark.validated("Helm chart: promises kept by all manifests")
@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        (["run.estimate=", "run.deadline="], 86400),
        (["run.estimate=1h30m", "workers.wait=10m"], 2 * 5400 + 600 + 1800),
        (["run.estimate=1d2h3m4s5ms", "workers.wait=30s"], 2 * 93784 + 30 + 1800),
        (["run.estimate=40m", "run.deadline=45m"], 2700),
    ],
)
def test_deadline(settings: list[str], seconds: int) -> None:
    rendered = release("kafka-in-cluster", *settings)
    assert rendered.one("Job")["spec"]["activeDeadlineSeconds"] == seconds
    (check,) = [container for where, container in rendered.containers() if where == "Job: check"]
    assert check["command"][-1] == str(seconds)


@pytest.mark.validated("Helm chart: promises kept by all manifests")
def test_placement_is_required_or_wished_for() -> None:
    def rules(rendered: Release) -> list[tuple[int, int]]:
        return [
            tuple(  # type: ignore[misc]
                len(pod["affinity"]["podAntiAffinity"].get(f"{kind}DuringSchedulingIgnoredDuringExecution", []))
                for kind in ("required", "preferred")
            )
            for _, pod in rendered.pods()
        ]

    # Workers: one another and brokers. Coordinator: brokers; workers only where it is possible.
    assert rules(release("hundred-workers")) == [(2, 0), (1, 1)]
    assert rules(release("hundred-workers", "placement=preferred")) == [(0, 2), (0, 2)]
    assert rules(release("external-kafka-tls-sasl")) == [(1, 0), (0, 1)]


@pytest.mark.validated("Helm chart: promises kept by all manifests")
def test_files_are_those_of_the_user_or_of_the_image() -> None:
    assert coordinator_arguments(release("kafka-in-cluster"))[-3:] == [
        "--drivers",
        "/files/kafka.yaml",
        "workloads/smoke/kafka-1kb.yaml",
    ]
    plan = release(
        "kafka-in-cluster",
        "run.plan=workloads/smoke/plan.yaml",
        "run.workloads=null",
        "run.drivers={kafka=kafka.yaml,/secrets/redis.yaml}",
        "run.options={--roles,split}",
    )
    assert coordinator_arguments(plan)[-6:] == [
        "--drivers",
        "kafka=/files/kafka.yaml,/secrets/redis.yaml",
        "--plan",
        "workloads/smoke/plan.yaml",
        "--roles",
        "split",
    ]


@pytest.mark.validated("Helm chart: promises kept by all manifests")
def test_metrics_are_served_only_if_they_are_asked_for() -> None:
    assert "--metrics-port" not in coordinator_arguments(release("kafka-in-cluster"))
    assert release("kafka-in-cluster").one("NetworkPolicy", "-coordinator")["spec"]["ingress"] == []
    served = release("kafka-in-cluster", "metrics.enabled=true", "metrics.namespace=watch")
    assert coordinator_arguments(served)[6:10] == ["--metrics-host", "0.0.0.0", "--metrics-port", "9400"]  # noqa: S104
    assert served.one("NetworkPolicy", "-coordinator")["spec"]["ingress"] == [
        {
            "from": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "watch"}}}],
            "ports": [{"port": 9400, "protocol": "TCP"}],
        }
    ]


# Settings, and what helm says of them.
REFUSED = {
    "no repository": ("image.repository=", "at '/image/repository': '' does not match pattern"),
    "tag in the repository": ("image.repository=a:latest", "at '/image/repository': 'a:latest' does not match pattern"),
    "latest": ("image.tag=latest", "at '/image/tag': 'latest' does not match pattern"),
    "other moving tag": ("image.tag=main", "at '/image/tag': 'main' does not match pattern"),
    "digest": ("image.digest=sha256:1", "at '/image/digest': 'sha256:1' does not match pattern"),
    "misspelt": ("worker.count=3", "additional properties 'worker' not allowed"),
    "misspelt within": ("workers.cuont=3", "at '/workers': additional properties 'cuont' not allowed"),
    "no workers": ("workers.count=0", "at '/workers/count': minimum: got 0, want 1"),
    "too many workers": ("workers.count=1001", "at '/workers/count': maximum: got 1,001, want 1,000"),
    "text for a number": ("workers.count=many", "at '/workers/count': got string, want integer"),
    "port of root": ("workers.port=443", "at '/workers/port': minimum: got 443, want 1,024"),
    "no memory": ("workers.resources.memory=null", "at '/workers/resources': missing property 'memory'"),
    "limits apart": ("workers.resources.limits.cpu=1", "additional properties 'limits' not allowed"),
    "no unit": ("workers.wait=10", "at '/workers/wait': got number, want string"),
    "no duration": ("run.deadline=soon", "at '/run/deadline': 'soon' does not match pattern"),
    "placement": ("placement=anywhere", "at '/placement': value must be one of 'required', 'preferred'"),
    "boolean": ("networkPolicy.enabled=maybe", "at '/networkPolicy/enabled': got string, want boolean"),
    "nothing to run": ("run.workloads=null", "run.workloads: name a workload at least (or run.plan a plan)"),
    "plan and workloads": ("run.plan=a/plan.yaml", "run: either a plan or workloads"),
    "no driver": ("run.drivers=null", "run.drivers: name a driver file at least"),
    "unknown file": ("run.drivers={kafak.yaml}", "run: kafak.yaml: there is no such file in files (kafka.yaml)"),
    "two sources": ("existingConfigMap=mine", "files and existingConfigMap: only one of them"),
    "no way to brokers": ("brokers.egress=null", "brokers.egress: say where the brokers are"),
    "monitor of nothing": ("metrics.podMonitor.enabled=true", "metrics.podMonitor.enabled: needs metrics.enabled"),
}  # fmt: skip


@pytest.mark.validated("Helm chart: bad values are refused, with a message")
@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    setting, message = REFUSED[name]
    assert message in render("kafka-in-cluster", setting, expected=1)


@pytest.mark.validated("Helm chart: bad values are refused, with a message")
def test_old_cluster_is_refused() -> None:
    values = ["--values", str(EXAMPLES["kafka-in-cluster"])]
    said = helm("template", "trial", CHART, "--kube-version", "1.27.9", *values, expected=1)
    assert "chart requires kubeVersion: >=1.28.0-0" in said
