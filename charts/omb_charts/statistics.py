"""Means with confidence intervals, and whether two samples differ."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import stats

from omb_charts.model import Estimate

CONFIDENCE = 0.95


def estimate(values: Sequence[float]) -> Estimate:
    """The mean with Student's 95 % interval; no interval for a single value. Fails for none."""
    n = len(values)
    mean = math.fsum(values) / n
    if n < 2:
        return Estimate(n, mean)
    sd = float(np.std(values, ddof=1))
    half = _students_t(n - 1) * sd / math.sqrt(n)
    return Estimate(n, mean, sd, mean - half, mean + half)


@cache
def _students_t(freedom: int) -> float:
    """Half an interval in standard errors: computed once, since thousands of means ask for few of them."""
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom))


@dataclass(frozen=True, slots=True)
class Difference:
    """How much a new sample's mean is above a base's.

    ``low`` and ``high`` are Welch's 95 % interval of the difference, ``p`` the two-sided Mann–Whitney test. They are
    absent where there are too few values for them.
    """

    base: Estimate
    new: Estimate
    low: float | None
    high: float | None
    p: float | None
    decidable: bool

    @property
    def absolute(self) -> float:
        return self.new.mean - self.base.mean

    @property
    def relative(self) -> float | None:
        return self.absolute / self.base.mean if self.base.mean > 0 else None

    @property
    def relative_interval(self) -> tuple[float, float] | None:
        """Of the difference in units of the base's mean, which is taken as known."""
        if self.low is None or self.high is None or self.base.mean <= 0:
            return None
        return self.low / self.base.mean, self.high / self.base.mean

    @property
    def significant(self) -> bool:
        return self.decidable and self.p is not None and self.p < 1 - CONFIDENCE


def smallest_p(base_runs: int, new_runs: int) -> float:
    """The smallest two-sided p that a Mann–Whitney test of so many values can have."""
    return min(1.0, 2 / math.comb(base_runs + new_runs, base_runs))


def difference(base: Sequence[float], new: Sequence[float]) -> Difference:
    """Compares two samples of at least one value each.

    Decidable if the test could have found a difference at all: four values each do, three do not.
    """
    decidable = smallest_p(len(base), len(new)) < 1 - CONFIDENCE
    base_estimate, new_estimate = estimate(base), estimate(new)
    low = high = p = None
    if len(base) > 1 and len(new) > 1:
        low, high = _welch_interval(base_estimate, new_estimate)
        p = float(stats.mannwhitneyu(new, base, alternative="two-sided").pvalue)
    return Difference(base_estimate, new_estimate, low, high, p, decidable)


def _welch_interval(base: Estimate, new: Estimate) -> tuple[float, float]:
    shift = new.mean - base.mean
    var_base, var_new = (base.sd or 0.0) ** 2 / base.n, (new.sd or 0.0) ** 2 / new.n
    total = var_base + var_new
    if total == 0:
        return shift, shift
    freedom = total**2 / (var_base**2 / (base.n - 1) + var_new**2 / (new.n - 1))
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom)) * math.sqrt(total)
    return shift - half, shift + half


def apart(first: Estimate, second: Estimate) -> bool | None:
    """Whether the two means' intervals are apart; None if one of them has no interval."""
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return None
    return first.high < second.low or second.high < first.low
