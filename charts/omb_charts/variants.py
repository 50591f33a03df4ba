"""Tells repetitions from variants, and names variants by their differences.

The rule is bin/benchmark's: both read repetitions.yaml, and the tests of both the same examples.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from omb_charts.fields import Object, child
from omb_charts.metrics import shared_definitions
from omb_charts.model import Fields, Json, Run

_DEFINITIONS = shared_definitions("repetitions.yaml")
WORKLOAD = "workloadEffective"
RATE = f"{WORKLOAD}/producerRate"
FILE = "file"
_LONGEST_VALUE = 40
# A text that is a list of properties, as driver files have them.
_PROPERTY = re.compile(r"\s*([\w.\-]+)\s*=\s*(.*?)\s*")
# Which port a broker on this machine listens at is chance.
_LOOPBACK = re.compile(r"(localhost|127\.0\.0\.1|\[::1])(:\d+)?")


def _paths(name: str) -> list[str]:
    listed = _DEFINITIONS.get(name)
    return [str(path) for path in listed] if isinstance(listed, list) else []


_COMPARED, _IGNORED = _paths("compared"), _paths("ignored")
_ALIKE = {path: float(str(share)) for path, share in child(_DEFINITIONS, "alike").items()}
_REDUCED = {path: re.compile(str(pattern)) for path, pattern in child(_DEFINITIONS, "reduced").items()}


def fields_of(results: Sequence[Object]) -> Sequence[Fields]:
    """What of each result has to be equal in its repetitions: texts by path, without those that are null or ignored.

    A key of the workload that an older version did not know is left out, unless a workload file has it.
    """
    keys = [child(result, WORKLOAD) for result in results]
    known = set[str]().union(*keys)
    missing = {key for key in known if any(own and key not in own for own in keys)}
    written = set[str]().union(*(child(result, "workloadConfig") for result in results))
    left_out = {(WORKLOAD, key) for key in missing - written}
    fields = [
        {path: text for path, text in _fields(result) if tuple(path.split("/")[:2]) not in left_out}
        for result in results
    ]
    for path, share in _ALIKE.items():
        _make_alike(fields, path, share)
    return fields


def _make_alike(results: Sequence[dict[str, str]], path: str, share: float) -> None:
    """Replaces numbers that differ by less than a part by the lowest of them."""
    lowest: dict[str, str] = {}
    first = None
    for text in sorted({fields[path] for fields in results if path in fields}, key=float):
        if first is None or float(text) > float(first) * (1 + share):
            first = text
        lowest[text] = first
    for fields in results:
        if path in fields:
            fields[path] = lowest[fields[path]]


def _fields(result: Object) -> Iterator[tuple[str, str]]:
    for path in _COMPARED:
        *parents, name = path.split("/")
        node = result
        for parent in parents:
            node = child(node, parent)
        yield from _flat(path, node.get(name))


def _flat(path: str, value: Json) -> Iterator[tuple[str, str]]:
    if value is None or _is_ignored(path):
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _flat(f"{path}/{name}", inner)
    elif isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        for number, entry in enumerate(value, 1):
            yield from _flat(f"{path}/{number}", entry)
    elif isinstance(value, list):
        texts = [_text(entry) for entry in value]
        yield path, " ".join(_reduced(path, text) for text in texts if not _is_ignored(f"{path}/{text}"))
    else:
        properties = _properties(value) if isinstance(value, str) else {}
        for name, text in properties.items():
            yield f"{path}/{name}", text
        if not properties:
            yield path, _reduced(path, _text(value))


def _reduced(path: str, text: str) -> str:
    """The part of a text that is compared; the whole text if the pattern does not match."""
    pattern = _REDUCED.get(path)
    match = pattern.fullmatch(text) if pattern else None
    return "".join(match.groups()) if match else text


def _properties(text: str) -> dict[str, str]:
    """The text as a list of properties; nothing if it is none."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    found = [match for line in lines if (match := _PROPERTY.fullmatch(line))]
    return {match[1]: _text(match[2]) for match in found} if len(found) == len(lines) else {}


