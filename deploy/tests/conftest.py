"""Says at the end of the tests what was run, what was only validated, and what was not looked at."""

from collections import defaultdict

import pytest

import tools
from tools import LeftOutError, UnavailableError

pytest_plugins = ["release", "containers", "cluster"]

KINDS = {"ran": "run for real", "validated": "only validated"}
SKIPPED = "NOT RUN"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all", action="store_true", help="also what is marked as long; builds tools, and fails where one is missing"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Programs take minutes to build."""
    tools.building = config.getoption("--all")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    """Keeps what a test is about, and skips one whose tool cannot be had; with --all, that is a failure."""
    outcome = yield
    report = outcome.get_result()
    report.told = [
        (marker.name, str(marker.args[0])) for marker in item.iter_markers() if marker.name in KINDS and marker.args
    ]
    missing = LeftOutError if item.config.getoption("--all") else UnavailableError
    if call.excinfo is not None and call.excinfo.errisinstance(missing):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), 0, f"Skipped: {call.excinfo.value}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test that says nothing of its kind would be missing from the table."""
    for item in items:
        long = item.get_closest_marker("long")
        if long is not None and not config.getoption("--all"):
            item.add_marker(pytest.mark.skip(reason=f"{long.args[0]}: bin/test-deploy --all"))
        if not any(item.get_closest_marker(kind) for kind in KINDS):
            raise pytest.UsageError(f"{item.nodeid}: is neither marked as ran nor as validated")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The table."""
    tests: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    seen: dict[tuple[str, str], list[str]] = defaultdict(list)
    reasons: dict[str, None] = {}
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            for told in getattr(report, "told", []):
                tests[told][outcome] += 1
                seen[told] += [f"; {name} {value}" for name, value in report.user_properties]
            if outcome == "skipped":
                reasons[str(report.longrepr[2])] = None
    terminalreporter.section("what was run")
    for (kind, what), counts in sorted(tests.items()):
        state = KINDS[kind] if counts["passed"] else SKIPPED if counts["skipped"] else "FAILED"
        if counts["failed"] or counts["error"]:
            state = "FAILED"
        left_out = f", {counts['skipped']} not run" if counts["skipped"] and counts["passed"] else ""
        terminalreporter.write_line(
            f"{state:15} {what} ({counts['passed']} passed{left_out}{''.join(seen[kind, what])})"
        )
    for reason in reasons:
        terminalreporter.write_line(f"{SKIPPED:15} {reason}")
