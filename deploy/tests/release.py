"""A release, and runs of what is in it."""

import json
import os
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tools import BUILD_LIMIT_S, HOME, run

# Low enough for any machine: what is tested is that a run comes to its end, not how fast.
RATE_PER_S = 200
RUN_S = 3
WORKLOAD = f"""
name: three-seconds
topics: 1
partitionsPerTopic: 2
messageSize: 1024
payloadFile: payload/payload-1Kb.data
subscriptionsPerTopic: 1
consumerPerSubscription: 2
producersPerTopic: 2
producerRate: {RATE_PER_S}
warmupDuration: 1s
testDuration: {RUN_S}s
samplePeriod: 1s
"""


@dataclass(frozen=True, slots=True)
class Release:
    """What bin/package has made."""

    archive: Path
    said: str

    @property
    def name(self) -> str:
        """The folder in the archive."""
        return self.archive.name.removesuffix(".tar.gz")

    @property
    def version(self) -> str:
        """As the POM has it."""
        return self.name.removeprefix("benchmark-")

    @property
    def printed_version(self) -> str:
        """As --version prints it: with the commit that the archive names."""
        with tarfile.open(self.archive) as archive:
            commit = archive.extractfile(f"{self.name}/commit")
            assert commit
            return f"{self.version}+{commit.read().decode().strip()}"

    @property
    def sbom(self) -> Path:
        """The list of libraries beside the archive."""
        return self.archive.with_name(f"{self.name}.cdx.json")

    def unpack(self, folder: Path) -> Path:
        """The home of the release, unpacked into a folder."""
        with tarfile.open(self.archive) as archive:
            archive.extractall(folder, filter="data")
        return folder / self.name


def package(home: Path, environment: Mapping[str, str] | None = None) -> Release:
    """Makes a release of a checkout."""
    said = run([home / "bin/package"], limit_s=BUILD_LIMIT_S, env=environment)
    return Release(Path(said.splitlines()[0]), said)


@pytest.fixture(scope="session")
def release() -> Release:
    """The release of this checkout."""
    return package(HOME)


def assert_complete(results: Path) -> dict[str, Any]:
    """The only result in a folder: the run came to its end, and every message arrived, however busy the machine was."""
    (file,) = results.glob("*.json")
    result: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    assert result["verdict"] in {"OK", "INVALID"}, result["findings"]
    assert result["failure"] is None
    audit = result["audit"]
    assert audit["sent"] >= RATE_PER_S * RUN_S
    assert [audit[fate] for fate in ("failed", "lost", "undelivered", "duplicated", "outOfOrder")] == [0] * 5
    assert all(subscription["received"] == audit["sent"] for subscription in audit["subscriptions"])
    assert file.with_suffix(".hlog").stat().st_size > 0
    return result


def tell(result: dict[str, Any], record: Callable[[str, object], None]) -> None:
    """Puts into the table how good a run was: its verdict depends on the machine, so no test asks for OK."""
    record("verdict", result["verdict"])
    record("clocks", f"± {result['clocks']['boundNs'] / 1000:.0f} µs")


def without(programs: set[str], folder: Path) -> str:
    """A PATH of one folder that has all programs of this PATH but some."""
    folder.mkdir()
    for place in filter(os.path.isdir, os.get_exec_path()):
        for program in os.scandir(place):
            link = folder / program.name
            if program.name not in programs and not link.is_symlink():
                link.symlink_to(program.path)
    return str(folder)
