"""The commands: bin/charts and bin/compare. Exit codes: 0 done, 1 a gate failed, 2 nothing could be done."""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from omb_charts.comparing import (
    DEFAULT_METRICS,
    MARGIN,
    Comparison,
    Threshold,
    compare,
    known_metric,
    markdown,
    parse_margin,
    parse_threshold,
)
from omb_charts.model import Problem, Results
from omb_charts.reading import read

OK = 0
NOT_PASSED = 1
NOTHING_DONE = 2

REPORT = "report.html"


def charts(arguments: Sequence[str]) -> int:
    """Draws pictures and the report page."""
    begun = time.monotonic()
    options = _charts_parser().parse_args(arguments)
    paths: list[Path] = [*options.results, *(options.compare or ())]
    if not paths:
        return _refused("charts", "give files or folders with results, or --compare A B")
    out: Path = options.output
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        return _refused("charts", f"{out}: the folder cannot be created: {e.strerror}")
    results = read(paths)
    _say(results.problems)
    if not results.runs:
        return _refused("charts", "there are no results to draw")
    _say_failed(results)
    comparison = _side_by_side(*options.compare) if options.compare else None
    _write(results, comparison, options, begun)
    return OK


def _charts_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bin/charts",
        description="Draws charts and a report page from results, this benchmark's or OMB's, and from result folders "
        "of plans.",
    )
    parser.add_argument("results", nargs="*", type=Path, metavar="RESULTS", help="result files, or folders with them")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="folder for report and pictures"
    )
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"), help="two sets of results, side by side")
    parser.add_argument("--title", default="Messaging benchmark", help="the report's title")
    parser.add_argument(
        "--each-workload",
        action="store_true",
        help="all pictures, including those of each workload, even for more than 12 workloads or 500 results",
    )
    parser.add_argument("--report-only", action="store_true", help="only the page, no picture files")
    return parser


def _side_by_side(base: Path, new: Path) -> Comparison:
    return compare(read([base]), read([new]), (_name(base), _name(new)), DEFAULT_METRICS)


def _name(path: Path) -> str:
    return path.stem if path.is_file() else path.resolve().name


def _write(results: Results, comparison: Comparison | None, options: argparse.Namespace, begun: float) -> None:
    # Imported here so that a refused command answers at once and bin/compare never waits for these libraries.
    from omb_charts import pictures, report, studies

    out: Path = options.output
    studied = [picture for plan in results.plans for picture in studies.pictures(plan)]
    with tempfile.TemporaryDirectory() as scratch:
        folder, formats = (Path(scratch), ("svg",)) if options.report_only else (out, pictures.FORMATS)
        outcome = pictures.draw_all(studied, folder, formats)
        drawn = {name: (folder / f"{name}.svg").read_text(encoding="utf-8") for name in outcome.names}
    if outcome.empty:
        print(f"charts: no measurements for {', '.join(outcome.empty)}", file=sys.stderr)
    page = report.render(results, options.title, comparison, drawn)
    (out / REPORT).write_text(page, encoding="utf-8")
    print(
        f"{out / REPORT}: {len(results.runs)} results, {len(page.encode()) / 1e6:.1f} MB, "
        f"{time.monotonic() - begun:.1f} s",
        flush=True,
    )
    if options.report_only:
        return
    each_workload = options.each_workload or not pictures.are_many(results)
    if not each_workload and len(results.runs) > pictures.MANY_RUNS:
        print("there are many results: --each-workload draws their pictures, which takes minutes")
        return
    outcome = pictures.draw_all(list(pictures.general(results, each_workload=each_workload)), out)
    print(f"{out}: {len(drawn) + len(outcome.names)} pictures as PNG and SVG, {time.monotonic() - begun:.1f} s")
    if not each_workload:
        print("there are many workloads: --each-workload draws the pictures of each")
    _say(outcome.problems)


def _say(problems: Iterable[Problem]) -> None:
    for problem in problems:
        print(f"charts: {problem}", file=sys.stderr)


def _say_failed(results: Results) -> None:
    for run in results.runs:
        if run.verdict in ("FAILED", "INTERRUPTED"):
            why = f": {run.failure}" if run.failure else ""
            print(f"charts: {run.source}: the run is {run.verdict}{why}; it is left out of medians", file=sys.stderr)


