package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.worker.LoadPlan;
import io.openmessaging.benchmark.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Puts the load of a workload on: warm-up, the search for a rate, and the measurement in one of its three kinds. */
final class LoadPhases {

    private static final long BYTES_PER_GB = 1L << 30;

    /** OMB's level at which a backlog counts as drained at the latest, in messages. */
    private static final long DRAINED_MESSAGES = 1000;

    private static final Duration FINE_LOOK = Duration.ofMillis(1);
    private static final Duration COARSE_LOOK = Duration.ofMillis(100);

    private final Workload workload;
    private final List<byte[]> payloads;
    private final Worker worker;
    private final Observer observer;
    private final Recording recording;
    private final RunListener listener;
    private final Limits limits;
    private final Judge judge;
    private double rateMsgPerSec;
    private long backlogBefore;
    private RunResult.@Nullable Search search;

    LoadPhases(
            RunRequest request,
            Worker worker,
            Observer observer,
            Recording recording,
            RunListener listener,
            Judge judge) {
        this.workload = request.workload().workload();
        this.payloads = request.payloads();
        this.worker = worker;
        this.observer = observer;
        this.recording = recording;
        this.listener = listener;
        this.limits = request.limits();
        this.judge = judge;
        ProducerRate rate = workload.producerRate();
        if (rate instanceof ProducerRate.Fixed fixed) {
            this.rateMsgPerSec = fixed.messagesPerSecond();
        } else if (rate instanceof ProducerRate.Unlimited) {
            this.rateMsgPerSec = Double.POSITIVE_INFINITY;
        } else {
            this.rateMsgPerSec = RateSearch.FIRST_RATE_MSG_PER_SEC;
        }
    }

    /** The rate of the measurement; empty if there is none to compare with. */
    OptionalDouble targetMsgPerSec() {
        boolean noneFound = search != null && search.sustainableRateMsgPerSec() == null;
        return noneFound || rateMsgPerSec == Double.POSITIVE_INFINITY
                ? OptionalDouble.empty()
                : OptionalDouble.of(rateMsgPerSec);
    }

    /** How the rate was searched for; null if it was not. */
    RunResult.@Nullable Search search() {
        return search;
    }

    /** The backlog of the slowest subscription when the measurement began. */
    long backlogBefore() {
        return backlogBefore;
    }

    /** Load that is not measured; goes on afterwards. Returns false if the run is to stop. */
    boolean warmUp() throws InterruptedException, RunFailedException {
        boolean measurementHasItsOwnLoad =
                workload.messageCount() != null || workload.producerRate() instanceof ProducerRate.MaxSustainable;
        if (workload.warmupTime().isZero() && measurementHasItsOwnLoad) {
            return true;
        }
        recording.begin(RunPhase.WARM_UP);
        startLoad(Long.MAX_VALUE);
        return observer.sampleUntil(Optional.of(workload.warmupTime()), limits.tick(), Optional.empty(), t -> false)
                != Observer.End.STOPPED;
    }

    private void startLoad(long messageCount) {
        worker.startLoad(new LoadPlan(rateMsgPerSec, messageCount, payloads, workload.keyDistributor()));
    }

    /** Looks for the highest sustainable rate, if the workload asks for it. Returns false if there is nothing to go on with. */
    boolean searchForRate() throws InterruptedException, RunFailedException, DriverException {
        if (!(workload.producerRate() instanceof ProducerRate.MaxSustainable)) {
            return true;
        }
        recording.begin(RunPhase.SEARCH);
        RateSearch rates = new RateSearch(rateMsgPerSec);
        List<RunResult.Step> steps = new ArrayList<>();
        Observer.End end = Observer.End.TIME_UP;
        for (OptionalDouble next = rates.next(); next.isPresent() && end != Observer.End.STOPPED; next = rates.next()) {
            rateMsgPerSec = next.getAsDouble();
            RunResult.Step step = trySteadily();
            end = calmDown();
            rates.report(step.sustained());
            steps.add(step);
            listener.searchStep(step.targetMsgPerSec(), step.achievedMsgPerSec(), step.sustained());
        }
        OptionalDouble found = rates.sustainableRateMsgPerSec();
        search = new RunResult.Search(found.isPresent() ? found.getAsDouble() : null, steps);
        if (found.isEmpty()) {
            judge.note(new Finding.NoSustainableRate(rates.lowestRefusedMsgPerSec()));
            return false;
        }
        rateMsgPerSec = found.getAsDouble();
        startLoad(Long.MAX_VALUE);
        return end != Observer.End.STOPPED && settle() != Observer.End.STOPPED;
    }

