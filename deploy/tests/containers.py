"""Real containers for the tests: podman, with settings, images and networks of its own that touch nobody else's."""

import hashlib
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from release import Release
from tools import BUILD_LIMIT_S, DEPLOY, FOLDER, HOME, VERSIONS, UnavailableError, installed, run

PACKAGES = "podman runc conmon netavark aardvark-dns iptables uidmap mmdebstrap"
PROGRAMS = ("podman", "runc", "conmon", "iptables", "mmdebstrap")

DEBIAN: str = VERSIONS["images"]["docker.io/library/debian"]["tag"]
# A JRE without a JDK, and what charts need.
JRE = ("default-jre-headless", "python3-venv")

STOP_LIMIT_S = 5

# What a kernel says that does not let one do what containers need.
REFUSED = re.compile(r"not permitted|denied|read-only file system|not supported", re.IGNORECASE)

# crun refuses machines that have both kinds of control groups, and limits above those of the session are refused.
SETTINGS = """
[network]
network_backend = "netavark"
network_config_dir = "{networks}"
[containers]
default_ulimits = ["nofile=10000:10000", "nproc=20000:20000"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
"""
STORAGE = """
[storage]
driver = "overlay"
graphroot = "{images}"
runroot = "{running}"
"""


class Podman:
    """Runs podman. All that has one of its names ends with it, except for bases, which later tests use again."""

    def __init__(self, folder: Path) -> None:
        self._command = (str(installed("podman")), "--log-level", "error")
        self._prefix = f"omb-{os.getpid()}-"
        # Podman wants a short path, and the same one for the same images.
        self._running = Path("/run") / f"omb-{hashlib.sha256(bytes(folder)).hexdigest()[:8]}"
        networks = folder / "networks"
        networks.mkdir(parents=True, exist_ok=True)
        settings = folder / "containers.conf"
        settings.write_text(SETTINGS.format(networks=networks))
        storage = folder / "storage.conf"
        storage.write_text(STORAGE.format(images=folder / "images", running=self._running))
        self.environment = {"CONTAINERS_CONF": str(settings), "CONTAINERS_STORAGE_CONF": str(storage)}

    def __call__(self, *arguments: str | Path, limit_s: float = 120, expected: int | None = 0) -> str:
        """What a command of podman has printed."""
        return run([*self._command, *arguments], limit_s=limit_s, env=self.environment, expected=expected).strip()

    def await_line(self, container: str, text: str, limit_s: float = 60) -> str:
        """The first line with this text that a container prints; waits for it."""
        command = [*self._command, "logs", "--follow", container]
        environment = {**os.environ, **self.environment}
        printed = []
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as follower:
            end = threading.Timer(limit_s, follower.kill)
            end.start()
            try:
                for line in follower.stdout or ():
                    printed.append(line)
                    if text in line:
                        return line
            finally:
                end.cancel()
                follower.kill()
        raise AssertionError(f"{container} has not printed '{text}' within {limit_s} s, but:\n{''.join(printed)}")

    def name(self, what: str) -> str:
        """A name for a container, a network, a volume or an image: what has it is removed at the end."""
        return self._prefix + what

    def base(self, *packages: str, debian: str = DEBIAN) -> str:
        """An image of Debian with some packages, which trusts whom this machine trusts; made once."""
        content = hashlib.sha256("\n".join((debian, *packages)).encode()).hexdigest()[:12]
        image = f"localhost/base:{content}"
        if not self("images", "--quiet", image):
            archive = FOLDER / f"{content}.tar"
            trusted = [
                f"--customize-hook=copy-in {file} {file.parent}"
                for file in (Path("/etc/ssl/certs/ca-certificates.crt"), Path("/etc/pip.conf"))
                if file.exists()
            ]
            included = ",".join(("ca-certificates", *packages))
            run(
                ["mmdebstrap", "--variant=minbase", f"--include={included}", *trusted, debian, archive],
                limit_s=BUILD_LIMIT_S,
            )
            self("import", "--quiet", archive, image, limit_s=BUILD_LIMIT_S)
            archive.unlink()
        return image

    def close(self) -> None:
        """Ends containers and removes what has a name."""
        mine = ("--quiet", "--filter", f"name=^{self._prefix}")
        for container in self("ps", "--all", *mine).split():
            self("rm", "--force", "--time", str(STOP_LIMIT_S), "--volumes", container)
        for network in self("network", "ls", *mine).split():
            self("network", "rm", network)
        for volume in self("volume", "ls", *mine).split():
            self("volume", "rm", volume)
        for image in self("images", "--quiet", "--filter", f"reference=localhost/{self._prefix}*").split():
            self("rmi", "--force", image)
        self("image", "prune", "--force")
        shutil.rmtree(self._running)


def _check() -> None:
    """Containers need programs, and a user who may do everything."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        raise UnavailableError(f"there is no {', '.join(missing)} on this machine (Debian's packages {PACKAGES})")
    if os.geteuid() != 0:
        raise UnavailableError("containers are only tested as root")


def _try(podman: Podman) -> None:
    """Some machines, such as containers, do not let a user make containers who may do everything else."""
    base = podman.base(*JRE)
    network = podman.name("first")
    podman("network", "create", network)
    try:
        podman("run", "--rm", f"--network={network}", base, "true")
    except AssertionError as error:
        if REFUSED.search(str(error)):
            reason = str(error).strip().splitlines()[-1]
            raise UnavailableError(f"this machine makes no containers: {reason}") from error
        raise


@pytest.fixture(scope="session")
def podman() -> Iterator[Podman]:
    """Podman."""
    _check()
    made = Podman(FOLDER / "containers")
    try:
        _try(made)
        yield made
    finally:
        made.close()


@pytest.fixture(scope="session")
def image(podman: Podman, release: Release) -> str:
    """The image of this checkout, on a base of Debian's packages."""
    name = f"localhost/{podman.name('benchmark')}:{release.version}"
    revision = run(["git", "rev-parse", "HEAD"], cwd=HOME).strip()
    arguments = {"BASE": podman.base(*JRE), "VERSION": release.version, "REVISION": revision}
    podman(
        *("build", "--quiet", "--network", "host", "--tag", name, "--file", DEPLOY / "container/Containerfile"),
        *(f"--build-arg={key}={value}" for key, value in arguments.items()),
        release.archive.parent,
        limit_s=BUILD_LIMIT_S,
    )
    return name
