"""The tools that the tests use, at the versions of versions.yaml, built on first use into the user's cache."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

HOME = Path(__file__).resolve().parents[2]
DEPLOY = HOME / "deploy"
FOLDER = HOME / ".deploy-tools"
# Outside of the checkout: some programs take many minutes to build, and every checkout may use them.
PROGRAMS = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "omb-deploy-tools/go"

BUILD_LIMIT_S = 1800

# Names of programs, separated by spaces, that are not to be built: OpenTofu takes many minutes.
WITHOUT = "TEST_DEPLOY_WITHOUT"

VERSIONS: dict[str, dict[str, Any]] = yaml.safe_load((DEPLOY / "versions.yaml").read_text(encoding="utf-8"))

# Programs that Go's module proxy has: the module, and the package in it.
GO_PACKAGES = {
    "actionlint": ("github.com/rhysd/actionlint", "/cmd/actionlint"),
    "etcd": ("go.etcd.io/etcd/server/v3", ""),
    "hcl2json": ("github.com/tmccombs/hcl2json", ""),
    "helm": ("helm.sh/helm/v4", "/cmd/helm"),
    "kube-apiserver": ("k8s.io/kubernetes", "/cmd/kube-apiserver"),
    "kube-controller-manager": ("k8s.io/kubernetes", "/cmd/kube-controller-manager"),
    "kube-scheduler": ("k8s.io/kubernetes", "/cmd/kube-scheduler"),
    "kubectl": ("k8s.io/kubernetes", "/cmd/kubectl"),
    "kwok": ("sigs.k8s.io/kwok", "/cmd/kwok"),
    "tflint": ("github.com/terraform-linters/tflint", ""),
    "tofu": ("github.com/opentofu/opentofu", "/cmd/tofu"),
}


# Whether programs are built that are not there yet: by bin/test-deploy --all, since most of them take minutes.
building = False


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
    module, package = GO_PACKAGES[name]
    version: str = VERSIONS["go"][module]
    program = PROGRAMS / f"{name}-{version}" / name
    if name in os.environ.get(WITHOUT, "").split():
        raise LeftOutError(f"{name} is left out, as {WITHOUT} says")
    if not program.exists():
        if not building:
            raise UnavailableError(f"{name} {version} is not built yet: bin/test-deploy --all")
        failure = _build(program, module, package, version)
        if failure is not None:
            raise UnavailableError(f"{name} {version} could not be built: {failure}")
    return program


# Once for all tests, and so is the wait for a build that comes to nothing.
@cache
def _build(program: Path, module: str, package: str, version: str) -> str | None:
    go = installed("go", "golang")
    folder = program.parent
    folder.mkdir(parents=True, exist_ok=True)

    def in_folder(*arguments: str | Path) -> str:
        return run([go, *arguments], limit_s=BUILD_LIMIT_S, cwd=folder, env={"GOFLAGS": "-buildvcs=false -mod=mod"})

    unfinished = folder / "unfinished"
    (folder / "go.mod").write_text(f"module {program.name}\n")
    try:
        downloaded = in_folder("mod", "download", "-json", f"{module}@{version}")
        itself = json.loads(downloaded[downloaded.index("{") :])["GoMod"]
        replaced = _replaced(json.loads(in_folder("mod", "edit", "-json", itself)), version)
        (folder / "go.mod").write_text(f"module {program.name}\n{replaced}")
        in_folder("get", f"{module}{package}@{version}")
        # Two at a time: each compiler takes up to a gigabyte. What is interrupted is not taken for a program.
        in_folder("build", "-p", "2", f"-ldflags={_stamped(version)}", "-o", unfinished, f"{module}{package}")
    except (AssertionError, subprocess.TimeoutExpired) as error:
        return str(error)[-500:]
    unfinished.rename(program)
    return None


def _stamped(version: str) -> str:
    """What the linker writes into Kubernetes' programs, whose code has no version; it ignores names of others."""
    major, minor, _ = version.removeprefix("v").split(".", 2)
    fields = {"gitVersion": version, "gitMajor": major, "gitMinor": minor}
    return " ".join(f"-X k8s.io/component-base/version.{field}={value}" for field, value in fields.items())


def _replaced(module: dict[str, Any], version: str) -> str:
    """What a module replaces, which counts only if the module that is built says so.

    Replacements by folders are for its own checkout. But Kubernetes requires its parts without a version (v0.0.0): they
    are published as 0.x of its 1.x.
    """
    required = {it["Path"]: it["Version"] for it in module["Require"]}
    lines = []
    for replaced in module.get("Replace") or []:
        old, new = replaced["Old"], replaced["New"]
        if "Version" in new:
            lines.append(f"replace {old['Path']} {old.get('Version', '')} => {new['Path']} {new['Version']}\n")
        elif required.get(old["Path"]) == "v0.0.0":
            lines.append(f"replace {old['Path']} => {old['Path']} {re.sub(r'^v[0-9]+', 'v0', version)}\n")
    return "".join(lines)
