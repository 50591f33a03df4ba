"""Entries for BibTeX: the benchmark, from its CITATION.cff, and the studies that were reproduced."""

import json
import re
from collections.abc import Iterable, Iterator

import yaml

from omb_charts.fields import Object, child, children, text
from omb_charts.model import Results
from omb_charts.reading import HOME

CITATION = HOME / "CITATION.cff"
_STUDY = "study.bib"
_SPECIAL = re.compile(r"([&%$#_])")


def references(results: Results) -> str:
    """The benchmark in the versions that ran, and each study whose plan ran."""
    studies = dict.fromkeys(HOME / "workloads" / plan.study / _STUDY for plan in results.plans)
    own = [_benchmark(_parsed(), results)] if CITATION.is_file() else []
    return "\n".join([*own, *(file.read_text(encoding="utf-8") for file in studies if file.is_file())])


def citation(results: Results) -> str:
    """The benchmark's CITATION.cff with the versions that ran."""
    version = f"version: {json.dumps(_version(_parsed(), results))}"
    lines = CITATION.read_text(encoding="utf-8").splitlines()
    return "\n".join(version if line.startswith("version:") else line for line in lines) + "\n"


def _parsed() -> Object:
    """All values as they are written: 1.10 is no number."""
    content: Object = yaml.load(CITATION.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
    return content


def _version(citation: Object, results: Results) -> str:
    environments = (child(run.configuration, "environment") for run in results.runs)
    ran = sorted({version for each in environments if (version := text(each, "benchmarkVersion"))})
    return ", ".join(ran) or text(citation, "version") or ""


def _benchmark(citation: Object, results: Results) -> str:
    fields = {
        "author": " and ".join(_authors(children(citation, "authors"))),
        "title": f"{{{_escaped(text(citation, 'title') or '')}}}",
        "howpublished": _escaped(f"Software, version {_version(citation, results)}"),
        "year": (text(citation, "date-released") or "")[:4],
        "doi": text(citation, "doi") or "",
        "url": text(citation, "url") or text(citation, "repository-code") or "",
    }
    lines = [f"  {name:<12} = {{{value}}},\n" for name, value in fields.items() if value]
    lacking = " and ".join(name for name in ("year", "url") if not fields[name])
    # BibTeX ignores what is outside of entries.
    why = f"% No {lacking}: CITATION.cff has none, since this is no published release.\n" if lacking else ""
    return f"{why}@misc{{messaging-benchmark,\n{''.join(lines)}}}\n"


def _authors(authors: Iterable[Object]) -> Iterator[str]:
    """People as BibTeX sorts them; the name of anything else is not taken apart."""
    for author in authors:
        family, given = text(author, "family-names"), text(author, "given-names")
        if family is None:
            yield f"{{{_escaped(text(author, 'name') or '')}}}"
        else:
            yield _escaped(f"{family}, {given}" if given else family)


def _escaped(words: str) -> str:
    return _SPECIAL.sub(r"\\\1", words)
