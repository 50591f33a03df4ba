"""Renders the Helm chart."""

import copy
from functools import cache
from pathlib import Path

import yaml
from kubernetes_validate import latest_version

from helm_promises import Release
from tools import DEPLOY, go_tool, run

CHART = DEPLOY / "helm" / "messaging-benchmark"
EXAMPLES = {path.stem: path for path in sorted((DEPLOY / "helm" / "examples").glob("*.yaml"))}
NAMESPACE = "load"
NEWEST: str = latest_version()
# A cluster with the Prometheus operator has this kind.
MONITOR = "monitoring.coreos.com/v1/PodMonitor"

# What is not in the examples: settings that lie over one of them.
VARIANTS: dict[str, tuple[str, list[str]]] = {
    "digest": ("kafka-in-cluster", ["image.digest=sha256:" + "0123456789abcdef" * 4]),
    "key of the user": ("kafka-in-cluster", ["key.existingSecret=my-key"]),
    "files of the user": (
        "kafka-in-cluster",
        ["files=null", "existingConfigMap=my-files", "existingSecret=my", "run.drivers={my.yaml,/secrets/other.yaml}"],
    ),
    "claim of the user": ("hundred-workers", ["results.existingClaim=my-claim"]),
    "storage": ("hundred-workers", ["results.storageClass=fast", "results.accessMode=ReadWriteMany"]),
    "no policy": ("external-kafka-tls-sasl", ["networkPolicy.enabled=false", "brokers.egress=null"]),
    "brokers in any namespace": ("external-kafka-tls-sasl", ["brokers.podLabels.app=kafka"]),
    "registry": ("kafka-in-cluster", ["image.pullSecrets={a}", "image.repository=localhost:5000/a", "image.tag=v1"]),
    "one worker": ("kafka-in-cluster", ["workers.port=9999", "workers.count=1"]),
    "thousand workers": ("hundred-workers", ["workers.count=1000"]),
    "plan of the image": (
        "kafka-in-cluster",
        ["run.plan=workloads/smoke/plan.yaml", "run.workloads=null", "run.drivers={kafka=kafka.yaml}"],
    ),
}  # fmt: skip

# All of them: example and settings.
EVERY: dict[str, tuple[str, list[str]]] = {**{example: (example, []) for example in EXAMPLES}, **VARIANTS}


def helm(*arguments: str | Path, expected: int = 0) -> str:
    """What helm prints."""
    return run([go_tool("helm"), *arguments], expected=expected)


def render(example: str, *settings: str, chart: Path = CHART, expected: int = 0) -> str:
    """What an example becomes with settings over it."""
    over = [part for setting in settings for part in ("--set", setting)]
    place = ["--namespace", NAMESPACE, "--kube-version", NEWEST, "--api-versions", MONITOR]
    return helm("template", "trial", chart, *place, "--values", EXAMPLES[example], *over, expected=expected)


@cache
def _release(example: str, settings: tuple[str, ...]) -> Release:
    labels = dict(yaml.safe_load(EXAMPLES[example].read_text())["brokers"].get("podLabels", {}))
    for setting in settings:
        if setting.startswith("brokers.podLabels."):
            name, _, value = setting.removeprefix("brokers.podLabels.").partition("=")
            labels[name] = value
    return Release([manifest for manifest in yaml.safe_load_all(render(example, *settings)) if manifest], labels)


def release(example: str, *settings: str) -> Release:
    """The same as objects, which a test may change."""
    return copy.deepcopy(_release(example, settings))