def _refused(command: str, text: str) -> int:
    print(f"{command}: {text}", file=sys.stderr)
    return NOTHING_DONE


def compare_command(arguments: Sequence[str]) -> int:
    """Compares two sets of results for a person or for CI."""
    options = _compare_parser().parse_args(arguments)
    try:
        thresholds = [parse_threshold(text) for text in options.fail_on]
        metrics = [known_metric(name) for name in options.metric] or list(DEFAULT_METRICS)
        margin = parse_margin(options.margin)
    except ValueError as e:
        return _refused("compare", str(e))
    metrics += [threshold.metric for threshold in thresholds if threshold.metric not in metrics]
    base, new = read([options.base]), read([options.new])
    for problem in (*base.problems, *new.problems):
        print(f"compare: {problem}", file=sys.stderr)
    for results, path in ((base, options.base), (new, options.new)):
        if not results.runs:
            return _refused("compare", f"{path}: contains no result")
    comparison = compare(
        base,
        new,
        _two_names(options.base, options.new),
        metrics,
        thresholds,
        margin=margin,
        actual_send=options.actual_send,
    )
    if not comparison.rows and not comparison.lost:
        return _refused("compare", "the two sets have no workload and system in common for which both have figures")
    return _answer(comparison, thresholds, options)


def _compare_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bin/compare",
        description="Reports what changed between two sets of results, as Markdown. Exit code 0: all thresholds are "
        "kept; 1: one is crossed or cannot be decided, or more runs are FAILED, INVALID or SLO_MISSED than in BASE; "
        "2: bad arguments or files.",
    )
    parser.add_argument("base", type=Path, metavar="BASE", help="result file or folder to compare with")
    parser.add_argument("new", type=Path, metavar="NEW", help="result file or folder to be judged")
    parser.add_argument(
        "--fail-on",
        action="append",
        default=[],
        metavar="'METRIC > +N%'",
        help="exit with 1 if the metric changed by more and the runs bear it out; can be given several times",
    )
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="exit with 0 although something could not be decided: too few runs, too wide a spread for the threshold, "
        "a metric that no run has, or more bad runs by chance",
    )
    parser.add_argument("--strict", action="store_true", help="the default, which was an option in earlier versions")
    parser.add_argument(
        "--margin",
        default=f"{MARGIN * 100:g}%",
        metavar="N%",
        help="two sets count as alike if the whole interval is within this share of BASE (default: 10%%)",
    )
    parser.add_argument(
        "--actual-send",
        action="store_true",
        help="compare latencies from the actual send, as named, even if all runs have them from the intended send",
    )
    parser.add_argument("--metric", action="append", default=[], metavar="METRIC", help="replaces the usual metrics")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="also write the Markdown there")
    return parser


def _two_names(base: Path, new: Path) -> tuple[str, str]:
    names = _name(base), _name(new)
    return names if names[0] != names[1] else (str(base), str(new))


def _answer(comparison: Comparison, thresholds: Sequence[Threshold], options: argparse.Namespace) -> int:
    output: Path | None = options.output
    text = markdown(comparison)
    print(text, end="")
    if output is not None:
        try:
            output.write_text(text, encoding="utf-8")
        except OSError as e:
            return _refused("compare", f"{output}: cannot be written: {e.strerror}")
    unanswered = {threshold.metric for threshold in thresholds} - {gate.threshold.metric for gate in comparison.gates}
    for name in sorted(unanswered):
        print(f"compare: the two sets have no runs with {name} in common", file=sys.stderr)
    if not thresholds:
        return OK
    regressed = [share for share in comparison.shares if share.regressed]
    failed = any(gate.crossed for gate in comparison.gates) or bool(comparison.lost) or bool(regressed)
    undecided = (
        bool(unanswered)
        or bool(comparison.missing)
        or bool(comparison.only_base)
        or any(share.more for share in comparison.shares)
        or not all(gate.crossed or gate.kept for gate in comparison.gates)
    )
    return NOT_PASSED if failed or (undecided and not options.lenient) else OK


def main() -> int:
    """python -m omb_charts charts|compare …"""
    commands = {"charts": charts, "compare": compare_command}
    command = commands[sys.argv[1]]
    try:
        return command(sys.argv[2:])
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return NOTHING_DONE