def _text(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole and isinstance(value, float) else _LOOPBACK.sub("localhost", str(value))


def _is_ignored(path: str) -> bool:
    return any(path.startswith(p[:-1]) if p.endswith("*") else path == p for p in _IGNORED)


def told_apart(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs with what their variants are called.

    Workloads of one name are told apart among all their runs, whatever the system. So are those at several rates, but
    these stay together, since they show how latency depends on the rate. What they ran on is told apart among the runs
    of a system. OMB's results say nothing of their configuration: each file stands for itself.
    """
    return told_apart_in_sets(runs)[0]


def told_apart_in_sets(*sets: Sequence[Run]) -> tuple[tuple[Run, ...], ...]:
    """The same for several sets, with the same names in all of them.

    What is the same in all runs of each set, but not in all sets, tells no variants apart: that is what is compared.
    """
    placed = [_Placed(run, number, fields) for run, number, fields in _with_fields(sets)]
    for own in _grouped(placed, lambda each: (each.run.ours, each.run.base_title)):
        for each, name in zip(own, names([_workload(each.fields) for each in own]), strict=True):
            each.run = replace(each.run, workload_variant=name)
    for own in _grouped(placed, lambda each: (each.run.ours, each.run.title)):
        for each, name in zip(own, names([_rate(each.fields) for each in own]), strict=True):
            each.run = replace(each.run, rate_variant=name)
    for own in _grouped(placed, lambda each: (each.run.ours, each.run.title, each.run.base_label)):
        for each, name in zip(own, names(_varying_setups(own)), strict=True):
            each.run = replace(each.run, setup_variant=name)
    return tuple(tuple(each.run for each in placed if each.set_number == number) for number in range(len(sets)))


@dataclass(slots=True)
class _Placed:
    """A run that is about to be named, and of which set it is."""

    run: Run
    set_number: int
    fields: Fields


def _with_fields(sets: Sequence[Sequence[Run]]) -> Iterator[tuple[Run, int, Fields]]:
    configured = iter(fields_of([run.configuration for runs in sets for run in runs if run.ours]))
    for number, runs in enumerate(sets):
        for run in runs:
            fields = next(configured) if run.ours else {}
            yield replace(run, fields=fields), number, fields


def _grouped(placed: Sequence[_Placed], key: Callable[[_Placed], object]) -> list[list[_Placed]]:
    found: dict[object, list[_Placed]] = {}
    for each in placed:
        found.setdefault(key(each), []).append(each)
    return list(found.values())


def _workload(fields: Fields) -> Fields:
    return {path: text for path, text in fields.items() if path.startswith(f"{WORKLOAD}/") and path != RATE}


def _rate(fields: Fields) -> Fields:
    return {path: text for path, text in fields.items() if path == RATE}


def _varying_setups(placed: Sequence[_Placed]) -> list[Fields]:
    """What of the runs' setups is not the same in all runs of their set."""
    setups = [{path: text for path, text in p.fields.items() if not path.startswith(f"{WORKLOAD}/")} for p in placed]
    numbers = {each.set_number for each in placed}
    for number in numbers:
        own = [place for place, each in enumerate(placed) if each.set_number == number and not each.run.ours]
        for place, name in zip(own, file_names([placed[place].run.source for place in own]), strict=True):
            setups[place] = {FILE: name}
    varying: set[str] = set()
    for number in numbers:
        own_setups = [setup for each, setup in zip(placed, setups, strict=True) if each.set_number == number]
        complete = [setup for setup in own_setups if _has_broker(setup)] or own_setups
        paths = {path for setup in complete for path in setup}
        varying |= {path for path in paths if len({setup.get(path) for setup in complete}) > 1}
    return [{path: text for path, text in setup.items() if path in varying} for setup in setups]


def file_names(files: Sequence[Path]) -> list[str]:
    """The shortest paths that tell files apart: without what all of them begin with."""
    paths = [file.resolve().with_suffix("").parts for file in files]
    if len(paths) < 2:
        return ["" for _ in paths]
    shortest = min(len(path) for path in paths)
    common = next((n for n in range(shortest - 1) if len({path[n] for path in paths}) > 1), shortest - 1)
    named = ["/".join(path[common:]) for path in paths]
    if max(len(name) for name in named) <= _LONGEST_VALUE:
        return named
    begin = named[0][: sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*named, strict=False)))]
    at = max(begin.rfind(separator) for separator in "-_/ ") + 1
    return [name[at:] for name in named]


