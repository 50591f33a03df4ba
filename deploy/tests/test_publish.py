"""What a tag publishes, and an image of one's own: commands of release.yml and of a README, with a registry here."""

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from containers import JRE, Podman
from release import Release
from tools import BUILD_LIMIT_S, DEPLOY, HOME, VERSIONS, go_tool, run

pytestmark = pytest.mark.long("builds the images again")

STEPS: dict[str, str] = {
    step["name"]: step["run"]
    for step in yaml.safe_load((HOME / ".github/workflows/release.yml").read_text())["jobs"]["publish"]["steps"]
    if "run" in step
}
USER, TOKEN = "somebody", "a token"
PORT = 5000

# With TLS and a login, as a public one.
REGISTRY = f"""
version: 0.1
storage: {{filesystem: {{rootdirectory: /tmp/registry}}}}
auth: {{htpasswd: {{realm: test, path: /tmp/users}}}}
http: {{addr: ":{PORT}", tls: {{certificate: /certificates/registry.pem, key: /tmp/key.pem}}}}
"""
SERVE = f"""
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=registry -addext "subjectAltName=IP:$(hostname -i)" \\
    -keyout /tmp/key.pem -out /certificates/registry.pem
htpasswd -Bbn {USER} '{TOKEN}' >/tmp/users
exec docker-registry serve /registry.yaml
"""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A folder in which commands run as they do in a checkout, and reach a registry."""

    folder: Path
    registry: str
    environment: Mapping[str, str]

    def bash(self, script: str, **more: str) -> str:
        """Runs a script as GitHub does."""
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return run(command, limit_s=BUILD_LIMIT_S, cwd=self.folder, env={**self.environment, **more})


@pytest.fixture(scope="module")
def checkout(podman: Podman, release: Release, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checkout]:
    """With the release that is to be published; the public base of images is one of Debian's packages."""
    folder = tmp_path_factory.mktemp("publish")
    (folder / "dist/target").mkdir(parents=True)
    for made in (release.archive, release.sbom):
        shutil.copy(made, folder / "dist/target")
    shutil.copy(HOME / "pom.xml", folder)
    shutil.copytree(DEPLOY, folder / "deploy", ignore=shutil.ignore_patterns("tests"))
    base = "docker.io/library/eclipse-temurin"
    base = f"{base}:{VERSIONS['images'][base]['tag']}"
    podman("tag", podman.base(*JRE), base)
    # Podman builds without a login, but not if the file that it is told to use is missing.
    (folder / "podman.json").write_text("{}")

    certificates, network = folder / "certificates", podman.name("registry")
    certificates.mkdir()
    (folder / "registry.yaml").write_text(REGISTRY)
    mounts = (f"--volume={certificates}:/certificates", f"--volume={folder / 'registry.yaml'}:/registry.yaml:ro")
    podman("network", "create", network)
    served = podman.base("apache2-utils", "docker-registry", "hostname", "openssl")
    podman("run", "--detach", f"--name={network}", f"--network={network}", *mounts, served, "bash", "-c", SERVE)
    podman.await_line(network, "listening on")
    (inspected,) = json.loads(podman("inspect", network))
    registry = f"{inspected['NetworkSettings']['Networks'][network]['IPAddress']}:{PORT}"
    environment = {
        **podman.environment,
        "PATH": f"{go_tool('helm').parent}:{os.environ['PATH']}",
        "REGISTRY_AUTH_FILE": str(folder / "podman.json"),
        "HELM_REGISTRY_CONFIG": str(folder / "helm.json"),
        "SSL_CERT_FILE": str(certificates / "registry.pem"),
        "VERSION": release.version,
    }
    try:
        yield Checkout(folder, registry, environment)
    finally:
        podman("untag", base, base)
        # A list of images that stays would join the next build of its name; "rmi" leaves it.
        ours = ("images", "--filter", f"reference={registry}/*/*")
        for name in podman(*ours, "--format", "{{.Repository}}:{{.Tag}}").splitlines():
            podman("manifest", "rm", name, expected=None)
        for image in podman(*ours, "--quiet").split():
            podman("rmi", "--force", "--ignore", image)
        podman("image", "prune", "--force")
        assert not podman(*ours, "--quiet")


@pytest.mark.ran("release workflow: images and chart, signed digests, in a registry with TLS and login (one processor)")
def test_tag_publishes_images_and_chart(checkout: Checkout) -> None:
    image, version = f"{checkout.registry}/somebody/benchmark", checkout.environment["VERSION"]
    variables = {
        "IMAGE": image,
        "REGISTRY": checkout.registry,
        "PLATFORMS": "linux/amd64",
        "RUNNER_TEMP": str(checkout.folder),
        "GITHUB_ACTOR": USER,
        "GITHUB_SHA": "0" * 40,
        "TOKEN": TOKEN,
    }
    shutil.rmtree(checkout.folder / "messaging-benchmark", ignore_errors=True)
    for step in ("Build the images", "Make the chart", "Push images and chart"):
        checkout.bash(STEPS[step], **variables)

    target = checkout.folder / "dist/target"
    signed = {name: digest for digest, name in (line.split() for line in (target / "signed").read_text().splitlines())}
    files = {f"benchmark-{version}.tar.gz", f"benchmark-{version}.cdx.json", f"messaging-benchmark-{version}.tgz"}
    chart = f"{image}/charts/messaging-benchmark"
    assert set(signed) == files | {f"{image}:{version}", f"{image}:{version}-worker", f"{chart}:{version}"}
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in signed.values())
    checkout.bash("cd dist/target && sha256sum --check SHA256SUMS")

    # From the registry, since nothing of this machine has such a name.
    for tag, command in ((version, "charts --help"), (f"{version}-worker", "benchmark-worker --help")):
        name = f"{image}@sha256:{signed[f'{image}:{tag}']}"
        assert checkout.bash(f"podman run --rm --pull=always {name} {command}")
    shown = checkout.bash(f"helm show values oci://{chart} --version {version}")
    assert yaml.safe_load(shown[shown.index("# All values") :])["image"]["repository"] == image
    assert f"sha256:{signed[f'{chart}:{version}']}" in checkout.bash(f"helm pull oci://{chart} --version {version}")


@pytest.mark.ran("an image of one's own: the lines of deploy/helm/README.md, with a registry here")
def test_lines_of_the_readme_push_an_image(checkout: Checkout) -> None:
    readme = (DEPLOY / "helm/README.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"^```\n(bin/package .*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert lines.count("\n") == 3
    checkout.bash(f"podman login --username {USER} --password '{TOKEN}' {checkout.registry}")

    # The release is there.
    here = lines.replace("bin/package && ", "").replace("registry.example.com", f"{checkout.registry}/mine")
    checkout.bash(here)

    image = f"{checkout.registry}/mine/messaging-benchmark:{checkout.environment['VERSION']}"
    assert checkout.bash(f"podman run --rm --pull=always {image} benchmark --version")
