package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Watches the workers while a load is on: takes samples, checks for failures, and recognizes the end of a wait. */
public final class Observer {

    /** Once a wait is to be short, it ends when messages in flight have not moved for this long. */
    public static final Duration QUIET_IN_HASTE = Duration.ofSeconds(2);

    /**
     * Once the user wants to stop, messages in flight are awaited for at most this long: a launcher such as Kubernetes
     * kills a benchmark after 30 s, and more work follows.
     */
    static final Duration LONGEST_WHEN_STOPPED = Duration.ofSeconds(5);

    /**
     * Once a worker is lost, messages in flight are awaited for at most this long: the result is invalid whatever
     * arrives, and it is 8 s already since a silent worker was last heard.
     */
    static final Duration LONGEST_AFTER_LOSS = Duration.ofSeconds(3);

    private static final long NEVER_NS = Long.MAX_VALUE;

    private final RunSession session;
    private final Recording recording;
    private final StatePublisher state;
    private final Duration samplePeriod;
    private final Time time;
    private final Refusals refusals;
    private volatile Worker.@Nullable Status last;

    /** When the user's wish to stop, or the loss of a worker, first shortened a wait for messages on their way. */
    private long hastyNs = NEVER_NS;

    Observer(RunSession session) {
        this.session = session;
        this.recording = session.recording;
        this.state = session.state;
        this.samplePeriod = session.workload.samplePeriod();
        this.time = session.time;
        this.refusals = new Refusals(session.timeouts.quiet());
    }

    /** Requests the status of the workers. */
    public Worker.Status status() throws DriverException, InterruptedException {
        Worker.Status status = session.worker.status();
        last = status;
        state.counted(status);
        return status;
    }

    /** Returns whether nothing is in flight. */
    public static boolean allArrived(Totals totals) {
        return totals.inFlight() == 0 && totals.largestBacklog() <= 0;
    }

    /** Counts since the start of the run. */
    public Totals totals() throws DriverException, InterruptedException {
        return status().totals();
    }

    /** Returns whether every producer had sent all its messages, by the latest status. */
    public boolean loadFinished() {
        Worker.Status seen = last;
        return seen != null && seen.load().finished();
    }

    /** Number of errors by kind, by the latest status. May be called by any thread. */
    Map<String, Long> errors() {
        Worker.Status seen = last;
        return seen == null ? Map.of() : seen.errors();
    }

    /** The workers that no longer answered, by the latest status. */
    public List<Worker.Lost> lost() {
        Worker.Status seen = last;
        return seen == null ? List.of() : seen.lost();
    }

    /** The lost workers that no fault was to end. */
    public List<Worker.Lost> lostUnplanned() {
        return unplanned(lost());
    }

    private List<Worker.Lost> unplanned(List<Worker.Lost> lost) {
        return lost.stream()
                .filter(worker -> !session.faults.endsWorker(worker.worker()))
                .toList();
    }

    /** When each worker started the latest load, by its index, epoch nanoseconds, by the latest status. */
    public Map<Integer, Long> beganNs() {
        Worker.Status seen = last;
        return seen == null ? Map.of() : seen.load().beganNs();
    }

    /** Reason that a wait ended. */
    public enum End {
        /** The condition was met. */
        DONE,
        /** The time is up. */
        TIME_UP,
        /** Nothing has moved for a while. */
        STALLED,
        /** The user wants to stop, a disk is nearly full, or a worker was lost. */
        STOPPED
    }

