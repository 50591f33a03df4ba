"""The folder that goes with a paper: results, figures, what was run, versions, and how to run it again."""

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import commonpath
from pathlib import Path
from shlex import quote

import yaml

from omb_charts.citing import CITATION, citation, references
from omb_charts.fields import Object, child
from omb_charts.model import Json, PlanResult, Results, Run
from omb_charts.pictures import slug
from omb_charts.reading import MANIFEST, PUBLISHED, digest, plan_file
from omb_charts.result_file import load_json

README = "README.md"
FIGURES = "figures"
_RESULTS = "results"
_SETUP = "setup"
_CHECKSUMS = "SHA256SUMS"
_HERE = "$ARTEFACT"
_REFERENCES = "references.bib"
# What the harness writes into a folder of results; other files there are nobody else's business.
_OF_RESULTS = (".json", ".hlog", ".csv", ".md", ".yaml")


@dataclass(frozen=True, slots=True)
class _Setup:
    """What one or several runs were given: their files within the folder, and how many runs there are."""

    workload: str
    driver: str
    runs: int


def write(
    results: Results, paths: Sequence[Path], out: Path, title: str, captions: Mapping[str, str], options: Sequence[str]
) -> None:
    """Fills the folder, which has the figures and the page already.

    ``captions`` are those of the figures by name, ``options`` those with which the figures are drawn again.
    """
    copied = _copy_results(paths, out / _RESULTS)
    plans = [line for plan in results.plans for line in _copy_plan(plan, out)]
    setups = list(_write_setups(results.runs, out))
    (out / _REFERENCES).write_text(references(results), encoding="utf-8")
    if CITATION.exists():
        (out / CITATION.name).write_text(citation(results), encoding="utf-8")
    sections = (
        f"# {title}",
        _contents(captions, plans),
        _measured(results.runs),
        _versions(results.runs),
        _again(plans, setups, copied, options),
        _listed(captions),
    )
    (out / README).write_text("\n\n".join(section for section in sections if section) + "\n", encoding="utf-8")
    _write_checksums(out)


# The files


def _copy_results(paths: Sequence[Path], folder: Path) -> list[str]:
    """Copies result files and folders of them; gives their names within the folder."""
    folder.mkdir()
    names: list[str] = []
    for path in paths:
        name, number = path.resolve().name, 2
        while name in names:
            name, number = f"{path.resolve().stem}-{number}{path.suffix if path.is_file() else ''}", number + 1
        names.append(name)
        if path.is_dir():
            shutil.copytree(path, folder / name, ignore=_others)
        else:
            shutil.copy(path, folder / name)
            log = path.with_suffix(".hlog")
            if log.exists():
                shutil.copy(log, (folder / name).with_suffix(".hlog"))
    return names


def _others(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not (Path(folder) / name).is_dir() and not name.endswith(_OF_RESULTS)]


def _copy_plan(plan: PlanResult, out: Path) -> Iterator[str]:
    """Copies the plan's files, if they are still those that ran, and its claims; gives lines that say so."""
    manifest = load_json(plan.folder / MANIFEST)
    digests = child(manifest, "digests")
    origin = plan_file(plan.folder, manifest)
    files = {(origin.parent / name).resolve(): wanted for name, wanted in digests.items()}
    if not files:
        yield f"The plan `{plan.plan}` does not name its files."
        return
    same = [file for file, wanted in files.items() if file.is_file() and digest(file) == wanted]
    target = f"{_SETUP}/{slug(plan.plan)}"
    above = Path(commonpath([file.parent for file in files]))
    for file in same:
        to = out / target / file.relative_to(above)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, to)
    published = origin.parent / PUBLISHED
    if origin.resolve() in same and published.is_file():
        shutil.copy(published, out / target / origin.resolve().relative_to(above).parent)
    missing = sorted(str(file.relative_to(above)) for file in files if file not in same)
    if origin.resolve() in same:
        yield f"`bin/benchmark plan {_HERE}/{target}/{origin.resolve().relative_to(above)}{_plan_options(manifest)}`"
    if missing:
        yield f"The plan `{plan.plan}` ran with files that were moved or changed since: {', '.join(missing)}."


def _plan_options(manifest: Object) -> str:
    """The options with which the plan ran, as far as its manifest has them."""
    options = ""
    scale, repetitions = manifest.get("timeScale"), manifest.get("repetitions")
    if isinstance(scale, int | float) and scale != 1:
        options += f" --time-scale {scale:g}"
    if isinstance(repetitions, int):
        options += f" --repetitions {repetitions}"
    only = manifest.get("only")
    for name in only if isinstance(only, list) else ():
        options += f" --only '{name}'"
    return options


def _write_setups(runs: Iterable[Run], out: Path) -> Iterator[_Setup]:
    """Writes workloads and driver files as the results have them, each once."""
    folder = out / _SETUP / "runs"
    folder.mkdir(parents=True)
    written: dict[str, str] = {}
    counted: Counter[tuple[str, str]] = Counter()
    for run in runs:
        workload, driver = (run.configuration.get(name) for name in ("workloadConfig", "driverConfig"))
        if isinstance(workload, dict) and isinstance(driver, dict):
            counted[
                _write_yaml(workload, f"workload-{slug(run.base_title)}", folder, written),
                _write_yaml(driver, f"driver-{slug(run.base_label)}", folder, written),
            ] += 1
    for (workload_file, driver_file), number in counted.items():
        yield _Setup(f"{_SETUP}/runs/{workload_file}", f"{_SETUP}/runs/{driver_file}", number)


