"""Promises of files. Each is a function that tells what breaks it."""

from collections.abc import Callable, Iterator
from typing import TypeVar

Complaints = Iterator[str]
Subject = TypeVar("Subject")
Promises = dict[str, Callable[[Subject], Complaints]]


def by_name(*promises: Callable[[Subject], Complaints]) -> Promises[Subject]:
    """All of a kind of files."""
    return {promise.__name__: promise for promise in promises}


def broken(promises: Promises[Subject], subject: Subject) -> dict[str, list[str]]:
    """Those that are not kept, each with what breaks it."""
    complaints = {name: list(promise(subject)) for name, promise in promises.items()}
    return {name: found for name, found in complaints.items() if found}