    /**
     * Takes a sample every period, until the time is up or the totals satisfy a condition. The last sample is taken
     * however the wait ends, even by an error: the figures until then are kept.
     *
     * @param duration duration of the phase; empty if only the condition ends it
     * @param look interval between readings of the totals
     * @param stall how long nothing may move; empty for no such limit
     */
    public End sampleUntil(Optional<Duration> duration, Duration look, Optional<Duration> stall, Predicate<Totals> done)
            throws InterruptedException, RunFailedException, DriverException {
        long startNs = time.nowNs();
        long endNs = duration.map(d -> startNs + d.toNanos()).orElse(NEVER_NS);
        long nextSampleNs = startNs + samplePeriod.toNanos();
        boolean first = true;
        StallWatch progress = new StallWatch(look, stall, true);
        try {
            while (true) {
                End end = progress.step(Math.min(endNs, nextSampleNs), endNs, done);
                if (end != End.TIME_UP || time.nowNs() >= endNs) {
                    return end;
                }
                nextSampleNs += samplePeriod.toNanos();
                state.period(recording.add(session.periods.next()), left(endNs));
                first = false;
            }
        } finally {
            state.period(recording.addLast(session.periods.next(), samplePeriod.toNanos() / 1e9, first), left(endNs));
        }
    }

    /** Lets a time pass without taking samples. */
    public End pass(Duration duration) throws InterruptedException, RunFailedException, DriverException {
        return waitUntil(duration, session.timeouts.tick(), Optional.empty(), totals -> false);
    }

    /** Waits without taking samples. */
    public End waitUntil(Duration atMost, Duration look, Optional<Duration> stall, Predicate<Totals> done)
            throws InterruptedException, RunFailedException, DriverException {
        long endNs = time.nowNs() + atMost.toNanos();
        return new StallWatch(look, stall, true).step(endNs, endNs, done);
    }

    /**
     * Waits for messages on their way once the load has ended, without taking samples; a shorter time in haste.
     *
     * @param stall how long nothing may move; {@link #QUIET_IN_HASTE} at most in haste
     */
    public End waitForArrivals(Duration atMost, Duration look, Duration stall, Predicate<Totals> done)
            throws InterruptedException, RunFailedException, DriverException {
        long endNs = time.nowNs() + atMost.toNanos();
        return new StallWatch(look, Optional.of(stall), false).step(endNs, endNs, done);
    }

    /**
     * Returns whether waits for messages on their way are short: the user wants to stop, or a worker was lost that no
     * fault was to end, so that some of these messages will never arrive.
     */
    public boolean isHasty() {
        return session.stop.requested() || !lostUnplanned().isEmpty();
    }

    /** The deadline for messages on their way, earlier in haste. */
    private long untilNs(long untilNs) {
        if (!isHasty()) {
            return untilNs;
        }
        hastyNs = Math.min(hastyNs, time.nowNs());
        Duration longest = lostUnplanned().isEmpty() ? LONGEST_WHEN_STOPPED : LONGEST_AFTER_LOSS;
        return Math.min(untilNs, hastyNs + longest.toNanos());
    }

    private Optional<Duration> left(long endNs) {
        return endNs == NEVER_NS ? Optional.empty() : Optional.of(Duration.ofNanos(Math.max(0, endNs - time.nowNs())));
    }

    /** Reads the totals repeatedly, and notices when nothing moves. */
    private final class StallWatch {

        private final long lookNs;
        private final long stallNs;
        private final boolean ending;
        private final Waiting waiting = new Waiting(session);
        private long movedAtNs = time.nowNs();
        private long moved = -1;
        private long tickAtNs = time.nowNs();

        /** @param ending true if a reason to end the load ends this wait at once */
        StallWatch(Duration look, Optional<Duration> stall, boolean ending) {
            this.ending = ending;
            this.lookNs = look.toNanos();
            this.stallNs = stall.map(Duration::toNanos).orElse(NEVER_NS);
        }

