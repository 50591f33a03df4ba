"""Runs, plans and studies, as read from their files. Latencies are in ms, rates in msg/s."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import zip_longest
from pathlib import Path

# The verdict of runs whose figures do not mean what they seem to.
INVALID = "INVALID"

# The flaw of a rate whose search has hardly narrowed down the system's limit, or had to share the machine.
UNRELIABLE = "no figure to rely on"

# What a figure is given with besides its value.
INTERVAL, RANGE = "95 % interval", "range"

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Series = tuple[float | None, ...]
# What a result says of its configuration: texts by path.
Fields = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file, or a part of one, is not in the charts: a sentence for the user.

    ``harmless`` tells that no run's figures are missing for that.
    """

    path: Path
    text: str
    harmless: bool = False

    def __str__(self) -> str:
        return f"{self.path}: {self.text}"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time, in seconds since the measurement began."""

    start_s: float
    end_s: float

    @property
    def middle_s(self) -> float:
        return (self.start_s + self.end_s) / 2


@dataclass(frozen=True, slots=True)
class Finding:
    """What the harness found about a run."""

    kind: str
    severity: str
    text: str


@dataclass(frozen=True, slots=True)
class Spectrum:
    """A latency's whole distribution: values in ms that so many percent of the samples do not exceed."""

    percentiles: tuple[float, ...]
    values_ms: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Try:
    """A rate that a search for the sustainable rate tried."""

    target_rate: float
    achieved_rate: float
    sustained: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a run that adds producers, consumers or rate while it runs."""

    producers: int | None
    consumers: int | None
    publish_rate: float | None
    consume_rate: float | None
    latencies_ms: Mapping[str, float]
    clean: bool
    aborted_by: str | None
    knee: bool = False


@dataclass(frozen=True, slots=True)
class Worker:
    """One of the workers of a run, as far as its result tells."""

    name: str
    lost: str | None
    producers: int | None
    consumers: int | None
    publish_rate: float | None
    consume_rate: float | None
    used_processors: float | None
    processors: int | None
    clock_bound_ms: float | None
    drift_ppm: float | None
    round_trip_ms: float | None
    started_later_ms: float | None
    jdk: str | None


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which the system did not answer as before, in seconds since the measurement started."""

    state: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the system: its times, and message counts by outcome."""

    what: str
    problem: str | None
    seconds: Mapping[str, float | None]
    messages: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Place:
    """Which repetition of which cell of which plan a run is."""

    plan: str
    experiment: str
    system: str
    case: str
    parameters: Mapping[str, Json]
    repetition: int
    time_scale: float


@dataclass(frozen=True, slots=True)
class Run:
    """A run's result.

    ``metrics`` are the figures of the whole measurement by name (see ``metrics.METRICS``), ``series`` have a value a
    period. ``spans`` are the periods' times; empty where the file has none, as OMB's do not.
    """

    source: Path
    ours: bool
    workload: str
    driver: str
    system: str
    verdict: str | None
    findings: tuple[Finding, ...]
    failure: str | None
    begin: datetime | None
    end: datetime | None
    message_size: float | None
    topics: int | None
    partitions: int | None
    producers: int | None
    consumers: int | None
    subscriptions: int | None
    target_rate: float | None
    place: Place | None
    metrics: Mapping[str, float]
    series: Mapping[str, Series]
    spans: tuple[Span, ...]
    spectra: Mapping[str, Spectrum]
    tries: tuple[Try, ...]
    steps: tuple[Step, ...]
    configuration: Mapping[str, Json]
    # Ours have one.
    run_id: str = ""
    sweep: tuple[Step, ...] = ()
    workers: tuple[Worker, ...] = ()
    faults: tuple[Fault, ...] = ()
    outages: tuple[Outage, ...] = ()
    # The range of the system's limit in a good run whose search did not find it alone on the machine, as bin/benchmark
    # judges; the upper end is None if no rate was refused.
    vague_limit: tuple[float, float | None] | None = None
    # The metrics that such a search finds: no figures to rely on.
    unreliable: frozenset[str] = frozenset()
    # By how much latencies between two workers can be wrong; None where there are none.
    clock_bound_ms: float | None = None
    # What tells the run from others of its name, see variants.told_apart.
    fields: Fields = field(default_factory=dict)
    workload_variant: str = ""
    rate_variant: str = ""
    setup_variant: str = ""

    @property
    def name(self) -> str:
        return self.source.stem

    @property
    def base_label(self) -> str:
        """What the run's system is called: the plan's short name, otherwise the driver's."""
        return self.place.system if self.place else self.driver

    @property
    def system_label(self) -> str:
        """The system as it was set up, at whatever rate."""
        return _with_variant(self.base_label, self.setup_variant)

    @property
    def label(self) -> str:
        """What the run is called in legends: runs with the same title and label are repetitions of each other."""
        return _with_variant(self.base_label, self.setup_variant, self.rate_variant)

    @property
    def flaw(self) -> str:
        """The verdict of a run whose figures do not count like those of others; else empty."""
        return self.verdict if self.verdict in (INVALID, "FAILED", "INTERRUPTED") else ""

    def flaw_of(self, metric: str) -> str:
        """The flaw of a figure: the run's, or that of a rate; else empty."""
        return self.flaw or (UNRELIABLE if metric in self.unreliable else "")

    @property
    def legend(self) -> str:
        """The label with what is wrong with the run: its lines are not taken for those of a good one."""
        return f"{self.label} {self.flaw}".strip()

    @property
    def title(self) -> str:
        """What was run, apart from system and rate: runs with the same title share charts."""
        return _with_variant(self.base_title, self.workload_variant)

    @property
    def base_title(self) -> str:
        """What was run, as its author calls it."""
        if self.place is None:
            return self.workload
        # An experiment without cases has one of this name.
        case = f", {self.place.case}" if self.place.case not in ("", "default") else ""
        experiment = f": {self.place.experiment}" if self.place.experiment != self.place.plan else ""
        return f"{self.place.plan}{experiment}{case}"

    @property
    def hdr_log(self) -> Path:
        return self.source.with_suffix(".hlog")

    @property
    def finds_its_rate(self) -> bool:
        """Whether the run's rate is what it found out, not what it was asked for."""
        return bool(self.tries or self.sweep)

    def rests_on_few(self, metric: str) -> bool:
        """Whether the result says of a percentile that fewer than ten samples are beyond it."""
        found = re.fullmatch(r"(\w+)Latency(\d\d)(\d*)pct", metric)
        latencies = self.configuration.get("latencies")
        if found is None or not isinstance(latencies, dict):
            return False
        latency = latencies.get(found[1])
        few = latency.get("fewSamples") if isinstance(latency, dict) else None
        percentile = f"{found[2]}.{found[3]}" if found[3] else found[2]
        return isinstance(few, list) and percentile in few

    def bound_ms(self, metric: str) -> float | None:
        """By how much a figure can be wrong because it is of two clocks; None if it is of one."""
        return self.clock_bound_ms if re.search("endToEnd", metric, re.IGNORECASE) else None

    @property
    def guarantee(self) -> str:
        """The system's guarantee for acknowledged messages, in words; empty if the result does not say."""
        broker = self.configuration.get("broker")
        guarantee = broker.get("guarantee") if isinstance(broker, dict) else None
        words = guarantee.get("inWords") if isinstance(guarantee, dict) else None
        return words if isinstance(words, str) else ""

    @property
    def usable(self) -> bool:
        """Whether the run went to its end and has figures."""
        return self.verdict in (None, "OK", "SLO_MISSED", "INVALID") and "publishRate" in self.metrics


