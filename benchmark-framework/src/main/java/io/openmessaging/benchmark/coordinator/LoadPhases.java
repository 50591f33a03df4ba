package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.Ramp;
import io.openmessaging.benchmark.config.RateStretch;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.Arrivals;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RateSweep;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.worker.Topology;
import io.openmessaging.benchmark.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Puts the load of a workload on: warm-up, the search for a rate, and the measurement in one of its kinds. */
final class LoadPhases {

    private static final long BYTES_PER_GB = 1L << 30;
    private static final double NS_PER_SECOND = 1e9;

    /** OMB's level at which a backlog counts as drained at the latest, in messages. */
    private static final long DRAINED_MESSAGES = 1000;

    private static final Duration FINE_LOOK = Duration.ofMillis(1);
    private static final Duration COARSE_LOOK = Duration.ofMillis(100);

    /** However long the warm-up was, for no longer than this what it has left is waited for. */
    private static final Duration LONGEST_SETTLING = Duration.ofSeconds(60);

    /** Over how many periods the warm-up has to be steady to end. */
    private static final int STEADY_PERIODS = 5;

    private final Workload workload;
    private final Worker worker;
    private final LoadSwitch load;
    private final Observer observer;
    private final Recording recording;
    private final Limits limits;
    private final Seed seed;
    private final Judge judge;
    private final Time time;
    private double rateMsgPerSec;
    private long backlogBefore;
    private boolean gaveUp;
    private @Nullable HarnessUsage usageBefore;
    private long warmupBeginNs;
    private RunResult.@Nullable Transfer transfer;
    private final @Nullable SteppedLoad stepped;
    private final @Nullable SearchedLoad searched;
    private final @Nullable SweptLoad swept;

    LoadPhases(
            RunRequest request,
            Topology topology,
            Worker worker,
            Observer observer,
            Recording recording,
            RunListener listener,
            StopSignal stop,
            Judge judge,
            Time time) {
        this.workload = request.workload().workload();
        this.worker = worker;
        this.load = new LoadSwitch(worker, request, listener);
        this.observer = observer;
        this.recording = recording;
        this.limits = request.limits();
        this.seed = request.seed();
        this.judge = judge;
        this.time = time;
        this.rateMsgPerSec = firstRate();
        this.stepped = workload.steps()
                .map(plan -> new SteppedLoad(
                        workload, plan, topology, worker, load, observer, recording, listener, limits, stop, judge))
                .orElse(null);
        this.searched = workload.producerRate() instanceof ProducerRate.MaxSustainable
                ? new SearchedLoad(workload, topology, worker, load, observer, listener, limits, judge, time)
                : null;
        this.swept = workload.rateSweep() == null
                ? null
                : new SweptLoad(
                        workload,
                        workload.rateSweep(),
                        topology,
                        worker,
                        load,
                        observer,
                        recording,
                        listener,
                        limits,
                        judge,
                        time);
    }

    /** The rate of the warm-up, and of the measurement if it has one rate that is known. */
    private double firstRate() {
        if (!workload.schedule().isEmpty()) {
            return workload.schedule().get(0).messagesPerSecond(workload.meanMessageBytes());
        }
        if (workload.rateSweep() != null) {
            return workload.rateSweep().rates(workload.meanMessageBytes()).get(0);
        }
        ProducerRate rate = workload.messageRate();
        if (rate instanceof ProducerRate.Fixed fixed) {
            return fixed.messagesPerSecond();
        }
        return rate instanceof ProducerRate.Unlimited ? Double.POSITIVE_INFINITY : RateSearch.FIRST_RATE_MSG_PER_SEC;
    }

    /** What the measurement's load was to be. */
    ExpectedLoad expected() {
        boolean changes = stepped != null || !workload.schedule().isEmpty();
        // How long a number of messages takes from a cold start is a total: it begins slowly, and is meant to.
        boolean fromColdStart =
                workload.messageCount() != null && workload.warmupTime().isZero();
        OptionalDouble driftWithin = workload.warmupUntilSteady() == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(workload.warmupUntilSteady().fraction());
        return new ExpectedLoad(
                // Whether a burst came in its time is what is measured.
                workload.sendWithin() == null ? targetMsgPerSec() : OptionalDouble.empty(),
                publishSeconds(),
                workload.arrivals() == Arrivals.POISSON,
                !(changes || fromColdStart),
                driftWithin,
                // That nothing gets through any more is what the last step of a growing load is to find out.
                breach().isPresent() ? Optional.empty() : Optional.of(measuredRates()));
    }

