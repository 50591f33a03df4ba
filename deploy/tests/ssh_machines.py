"""Machines for Ansible: containers with systemd, reached by SSH, with a network outside and one inside."""

import hashlib
import json
import re
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from containers import Podman
from tools import BUILD_LIMIT_S, DEPLOY, python_tool, run

ANSIBLE = DEPLOY / "ansible"

# What a Debian in a cloud has.
PACKAGES = (
    *("dbus", "e2fsprogs", "openssh-server", "procps", "python3", "sudo"),
    *("systemd", "systemd-sysv", "systemd-timesyncd"),
)
# Packages are fetched when the image is made, and installed by the playbooks. Settings of the kernel that belong to
# the machine below are nothing for a container to set at its start. Some machines have a JRE already.
IMAGES = """
ARG BASE
FROM ${{BASE}} AS bare
RUN apt-get update && \\
    apt-get install --yes --no-install-recommends --download-only {installed} && \\
    apt-get install --yes --no-install-recommends --download-only --reinstall systemd-timesyncd && \\
    systemctl mask systemd-sysctl && \\
    useradd --create-home --shell /bin/bash admin && \\
    echo 'admin ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/admin
CMD ["/sbin/init"]

FROM bare AS jre
RUN apt-get install --yes --no-install-recommends default-jre-headless
"""
INSTALLED = "default-jre-headless chrony python3-apt"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a machine is before anything is installed."""

    user: str
    target: str = "bare"
    debian: str = "bookworm"
    installed: str = INSTALLED


MACHINES = {
    "coordinator-1": Kind("admin"),
    "worker-1": Kind("root", "jre"),
    "worker-2": Kind("admin", "jre"),
}
# Mounts and filters of system calls by which systemd hardens services: without them it would leave some out, silently.
# SYS_PTRACE is for PrivateUsers= with ProtectProc=invisible (Debian's Redis): systemd has to see the service.
ALLOWED = ("--systemd=always", "--cap-add=SYS_ADMIN,NET_ADMIN,SYS_PTRACE", "--security-opt=seccomp=unconfined")

# A busy machine may take long to answer itself.
PATIENCE = [f"{limit}=1m" for limit in ("connect", "answer", "free", "suspect", "lost")]
BOOT_LIMIT_S = 180
PLAY_LIMIT_S = 900
RESTART_LIMIT_S = 120
CONNECT_LIMIT_S = 5
# As systemd-analyze counts: 0 is a service that can do nothing, 100 one that can do everything.
MAX_EXPOSURE = 30
# What ansible-playbook ends with if a task has failed on a machine.
REFUSED = 2

# Those that a container has of its own, so that they can be set for real.
KERNEL_SETTINGS = {"net.ipv4.ip_local_port_range": "10240 65535", "net.ipv4.tcp_tw_reuse": "1"}
# What a teardown may leave: logs, and what package management, sudo and Ansible keep for themselves.
KEPT = re.compile(
    r"/(etc/[a-z]+-$|var/(log|cache|backups|lib/(apt|dpkg|systemd|ucf))|(root|home/admin)/\.(ansible/|ansible$|ansible_async$|sudo_as_admin))"
)


class Machines:
    """Machines of a coordinator, of workers and of brokers, whose names begin with their role."""

    def __init__(
        self,
        podman: Podman,
        folder: Path,
        kinds: Mapping[str, Kind],
        options: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._podman = podman
        self.folder = folder
        self.networks = [podman.name("outside"), podman.name("inside")]
        self.variables: dict[str, dict[str, Any]] = {}
        self.brokers: list[str] = []
        for network in self.networks:
            podman("network", "create", network)
        run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "ssh.key"])
        networks = ",".join(self.networks)
        for name, kind in kinds.items():
            named = (f"--name={podman.name(name)}", f"--hostname={name}", f"--network={networks}")
            own = (options or {}).get(name, ())
            podman("run", "--detach", *named, *ALLOWED, *own, self._image(kind))
        for name, kind in kinds.items():
            self._let_in(name, kind.user)
            self.variables[name] = {
                "ansible_host": self.address(name, 0),
                "ansible_user": kind.user,
                "private_address": self.address(name, 1),
            }
        self._untouched = {name: self._files(name) for name in kinds}

    def close(self) -> None:
        """Removes the machines and their networks, so that the next ones can have the names."""
        for name in self.variables:
            self._podman("rm", "--force", "--time", "0", "--volumes", self._podman.name(name))
        for network in self.networks:
            self._podman("network", "rm", network)

    def add_broker(self, name: str, package: str, *command: str) -> None:
        """A broker that somebody else has set up, inside, where nobody can log in."""
        options = (f"--name={self._podman.name(name)}", f"--network={self.networks[1]}")
        self._podman("run", "--detach", *options, self._podman.base(package), *command)
        self.variables[name] = {"private_address": self.address(name, 1)}
        self.brokers.append(name)

    def _image(self, kind: Kind) -> str:
        """An image, made once."""
        base = self._podman.base(*PACKAGES, debian=kind.debian)
        text = IMAGES.format(installed=kind.installed)
        image = f"{base}-{kind.target}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
        if not self._podman("images", "--quiet", image):
            file = self.folder / "Containerfile"
            file.write_text(text)
            options = (f"--build-arg=BASE={base}", f"--target={kind.target}", f"--tag={image}")
            build = ("build", "--quiet", "--network=host", *options, f"--file={file}", self.folder)
            self._podman(*build, limit_s=BUILD_LIMIT_S)
        return image

    def _let_in(self, name: str, user: str) -> None:
        """Waits until a machine is up, and lets the key in. The lists of packages are taken for those of today."""
        self._podman(
            *("exec", self._podman.name(name), "systemctl", "is-system-running", "--wait"),
            limit_s=BOOT_LIMIT_S,
            expected=None,
        )
        public = (self.folder / "ssh.key.pub").read_text().strip()
        self.shell(
            name,
            f"install -d -m 700 -o {user} ~{user}/.ssh && echo '{public}' >~{user}/.ssh/authorized_keys &&"
            f"chown {user} ~{user}/.ssh/authorized_keys && touch /var/lib/apt/lists",
        )

    def shell(self, name: str, command: str, expected: int | None = 0) -> str:
        """What a command of root's prints on a machine."""
        return self._podman("exec", self._podman.name(name), "sh", "-c", command, expected=expected)

    def main_pids(self, *names: str) -> dict[str, str]:
        """The process of each worker."""
        return {name: self.shell(name, "systemctl show --property=MainPID --value benchmark-worker") for name in names}

    def address(self, name: str, network: int) -> str:
        """The address of a machine outside (0) or inside (1)."""
        (inspected,) = json.loads(self._podman("inspect", self._podman.name(name)))
        return str(inspected["NetworkSettings"]["Networks"][self.networks[network]]["IPAddress"])

    def gateway(self) -> str:
        """The address of this machine in the network inside."""
        (inspected,) = json.loads(self._podman("network", "inspect", self.networks[1]))
        return str(inspected["subnets"][0]["gateway"])

    def inventory(self) -> Path:
        """In the form of deploy/terraform, with variables of single machines."""
        groups: dict[str, Any] = {
            role: {"hosts": {name: self.variables[name] for name in names}}
            for role, names in {
                "coordinator": ["coordinator-1"],
                "workers": ["worker-1", "worker-2"],
                "brokers": self.brokers,
            }.items()
        }
        groups["all"] = {"vars": {"benchmark_worker_limits": PATIENCE}}
        file = self.folder / "inventory.yaml"
        file.write_text(json.dumps(groups))
        return file

    def play(self, playbook: str, *arguments: str, expected: int | None = 0) -> str:
        """What a playbook prints, run from the folder of this test."""
        return play(
            self.folder,
            self.inventory(),
            playbook,
            f"--private-key={self.folder}/ssh.key",
            *arguments,
            expected=expected,
        )

    def _files(self, name: str) -> set[str]:
        """All files and packages of a machine, but for what a teardown may leave."""
        found = self.shell(name, "find / -xdev -not -type s; dpkg-query --show").splitlines()
        return {file for file in found if not KEPT.match(file)}

    def changed(self) -> list[str]:
        """Files and packages that came or went since the machines were started."""
        lines = []
        for name, before in self._untouched.items():
            now = self._files(name)
            lines += [f"{name}: + {file}" for file in sorted(now - before - self._suggested(name))]
            lines += [f"{name}: - {file}" for file in sorted(before - now)]
        return lines

    def _suggested(self, name: str) -> set[str]:
        """Files and packages that nothing needs, but apt keeps because other packages recommend or suggest them."""
        weak = " ".join(f"-o APT::AutoRemove::{kind}Important=false" for kind in ("Recommends", "Suggests"))
        removable = self.shell(name, f"apt-get --simulate {weak} autoremove")
        packages = " ".join(re.findall(r"^Remv (\S+)", removable, re.MULTILINE))
        if not packages:
            return set()
        return set(self.shell(name, f"dpkg-query --listfiles {packages}; dpkg-query --show {packages}").splitlines())


