"""The release: what is in it, that it can be made again, and that it runs with a JRE alone."""

import hashlib
import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from release import WORKLOAD, Release, assert_complete, package, without
from tools import FOLDER, HOME, installed, run

RUN_LIMIT_S = 120
# Of Python's libraries, on a slow line.
FETCH_LIMIT_S = 600

JDK = {"javac", "jar", "jlink", "jshell", "jdb", "mvn", "mvnDebug"}
# Makes a folder read-only for a command, and for nobody else.
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


@pytest.fixture(scope="module")
def home(release: Release, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release, unpacked into an empty folder."""
    return release.unpack(tmp_path_factory.mktemp("release"))


@pytest.fixture(scope="module")
def jre(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """An environment with Java, but without a compiler or Maven."""
    path = without(JDK, tmp_path_factory.mktemp("jre") / "bin")
    assert shutil.which("java", path=path)
    assert not any(shutil.which(program, path=path) for program in JDK)
    return {"PATH": path, "HOME": str(FOLDER), "LANG": "C.UTF-8"}


def run_in(folder: Path, environment: Mapping[str, str], *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a command of the release with this environment and no other."""
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=RUN_LIMIT_S, check=False
    )


@pytest.mark.ran("release: bin/package")
def test_package_says_where_the_archive_is_its_size_and_its_checksum(release: Release) -> None:
    content = release.archive.read_bytes()

    assert release.archive == HOME / "dist/target" / f"benchmark-{release.version}.tar.gz"
    assert release.said == f"{release.archive}\n{len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}\n"


@pytest.mark.long("builds a second release")
@pytest.mark.ran("release: the same bytes from another folder")
def test_the_same_files_in_another_folder_give_the_same_bytes(release: Release, tmp_path: Path) -> None:
    other = tmp_path / "a checkout elsewhere"
    for name in run(["git", "ls-files", "-z"], cwd=HOME).split("\0")[:-1]:
        (other / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOME / name, other / name)
    run(["git", "init", "--quiet"], cwd=other)
    run(["git", "add", "--all", "--force"], cwd=other)
    (other / "bench.key").write_text("not tracked")

    time_s, commit = run(["git", "log", "-1", "--format=%ct %h", "--abbrev=12"], cwd=HOME).split()
    changed = run(["git", "status", "--porcelain", "--untracked-files=no"], cwd=HOME)
    again = package(other, {"SOURCE_DATE_EPOCH": time_s, "SOURCE_COMMIT": commit + (".dirty" if changed else "")})

    assert again.sbom.read_bytes() == release.sbom.read_bytes()
    assert again.archive.read_bytes() == release.archive.read_bytes()


@pytest.mark.validated("release: what is in the archive")
def test_archive_has_what_users_need_in_a_fixed_form(release: Release) -> None:
    time_s = int(run(["git", "log", "-1", "--format=%ct"], cwd=HOME))
    with tarfile.open(release.archive) as archive:
        members = archive.getmembers()
    names = [member.name for member in members]

    assert {name.split("/")[1] for name in names[1:] if not name.split("/")[1].startswith("driver-")} == {
        *(
            ".mvn",
            "CHANGELOG.md",
            "CITATION.cff",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "LICENSE",
            "README.md",
            "bin",
            "charts",
            "commit",
            "deploy",
            "docs",
            "drivers",
            "examples",
            "lib",
        ),
        *("mvnw", "payload", "sbom.cdx.json", "workloads"),
    }
    assert [name.split("/")[-1] for name in names if name.split("/")[1:2] == ["bin"]] == [
        *("bin", "benchmark", "benchmark-worker", "broker", "build", "charts", "compare", "environment.sh"),
    ]
    assert not [name for name in names if re.search(r"/(src|tests?|target|__pycache__)/|\.(java|jsa|key|pyc)$", name)]
    assert not [name for name in names if re.search(r"(junit|assertj|testkit|test-suites)[^/]*\.jar$", name)]
    assert names == sorted(names, key=lambda name: name.split("/"))
    assert {(member.uid, member.gid, member.mtime) for member in members} == {(0, 0, time_s)}
    assert {oct(member.mode) for member in members} == {"0o755", "0o644"}


@pytest.mark.validated("release: links of its documents")
def test_links_lead_to_files_of_the_release(home: Path) -> None:
    documents = list(home.rglob("*.md"))
    links = {
        (document, link)
        for document in documents
        for link in re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8"))
        if "://" not in link
    }

    assert len(links) > 50
    assert [(document.name, link) for document, link in sorted(links) if not (document.parent / link).exists()] == []