        End step(long atMostNs, long phaseEndNs, Predicate<Totals> done)
                throws InterruptedException, RunFailedException, DriverException {
            while (true) {
                long untilNs = ending ? atMostNs : untilNs(atMostNs);
                if (ending
                        && session.request
                                .conditions()
                                .monitor()
                                .diskNearlyFull()
                                .isPresent()) {
                    return End.STOPPED;
                }
                Worker.Status status = status();
                throwIfFailed(status);
                if (ending && !unplanned(status.lost()).isEmpty()) {
                    return End.STOPPED;
                }
                Totals totals = status.totals();
                long nowNs = time.nowNs();
                throwIfRefused(status, nowNs);
                if (done.test(totals)) {
                    return End.DONE;
                }
                if (nowNs >= untilNs) {
                    return untilNs < atMostNs ? End.STOPPED : End.TIME_UP;
                }
                if (stalled(totals, nowNs)) {
                    return End.STALLED;
                }
                if (nowNs >= tickAtNs) {
                    tickAtNs = nowNs + session.timeouts.tick().toNanos();
                    state.time(left(untilNs < atMostNs ? untilNs : phaseEndNs));
                }
                if (!session.load.isOn() && !session.workload.consumesOnly()) {
                    waiting.goesOn(() -> onTheirWay(totals, untilNs - nowNs));
                }
                if (pause(Math.min(lookNs, untilNs - nowNs))) {
                    return End.STOPPED;
                }
            }
        }

        /** Returns true, and early, if the user wants to stop and that ends this wait. */
        private boolean pause(long durationNs) throws InterruptedException {
            if (ending) {
                return time.await(session.stop, durationNs);
            }
            time.sleep(durationNs);
            return false;
        }

        private boolean stalled(Totals totals, long nowNs) {
            long now = totals.acknowledged() + totals.failed() + totals.receivedByAll();
            if (now != moved) {
                moved = now;
                movedAtNs = nowNs;
            }
            boolean hasty = !ending && isHasty();
            return nowNs - movedAtNs > (hasty ? Math.min(stallNs, QUIET_IN_HASTE.toNanos()) : stallNs);
        }
    }

    /**
     * Throws if the broker started for the run has failed. Checked first, because a client error is then only a
     * consequence.
     */
    public void throwIfBrokerFailed() throws RunFailedException {
        Optional<String> broker = session.request.system().broker().failure();
        if (broker.isPresent()) {
            throw new RunFailedException(broker.get());
        }
    }

    private void throwIfFailed(Worker.Status status) throws RunFailedException {
        throwIfBrokerFailed();
        // Failures of other workers after one was lost may be a consequence of that.
        if (status.failure() != null && unplanned(status.lost()).isEmpty()) {
            throw new RunFailedException(
                    "the client cannot continue: " + status.failure().reason());
        }
    }

    /**
     * Throws if every message was refused for too long: waiting for the end of a test does not help then, unless a
     * fault is the reason.
     */
    private void throwIfRefused(Worker.Status status, long nowNs) throws RunFailedException {
        Totals totals = status.totals();
        double seconds = refusals.look(nowNs, session.load.isOn(), totals);
        if (seconds > 0 && session.faults.soFar().isEmpty()) {
            throw new RunFailedException(String.format(
                    Locale.ROOT,
                    "every message was refused for %.0f s, %,d in all, so the run ends early%s",
                    seconds,
                    refusals.refused(totals),
                    Refusals.mostly(status.errors())));
        }
    }

    private static String onTheirWay(Totals totals, long leftNs) {
        long messages = Math.max(totals.inFlight(), totals.largestBacklog());
        String what = messages > 0 ? Quantities.counted(messages, "message") + " still on the way; " : "";
        return String.format(Locale.ROOT, "%sthe run waits %.0f s more at most", what, leftNs / 1e9);
    }

    /** Throws if broker or workers cannot continue. */
    public void throwIfFailed() throws RunFailedException, DriverException, InterruptedException {
        throwIfFailed(status());
        throwIfLost();
    }

    /** Throws if a worker was lost, by the latest status, unless a fault was to end it. */
    public void throwIfLost() throws RunFailedException {
        if (!lostUnplanned().isEmpty()) {
            throw new RunFailedException(lostUnplanned().get(0).sentence());
        }
    }
}
