package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.Ramp;
import io.openmessaging.benchmark.config.RateStretch;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.Bounds;
import io.openmessaging.benchmark.judge.ExpectedLoad;
import io.openmessaging.benchmark.judge.LoadOutcome;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.RateSweep;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Puts the load of a workload on: warm-up, the search for a rate, and the measurement in one of its kinds. */
final class LoadPhases {

    private static final Duration LOOK = Duration.ofMillis(100);

    private final Session session;
    private final Workload workload;
    private final Recording recording;
    private final @Nullable SteppedLoad stepped;
    private final @Nullable SearchedLoad searched;
    private final @Nullable SweptLoad swept;
    private double rateMsgPerSec;
    private long backlogBefore;
    private @Nullable HarnessUsage usageBefore;
    private long warmupBeginNs;
    private @Nullable CountedLoad counted;
    private LoadOutcome.Refused refusedInSearch = LoadOutcome.Refused.NOTHING;

    LoadPhases(Session session) {
        this.session = session;
        this.workload = session.workload;
        this.recording = session.recording;
        this.rateMsgPerSec = firstRate();
        this.stepped =
                workload.steps().map(plan -> new SteppedLoad(session, plan)).orElse(null);
        this.searched =
                workload.producerRate() instanceof ProducerRate.MaxSustainable ? new SearchedLoad(session) : null;
        this.swept = workload.rateSweep() == null ? null : new SweptLoad(session, workload.rateSweep());
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

    /** Goes through the phases, as far as nothing ends them before. */
    void run() throws InterruptedException, RunFailedException, DriverException {
        if (warmUp() && searchForRate()) {
            measure();
        }
    }

    /** Load that is not measured, if there is to be any; goes on afterwards. Returns false if the run is to stop. */
    private boolean warmUp() throws InterruptedException, RunFailedException, DriverException {
        if (workload.warmupTime().isZero()) {
            return true;
        }
        // What came before, such as the wait for probes, is not part of the first period.
        session.periods.skip();
        recording.beginApart(RunPhase.WARM_UP);
        if (searched != null) {
            if (!searched.approach()) {
                return false;
            }
            rateMsgPerSec = searched.rateMsgPerSec();
            session.periods.skip();
        }
        warmupBeginNs = session.time.nowNs();
        boolean rateIsKnown = searched == null && swept == null && rateMsgPerSec < Double.POSITIVE_INFINITY;
        return new WarmUp(session, rateMsgPerSec).run(rateIsKnown && workload.messageCount() == null);
    }

    /** Looks for the highest sustainable rate, if the workload asks for it. Returns false if there is nothing to go on with. */
    private boolean searchForRate() throws InterruptedException, RunFailedException, DriverException {
        if (searched == null) {
            return true;
        }
        recording.begin(RunPhase.SEARCH);
        boolean finished = approachOrCalmDown(searched) && searched.tryRates();
        Worker.Status status = session.observer.status();
        refusedInSearch = new LoadOutcome.Refused(status.totals().failed(), status.errors());
        session.state.searched(refusedInSearch);
        if (searched.result() != null) {
            // From here on, the audit decides.
            session.load.endSearch();
        }
        OptionalDouble found = searched.sustainableRateMsgPerSec();
        if (!finished || found.isEmpty()) {
            return false;
        }
        rateMsgPerSec = found.getAsDouble();
        session.load.start(rate());
        return searched.settle() != Observer.End.STOPPED;
    }

    /** The warm-up, if there is one, has approached the first rate already. */
    private boolean approachOrCalmDown(SearchedLoad search)
            throws InterruptedException, RunFailedException, DriverException {
        return workload.warmupTime().isZero() ? search.approach() : search.calmDown(warmupBeginNs);
    }

    private void measure() throws InterruptedException, RunFailedException, DriverException {
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
        if (!session.load.isOn()) {
            session.load.start(rates);
        } else if (!workload.schedule().isEmpty()) {
            session.load.change(rates);
        }
        if (workload.buildsBacklog()) {
            if (!new BacklogLoad(session).buildAndDrain()) {
                return;
            }
            backlogBefore = session.observer.totals().largestBacklog();
            recording.begin(RunPhase.MEASURE);
        }
        session.observer.sampleUntil(workload.testTime(), session.limits.tick(), Optional.empty(), t -> false);
    }

    /** What was seen until now belongs to what came before. */
    private void beginMeasuring(RunPhase phase) throws DriverException, InterruptedException {
        session.periods.skip();
        Worker.Status status = session.observer.status();
        backlogBefore = status.totals().largestBacklog();
        recording.beginApart(phase);
        usageBefore = status.usage();
    }

    private void measureCount(long messageCount) throws InterruptedException, RunFailedException, DriverException {
        session.load.stop();
        Observer.End calm = session.observer.waitUntil(
                session.limits.drain(), LOOK, Optional.of(session.limits.quiet()), Observer::allArrived);
        if (calm == Observer.End.STOPPED) {
            return;
        }
        beginMeasuring(RunPhase.MEASURE);
        CountedLoad load = new CountedLoad(session, messageCount, rateMsgPerSec);
        counted = load;
        load.measure();
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

    /** What the harness has used since the measurement began; null if it has not. */
    @Nullable
    HarnessUsage usage() throws DriverException, InterruptedException {
        if (swept != null) {
            return swept.usage();
        }
        return usageBefore == null ? null : session.observer.status().usage().since(usageBefore);
    }

    /** What came of it, once no phase goes on any more. */
    LoadOutcome outcome() {
        return new LoadOutcome(
                expected(),
                targetMsgPerSec(),
                course(),
                search(),
                swept == null ? backlogBefore : swept.backlogBefore(),
                swept == null ? counted != null && counted.gaveUp() : swept.gaveUp(),
                swept != null && swept.wentBeyond());
    }

    private LoadOutcome.@Nullable Searched search() {
        if (searched == null) {
            return null;
        }
        return new LoadOutcome.Searched(searched.result(), searched.settled(), refusedInSearch);
    }

    private ExpectedLoad expected() {
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
                session.random(),
                !(changes || fromColdStart),
                driftWithin,
                // That nothing gets through any more is what the last step of a growing load is to find out.
                stepped != null && stepped.breach().isPresent() ? Optional.empty() : Optional.of(measuredRates()));
    }

    private RunResult.Course course() {
        List<RunResult.SloOutcome> slo = recording.measured().stream()
                .reduce(PeriodSnapshot::followedBy)
                .map(seen -> Bounds.outcomes(workload.sloBounds(), seen))
                .orElse(List.of());
        RateSweep sweep = swept == null ? null : swept.result();
        return new RunResult.Course(
                stepped == null ? List.of() : stepped.steps(),
                transfer(),
                null,
                session.request.seed().value(),
                slo,
                sweep == null || sweep.steps().isEmpty() ? null : sweep);
    }

    /** The rate of the measurement, in the mean; empty if there is none to compare with. */
    private OptionalDouble targetMsgPerSec() {
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

    private RunResult.@Nullable Transfer transfer() {
        return counted == null ? null : counted.transfer();
    }

    /** How long publishing took, if that is not the length of the measurement. */
    private OptionalDouble publishSeconds() {
        RunResult.Transfer transfer = transfer();
        return transfer == null || transfer.publishSeconds() == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(transfer.publishSeconds());
    }
}