    /** What the measurement went through. */
    RunResult.Course course() {
        List<RunResult.SloOutcome> slo = recording.measured().stream()
                .reduce(PeriodSnapshot::followedBy)
                .map(seen -> Bounds.outcomes(workload.sloBounds(), seen))
                .orElse(List.of());
        RateSweep sweep = swept == null ? null : swept.result();
        return new RunResult.Course(
                stepped == null ? List.of() : stepped.steps(),
                transfer,
                null,
                seed.value(),
                slo,
                sweep == null || sweep.steps().isEmpty() ? null : sweep);
    }

    /** The rule that ended the measurement before all its steps; empty if none did. */
    Optional<RunResult.Breach> breach() {
        return stepped == null ? Optional.empty() : stepped.breach();
    }

    /** The rate of the measurement, in the mean; empty if there is none to compare with. */
    OptionalDouble targetMsgPerSec() {
        if (swept != null) {
            return swept.targetMsgPerSec();
        }
        if (!workload.schedule().isEmpty()) {
            double seconds = recording.measured().stream()
                    .mapToDouble(PeriodSnapshot::seconds)
                    .sum();
            return seconds == 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(scheduled().messagesIn(seconds) / seconds);
        }
        boolean noneFound =
                searched != null && searched.sustainableRateMsgPerSec().isEmpty();
        return noneFound || rateMsgPerSec == Double.POSITIVE_INFINITY
                ? OptionalDouble.empty()
                : OptionalDouble.of(rateMsgPerSec);
    }

    /** How long publishing took, if that is not the length of the measurement. */
    private OptionalDouble publishSeconds() {
        return transfer == null || transfer.publishSeconds() == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(transfer.publishSeconds());
    }

    /** Whether the measurement has already waited in vain for messages to arrive. */
    boolean gaveUp() {
        return gaveUp || (swept != null && swept.gaveUp());
    }

    /** Whether rates were gone through of which one was too much, so that something may be missing in the end. */
    boolean wentBeyond() {
        return swept != null && swept.wentBeyond();
    }

    /** What the harness has used since the measurement began; null if it has not. */
    @Nullable
    HarnessUsage usage() {
        if (swept != null) {
            return swept.usage();
        }
        return usageBefore == null ? null : worker.usage().since(usageBefore);
    }

    /** How the rate was searched for; null if it was not. */
    RunResult.@Nullable Search search() {
        return searched == null ? null : searched.result();
    }

    /** The backlog of the slowest subscription when the measurement began. */
    long backlogBefore() {
        return swept == null ? backlogBefore : swept.backlogBefore();
    }

    /** Load that is not measured, if there is to be any; goes on afterwards. Returns false if the run is to stop. */
    boolean warmUp() throws InterruptedException, RunFailedException, DriverException {
        if (workload.warmupTime().isZero()) {
            return true;
        }
        // What came before, such as the wait for probes, is not part of the first period.
        worker.sample();
        recording.beginApart(RunPhase.WARM_UP);
        if (searched != null) {
            if (!searched.approach()) {
                return false;
            }
            rateMsgPerSec = searched.rateMsgPerSec();
            worker.sample();
        }
        Totals before = worker.totals();
        load.start(rate());
        // Only now: the schedule begins when everything is ready for it.
        warmupBeginNs = time.nowNs();
        Observer.End end = observer.sampleUntil(
                Optional.of(workload.warmupTime()), limits.tick(), Optional.empty(), totals -> isSteady());
        if (end == Observer.End.TIME_UP && workload.warmupUntilSteady() != null) {
            judge.note(Finding.warmUpNotSteady(
                    workload.warmupTime().toSeconds(),
                    workload.warmupUntilSteady().fraction()));
        }
        return end != Observer.End.STOPPED && settle(before);
    }

    /** Lets go by what the warm-up has left, where that can be told. Returns false if the run is to stop. */
    private boolean settle(Totals before) throws InterruptedException, RunFailedException {
        boolean rateIsKnown = searched == null && swept == null && rateMsgPerSec < Double.POSITIVE_INFINITY;
        if (!rateIsKnown || workload.messageCount() != null) {
            return true;
        }
        recording.begin(RunPhase.SETTLE);
        Duration warmup = workload.warmupTime();
        Duration longest = warmup.compareTo(LONGEST_SETTLING) < 0 ? warmup : LONGEST_SETTLING;
        Settling settling = new Settling(
                rateMsgPerSec,
                workload.arrivals() == Arrivals.POISSON,
                warmupBeginNs,
                before,
                shortestSeconds(Latency.PUBLISH),
                shortestSeconds(Latency.END_TO_END),
                longest);
        Observer.End end =
                observer.waitUntil(longest, Pace.LOOK, Optional.empty(), totals -> settling.look(time.nowNs(), totals));
        if (end == Observer.End.TIME_UP) {
            judge.note(settling.left(longest.toNanos() / NS_PER_SECOND));
        }
        return end != Observer.End.STOPPED;
    }

