"""Typed access to parsed JSON and YAML, where anything may be missing or have another type."""

import math
from collections.abc import Mapping

from omb_charts.model import Json

Object = Mapping[str, Json]
_NOTHING: Object = {}


def child(node: Object, name: str) -> Object:
    """The object of that name, an empty one if there is none."""
    value = node.get(name)
    return value if isinstance(value, dict) else _NOTHING


def children(node: Object, name: str) -> list[Object]:
    """The objects in the list of that name."""
    value = node.get(name)
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def text(node: Object, name: str) -> str | None:
    value = node.get(name)
    return value if isinstance(value, str) else None


def number(node: Object, name: str) -> float | None:
    """The finite number of that name."""
    return as_number(node.get(name))


def as_number(value: Json) -> float | None:
    """The value, if it is a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def whole(node: Object, name: str) -> int | None:
    value = number(node, name)
    return None if value is None else int(value)


def numbers(node: Object, name: str) -> tuple[float | None, ...] | None:
    """The list of that name, with None for entries that are no numbers; None if there is no list."""
    value = node.get(name)
    return tuple(as_number(entry) for entry in value) if isinstance(value, list) else None