def _write_yaml(keys: Mapping[str, Json], name: str, folder: Path, written: dict[str, str]) -> str:
    """Writes the keys and gives the file's name: that of the file that has them already, if there is one."""
    content = yaml.safe_dump(dict(keys), sort_keys=False, allow_unicode=True)
    if content not in written:
        number = sum(other.startswith(name) for other in written.values()) + 1
        written[content] = f"{name}.yaml" if number == 1 else f"{name}-{number}.yaml"
        (folder / written[content]).write_text(content, encoding="utf-8")
    return written[content]


def _write_checksums(out: Path) -> None:
    files = sorted(path for path in out.rglob("*") if path.is_file())
    lines = [f"{digest(path)}  {path.relative_to(out).as_posix()}" for path in files]
    (out / _CHECKSUMS).write_text("\n".join(lines) + "\n", encoding="utf-8")


# The page that describes them


def _table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(value: object) -> str:
    return " ".join(str(value).replace("|", "\\|").split())


def _contents(captions: Mapping[str, str], plans: Sequence[str]) -> str:
    rows = [
        (f"`{_RESULTS}/`", "the results: JSON, and the histograms of each interval (`.hlog`) where they were kept"),
        (f"`{FIGURES}/`", f"{len(captions)} figures as PDF, SVG and PNG; the CSV beside each has its points"),
        ("`report.html`", "all results on one page, which needs no network"),
        (
            f"`{_SETUP}/`",
            "what was run: " + ("the plan, and " if _commands(plans) else "") + "workload and driver file of each run",
        ),
        (f"`{_REFERENCES}`", "for BibTeX: the benchmark, and studies that were reproduced"),
        ("`CITATION.cff`", "how to cite the benchmark"),
        (f"`{_CHECKSUMS}`", f"digests of all files: `sha256sum -c {_CHECKSUMS}`"),
    ]
    return "## Contents\n\n" + _table(("file", "content"), rows)


def _measured(runs: Sequence[Run]) -> str:
    by_cell: dict[tuple[str, str], Counter[str]] = {}
    for run in runs:
        by_cell.setdefault((run.title, run.label), Counter())[run.verdict or "no verdict"] += 1
    rows = [
        (workload, system, sum(verdicts.values()), ", ".join(f"{number} {name}" for name, number in verdicts.items()))
        for (workload, system), verdicts in by_cell.items()
    ]
    return (
        "## Runs\n\n"
        + _table(("workload", "system", "runs", "verdicts"), rows)
        + "\n\nFigures of INVALID runs do not mean what they seem to; `findings` in each result says why."
    )


# What is asked of each result, and where it is.
_VERSIONS = (
    ("benchmark", ("environment", "benchmarkVersion")),
    ("broker", ("broker", "product"), ("broker", "version")),
    ("client", ("clientVersion",)),
    ("JDK", ("environment", "jdk")),
    ("operating system", ("environment", "os")),
    ("processor", ("environment", "cpu")),
    ("processors", ("environment", "processors")),
    ("memory in MiB", ("environment", "memoryMiB")),
)


def _versions(runs: Sequence[Run]) -> str:
    rows: list[tuple[str, str, int]] = []
    for name, *paths in _VERSIONS:
        counted: Counter[str] = Counter()
        for run in runs:
            parts = [_at(run.configuration, path) for path in paths]
            if any(parts):
                counted[" ".join(part for part in parts if part)] += 1
        rows += [(name, value, number) for value, number in counted.items()]
    return "## Versions\n\n" + _table(("what", "version", "runs"), rows) if rows else ""


def _at(configuration: Mapping[str, Json], path: Sequence[str]) -> str:
    node: Json = dict(configuration)
    for name in path:
        node = node.get(name) if isinstance(node, dict) else None
    return "" if node is None or isinstance(node, dict | list) else str(node)


def _commands(plans: Sequence[str]) -> list[str]:
    return [line.strip("`") for line in plans if line.startswith("`")]


def _again(plans: Sequence[str], setups: Sequence[_Setup], copied: Sequence[str], options: Sequence[str]) -> str:
    commands = _commands(plans)
    notes = [line for line in plans if not line.startswith("`")]
    text_ = (
        "## Run again\n\nIn the folder of the benchmark, in the version above. `ARTEFACT` is the path of this folder:"
        " `export ARTEFACT=…`. Driver files that point to this machine start a local broker; change their addresses for"
        " your own. Secrets are `***`."
    )
    if commands:
        text_ += "\n\n```\n" + "\n".join(commands) + "\n```"
    if notes:
        text_ += "\n\n" + "\n".join(notes)
    if setups:
        rows = [(f"`bin/benchmark -d {_HERE}/{each.driver} {_HERE}/{each.workload}`", each.runs) for each in setups]
        text_ += "\n\n" + _table(("single runs" if commands else "command", "times"), rows)
    results = " ".join(f"{_HERE}/{_RESULTS}/{name}" for name in copied)
    command = " ".join([f"bin/charts {results} -o figures", *map(quote, options)])
    return text_ + f"\n\nTo draw the figures again:\n\n```\n{command}\n```"


def _listed(captions: Mapping[str, str]) -> str:
    rows = [(f"[{name}]({FIGURES}/{name}.pdf)", caption) for name, caption in captions.items()]
    return "## Figures\n\n" + _table(("figure", "caption"), rows) if rows else ""
