"""The shell of bin/ and of deploy/."""

import shutil
from pathlib import Path

import pytest

from tools import HOME, python_tool, run

# Stands in for Maven: makes the folder of a driver whose client has a version, and adds its jar to the distribution.
MAVEN = """#!/usr/bin/env bash
set -e
made=driver-kafka/target/driver installed=dist/target/benchmark/drivers/kafka
rm -rf $made
mkdir -p $made $installed
touch $made/kafka-clients-$(<version).jar
cp $made/* $installed
"""


@pytest.mark.validated("shell scripts (shellcheck)")
def test_shellcheck_finds_nothing() -> None:
    scripts = [
        path
        for folder in ("bin", "deploy", "charts", ".ci")
        for path in sorted((HOME / folder).rglob("*"))
        if path.is_file() and path.read_bytes()[:64].startswith((b"#!/usr/bin/env bash", b"#!/bin/sh", b"#!/bin/bash"))
    ]
    assert len(scripts) > 10
    # What bin/ sources is followed, so that its variables are known.
    run([python_tool("shellcheck"), "--severity=style", "--external-sources", f"--source-path={HOME}", *scripts])


@pytest.mark.ran("bin/build: no jar of a client's former version stays, but those of the user do (Maven by a stand-in)")
def test_a_build_leaves_no_jar_of_the_one_before(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for script in ("build", "environment.sh"):
        shutil.copy(HOME / "bin" / script, tmp_path / "bin")
    (tmp_path / "mvnw").write_text(MAVEN)
    (tmp_path / "mvnw").chmod(0o755)
    drivers = tmp_path / "dist/target/benchmark/drivers/kafka"
    for version, own in (("4.3", set[str]()), ("4.4", {"own.jar"})):
        (tmp_path / "version").write_text(version)
        (tmp_path / "pom.xml").write_text(version)
        run([tmp_path / "bin/build"], env={"BENCHMARK_BUILD": ""})
        assert {jar.name for jar in drivers.glob("*.jar")} == {f"kafka-clients-{version}.jar", *own}
        (drivers / "own.jar").touch()
