"""How often intervals hold their median, equal systems are told apart, and thresholds are kept, by simulation.

Run it in charts/ as ``python -m tests.coverage``: it prints the tables that docs/METHODOLOGY.md sums up.
"""

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from omb_charts.statistics import FEWEST_COMPARED, difference, estimate

_RUNS = (3, 4, 5, 6, 8, 10, 20, 30)
_COMPARED_RUNS = tuple(runs for runs in _RUNS if runs >= FEWEST_COMPARED)
_UNEQUAL = ((4, 8), (4, 20), (4, 30), (8, 30))
_NOISE = 0.1
_STALL = 50.0

Values = npt.NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], Values]


def _lognormal(sigma: float) -> Draw:
    return lambda noise, shape: np.asarray(np.exp(noise.normal(0, sigma, shape)))


def _stalls(share: float) -> Draw:
    """Runs that vary by a tenth, a share of which has a stall that makes its latency 50 times as long."""

    def draw(noise: np.random.Generator, shape: tuple[int, int]) -> Values:
        return np.asarray(np.exp(noise.normal(0, _NOISE, shape)) * np.where(noise.random(shape) < share, _STALL, 1.0))

    return draw


SHAPES: Mapping[str, Draw] = {
    "normal, deviation 10 %": lambda noise, shape: noise.normal(1, _NOISE, shape),
    "lognormal, σ 0.5": _lognormal(0.5),
    "lognormal, σ 1": _lognormal(1.0),
    "one run in ten with a 50-fold stall": _stalls(0.1),
    "three runs in ten with a 50-fold stall": _stalls(0.3),
}


@dataclass(frozen=True, slots=True)
class Gate:
    """A base, what the new set is like, by what factor all its runs are slower, and the rise that is not accepted."""

    base: Draw
    new: Draw
    times: float
    threshold: float


_STEADY = _lognormal(_NOISE)
# The geometric mean of runs of which one in ten stalls, over that of runs that do not.
_RISE = _STALL**0.1 - 1
ALIKE: Mapping[str, Gate] = {shape: Gate(draw, draw, 1.25, 0.25) for shape, draw in SHAPES.items()}
UNLIKE: Mapping[str, Gate] = {
    "nothing has changed, `> +10%`": Gate(_STEADY, _STEADY, 1.0, 0.1),
    "nothing has changed, `> +25%`": Gate(_STEADY, _STEADY, 1.0, 0.25),
    "one run in ten stalls now, `> +10%`": Gate(_STEADY, _stalls(0.1), 1.0, 0.1),
    "one run in ten stalls now, `> +25%`": Gate(_STEADY, _stalls(0.1), 1.0, 0.25),
    "one run in ten stalls now, `> +48%`": Gate(_STEADY, _stalls(0.1), 1.0, _RISE),
    "three runs in ten stalled, now all take half as long again, `> +10%`": Gate(_stalls(0.3), _STEADY, 1.5, 0.1),
}


def coverage(shape: str, runs: int, samples: int, seed: int = 1) -> float:
    """The share of samples of so many runs whose interval holds the median of the shape."""
    noise = np.random.default_rng(seed)
    draw = SHAPES[shape]
    median = float(np.median(draw(noise, (1, 1_000_000))))
    held = 0
    for values in draw(noise, (samples, runs)).tolist():
        found = estimate(values)
        held += found.low is not None and found.high is not None and found.low <= median <= found.high
    return held / samples


def told_apart(
    shape: str, runs: int, samples: int, times: float = 1.0, seed: int = 2, against: int | None = None
) -> float:
    """The share of comparisons that find a change by that factor; by none, wrongly. Of as many new runs, or so many."""
    noise = np.random.default_rng(seed)
    base, new = (SHAPES[shape](noise, (samples, size)) for size in (runs, against or runs))
    pairs = zip(base.tolist(), (times * new).tolist(), strict=True)
    return sum(difference(old, young).significant for old, young in pairs) / samples


def one_is_worse(shape: str, runs: int, samples: int, systems: int = 8, columns: int = 6, seed: int = 3) -> float:
    """The share of a matrix' columns that say of one of so many equal systems that it is certainly not the best."""
    noise = np.random.default_rng(seed)
    tests = math.comb(systems, 2) * columns
    wrong = 0
    for _ in range(samples):
        values: Sequence[Sequence[float]] = SHAPES[shape](noise, (systems, runs)).tolist()
        best = min(values, key=lambda own: float(np.median(own)))
        wrong += any(difference(best, own, tests).significant for own in values if own is not best)
    return wrong / samples


def kept(gate: Gate, runs: int, samples: int, seed: int = 4) -> float:
    """The share of comparisons of so many runs each that keep the threshold."""
    noise = np.random.default_rng(seed)
    base, new = gate.base(noise, (samples, runs)), gate.times * gate.new(noise, (samples, runs))
    pairs = zip(base.tolist(), new.tolist(), strict=True)
    return sum(difference(old, young).excludes(gate.threshold, above=True) for old, young in pairs) / samples


def _table(title: str, columns: Mapping[str, Callable[[str], float]], rows: Iterable[str] = SHAPES) -> None:
    print(f"\n| {title} |" + "".join(f" {name} |" for name in columns))
    print("|---|" + "--:|" * len(columns))
    for row in rows:
        print(f"| {row} |" + "".join(f" {100 * cell(row):.1f} |" for cell in columns.values()), flush=True)


def _each(cell: Callable[[str, int], float], numbers: Sequence[int] = _RUNS) -> Mapping[str, Callable[[str], float]]:
    def column(runs: int) -> Callable[[str], float]:
        return lambda row: cell(row, runs)

    return {str(runs): column(runs) for runs in numbers}


def main(samples: int) -> None:
    """Prints the tables."""
    _table("the interval holds the median, % of samples of … runs", _each(lambda s, n: coverage(s, n, samples)))
    _table("equal sets differ, % of comparisons of … runs each", _each(lambda s, n: told_apart(s, n, samples // 4)))
    _table("equal sets of unequal sizes differ, % of comparisons", _unequal(samples // 4))
    _table("one of eight equal systems is worse, % of columns", _each(lambda s, n: one_is_worse(s, n, samples // 40)))
    for title, gates in (("all runs are slower by 25 %: `> +25%` is kept", ALIKE), ("the threshold is kept", UNLIKE)):
        _table(f"{title}, % of comparisons", _kept_by_runs(gates, samples), gates)


def _kept_by_runs(gates: Mapping[str, Gate], samples: int) -> Mapping[str, Callable[[str], float]]:
    return _each(lambda row, runs: kept(gates[row], runs, samples), _COMPARED_RUNS)


def _unequal(samples: int) -> Mapping[str, Callable[[str], float]]:
    def column(base: int, new: int) -> Callable[[str], float]:
        return lambda shape: told_apart(shape, base, samples, against=new)

    return {f"{base} and {new}": column(base, new) for base, new in _UNEQUAL}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
