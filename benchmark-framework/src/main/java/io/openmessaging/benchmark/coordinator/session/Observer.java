package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Watches the workers while load is on: takes samples, looks for failures, knows when it is over. */
public final class Observer {

    /** Once the user wants to stop, messages on their way get this long without any movement. */
    public static final Duration QUIET_WHEN_STOPPED = Duration.ofSeconds(2);

    /** And so long in all: what starts a benchmark, such as Kubernetes, kills it after 30 s, and there is more to be done. */
    static final Duration LONGEST_WHEN_STOPPED = Duration.ofSeconds(5);

    private static final long NEVER_NS = Long.MAX_VALUE;

    private final RunSession session;
    private final Recording recording;
    private final StatePublisher state;
    private final Duration samplePeriod;
    private final Time time;
    private final Refusals refusals;
    private volatile Worker.@Nullable Status last;

    /** When a wait for messages on their way was told to be short. */
    private long stoppedNs = NEVER_NS;

    Observer(RunSession session) {
        this.session = session;
        this.recording = session.recording;
        this.state = session.state;
        this.samplePeriod = session.workload.samplePeriod();
        this.time = session.time;
        this.refusals = new Refusals(session.timeouts.quiet());
    }

    /** Asks the workers how things are. */
    public Worker.Status status() throws DriverException, InterruptedException {
        Worker.Status status = session.worker.status();
        last = status;
        state.counted(status);
        return status;
    }

    /** Whether nothing is in flight. */
    public static boolean allArrived(Totals totals) {
        return totals.inFlight() == 0 && totals.largestBacklog() <= 0;
    }

    /** Counts since the start of the run. */
    public Totals totals() throws DriverException, InterruptedException {
        return status().totals();
    }

    /** Whether every producer had sent what it was to send when the worker was last asked. */
    public boolean loadFinished() {
        Worker.Status seen = last;
        return seen != null && seen.load().finished();
    }

    /** How many errors of each kind there had been when the workers were last asked. May be called by any thread. */
    Map<String, Long> errors() {
        Worker.Status seen = last;
        return seen == null ? Map.of() : seen.errors();
    }

    /** The workers that did not answer any more when they were last asked. */
    public List<Worker.Lost> lost() {
        Worker.Status seen = last;
        return seen == null ? List.of() : seen.lost();
    }

    /** Those of them that no fault was to end. */
    public List<Worker.Lost> lostUnplanned() {
        return unplanned(lost());
    }

    private List<Worker.Lost> unplanned(List<Worker.Lost> lost) {
        return lost.stream()
                .filter(worker -> !session.faults.endsWorker(worker.worker()))
                .toList();
    }

    /** When each worker began the latest load, by its index, epoch nanoseconds, as it was told when they were last asked. */
    public Map<Integer, Long> beganNs() {
        Worker.Status seen = last;
        return seen == null ? Map.of() : seen.load().beganNs();
    }

    /** How a wait ended. */
    public enum End {
        /** What was waited for has come. */
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
     * however it ends, an error included: what was measured until then is kept.
     *
     * @param duration of the phase; empty if only the condition ends it
     * @param look how often to look at the totals
     * @param stall how long nothing may move; empty if it does not matter
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
     * Waits for messages on their way once the load has ended, without taking samples: not for long if the user wants to
     * stop.
     *
     * @param stall how long nothing may move; {@link #QUIET_WHEN_STOPPED} at most for who wants to stop
     */
    public End waitForArrivals(Duration atMost, Duration look, Duration stall, Predicate<Totals> done)
            throws InterruptedException, RunFailedException, DriverException {
        long endNs = time.nowNs() + atMost.toNanos();
        return new StallWatch(look, Optional.of(stall), false).step(endNs, endNs, done);
    }

    /** Until when there is time for messages on their way. */
    private long untilNs(long untilNs) {
        if (!session.stop.requested()) {
            return untilNs;
        }
        stoppedNs = Math.min(stoppedNs, time.nowNs());
        return Math.min(untilNs, stoppedNs + LONGEST_WHEN_STOPPED.toNanos());
    }

    private Optional<Duration> left(long endNs) {
        return endNs == NEVER_NS ? Optional.empty() : Optional.of(Duration.ofNanos(Math.max(0, endNs - time.nowNs())));
    }

    /** Looks at the totals again and again. */
    private final class StallWatch {

        private final long lookNs;
        private final long stallNs;
        private final boolean ending;
        private final Waiting waiting = new Waiting(session);
        private long movedAtNs = time.nowNs();
        private long moved = -1;
        private long tickAtNs = time.nowNs();

        /**
         * @param ending whether a reason to end the load ends this at once
         */
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

        /** Returns true, and early, if the user wants to stop and that is the end of this. */
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
            boolean hurried = !ending && session.stop.requested();
            return nowNs - movedAtNs > (hurried ? Math.min(stallNs, QUIET_WHEN_STOPPED.toNanos()) : stallNs);
        }
    }

    /** A broker that was started for the run is the first to be asked: an error of the client is only a consequence. */
    public void throwIfBrokerFailed() throws RunFailedException {
        Optional<String> broker = session.request.system().broker().failure();
        if (broker.isPresent()) {
            throw new RunFailedException(broker.get());
        }
    }

    private void throwIfFailed(Worker.Status status) throws RunFailedException {
        throwIfBrokerFailed();
        // What happens to the others once a worker is lost may be a consequence of that.
        if (status.failure() != null && unplanned(status.lost()).isEmpty()) {
            throw new RunFailedException(
                    "the client cannot continue: " + status.failure().reason());
        }
    }

    /** What every message is refused for does not go away by waiting for the end of a test; what a fault does may. */
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
        return String.format(
                Locale.ROOT,
                "%,d messages are still on their way, they get %.0f s more at most",
                Math.max(totals.inFlight(), totals.largestBacklog()),
                leftNs / 1e9);
    }

    /** Throws if broker or workers cannot continue. */
    public void throwIfFailed() throws RunFailedException, DriverException, InterruptedException {
        throwIfFailed(status());
        throwIfLost();
    }

    /** Throws if a worker was lost by the time they were last asked, unless a fault was to end it. */
    public void throwIfLost() throws RunFailedException {
        if (!lostUnplanned().isEmpty()) {
            throw new RunFailedException(lostUnplanned().get(0).sentence());
        }
    }
}
