"""Containers of the Helm chart without Kubernetes: their own command lines, with folders in place of volumes."""

import os
import re
import subprocess
from base64 import b64decode
from pathlib import Path

from helm_promises import Manifest, Release, arguments
from tools import HOME


class Pod:
    """A pod of the release, laid out in a folder."""

    def __init__(self, release: Release, kind: str, root: Path) -> None:
        self.root = root
        spec: Manifest = release.one(kind)["spec"]["template"]["spec"]
        self.containers = {one["name"]: one for one in [*spec["initContainers"], *spec["containers"]]}
        volumes = {volume["name"]: volume for volume in spec["volumes"]}
        self.mounts = {
            mount["mountPath"]: volumes[mount["name"]]
            for container in self.containers.values()
            for mount in container["volumeMounts"]
        }
        for path, volume in self.mounts.items():
            self.folder(path).mkdir(parents=True)
            for name, content in _contents(release, volume).items():
                (self.folder(path) / name).write_bytes(content)

    def folder(self, path: str) -> Path:
        """Where a volume is."""
        return self.root / path.lstrip("/")

    def command(self, container: str) -> list[str]:
        """Its command line, with what is mounted in these folders."""
        mounts = "|".join(re.escape(path) for path in self.mounts)
        return [
            re.sub(rf"(?<![\w/])(?={mounts}(/|$))", str(self.root), argument)
            for argument in arguments(self.containers[container])
        ]

    def environment(self) -> dict[str, str]:
        """The programs of this build are on the path, as they are in the image."""
        return {"PATH": f"{HOME / 'bin'}:{os.environ['PATH']}", "TMPDIR": str(self.folder("/tmp"))}  # noqa: S108

    def start(self, command: list[str]) -> subprocess.Popen[str]:
        """Starts a command in the folder in which containers start."""
        return subprocess.Popen(
            command,
            cwd=self.root,
            env={**os.environ, **self.environment()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


def _contents(release: Release, volume: Manifest) -> dict[str, bytes]:
    named = volume.get("configMap", {}).get("name") or volume.get("secret", {}).get("secretName")
    for manifest in release.manifests:
        if manifest["metadata"]["name"] == named and manifest["kind"] == "ConfigMap":
            return {name: text.encode() for name, text in manifest["data"].items()}
        if manifest["metadata"]["name"] == named and manifest["kind"] == "Secret":
            return {name: b64decode(text) for name, text in manifest["data"].items()}
    return {}
