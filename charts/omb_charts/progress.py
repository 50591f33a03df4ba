"""How far a long piece of work is, on the error output: a counter in a terminal, elsewhere a line now and then."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO, TypeVar

_EACH_S = 10.0
# Fewer are done before anybody wonders.
_WORTH_TELLING = 12
_CLEAR_LINE = "\r\033[K"

T = TypeVar("T")


def told(
    items: Iterable[T], total: int, what: str, out: TextIO | None = None, clock: Callable[[], float] = time.monotonic
) -> Iterator[T]:
    """The items, such as figures, one by one as they are done."""
    if total < _WORTH_TELLING:
        yield from items
        return
    out = out or sys.stderr
    in_terminal = out.isatty()
    before, end = (_CLEAR_LINE, "") if in_terminal else ("", "\n")
    print(f"{before}charts: {total} {what} …", end=end, file=out, flush=True)
    last = clock()
    for number, item in enumerate(items, 1):
        if in_terminal or clock() - last >= _EACH_S:
            last = clock()
            print(f"{before}charts: {number} of {total} {what}", end=end, file=out, flush=True)
        yield item
    if in_terminal:
        print(_CLEAR_LINE, end="", file=out, flush=True)
