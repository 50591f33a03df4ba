"""The examples for CI: their form, and their own commands, in a folder whose smoke plan takes seconds.

The project's own workflows: their form.
"""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools import DEPLOY, HOME, go_tool, installed, python_tool, run

GITHUB = DEPLOY / "ci" / "github-actions.yml"
GITLAB = DEPLOY / "ci" / "gitlab-ci.yml"
OWN = sorted((HOME / ".github" / "workflows").glob("*.yml"))

PLAN = """
name: smoke
systems: {inmemory: inmemory.yaml}
experiments:
  - {name: tiny, workload: tiny.yaml}
"""
WORKLOAD = """
name: tiny
topics: 1
partitionsPerTopic: 1
messageSize: 100
subscriptionsPerTopic: 1
consumerPerSubscription: 1
producersPerTopic: 1
producerRate: 500
warmupDuration: 1s
testDuration: 1s
samplePeriod: 1s
"""
DRIVER = """
name: inmemory
driverClass: io.openmessaging.benchmark.driver.inmemory.InMemoryBenchmarkDriver
delivery: QUEUED
"""

REPETITIONS = 6

# A plan of six runs, and a build if there is none.
LIMIT_S = 600


@dataclass(frozen=True)
class Scripts:
    """What a CI runs, as it stands in its file."""

    plan: str
    compare: str
    report: str


def steps() -> list[dict[str, Any]]:
    """Of the workflow for GitHub."""
    found: list[dict[str, Any]] = yaml.safe_load(GITHUB.read_text())["jobs"]["smoke"]["steps"]
    return found


def scripts(ci: str) -> Scripts:
    """The parts of either file."""
    if ci == "github":
        named = {step["name"]: step["run"] for step in steps() if "run" in step}
        return Scripts(named["Run the smoke plan"], named["Compare with main"], named["Make the report"])
    job = yaml.safe_load(GITLAB.read_text())["benchmark"]
    plan, compare = job["script"]
    [report] = job["after_script"]
    return Scripts(plan, compare, report)