def _with_variant(name: str, *variants: str) -> str:
    named = ", ".join(variant for variant in variants if variant)
    return f"{name} ({named})" if named else name


def counted(runs: Iterable[Run]) -> tuple[Run, ...]:
    """The runs that medians are computed from.

    INVALID ones only where there is no other, because their figures do not mean what they seem to.
    """
    usable = tuple(run for run in runs if run.usable)
    valid = tuple(run for run in usable if run.verdict != "INVALID")
    return valid or usable


def relied_on(name: str, runs: Iterable[Run]) -> tuple[Run, ...]:
    """The counted runs whose metric has no flaw, or those that all have the same one if there are no others."""
    those = counted(runs)
    return tuple(run for run in those if not run.flaw_of(name)) or those


@dataclass(frozen=True, slots=True)
class Estimate:
    """The result of repetitions: their median, from ``low`` to ``high`` its 95 % confidence interval.

    Without an interval if there is a single value, or if the values do not give one that holds; then there is only
    their range, from ``least`` to ``most``.
    """

    n: int
    mean: float
    median: float
    sd: float | None = None
    low: float | None = None
    high: float | None = None
    least: float | None = None
    most: float | None = None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Of the interval, else of the range; None for a single value."""
        if self.low is not None and self.high is not None:
            return self.low, self.high
        return None if self.least is None or self.most is None else (self.least, self.most)

    @property
    def ends_are(self) -> str:
        """What the ends are of; empty without any."""
        if self.ends is None:
            return ""
        return INTERVAL if self.low is not None else RANGE


@dataclass(frozen=True, slots=True)
class Cell:
    """An experiment with one system in one case, over its repetitions.

    ``variants`` are what its runs differ in if they are no repetitions of each other; there are no metrics then.
    ``unreliable_rates`` is how many valid runs have a search whose rates are no figures to rely on.
    """

    experiment: str
    system: str
    case: str
    parameters: Mapping[str, Json]
    runs: int
    invalid: int
    failed: int
    metrics: Mapping[str, Estimate]
    variants: tuple[str, ...] = ()
    unreliable_rates: int = 0

    @property
    def only_invalid(self) -> bool:
        """Whether the metrics are of INVALID runs, because there are no others."""
        return 0 < self.runs == self.invalid

    def left_out(self, metric: str) -> int:
        """How many of the runs that are over the metric's estimate is not of."""
        return self.runs + self.failed - (self.metrics[metric].n if metric in self.metrics else 0)