def names(runs: Sequence[Fields]) -> list[str]:
    """What the variant of each run is called: the fewest fields that tell all variants apart; nothing if all are alike.

    A run that ended before its broker was known goes with the first that is equal in all else.
    """
    variants: list[Fields] = []
    for run in sorted(runs, key=lambda run: not _has_broker(run)):
        if _variant_of(run, variants) is None:
            variants.append(run)
    variants.sort(key=lambda variant: next(n for n, run in enumerate(runs) if run == variant))
    labels = _labels(variants) if len(variants) > 1 else [""]
    return [labels[_variant_of(run, variants) or 0] for run in runs]


def changes(base: Fields, new: Fields) -> list[str]:
    """What differs between two runs, such as "linger.ms 1 → 5"."""
    paths = [path for path in _in_order([base, new]) if base.get(path) != new.get(path)]
    told = [f"{_short(path)} {_shown(base.get(path, 'none'))} → {_shown(new.get(path, 'none'))}" for path in paths]
    # The driver's file and the broker may say the same.
    return list(dict.fromkeys(told))


def _has_broker(run: Fields) -> bool:
    return any(path.startswith("broker/") for path in run)


def _variant_of(run: Fields, variants: Sequence[Fields]) -> int | None:
    for number, variant in enumerate(variants):
        if run == variant:
            return number
    if not _has_broker(run):
        for number, variant in enumerate(variants):
            if run == {path: text for path, text in variant.items() if not path.startswith("broker/")}:
                return number
    return None


def _labels(variants: Sequence[Fields]) -> list[str]:
    chosen: list[str] = []
    differing = [path for path in _in_order(variants) if len({variant.get(path) for variant in variants}) > 1]

    def told_apart(paths: Sequence[str]) -> int:
        return len({tuple(variant.get(path) for path in paths) for variant in variants})

    while told_apart(chosen) < len(variants):
        chosen.append(max(differing, key=lambda path: told_apart([*chosen, path])))
    short = [_short(path) for path in chosen]
    shown = [name if short.count(name) == 1 else _long(path) for path, name in zip(chosen, short, strict=True)]
    labels = [
        ", ".join(_named(name, variant.get(path)) for name, path in zip(shown, chosen, strict=True))
        for variant in variants
    ]
    # Texts that are cut short may have become alike.
    return [
        label if labels.count(label) == 1 else f"{label} #{labels[: number + 1].count(label)}"
        for number, label in enumerate(labels)
    ]


def _in_order(variants: Sequence[Fields]) -> list[str]:
    """All paths: in the order of what is compared, and within that of the results."""
    paths = dict.fromkeys(path for variant in variants for path in variant)
    places = {path: next((n for n, root in enumerate(_COMPARED) if path.startswith(root)), -1) for path in paths}
    return sorted(paths, key=lambda path: places[path])


def _short(path: str) -> str:
    """The last part, where the parts before it say nothing more to a reader."""
    *parents, name = path.split("/")
    if parents and parents[-1].isdecimal():
        return f"{parents[-1]}/{name}"
    return (
        name
        if len(parents) > 1 or parents[:1] in ([WORKLOAD], ["driverConfig"], ["environment"])
        else " ".join([*parents, name])
    )


def _long(path: str) -> str:
    return " ".join(path.split("/")[1:])


def _named(name: str, text: str | None) -> str:
    if text is None:
        return f"no {name}"
    return _shown(text) if name == FILE else f"{name} {_shown(text)}"


def _shown(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"
