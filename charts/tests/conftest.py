"""What the tests share."""

import os
from pathlib import Path

import matplotlib as mpl
import pytest

mpl.use("agg")

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def golden() -> Path:
    """Real results, thinned: their distributions have fewer points."""
    return GOLDEN


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in item.nodeid:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's path, which bin/test-charts finds."""
    path = os.environ.get("CHROMIUM", "")
    assert path, "the tests of the page need a Chromium: apt-get install chromium, or give its path in CHROMIUM"
    return path
