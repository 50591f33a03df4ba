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

BUILD_LIMIT_S = 1800

# Names of programs, separated by spaces, that are not to be built: OpenTofu takes many minutes.
WITHOUT = "TEST_DEPLOY_WITHOUT"

# Programs that Go's module proxy has: package and version.
GO = {
    "actionlint": ("github.com/rhysd/actionlint/cmd/actionlint", "v1.7.12"),
    "hcl2json": ("github.com/tmccombs/hcl2json", "v0.6.9"),
    "helm": ("helm.sh/helm/v3/cmd/helm", "v3.19.2"),
    "tflint": ("github.com/terraform-linters/tflint", "v0.64.0"),
    "tofu": ("github.com/opentofu/opentofu/cmd/tofu", "v1.12.6"),
}
# What their modules replace, which counts only if the module that is built says so.
GO_REPLACEMENTS = {
    "tofu": "github.com/hashicorp/hcl/v2 v2.20.1 => github.com/opentofu/hcl/v2 v2.20.2-0.20251021132045-587d123c2828",
}


class UnavailableError(Exception):
    """A tool cannot be had on this machine: what needs it is not run."""


class LeftOutError(UnavailableError):
    """A tool that the caller does not want."""


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


def go_tool(name: str) -> Path:
    """A program that is built with Go, the first time."""
    if name in os.environ.get(WITHOUT, "").split():
        raise LeftOutError(f"{name} is left out, as {WITHOUT} says")
    program, failure = _built(name)
    if failure is not None:
        raise UnavailableError(failure)
    return program


# Once for all tests, and so is the wait for a build that comes to nothing.
@cache
def _built(name: str) -> tuple[Path, str | None]:
    package, version = GO[name]
    folder = FOLDER / "go" / f"{name}-{version}"
    program = folder / name
    if not program.exists():
        go = installed("go", "golang")
        environment = {"GOFLAGS": "-buildvcs=false -mod=mod", "GOTOOLCHAIN": "local"}
        folder.mkdir(parents=True, exist_ok=True)
        replacement = f"replace {GO_REPLACEMENTS[name]}\n" if name in GO_REPLACEMENTS else ""
        (folder / "go.mod").write_text(f"module {name}\n{replacement}")
        try:
            run([go, "get", f"{package}@{version}"], limit_s=BUILD_LIMIT_S, cwd=folder, env=environment)
            # Two at a time: each compiler takes up to a gigabyte.
            run([go, "build", "-p", "2", "-o", program, package], limit_s=BUILD_LIMIT_S, cwd=folder, env=environment)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            return program, f"{name} {version} could not be built: {str(error)[-500:]}"
    return program, None
