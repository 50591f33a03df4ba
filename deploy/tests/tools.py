"""The tools that the tests use, at fixed versions, fetched on first use into .deploy-tools of the project."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
DEPLOY = HOME / "deploy"
FOLDER = HOME / ".deploy-tools"

BUILD_LIMIT_S = 900

# Programs that Go's module proxy has: package and version.
GO = {
    "helm": ("helm.sh/helm/v3/cmd/helm", "v3.19.2"),
}


class UnavailableError(Exception):
    """A tool cannot be had on this machine: what needs it is not run."""


def run(
    command: Sequence[str | Path],
    *,
    limit_s: float = 120,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    expected: int | None = 0,
) -> str:
    """Runs a command and returns all that it has printed; one that ends with another exit code fails the test."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=limit_s,
        check=False,
    )
    shown = " ".join(str(part) for part in command)
    assert expected is None or done.returncode == expected, f"{shown}: exit code {done.returncode}\n{done.stdout}"
    return done.stdout


@cache
def installed(name: str, package: str | None = None) -> Path:
    """A program that this machine has to have."""
    found = shutil.which(name)
    if found is None:
        raise UnavailableError(f"there is no {name} on this machine (Debian's package {package or name})")
    return Path(found)


def python_tool(name: str) -> Path:
    """A program that came with the Python libraries of these tests."""
    return Path(sys.executable).with_name(name)


@cache
def go_tool(name: str) -> Path:
    """A program that is built with Go, the first time."""
    package, version = GO[name]
    folder = FOLDER / "go" / f"{name}-{version}"
    program = folder / name
    if not program.exists():
        go = installed("go", "golang")
        environment = {"GOBIN": str(folder), "GOFLAGS": "-buildvcs=false", "GOTOOLCHAIN": "local"}
        try:
            run([go, "install", f"{package}@{version}"], limit_s=BUILD_LIMIT_S, env=environment)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            raise UnavailableError(f"{name} {version} could not be built: {str(error)[-500:]}") from error
    return program
