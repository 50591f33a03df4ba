"""The shell of bin/ and of deploy/."""

import pytest

from tools import HOME, python_tool, run


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
