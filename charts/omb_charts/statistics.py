"""Statistics of repetitions: a median with its interval, and whether two samples differ.

The interval's rule is bin/benchmark's (``Estimate`` in studies): the tests of both read the same examples.
``python -m tests.coverage`` prints how often these intervals hold what they are of.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean, geometric_mean

import numpy as np
from scipy import stats

from omb_charts.model import Estimate

CONFIDENCE = 0.95
# How often a change as large as the smallest that is told would be found.
POWER = 0.8
# Fewer runs give no interval: two may both have a stall that most runs do not have.
FEWEST_RUNS = 3
# Two samples are compared if each has so many values: of three each, no test by ranks alone finds anything, and one of
# eight equal systems that stall now and then would be called worse in one column in six.
FEWEST_COMPARED = 4
# A bound of the means counts only if the ranks bear it out with a smaller p. They nearly always do if all runs changed
# alike.
_RANKS_P = 0.1
# Nobody makes more repetitions than this.
MOST_REPETITIONS = 10_000


def estimate(values: Sequence[float]) -> Estimate:
    """The median over runs with its 95 % interval; only the range of less than three values. Fails for none.

    The interval is that of order statistics, which holds for every shape, where there are enough values: from six on.
    Of fewer it is Student's of the logarithms, which holds for lognormal values and, with so few, for those with
    stalls in some runs. Fewer than six values with a zero among them have no interval. None is narrower than the third
    digit of the median.
    """
    n = len(values)
    mean, median = math.fsum(values) / n, float(np.median(values))
    if n == 1:
        return Estimate(n, mean, median)
    interval = (_of_order_statistics(values) or _of_logarithms(values)) if n >= FEWEST_RUNS else None
    low = high = None
    if interval is not None:
        half_digit = _digit(median) / 2
        low, high = min(interval[0], median - half_digit), max(interval[1], median + half_digit)
    return Estimate(n, mean, median, float(np.std(values, ddof=1)), low, high, min(values), max(values))


def _of_order_statistics(values: Sequence[float]) -> tuple[float, float] | None:
    """From the value of rank k to that of rank k from the end: the largest k that leaves out 2.5 % at most there."""
    rank = _rank(len(values))
    ordered = sorted(values)
    return (ordered[rank - 1], ordered[-rank]) if rank else None


@cache
def _rank(n: int) -> int:
    return int(stats.binom.ppf((1 - CONFIDENCE) / 2, n, 0.5))


def _of_logarithms(values: Sequence[float]) -> tuple[float, float] | None:
    if min(values) <= 0:
        return None
    sample = _Sample.of(values, logarithmic=True)
    half = _students_t((1 + CONFIDENCE) / 2, sample.n - 1) * math.sqrt(sample.variance / sample.n)
    return math.exp(sample.mean - half), math.exp(sample.mean + half)


def _digit(value: float) -> float:
    """A unit of the third significant digit, to which histograms are exact and figures are shown."""
    return 10.0 ** (math.floor(math.log10(abs(value))) - 2) if value else 0.0


@cache
def _students_t(quantile: float, freedom: float) -> float:
    """Computed once, since thousands of intervals ask for few of them."""
    return float(stats.t.ppf(quantile, freedom))


@dataclass(frozen=True, slots=True)
class _Sample:
    """Values, or their logarithms, whose spread is at least half a unit of the third digit: they are rounded."""

    n: int
    mean: float
    variance: float

    @staticmethod
    def of(values: Sequence[float], *, logarithmic: bool) -> "_Sample":
        half_digit = _digit(float(np.median(values))) / 2
        if logarithmic:
            half_digit /= float(np.median(values))
        used = [math.log(value) for value in values] if logarithmic else list(values)
        variance = float(np.var(used, ddof=1)) if len(used) > 1 else 0.0
        return _Sample(len(used), math.fsum(used) / len(used), max(variance, half_digit**2))


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher a new sample is than a base.

    The test is Welch's, on logarithms: ``shift`` is that of the geometric means. Where a value is zero or below, it is
    that of the means. ``alpha`` is what chance may find, already divided among all tests that are made together;
    ``error`` and ``freedom`` are absent where one of the samples has a single value. Welch's test takes a small sample
    without a stall for one of a system that never stalls. So ``error`` is no smaller than that of a common spread, and
    ``rank_p``, of a test that holds for every shape, has to be small as well.
    """

    base: Estimate
    new: Estimate
    base_values: tuple[float, ...]
    new_values: tuple[float, ...]
    alpha: float
    logarithmic: bool
    shift: float
    error: float | None
    freedom: float | None
    spread: float
    rank_p: float

    @property
    def tests(self) -> int:
        """How many are made together, this one included."""
        return round((1 - CONFIDENCE) / self.alpha)

    @property
    def decidable(self) -> bool:
        """Whether each sample has enough values."""
        return self.error is not None and min(self.base.n, self.new.n) >= FEWEST_COMPARED

    @property
    def means(self) -> tuple[float, float]:
        """Those that are compared, of base and new: geometric ones unless a value is zero or below."""
        of = geometric_mean if self.logarithmic else fmean
        return of(self.base_values), of(self.new_values)

    @property
    def relative(self) -> float | None:
        """The change in units of the base."""
        return self._relative(self.shift)

    @property
    def relative_interval(self) -> tuple[float, float] | None:
        """Where the change is, in units of the base, with a confidence of 1 - alpha."""
        return self._within(1 - self.alpha / 2)

    @property
    def p(self) -> float | None:
        """Of the two-sided test, corrected for all tests that are made together; no smaller than that of the ranks."""
        if not self.error or self.freedom is None:
            return None if self.error is None else 1.0
        single = 2 * float(stats.t.sf(abs(self.shift) / self.error, self.freedom))
        return max(min(1.0, single * (1 - CONFIDENCE) / self.alpha), self.rank_p)

    @property
    def significant(self) -> bool:
        return self.decidable and self.p is not None and self.p < 1 - CONFIDENCE

    @property
    def smallest_changes(self) -> tuple[float, float] | None:
        """The smallest fall and rise, in units of the base, that would have been found four times in five."""
        least = self._errors((1 - self.alpha / 2, POWER))
        fall, rise = (None, None) if least is None else (self._relative(-least), self._relative(least))
        return None if fall is None or rise is None else (fall, rise)

    def excludes(self, change: float, *, above: bool) -> bool:
        """Whether the change is certainly not above that one, or not below it: by the means and by the ranks."""
        return self.means_exclude(change, above=above) and self.ranks_exclude(change, above=above)

    def means_exclude(self, change: float, *, above: bool) -> bool:
        """Whether the bound of Welch's test, with a confidence of 1 - alpha, excludes the change."""
        bounds = self._within(1 - self.alpha)
        return bounds is not None and (bounds[1] <= change if above else bounds[0] >= change)

    def ranks_exclude(self, change: float, *, above: bool) -> bool:
        """Whether the runs as a whole are on this side of the base with that change, by the Mann-Whitney test.

        A few stalls of the base raise its mean so far that all other runs could change unnoticed.
        """
        times, plus = (1 + change, 0.0) if self.logarithmic else (1.0, change * self.base.mean)
        limits = [times * value + plus for value in self.base_values]
        lower, higher = (self.new_values, limits) if above else (limits, self.new_values)
        if max(lower) <= min(higher):
            return True
        return float(stats.mannwhitneyu(lower, higher, alternative="less").pvalue) < _RANKS_P

    def repetitions_for(self, change: float) -> int | None:
        """How many runs each it takes to exclude such a change four times in five if nothing has changed.

        At the spread of these; None if more than anybody makes.
        """
        size = abs(math.log1p(change)) if self.logarithmic else abs(change * self.base.mean)
        return self._repetitions(size, 1 - self.alpha)

    def repetitions_to_find(self) -> int | None:
        """How many runs each it takes to find a difference like this one four times in five; None likewise."""
        return self._repetitions(abs(self.shift), 1 - self.alpha / 2)

    def _repetitions(self, size: float, quantile: float) -> int | None:
        if self.error is None or size == 0:
            return None
        low, high = FEWEST_COMPARED, MOST_REPETITIONS
        if self._least_of(high, quantile) > size:
            return None
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._least_of(middle, quantile) <= size else (middle + 1, high)
        return low

    def _least_of(self, runs: int, quantile: float) -> float:
        """The smallest shift that so many runs each would tell."""
        quantiles = sum(float(stats.t.ppf(q, 2 * runs - 2)) for q in (quantile, POWER))
        return quantiles * self.spread * math.sqrt(2 / runs)

    def _within(self, quantile: float) -> tuple[float, float] | None:
        half = self._errors((quantile,))
        low, high = (None, None) if half is None else (self._relative(self.shift + end) for end in (-half, half))
        return None if low is None or high is None else (low, high)

    def _errors(self, quantiles: Sequence[float]) -> float | None:
        if self.error is None or self.freedom is None:
            return None
        return sum(_students_t(quantile, self.freedom) for quantile in quantiles) * self.error

    def _relative(self, shift: float) -> float | None:
        """None if the base is zero and the new one is not higher: there is no percentage of it."""
        if self.logarithmic:
            # Beyond this it is no longer a number that anybody reads.
            return math.expm1(min(shift, 500.0))
        if self.base.mean > 0:
            return shift / self.base.mean
        return math.inf if shift > 0 else 0.0 if shift == 0 else None


