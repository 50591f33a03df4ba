"""Finds result files and plans' result folders, and reads them. What cannot be read becomes a Problem."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml

from omb_charts.fields import Object, as_number, child, children, number, text, whole
from omb_charts.metrics import values_of
from omb_charts.model import (
    Cell,
    Claim,
    ClaimValue,
    Estimate,
    Json,
    PlanResult,
    Problem,
    PublishedValue,
    Results,
    Run,
    counted,
)
from omb_charts.result_file import NotAResultError, load_json, run_of
from omb_charts.statistics import estimate
from omb_charts.variants import fields_of, names, told_apart

MANIFEST = "manifest.json"
SUMMARY = "summary.json"
CLAIMS = "claims.json"
PUBLISHED = "published.yaml"
# The installation.
HOME = Path(__file__).resolve().parents[2]
# Files that the harness writes beside results but are no results.
_NO_RESULTS = {MANIFEST, SUMMARY, CLAIMS, "calibration.json"}
# How far above a plan's file the folder is looked for that its path in the manifest is relative to.
_MOST_PARENTS = 8


@dataclass(slots=True)
class _Reader:
    problems: list[Problem] = field(default_factory=list)
    seen: set[Path] = field(default_factory=set)
    by_id: dict[str, Path] = field(default_factory=dict)

    def json(self, path: Path) -> Object | None:
        try:
            return load_json(path)
        except NotAResultError as e:
            self.problems.append(Problem(path, str(e)))
            return None

    def run(self, path: Path) -> Run | None:
        """The run in a file, None if it was read before or cannot be. A copy of a result is no repetition."""
        resolved = path.resolve()
        if resolved in self.seen:
            return None
        self.seen.add(resolved)
        root = self.json(path)
        if root is None:
            return None
        try:
            run = run_of(path, root)
        except NotAResultError as e:
            self.problems.append(Problem(path, str(e)))
            return None
        first = self.by_id.setdefault(run.run_id or str(path), path)
        if first is not path:
            self.problems.append(Problem(path, f"is the same run as {first}, and left out", harmless=True))
            return None
        return run

    def runs(self, paths: Iterable[Path]) -> list[Run]:
        return [run for path in paths if (run := self.run(path)) is not None]


def read(paths: Sequence[Path]) -> Results:
    """Everything below the given files and folders, each file once."""
    reader = _Reader()
    runs: list[Run] = []
    plans: list[PlanResult] = []
    for path in paths:
        if not path.exists():
            reader.problems.append(Problem(path, "does not exist"))
        elif path.is_file():
            runs += reader.runs([path])
        else:
            found = list(_plan_folders(path))
            plans += [plan for folder in found if (plan := _plan(reader, folder)) is not None]
            ordinary = reader.runs(_result_files(path))
            runs += ordinary
            if not found and not ordinary and not any(path in problem.path.parents for problem in reader.problems):
                reader.problems.append(Problem(path, "contains no result"))
    of_plans = [run for plan in plans for run in plan.runs]
    named = {run.source: run for run in told_apart([*of_plans, *runs])}
    return Results(
        tuple(named.values()),
        tuple(replace(plan, runs=tuple(named[run.source] for run in plan.runs)) for plan in plans),
        tuple(reader.problems),
    )


def _result_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.json"), key=_natural):
        if path.name not in _NO_RESULTS and path.is_file():
            yield path


def _natural(path: Path) -> list[tuple[int, str]]:
    """Sorts 2 before 10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", str(path))]


def _plan_folders(folder: Path) -> Iterator[Path]:
    for manifest in sorted(folder.rglob(MANIFEST), key=_natural):
        yield manifest.parent


def _plan(reader: _Reader, folder: Path) -> PlanResult | None:
    """None if it was read before or cannot be."""
    path = (folder / MANIFEST).resolve()
    if path in reader.seen:
        return None
    reader.seen.add(path)
    manifest = reader.json(folder / MANIFEST)
    if manifest is None:
        return None
    runs = reader.runs(_result_files(folder))
    order = {Path(text(run, "file") or "").name: number for number, run in enumerate(children(manifest, "runs"))}
    runs.sort(key=lambda run: order.get(run.source.name, len(order)))
    summary = reader.json(folder / SUMMARY) if (folder / SUMMARY).exists() else None
    claims = reader.json(folder / CLAIMS) if (folder / CLAIMS).exists() else None
    published = _published(reader, folder, manifest)
    name = text(manifest, "plan") or folder.name
    time_scale = number(manifest, "timeScale")
    return PlanResult(
        folder=folder,
        plan=name,
        study=text(published, "study") or text(claims or {}, "study") or name,
        description=text(manifest, "description") or "",
        citation=text(published, "citation") or "",
        time_scale=1.0 if time_scale is None else time_scale,
        not_done=tuple(_not_done(manifest)),
        cells=tuple(_cells(summary)) if summary is not None else cells_of(runs),
        claims=tuple(_claims(claims)) if claims is not None else (),
        published=tuple(_published_values(published if claims is None else claims)),
        runs=tuple(runs),
    )


def _not_done(manifest: Object) -> Iterator[str]:
    for run in children(manifest, "runs"):
        status = text(run, "status")
        if status is not None and status != "done":
            case = text(run, "case")
            what = ", ".join(
                part
                for part in (text(run, "experiment"), text(run, "system"), case, f"repetition {run.get('repetition')}")
                if part
            )
            reason = text(run, "reason")
            yield f"{what}: {status}" + (f" ({reason})" if reason else "")