@dataclass(frozen=True, slots=True)
class PublishedValue:
    """A number that a study prints, with what was measured here for it. The case may have * for any text.

    ``run`` is "highest" or "lowest" where it is of a single run.
    """

    source: str
    experiment: str
    system: str
    case: str
    metric: str
    value: float
    unit: str
    sd: float | None
    note: str
    measured: Estimate | None = None
    only_invalid: bool = False
    run: str = ""


@dataclass(frozen=True, slots=True)
class ClaimValue:
    """A figure that decided a claim."""

    metric: str
    experiment: str
    system: str
    case: str
    estimate: Estimate | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of a study and what the runs here say about it."""

    id: str
    source: str
    text: str
    expression: str
    judgement: str
    reason: str
    values: tuple[ClaimValue, ...]


@dataclass(frozen=True, slots=True)
class PlanResult:
    """What a plan's result folder says about all its runs together."""

    folder: Path
    plan: str
    study: str
    description: str
    citation: str
    time_scale: float
    not_done: tuple[str, ...]
    cells: tuple[Cell, ...]
    claims: tuple[Claim, ...]
    published: tuple[PublishedValue, ...]
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """All that was read, and what could not be."""

    runs: tuple[Run, ...]
    plans: tuple[PlanResult, ...]
    problems: tuple[Problem, ...] = ()

    def title_of(self, plan: PlanResult) -> str:
        """The plan's study, with the folder where there are several results of it."""
        several = sum(other.study == plan.study for other in self.plans) > 1
        return f"{plan.study} ({plan.folder.name})" if several else plan.study


@dataclass(frozen=True, slots=True)
class Group:
    """Runs of the same thing, which share charts."""

    title: str
    runs: tuple[Run, ...] = field(default=())

    @property
    def timed(self) -> bool:
        """Whether all runs say when their periods were."""
        return all(run.spans for run in self.runs)


def groups_of(runs: Sequence[Run]) -> tuple[Group, ...]:
    """Runs with the same title, in the order of their first run. OMB's, whose periods have no times, are apart."""
    by_title: dict[tuple[str, bool], list[Run]] = {}
    for run in runs:
        by_title.setdefault((run.title, run.ours), []).append(run)
    return tuple(
        Group(title if ours or (title, True) not in by_title else f"{title} (OMB)", tuple(group))
        for (title, ours), group in by_title.items()
    )


# Nobody reads a chart with the lines of more runs, and it takes a browser minutes.
MOST_RUNS = 40


def sample(group: Group, most: int) -> Group:
    """The group with at most so many runs, of each label as many as of any other as far as it has them.

    Runs with figures come first.
    """
    if len(group.runs) <= most:
        return group
    by_label: dict[str, list[int]] = {}
    for place, run in enumerate(group.runs):
        by_label.setdefault(run.label, []).append(place)
    for places in by_label.values():
        places.sort(key=lambda place: not group.runs[place].usable)
    turns = [place for turn in zip_longest(*by_label.values()) for place in turn if place is not None]
    return Group(group.title, tuple(group.runs[place] for place in sorted(turns[:most])))
