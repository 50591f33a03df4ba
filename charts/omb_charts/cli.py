"""The commands: bin/charts and bin/compare. Exit codes: 0 done, 1 a gate failed, 2 bad arguments or files."""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omb_charts import measured
from omb_charts.comparing import (
    DEFAULT_METRICS,
    MARGIN,
    Comparison,
    compare,
    known_metric,
    markdown,
    outcome,
    own_runs,
    parse_margin,
    parse_threshold,
)
from omb_charts.model import Problem, Results
from omb_charts.reading import read

if TYPE_CHECKING:
    from omb_charts.paper import Layout

OK = 0
NOT_PASSED = 1
BAD_INPUT = 2

REPORT = "report.html"
# Beside figures for a paper, whose own file of references is often called references.bib.
CITED = "benchmark.bib"
# Instead of the name of a figure.
LIST = "list"
# The options for the figures of a paper.
LAYOUT = ("width", "font", "font_size")


def charts(arguments: Sequence[str]) -> int:
    """Draws pictures and the report page."""
    begun = time.monotonic()
    options = _charts_parser().parse_args(arguments)
    paths: list[Path] = [*options.results, *(options.compare or ())]
    out: Path = options.output
    try:
        _check_combination(options, paths)
        layout = _layout(options)
        if options.figure != [LIST]:
            out.mkdir(parents=True, exist_ok=True)
    except ValueError as e:
        return _refused("charts", str(e))
    except OSError as e:
        return _refused("charts", f"{out}: the folder cannot be created: {e.strerror}")
    results = read(paths)
    _say(results.problems)
    if not results.runs:
        return _refused("charts", "there are no results to draw")
    _say_failed(results)
    options.title = options.title or measured.systems(results.runs)
    if options.figure:
        return _draw_figures(results, options, layout)
    comparison = _side_by_side(*options.compare) if options.compare else None
    if options.artefact:
        return _write_artefact(results, comparison, options, begun, layout)
    _write(results, comparison, options, begun, out, layout)
    return OK


def _check_combination(options: argparse.Namespace, paths: Sequence[Path]) -> None:
    """A ValueError says which options do not go together, or what is missing or wrong."""
    if not paths:
        raise ValueError("give files or folders with results, or --compare A B")
    of_layout = _given(options, LAYOUT)
    if of_layout and not options.figure and not options.artefact:
        raise ValueError(f"{next(iter(of_layout))} needs --artefact, or --figure with the names of figures: '*' is all")
    others = _given(options, ("artefact", "report_only", "each_workload"))
    if options.figure and others:
        raise ValueError(f"--figure draws only figures and cannot be combined with {next(iter(others))}")
    if options.artefact:
        if options.report_only:
            raise ValueError("--artefact has the figures and cannot be combined with --report-only")
        out: Path = options.output
        if out.is_dir() and any(out.iterdir()):
            raise ValueError(f"--artefact needs a new or empty folder, and there are files in {out}")
        inside = next((path for path in paths if path.is_dir() and out.resolve().is_relative_to(path.resolve())), None)
        if inside is not None:
            raise ValueError(f"--artefact copies {inside}, so its folder must not be inside, got {out}")


