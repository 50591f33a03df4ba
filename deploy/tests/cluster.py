"""A Kubernetes for the tests: a real API server, etcd, scheduler and controllers; kwok simulates nodes (kwok.yaml)."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools import VERSIONS, go_tool, installed, run

KUBERNETES: str = VERSIONS["go"]["k8s.io/kubernetes"]
PROGRAMS = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok", "kubectl", "helm")

STAGES = Path(__file__).with_name("kwok.yaml")

START_LIMIT_S = 180
STOP_LIMIT_S = 20
CALL_LIMIT_S = 600

# A node for each of a hundred workers and their coordinator, and a few that anybody may use.
POOL = 101
OTHERS = 6
VOLUMES = 4


def objects() -> Iterator[dict[str, Any]]:
    """Nodes and volumes."""
    size = {"cpu": "16", "memory": "64Gi", "pods": "110"}
    pool = [(f"pool-{number}", True) for number in range(POOL)]
    for name, dedicated in [*pool, *((f"other-{number}", False) for number in range(OTHERS))]:
        labels = {"kubernetes.io/hostname": name} | ({"node-pool": "benchmark"} if dedicated else {})
        taints = [{"key": "dedicated", "value": "benchmark", "effect": "NoSchedule"}] if dedicated else []
        yield {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": labels},
            "spec": {"taints": taints},
            "status": {"allocatable": size, "capacity": size},
        }
    for number in range(VOLUMES):
        yield {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": f"volume-{number}"},
            "spec": {
                "capacity": {"storage": "100Gi"},
                "accessModes": ["ReadWriteOnce"],
                "hostPath": {"path": f"/nowhere/{number}"},
            },
        }


class Cluster:
    """All programs listen on the loopback; they and their files end with the stack."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._kubeconfig = folder / "kubeconfig"
        # Some of them keep what they have found out in the user's home.
        self._environment = {**os.environ, "KUBECONFIG": str(self._kubeconfig), "HOME": str(folder)}
        self._started: dict[str, subprocess.Popen[bytes]] = {}
        for program in PROGRAMS:
            go_tool(program)
        self._start_api_server()
        self.await_answer("ok", "get", "--raw", "/readyz")
        to_api_server = f"--kubeconfig={self._kubeconfig}"
        apart = ("--leader-elect=false", "--secure-port=0")
        keys = f"--service-account-private-key-file={folder / 'account.key'}"
        self._start("kube-controller-manager", to_api_server, keys, *apart)
        self._start("kube-scheduler", to_api_server, *apart)
        kwok = ("--manage-all-nodes", "--node-lease-duration-seconds=40", "--config", STAGES)
        self._start("kwok", to_api_server, *kwok)
        self.create(*objects())
        self.kubectl("wait", "node", "--all", "--for=condition=Ready", f"--timeout={START_LIMIT_S}s")

    def kubectl(self, *arguments: str | Path, expected: int | None = 0) -> str:
        """What kubectl prints."""
        return self._call("kubectl", *arguments, expected=expected)

    def helm(self, *arguments: str | Path, expected: int | None = 0) -> str:
        """What helm prints."""
        return self._call("helm", *arguments, expected=expected)

    def get(self, *arguments: str) -> list[dict[str, Any]]:
        """Objects: the arguments are those of kubectl get."""
        found = yaml.safe_load(self.kubectl("get", *arguments, "--output=yaml"))
        items: list[dict[str, Any]] = found.get("items", [found])
        return items

    def await_answer(self, expected: str, *arguments: str) -> None:
        """Asks kubectl until it says so."""
        end = time.monotonic() + START_LIMIT_S
        while (said := self.kubectl(*arguments, expected=None).strip()) != expected:
            for program, process in self._started.items():
                log = self._log(program).read_text(encoding="utf-8", errors="replace")
                assert process.poll() is None, f"{program} has ended:\n{log[-2000:]}"
            assert time.monotonic() < end, f"kubectl {' '.join(arguments)}: not {expected} in {START_LIMIT_S} s: {said}"
            time.sleep(0.5)

    def create(self, *manifests: dict[str, Any]) -> None:
        """Makes objects."""
        file = self._folder / "objects.yaml"
        file.write_text(yaml.safe_dump_all(manifests))
        self.kubectl("create", "--filename", file)

    def _call(self, program: str, *arguments: str | Path, expected: int | None) -> str:
        return run([go_tool(program), *arguments], limit_s=CALL_LIMIT_S, env=self._environment, expected=expected)

    def _start_api_server(self) -> None:
        etcd, peer, port = (self._port() for _ in range(3))
        clients, peers = f"http://127.0.0.1:{etcd}", f"http://127.0.0.1:{peer}"
        self._start(
            "etcd",
            *("--data-dir", self._folder / "etcd", "--socket-reuse-port", "--unsafe-no-fsync"),
            *("--listen-client-urls", clients, "--advertise-client-urls", clients),
            *("--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers),
            *("--initial-cluster", f"default={peers}"),
        )
        key, login = self._folder / "account.key", self._folder / "login.csv"
        run([installed("openssl"), "genrsa", "-out", key, "2048"])
        login.write_text("test,admin,1,system:masters\n")
        self._start(
            "kube-apiserver",
            *("--etcd-servers", clients, "--cert-dir", self._folder / "certificates"),
            *("--bind-address", "127.0.0.1", "--secure-port", str(port), "--permit-port-sharing"),
            # Nobody goes there: the address is one for documentation.
            *("--advertise-address", "192.0.2.1", "--service-cluster-ip-range", "10.96.0.0/24"),
            *("--authorization-mode", "RBAC", "--token-auth-file", login),
            *("--service-account-issuer", "https://kubernetes.default.svc"),
            *("--service-account-key-file", key, "--service-account-signing-key-file", key),
        )
        certificate = self._folder / "certificates/apiserver.crt"
        cluster = {"server": f"https://127.0.0.1:{port}", "certificate-authority": str(certificate)}
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "test", "cluster": cluster}],
            "users": [{"name": "test", "user": {"token": "test"}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
            "current-context": "test",
        }
        self._kubeconfig.write_text(yaml.safe_dump(content))

    def _port(self) -> int:
        """A port that stays this process's until the end: the server that listens shares it."""
        held = self._stack.enter_context(socket.socket())
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port

    def _start(self, program: str, *arguments: str | Path) -> None:
        command = [str(part) for part in (go_tool(program), *arguments)]
        with self._log(program).open("wb") as log:
            process = subprocess.Popen(
                command, env=self._environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        self._started[program] = process
        self._stack.callback(_end, process)

    def _log(self, program: str) -> Path:
        return self._folder / f"{program}.log"

    @contextmanager
    def namespace(self, name: str) -> Iterator[str]:
        """A namespace that refuses pods which the strictest of the Pod Security Standards does not allow."""
        labels = {"pod-security.kubernetes.io/enforce": "restricted"}
        self.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}})
        try:
            yield name
        finally:
            self.kubectl("delete", "namespace", name, f"--timeout={START_LIMIT_S}s")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A Kubernetes."""
    with ExitStack() as stack:
        yield Cluster(tmp_path_factory.mktemp("cluster"), stack)