def bash(script: str, workspace: Path, results: str, expected: int = 0) -> str:
    """Runs a script as both CIs do."""
    environment = {"SET": results, "GITHUB_STEP_SUMMARY": str(workspace / "summary.md")}
    command: list[str | Path] = [installed("bash"), "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return run(command, limit_s=LIMIT_S, cwd=workspace, env=environment, expected=expected)


@pytest.fixture(scope="module", params=["github", "gitlab"])
def ci(request: pytest.FixtureRequest) -> str:
    """Both."""
    return str(request.param)


def told(results: Path, first_ms: float) -> None:
    """Makes up what a busy machine would leave to chance, verdicts and a latency of each run; runs of one set only."""
    files = sorted(results.glob("smoke-*/runs/*.json"))
    assert len(files) == REPETITIONS
    for number, file in enumerate(files):
        result = json.loads(file.read_text())
        result |= {"runId": f"{results.name}-{number}", "verdict": "OK", "findings": []}
        result["metrics"]["scheduledEndToEndLatency99pct"] = first_ms + number / 10
        file.write_text(json.dumps(result))


@pytest.fixture(scope="module")
def measured(ci: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with results of main, and the same as those of a request."""
    folder = tmp_path_factory.mktemp(ci)
    plan = folder / "workloads" / "smoke"
    plan.mkdir(parents=True)
    for linked in ("bin", ".ci"):
        (folder / linked).symlink_to(HOME / linked)
    (plan / "plan.yaml").write_text(PLAN)
    (plan / "tiny.yaml").write_text(WORKLOAD)
    (plan / "inmemory.yaml").write_text(DRIVER)
    bash(scripts(ci).plan, folder, "main")
    shutil.copytree(folder / "results" / "main", folder / "results" / "new")
    told(folder / "results" / "main", 10)
    told(folder / "results" / "new", 10)
    return folder


@pytest.fixture
def workspace(measured: Path, tmp_path: Path) -> Path:
    """A copy for one test."""
    return shutil.copytree(measured, tmp_path / "workspace", symlinks=True)


@pytest.mark.validated("CI examples: schemas of GitHub and GitLab")
@pytest.mark.parametrize(
    ("schema", "file"),
    [("gitlab-ci", GITLAB), ("dependabot", HOME / ".github" / "dependabot.yml")]
    + [("github-workflows", workflow) for workflow in (GITHUB, *OWN)],
)
def test_files_keep_the_schema(schema: str, file: Path) -> None:
    run([python_tool("check-jsonschema"), "--builtin-schema", f"vendor.{schema}", file])


@pytest.mark.validated("CI examples: actionlint and shellcheck")
def test_actionlint_finds_nothing() -> None:
    run([go_tool("actionlint"), "-no-color", "-shellcheck", python_tool("shellcheck"), "-pyflakes=", GITHUB, *OWN])


@pytest.mark.validated("CI examples: actionlint and shellcheck")
def test_shellcheck_finds_nothing_in_what_gitlab_runs(tmp_path: Path) -> None:
    job = yaml.safe_load(GITLAB.read_text())["benchmark"]
    script = tmp_path / "script"
    for part in ("before_script", "script", "after_script"):
        script.write_text("#!/usr/bin/env bash\nset -eo pipefail\n" + "\n".join(job[part]))
        run([python_tool("shellcheck"), "--severity=style", script])


@pytest.mark.validated("CI examples: actions pinned by commit")
@pytest.mark.parametrize("workflow", [GITHUB, *OWN])
def test_actions_are_pinned_by_commit(workflow: Path) -> None:
    used = re.findall(r"uses: (.*)", workflow.read_text())
    jobs = yaml.safe_load(workflow.read_text())["jobs"].values()
    assert len(used) == len([part for job in jobs for part in (job, *job.get("steps", [])) if "uses" in part])
    ours = "./.github/workflows/test.yml"
    assert not [
        it for it in used if it != ours and not re.fullmatch(r"actions/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", it)
    ]


@pytest.mark.validated("CI examples: actions pinned by commit")
def test_every_action_has_one_version() -> None:
    used = {action for file in (GITHUB, *OWN) for action in re.findall(r"uses: (actions/.*)", file.read_text())}
    assert len(used) == len({re.sub(r"@.*", "", action) for action in used})


@pytest.mark.ran("CI examples: .ci/check-plan on results with each fate of a message")
@pytest.mark.parametrize(
    ("fates", "problem"),
    [
        ({}, ""),
        ({"lost": 1}, "1 messages lost"),
        ({"undelivered": 2}, "2 messages undelivered"),
        ({"duplicated": 3}, "3 messages duplicated"),
    ],
)
def test_plan_with_a_message_unaccounted_for_fails(fates: dict[str, int], problem: str, tmp_path: Path) -> None:
    where = {"experiment": "tiny", "system": "inmemory", "case": "base", "status": "done", "verdict": "OK"}
    (tmp_path / "manifest.json").write_text(json.dumps({"runs": [where | {"file": "run.json"}]}))
    audit = {"lost": 0, "undelivered": 0, "duplicated": 0} | fates
    (tmp_path / "run.json").write_text(json.dumps({"counts": {"sent": 10, "unknown": 0}, "audit": audit}))

    said = run([HOME / ".ci/check-plan", tmp_path], expected=1 if fates else 0)

    assert said == f"tiny/inmemory/base: {problem or 'OK'}\n"


@pytest.mark.long("runs the examples' own commands on a plan")
@pytest.mark.ran("CI examples: their own commands, on a small plan")
def test_equal_results_pass(ci: str, workspace: Path) -> None:
    answer = bash(scripts(ci).compare, workspace, "new")
    assert "Threshold kept: scheduledEndToEndLatency99pct" in answer
    assert "Threshold kept: publishRate" in answer


@pytest.mark.long("runs the examples' own commands on a plan")
@pytest.mark.ran("CI examples: their own commands, on a small plan")
def test_regression_fails(ci: str, workspace: Path) -> None:
    told(workspace / "results" / "new", 20)
    answer = bash(scripts(ci).compare, workspace, "new", expected=1)
    assert "Threshold crossed: scheduledEndToEndLatency99pct" in answer
    kept = workspace / ("summary.md" if ci == "github" else "comparison.md")
    assert kept.read_text() in answer


@pytest.mark.long("runs the examples' own commands on a plan")
@pytest.mark.ran("CI examples: their own commands, on a small plan")
def test_nothing_is_compared_while_main_has_no_results(ci: str, workspace: Path) -> None:
    shutil.rmtree(workspace / "results" / "main")
    assert "nothing was compared" in bash(scripts(ci).compare, workspace, "new")
    bash(scripts(ci).report, workspace, "new")
    assert (workspace / "report" / "report.html").is_file()


@pytest.mark.long("runs the examples' own commands on a plan")
@pytest.mark.ran("CI examples: their own commands, on a small plan")
def test_report_has_the_comparison(ci: str, workspace: Path) -> None:
    bash(scripts(ci).report, workspace, "new")
    page = (workspace / "report" / "report.html").read_text()
    assert "<h2>main → new</h2>" in page