    /** Of the warm-up; 0 if it has no such latencies. */
    private double shortestSeconds(Latency latency) {
        return recording.warmup().stream()
                        .map(period -> period.latency(latency))
                        .filter(latencies -> latencies.count() > 0)
                        .mapToLong(latencies -> latencies.histogram().getMinValue())
                        .min()
                        .orElse(0)
                / NS_PER_SECOND;
    }

    /** Whether the last periods of the warm-up, without the first of all, were as the workload wants them to be. */
    private boolean isSteady() {
        List<PeriodSnapshot> periods = recording.warmup();
        if (workload.warmupUntilSteady() == null || periods.size() <= STEADY_PERIODS) {
            return false;
        }
        double tolerated = workload.warmupUntilSteady().fraction();
        List<PeriodSnapshot> last = periods.subList(periods.size() - STEADY_PERIODS, periods.size());
        return Drift.ofRate(last) <= tolerated && Drift.ofLatency(last) <= tolerated;
    }

    private RateProfile rate() {
        return RateProfile.steady(rateMsgPerSec);
    }

    /** The rates of the measurement, from its begin on. */
    private RateProfile measuredRates() {
        return workload.schedule().isEmpty() ? rate() : scheduled();
    }

    private RateProfile scheduled() {
        List<RateProfile.Segment> segments = new ArrayList<>();
        double before = 0;
        for (RateStretch stretch : workload.schedule()) {
            double rate = stretch.messagesPerSecond(workload.meanMessageBytes());
            segments.add(new RateProfile.Segment(
                    stretch.time().toNanos(), stretch.ramp() == Ramp.LINEAR ? before : rate, rate));
            before = rate;
        }
        return new RateProfile(segments);
    }

    /** Looks for the highest sustainable rate, if the workload asks for it. Returns false if there is nothing to go on with. */
    boolean searchForRate() throws InterruptedException, RunFailedException, DriverException {
        if (searched == null) {
            return true;
        }
        recording.begin(RunPhase.SEARCH);
        boolean finished = approachOrCalmDown(searched) && searched.tryRates();
        judge.searched(worker.totals(), worker.errors());
        if (searched.result() != null) {
            endSearch();
        }
        OptionalDouble found = searched.sustainableRateMsgPerSec();
        if (!finished || found.isEmpty()) {
            return false;
        }
        rateMsgPerSec = found.getAsDouble();
        load.start(rate());
        return searched.settle() != Observer.End.STOPPED;
    }

    /** From here on, the audit decides. */
    private void endSearch() throws DriverException, InterruptedException {
        if (load.isOn()) {
            load.stop();
        }
        worker.endSearch();
    }

    /** The warm-up, if there is one, has approached the first rate already. */
    private boolean approachOrCalmDown(SearchedLoad search)
            throws InterruptedException, RunFailedException, DriverException {
        return workload.warmupTime().isZero() ? search.approach() : search.calmDown(warmupBeginNs);
    }

    /** Whether everything has arrived, but for what a search has left. */
    boolean allHasArrived(Totals totals) {
        return allArrived(sinceSearch(totals));
    }

    /** What has been counted since a search, if there was one. */
    Totals sinceSearch(Totals totals) {
        return searched == null ? totals : searched.since(totals);
    }

    static boolean allArrived(Totals totals) {
        return totals.inFlight() == 0 && totals.largestBacklog() <= 0;
    }

    /** The measurement. */
    void measure() throws InterruptedException, RunFailedException, DriverException {
        if (workload.messageCount() != null) {
            measureCount(workload.messageCount());
            return;
        }
        if (swept != null) {
            swept.measure(() -> beginMeasuring(RunPhase.MEASURE));
            return;
        }
        beginMeasuring(workload.buildsBacklog() ? RunPhase.BACKLOG_BUILD : RunPhase.MEASURE);
        if (stepped != null) {
            stepped.measure(rate());
            return;
        }
        RateProfile rates = measuredRates();
        if (!load.isOn()) {
            load.start(rates);
        } else if (!workload.schedule().isEmpty()) {
            load.change(rates);
        }
        if (workload.buildsBacklog() && !buildAndDrainBacklog()) {
            return;
        }
        observer.sampleUntil(workload.testTime(), limits.tick(), Optional.empty(), t -> false);
    }

    /** What was seen until now belongs to what came before. */
    private void beginMeasuring(RunPhase phase) {
        worker.sample();
        worker.takeUnsent();
        backlogBefore = worker.totals().largestBacklog();
        recording.beginApart(phase);
        usageBefore = worker.usage();
    }