@pytest.mark.validated("release: SBOM (CycloneDX)")
def test_sbom_names_every_jar(release: Release, home: Path) -> None:
    # That it is valid has been checked where it was made: bin/package fails otherwise.
    sbom = json.loads(release.sbom.read_text(encoding="utf-8"))
    jars = {jar.name: hashlib.sha256(jar.read_bytes()).hexdigest() for jar in home.rglob("*.jar")}

    assert (home / "sbom.cdx.json").read_bytes() == release.sbom.read_bytes()
    assert (sbom["bomFormat"], sbom["metadata"]["component"]["version"]) == ("CycloneDX", release.version)
    components = {_jar(component["purl"]): component for component in sbom["components"]}
    # The folder with the jars, which is none itself.
    components.pop(f"dist-{release.version}.jar")
    assert {name: _sha256(component) for name, component in components.items()} == jars
    licensed = {component["name"] for component in components.values() if component["licenses"]}
    assert {"kafka-clients", "pulsar-client", "amqp-client", "jedis", "HdrHistogram", "benchmark-cli"} <= licensed


def _sha256(component: Mapping[str, Any]) -> str:
    """The checksum of a component."""
    (found,) = (checksum["content"] for checksum in component["hashes"] if checksum["alg"] == "SHA-256")
    return str(found)


def _jar(purl: str) -> str:
    """The name of a jar, from an address such as pkg:maven/group/name@version?classifier=linux-x86_64&type=jar."""
    found = re.fullmatch(r"pkg:maven/[^/]+/([^@]+)@([^?]+)\?(?:classifier=([^&]+)&)?type=jar", purl)
    assert found, purl
    return "-".join(part for part in found.groups() if part) + ".jar"


@pytest.mark.ran("release: bin/benchmark with a JRE alone")
def test_version_and_help(home: Path, release: Release, jre: Mapping[str, str], tmp_path: Path) -> None:
    version = run_in(tmp_path, jre, home / "bin/benchmark", "--version")
    help_text = run_in(tmp_path, jre, home / "bin/benchmark", "run", "--help")
    worker = run_in(tmp_path, jre, home / "bin/benchmark-worker", "--help")

    assert re.fullmatch(r".+\+[0-9a-f]{12}(\.dirty)?", release.printed_version)
    assert (version.returncode, version.stdout, version.stderr) == (0, f"benchmark {release.printed_version}\n", "")
    assert (help_text.returncode, help_text.stderr) == (0, "")
    assert "--drivers" in help_text.stdout
    assert (worker.returncode, worker.stderr) == (0, "")
    assert "--new-key" in worker.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.ran("release: a run inside the process, with a JRE alone")
def test_run_in_one_process(home: Path, jre: Mapping[str, str], tmp_path: Path) -> None:
    (tmp_path / "workload.yaml").write_text(WORKLOAD)

    done = run_in(
        tmp_path, jre, home / "bin/benchmark", "-d", home / "driver-inmemory/inmemory-queued.yaml", "workload.yaml"
    )

    result = assert_complete(tmp_path / "results")
    assert done.returncode == (0 if result["verdict"] == "OK" else 1), done.stdout + done.stderr


@pytest.mark.ran("release: two workers and a local Redis, with a JRE alone")
def test_run_with_workers_and_a_local_broker(home: Path, jre: Mapping[str, str], tmp_path: Path) -> None:
    (tmp_path / "workload.yaml").write_text(WORKLOAD)
    options = ("--local-workers", "2", "--brokers", "local", "-d", home / "driver-redis/redis.yaml")

    done = run_in(tmp_path, jre, home / "bin/benchmark", *options, "workload.yaml")

    result = assert_complete(tmp_path / "results")
    assert done.returncode == (0 if result["verdict"] == "OK" else 1), done.stdout + done.stderr
    assert len(result["workers"]) == 2


@pytest.mark.ran("release: bin/charts from a folder that is read-only")
def test_charts_from_a_folder_that_is_read_only(home: Path, jre: Mapping[str, str], tmp_path: Path) -> None:
    (tmp_path / "workload.yaml").write_text(WORKLOAD)
    run_in(tmp_path, jre, home / "bin/benchmark", "-d", home / "driver-inmemory/inmemory.yaml", "workload.yaml")
    charts = (home / "bin/charts", "results", "-o", "out")

    run(
        [installed("unshare", "util-linux"), "--mount", "sh", "-c", READ_ONLY, home, *charts],
        cwd=tmp_path,
        limit_s=FETCH_LIMIT_S,
        env={"XDG_CACHE_HOME": str(FOLDER / "cache"), "PATH": jre["PATH"]},
    )

    assert "three-seconds" in (tmp_path / "out/report.html").read_text(encoding="utf-8")
    assert list((tmp_path / "out").glob("*.png"))
    assert not (home / ".charts-venv").exists()