def _rank_p(base: Sequence[float], new: Sequence[float]) -> float:
    """Of the Mann-Whitney test; 0 of so few values that it finds nothing, 1 of values that are all equal."""
    if smallest_p(len(base), len(new)) >= 1 - CONFIDENCE:
        return 0.0
    return 1.0 if min(*base, *new) == max(*base, *new) else float(stats.mannwhitneyu(base, new).pvalue)


def smallest_p(base_runs: int, new_runs: int) -> float:
    """The smallest two-sided p that a test by ranks alone can have of so many values."""
    return min(1.0, 2 / math.comb(base_runs + new_runs, base_runs))


def unseen(runs: int) -> float:
    """The share of all runs that may have changed although none of so many shows it: one set in twenty does not."""
    return 1 - math.pow(1 - CONFIDENCE, 1 / runs)


def difference(base: Sequence[float], new: Sequence[float], tests: int = 1) -> Difference:
    """Compares two samples of at least one value each, as one of so many tests that are made together (Bonferroni)."""
    logarithmic = min(*base, *new) > 0
    first, second = (_Sample.of(values, logarithmic=logarithmic) for values in (base, new))
    error = freedom = None
    spread = math.sqrt((first.variance + second.variance) / 2)
    if first.n > 1 and second.n > 1:
        of_base, of_new = first.variance / first.n, second.variance / second.n
        parts = of_base**2 / (first.n - 1) + of_new**2 / (second.n - 1)
        freedom = (of_base + of_new) ** 2 / parts if parts else float(first.n + second.n - 2)
        pooled = (first.n - 1) * first.variance + (second.n - 1) * second.variance
        spread = math.sqrt(pooled / (first.n + second.n - 2))
        error = max(math.sqrt(of_base + of_new), spread * math.sqrt(1 / first.n + 1 / second.n))
    return Difference(
        estimate(base),
        estimate(new),
        tuple(base),
        tuple(new),
        (1 - CONFIDENCE) / max(1, tests),
        logarithmic,
        second.mean - first.mean,
        error,
        freedom,
        spread,
        _rank_p(base, new),
    )


def grown(base_bad: int, base_runs: int, new_bad: int, new_runs: int) -> float:
    """How likely chance alone makes the share of bad runs grow so much: Fisher's exact test, one-sided."""
    return float(stats.hypergeom.sf(new_bad - 1, base_runs + new_runs, base_bad + new_bad, new_runs))