def _cells(summary: Object) -> Iterator[Cell]:
    for node in children(summary, "cells"):
        metrics = {
            name: e
            for name in child(node, "metrics")
            if (e := _estimate(child(child(node, "metrics"), name))) is not None
        }
        yield Cell(
            experiment=text(node, "experiment") or "",
            system=text(node, "system") or "",
            case=text(node, "case") or "",
            parameters=dict(child(node, "parameters")),
            runs=whole(node, "runs") or 0,
            invalid=whole(node, "invalid") or 0,
            failed=whole(node, "failed") or 0,
            metrics=metrics,
            variants=_texts(node, "variants"),
            unreliable_rates=whole(node, "unreliableRates") or 0,
        )


def _texts(node: Object, name: str) -> tuple[str, ...]:
    value = node.get(name)
    return tuple(entry for entry in value if isinstance(entry, str)) if isinstance(value, list) else ()


def _estimate(node: Object) -> Estimate | None:
    mean = number(node, "mean")
    if mean is None:
        return None
    # Summaries had only the mean before.
    median = number(node, "median")
    figures = (number(node, name) for name in ("sd", "ci95Low", "ci95High", "min", "max"))
    return Estimate(whole(node, "n") or 1, mean, mean if median is None else median, *figures)


def cells_of(runs: Iterable[Run]) -> tuple[Cell, ...]:
    """The same as a plan's summary has, from its runs: for a plan that was ended before it wrote one."""
    by_cell: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        if run.place is not None:
            by_cell.setdefault((run.place.experiment, run.place.system, run.place.case), []).append(run)
    return tuple(_cell(key, of_cell) for key, of_cell in by_cell.items())


def _cell(key: tuple[str, str, str], runs: list[Run]) -> Cell:
    usable = [run for run in runs if run.usable]
    variants = tuple(dict.fromkeys(name for name in names(fields_of([run.configuration for run in usable])) if name))
    of_means = () if variants else counted(usable)
    metrics = sorted({name for run in of_means for name in run.metrics})
    place = runs[0].place
    return Cell(
        *key,
        parameters=place.parameters if place else {},
        runs=len(usable),
        invalid=sum(run.verdict == "INVALID" for run in usable),
        failed=len(runs) - len(usable),
        metrics={name: estimate(values) for name in metrics if (values := values_of(name, usable))},
        variants=variants,
        unreliable_rates=sum(run.vague_limit is not None for run in usable),
    )


def _claims(claims: Object) -> Iterator[Claim]:
    for node in children(claims, "claims"):
        yield Claim(
            id=text(node, "id") or "",
            source=text(node, "source") or "",
            text=text(node, "text") or "",
            expression=text(node, "expression") or "",
            judgement=text(node, "judgement") or "not decidable",
            reason=text(node, "reason") or "",
            values=tuple(
                ClaimValue(
                    metric=text(value, "metric") or "",
                    experiment=text(value, "experiment") or "",
                    system=text(value, "system") or "",
                    case=text(value, "case") or "",
                    estimate=_estimate(value),
                )
                for value in children(node, "values")
            ),
        )


def _published(reader: _Reader, folder: Path, manifest: Object) -> Object:
    """The study's published figures: beside the results, or beside the plan's file."""
    for beside in (folder / MANIFEST, *_plan_files(folder, manifest)):
        if (published := beside.with_name(PUBLISHED)).is_file():
            return _yaml(reader, published)
    return {}


def plan_file(folder: Path, manifest: Object) -> Path:
    """The file of the plan that ran; if there is none, where the manifest says."""
    recorded = Path(text(manifest, "file") or "")
    wanted = text(child(manifest, "digests"), recorded.name)
    return next((file for file in _plan_files(folder, manifest) if file.is_file() and digest(file) == wanted), recorded)


def _plan_files(folder: Path, manifest: Object) -> Iterator[Path]:
    """Where the plan's file may be: where the manifest says, else among the installation's workloads, as for judge."""
    recorded = Path(text(manifest, "file") or "")
    if recorded.name:
        yield from (base / recorded for base in (Path.cwd(), *folder.resolve().parents[:_MOST_PARENTS]))
        wanted = text(child(manifest, "digests"), recorded.name)
        yield from (file for file in sorted((HOME / "workloads").glob("*/*.yaml")) if digest(file) == wanted)
        yield HOME / "workloads" / recorded.parent.name / recorded.name


def digest(file: Path) -> str:
    """The digest of a file's content, as in a manifest."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _yaml(reader: _Reader, path: Path) -> Mapping[str, Json]:
    try:
        parsed = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, OSError, UnicodeDecodeError) as e:
        reader.problems.append(Problem(path, "cannot be read: " + " ".join(str(e).split()), harmless=True))
        return {}
    if not isinstance(parsed, dict):
        reader.problems.append(Problem(path, "has no published figures: its YAML is not a mapping", harmless=True))
        return {}
    return parsed


def _published_values(published: Object) -> Iterator[PublishedValue]:
    for node in children(published, "values"):
        # A study's own file has its values, the judged claims have them with what was measured.
        value = as_number(node.get("published", node.get("value")))
        if value is not None:
            yield PublishedValue(
                source=text(node, "source") or "",
                experiment=text(node, "experiment") or "",
                system=text(node, "system") or "",
                case=text(node, "case") or "",
                metric=text(node, "metric") or "",
                value=value,
                unit=text(node, "unit") or "",
                sd=number(node, "publishedSd" if "published" in node else "sd"),
                note=text(node, "note") or "",
                measured=_estimate(node),
                only_invalid=node.get("invalidIncluded") is True,
                run=text(node, "run") or "",
            )
