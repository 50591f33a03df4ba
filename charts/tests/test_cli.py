"""How the two commands explain themselves."""

import argparse

import pytest

from omb_charts import cli

SCREEN_LINES = 40
SCREEN_COLUMNS = 80


@pytest.mark.parametrize("parser", [cli._charts_parser(), cli._compare_parser()], ids=lambda parser: parser.prog)
def test_help_is_one_screen(parser: argparse.ArgumentParser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(SCREEN_COLUMNS))
    lines = parser.format_help().splitlines()
    assert len(lines) <= SCREEN_LINES
    assert all(len(line) <= SCREEN_COLUMNS for line in lines)