def play(folder: Path, inventory: Path, playbook: str, *arguments: str, expected: int | None = 0) -> str:
    """Runs a playbook as README.md says, from a folder of its own."""
    environment = {
        "ANSIBLE_CONFIG": str(ANSIBLE / "ansible.cfg"),
        "ANSIBLE_HOME": str(folder / "ansible"),
        "ANSIBLE_NOCOLOR": "1",
        "ANSIBLE_SSH_COMMON_ARGS": f"-o StrictHostKeyChecking=accept-new -o UserKnownHostsFile={folder}/known_hosts",
        "PWD": str(folder),
    }
    command: list[str | Path] = [python_tool("ansible-playbook"), "-i", inventory, ANSIBLE / playbook, *arguments]
    return run(command, limit_s=PLAY_LIMIT_S, cwd=folder, env=environment, expected=expected)


def refused(folder: Path, groups: object, playbook: str, *arguments: str) -> str:
    """What a playbook prints that ends before it goes to any machine, in one line."""
    inventory = folder / "inventory.yaml"
    inventory.write_text(json.dumps(groups))
    said = play(folder, inventory, playbook, *arguments, expected=REFUSED)
    assert list(re.findall(r"^(\S+) +: ok=", said, re.MULTILINE)) == ["localhost"]
    return " ".join(said.split())


def await_port(address: str, port: int) -> None:
    """Waits until a machine listens."""
    end = time.monotonic() + RESTART_LIMIT_S
    while True:
        try:
            with socket.create_connection((address, port), timeout=CONNECT_LIMIT_S):
                return
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise


def changes(printed: str) -> dict[str, int]:
    """How much a playbook has changed on each machine, and that it could."""
    found = re.findall(r"^(\S+) +: ok=\d+ +changed=(\d+) +unreachable=0 +failed=0 ", printed, re.MULTILINE)
    return {name: int(count) for name, count in found}