    /** A given number of messages, from the first send to the last arrival. */
    private void measureCount(long messageCount) throws InterruptedException, RunFailedException, DriverException {
        load.stop();
        if (observer.waitUntil(limits.drain(), COARSE_LOOK, Optional.of(limits.quiet()), LoadPhases::allArrived)
                == Observer.End.STOPPED) {
            return;
        }
        beginMeasuring(RunPhase.MEASURE);
        long sentBefore = worker.totals().sent();
        load.start(rate(), messageCount);
        Observer.End end = observer.sampleUntil(
                workload.testTime(),
                FINE_LOOK,
                Optional.of(limits.quiet().plus(pause())),
                totals -> totals.sent() - sentBefore >= messageCount && worker.loadFinished() && allArrived(totals));
        gaveUp = end == Observer.End.STALLED;
        Totals totals = worker.totals();
        long sent = totals.sent() - sentBefore;
        if (sent < messageCount && end != Observer.End.STOPPED) {
            judge.note(Finding.messageCountMissed(messageCount, sent));
        }
        transfer = worker.loadSpan()
                .map(span -> transfer(span, sent >= messageCount && totals.inFlight() == 0, end == Observer.End.DONE))
                .orElse(null);
        judgeBurst(sent);
    }

    private RunResult.Transfer transfer(LoadSpan span, boolean published, boolean received) {
        Double receiveSeconds = span.lastArrivedNs()
                .filter(arrived -> received)
                .map(arrivedNs -> (arrivedNs - span.firstSentNs()) / NS_PER_SECOND)
                .orElse(null);
        return new RunResult.Transfer(
                span.sendNs() / NS_PER_SECOND, published ? span.publishNs() / NS_PER_SECOND : null, receiveSeconds);
    }

    private void judgeBurst(long sent) {
        if (workload.sendWithin() == null || transfer == null) {
            return;
        }
        double targetSeconds = workload.sendWithin().toNanos() / NS_PER_SECOND;
        if (transfer.sendSeconds() > targetSeconds / Judge.REACHED) {
            judge.note(Finding.burstTookLonger(sent, targetSeconds, transfer.sendSeconds()));
        }
    }

    /** A slow load is not stalled for the time between two of its messages, which threads may stretch. */
    private Duration pause() {
        return rateMsgPerSec == Double.POSITIVE_INFINITY
                ? Duration.ZERO
                : Duration.ofNanos((long) (2 * NS_PER_SECOND / rateMsgPerSec));
    }

    /** Consumers pause until the backlog has its size, then catch up; returns whether the measurement is to go on. */
    private boolean buildAndDrainBacklog() throws InterruptedException, RunFailedException, DriverException {
        long backlogMessages = workload.consumerBacklogSizeGB() * BYTES_PER_GB / workload.messageSize();
        worker.pauseConsumers();
        Observer.End built = sampleWhileBacklog(new Extreme(1), t -> t.backlog() >= backlogMessages);
        worker.resumeConsumers();
        if (built == Observer.End.STOPPED) {
            return false;
        }
        if (built == Observer.End.STALLED) {
            throw new RunFailedException(
                    "the backlog has not grown for %d s and is at %d of %d messages"
                            .formatted(
                                    limits.backlog().toSeconds(),
                                    worker.totals().backlog(),
                                    backlogMessages),
                    null);
        }
        recording.begin(RunPhase.BACKLOG_DRAIN);
        long drainedLevel = Math.max(DRAINED_MESSAGES, (long) ((1 - workload.backlogDrainRatio()) * backlogMessages));
        Observer.End drained = sampleWhileBacklog(new Extreme(-1), t -> t.backlog() <= drainedLevel);
        if (drained == Observer.End.STALLED) {
            judge.note(Finding.backlogNotDrained(worker.totals().backlog()));
        }
        if (drained != Observer.End.DONE) {
            return false;
        }
        backlogBefore = worker.totals().largestBacklog();
        recording.begin(RunPhase.MEASURE);
        return true;
    }

    private Observer.End sampleWhileBacklog(Extreme extreme, Predicate<Totals> reached)
            throws InterruptedException, RunFailedException, DriverException {
        boolean[] stuck = new boolean[1];
        Observer.End end = observer.sampleUntil(Optional.empty(), COARSE_LOOK, Optional.empty(), totals -> {
            stuck[0] = extreme.isStuckAt(totals.backlog());
            return stuck[0] || reached.test(totals);
        });
        return end == Observer.End.DONE && stuck[0] ? Observer.End.STALLED : end;
    }

    /** Notices when a backlog that is to grow or to shrink has not been larger, or smaller, than ever for too long. */
    private final class Extreme {

        private final int direction;
        private long furthest = Long.MIN_VALUE;
        private long sinceNs = time.nowNs();

        /** Of a backlog that is to grow with 1, to shrink with -1. */
        Extreme(int direction) {
            this.direction = direction;
        }

        boolean isStuckAt(long backlog) {
            if (direction * backlog > furthest) {
                furthest = direction * backlog;
                sinceNs = time.nowNs();
            }
            return time.nowNs() - sinceNs > limits.backlog().toNanos();
        }
    }
}