    /** A step of the search: sustained when the target was all but reached and no subscription fell behind. */
    private RunResult.Step trySteadily() throws InterruptedException, RunFailedException, DriverException {
        worker.stopLoad();
        startLoad(Long.MAX_VALUE);
        settle();
        Totals before = worker.totals();
        long beforeNs = System.nanoTime();
        observer.waitUntil(limits.searchObserve(), limits.tick(), Optional.empty(), t -> false);
        Totals after = worker.totals();
        double seconds = (System.nanoTime() - beforeNs) / 1e9;
        double achieved = after.minus(before).acknowledged() / seconds;
        long growth = after.largestBacklog() - before.largestBacklog();
        boolean kept = growth <= Math.max(Judge.BACKLOG_NOISE_MESSAGES, (1 - Judge.REACHED) * rateMsgPerSec * seconds);
        return new RunResult.Step(rateMsgPerSec, achieved, growth, kept && achieved >= Judge.REACHED * rateMsgPerSec);
    }

    private Observer.End settle() throws InterruptedException, RunFailedException {
        return observer.waitUntil(limits.searchSettle(), limits.tick(), Optional.empty(), t -> false);
    }

    /** Ends the load and lets everything arrive, so that a rate is not charged with the debt of the one before it. */
    private Observer.End calmDown() throws InterruptedException, RunFailedException, DriverException {
        worker.stopLoad();
        return observer.waitUntil(limits.drain(), COARSE_LOOK, Optional.of(limits.quiet()), LoadPhases::allArrived);
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
        beginMeasuring(workload.buildsBacklog() ? RunPhase.BACKLOG_BUILD : RunPhase.MEASURE);
        if (workload.buildsBacklog() && !buildAndDrainBacklog()) {
            return;
        }
        observer.sampleUntil(workload.testTime(), limits.tick(), Optional.empty(), t -> false);
    }

    /** What was seen until now belongs to what came before. */
    private void beginMeasuring(RunPhase phase) {
        worker.sample();
        backlogBefore = worker.totals().largestBacklog();
        recording.begin(phase);
    }

    /** A given number of messages, from the first send to the last arrival. */
    private void measureCount(long messageCount) throws InterruptedException, RunFailedException, DriverException {
        if (calmDown() == Observer.End.STOPPED) {
            return;
        }
        beginMeasuring(RunPhase.MEASURE);
        long sentBefore = worker.totals().sent();
        startLoad(messageCount);
        Observer.End end = observer.sampleUntil(
                workload.testTime(),
                FINE_LOOK,
                Optional.of(limits.quiet().plus(longestGap())),
                totals -> totals.sent() - sentBefore >= messageCount && worker.loadFinished() && allArrived(totals));
        long sent = worker.totals().sent() - sentBefore;
        if (sent < messageCount && end != Observer.End.STOPPED) {
            judge.note(new Finding.MessageCountMissed(messageCount, sent));
        }
    }

    /** Two messages of the schedule are no further apart than this. */
    private Duration longestGap() {
        return Duration.ofNanos((long) Math.ceil(1e9 / rateMsgPerSec));
    }

    /** Consumers pause until the backlog has its size, then catch up; returns whether the measurement is to go on. */
    private boolean buildAndDrainBacklog() throws InterruptedException, RunFailedException, DriverException {
        long backlogMessages = workload.consumerBacklogSizeGB() * BYTES_PER_GB / workload.messageSize();
        worker.pauseConsumers();
        Observer.End built = sampleWhileBacklog(new Extreme(), t -> t.backlog() >= backlogMessages);
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
        Observer.End drained = sampleWhileBacklog(new Extreme(), t -> t.backlog() <= drainedLevel);
        if (drained == Observer.End.STALLED) {
            judge.note(new Finding.BacklogNotDrained(worker.totals().backlog()));
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

    /** Notices when a backlog that is to grow or to shrink has not been larger or smaller than ever for too long. */
    private final class Extreme {

        private long largest = Long.MIN_VALUE;
        private long smallest = Long.MAX_VALUE;
        private long sinceNs = System.nanoTime();

        boolean isStuckAt(long backlog) {
            if (backlog > largest || backlog < smallest) {
                largest = Math.max(largest, backlog);
                smallest = Math.min(smallest, backlog);
                sinceNs = System.nanoTime();
            }
            return System.nanoTime() - sinceNs > limits.backlog().toNanos();
        }
    }
}