def _given(options: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Those of the options that were given, as a user writes them, and their values."""
    return {f"--{name.replace('_', '-')}": value for name in names if (value := getattr(options, name))}


def _layout(options: argparse.Namespace) -> "Layout | None":
    """That of a paper, if its figures are asked for; a ValueError says what is wrong."""
    if not options.figure and not _given(options, LAYOUT):
        return None
    from omb_charts import paper

    return paper.Layout(
        paper.parse_width(options.width or paper.DEFAULT_WIDTH),
        None if options.font is None else paper.known_font(options.font),
        paper.parse_size(options.font_size or paper.DEFAULT_SIZE),
    )


def _draw_figures(results: Results, options: argparse.Namespace, layout: "Layout | None") -> int:
    """Draws the named figures in the layout of a paper, or tells their names."""
    from omb_charts import citing, paper, pictures

    by_name = dict(pictures.everything(results))
    if options.figure == [LIST]:
        print("\n".join(by_name))
        return OK
    try:
        names = paper.chosen(options.figure, list(by_name))
    except ValueError as e:
        return _refused("charts", str(e))
    out: Path = options.output
    drawn = pictures.draw_all([pictures.Picture(name, by_name[name].draw) for name in names], out, layout=layout)
    for name, caption in drawn.captions.items():
        print(f"{out / name}.{{{','.join(pictures.FORMATS)}}}: {caption}")
    if drawn.captions:
        (out / CITED).write_text(citing.references(results), encoding="utf-8")
        print(f"{out / CITED}: entries for BibTeX: the benchmark, and studies that were reproduced")
    if drawn.empty:
        print(f"charts: no measurements for {', '.join(drawn.empty)}", file=sys.stderr)
    _say(drawn.problems)
    return OK if drawn.captions else BAD_INPUT


def _write_artefact(
    results: Results,
    comparison: Comparison | None,
    options: argparse.Namespace,
    begun: float,
    layout: "Layout | None",
) -> int:
    """Writes the folder that goes with a paper."""
    from omb_charts import artefact

    out: Path = options.output
    figures = out / artefact.FIGURES
    figures.mkdir()
    captions = _write(results, comparison, options, begun, figures, layout)
    again = ["--figure", "*", *chain.from_iterable(_given(options, LAYOUT).items())] if layout else []
    artefact.write(results, [*options.results, *(options.compare or ())], out, options.title, captions, again)
    print(f"{out}: artefact with {len(results.runs)} results; {out / artefact.README} says how to run them again")
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
    parser.add_argument("--title", help="the report's title (default: the systems)")
    parser.add_argument(
        "--each-workload",
        action="store_true",
        help="all pictures, including those of each workload, even for more than 12 workloads or 500 results",
    )
    parser.add_argument("--report-only", action="store_true", help="only the page, no picture files")
    parser.add_argument(
        "--figure",
        action="append",
        default=[],
        metavar="NAME",
        help="only this figure, for a paper: without a title; with * and ?; 'list' tells all names; repeatable",
    )
    parser.add_argument("--width", metavar="85mm", help="width of the figures (mm, cm, in, pt; default: 85mm)")
    parser.add_argument("--font", metavar="NAME", help="font of the figures, such as 'Times New Roman'")
    parser.add_argument("--font-size", metavar="8pt", help="size of its text (default: 8pt)")
    parser.add_argument(
        "--artefact",
        action="store_true",
        help="a folder for a paper's artefact: results, figures, plan, versions, how to run again",
    )
    return parser


def _side_by_side(base: Path, new: Path) -> Comparison:
    return compare(read([base]), read([new]), (_name(base), _name(new)), DEFAULT_METRICS)


def _name(path: Path) -> str:
    return path.stem if path.is_file() else path.resolve().name


def _write(
    results: Results,
    comparison: Comparison | None,
    options: argparse.Namespace,
    begun: float,
    pictures_in: Path,
    layout: "Layout | None",
) -> dict[str, str]:
    """Writes the page and the pictures, and gives the captions of the pictures by name."""
    # Imported here so that a refused command answers at once and bin/compare never waits for these libraries.
    from omb_charts import pictures, report, studies

    out: Path = options.output
    studied = [picture for plan in results.plans for picture in studies.pictures(plan)]
    with tempfile.TemporaryDirectory() as scratch:
        # A paper's figures have no titles, which the page's need.
        apart = options.report_only or layout is not None
        folder, formats = (Path(scratch), ("svg",)) if apart else (pictures_in, pictures.FORMATS)
        outcome = pictures.draw_all(studied, folder, formats)
        captions, empty = outcome.captions, len(outcome.empty)
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
        return captions
    each_workload = options.each_workload or not pictures.are_many(results)
    none = not each_workload and len(results.runs) > pictures.MANY_RUNS
    if none:
        print("there are many results: --each-workload draws their pictures, which takes minutes")
        if not layout:
            return captions
    left = [] if none else list(pictures.general(results, each_workload=each_workload))
    outcome = pictures.draw_all([*studied, *left] if layout else left, pictures_in, layout=layout)
    captions |= outcome.captions
    empty = len(outcome.empty) + (0 if layout else empty)
    print(
        f"{pictures_in}: {len(captions)} pictures as PNG, SVG and PDF, and their points as CSV"
        f"{f'; {empty} more would show nothing' if empty else ''}; {time.monotonic() - begun:.1f} s"
    )
    if not each_workload and not none:
        print("there are many workloads: --each-workload draws the pictures of each")
    _say(outcome.problems)
    return captions


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
    return BAD_INPUT


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
    if not own_runs(base, new):
        return _refused("compare", f"all runs of BASE, {options.base}, are in NEW, {options.new}: nothing to compare")
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
    return _answer(comparison, options)


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


def _answer(comparison: Comparison, options: argparse.Namespace) -> int:
    output: Path | None = options.output
    judged = outcome(comparison, lenient=options.lenient)
    text = markdown(comparison, judged)
    print(text, end="")
    if output is not None:
        try:
            output.write_text(text, encoding="utf-8")
        except OSError as e:
            return _refused("compare", f"{output}: cannot be written: {e.strerror}")
    if comparison.unread:
        return BAD_INPUT
    return OK if judged is None or judged.passed else NOT_PASSED


def main() -> int:
    """python -m omb_charts charts|compare …"""
    commands = {"charts": charts, "compare": compare_command}
    command = commands[sys.argv[1]]
    try:
        return command(sys.argv[2:])
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return BAD_INPUT
