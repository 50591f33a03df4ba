package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.coordinator.session.Observer;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.run.RunPhase;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/** Builds up a backlog, then lets consumers catch up, before the rest of the measurement. */
final class BacklogLoad {

    private static final long BYTES_PER_GB = 1L << 30;

    /** Level at which OMB counts a backlog as drained at the latest, in messages. */
    private static final long DRAINED_MESSAGES = 1000;

    private static final Duration LOOK = Duration.ofMillis(100);

    private final RunSession session;
    private final Workload workload;

    BacklogLoad(RunSession session) {
        this.session = session;
        this.workload = session.workload;
    }

    /**
     * Pauses consumers until the backlog has its size, then lets them catch up; returns whether the measurement is to
     * continue.
     */
    boolean buildAndDrain() throws InterruptedException, RunFailedException, DriverException {
        long backlogMessages = (long) (workload.consumerBacklogSizeGB() * BYTES_PER_GB / workload.meanMessageBytes());
        session.worker.consume(false);
        Observer.End built = sampleWhileBacklog(new Extreme(1), t -> t.backlog() >= backlogMessages);
        session.worker.consume(true);
        if (built == Observer.End.STOPPED) {
            return false;
        }
        if (built == Observer.End.STALLED) {
            throw new RunFailedException("the backlog has not grown for %d s and is at %d of %d messages"
                    .formatted(
                            session.timeouts.backlog().toSeconds(),
                            session.observer.totals().backlog(),
                            backlogMessages));
        }
        session.recording.begin(RunPhase.BACKLOG_DRAIN);
        long drainedLevel = Math.max(DRAINED_MESSAGES, (long) ((1 - workload.backlogDrainRatio()) * backlogMessages));
        Observer.End drained = sampleWhileBacklog(new Extreme(-1), t -> t.backlog() <= drainedLevel);
        if (drained == Observer.End.STALLED) {
            session.recording.note(
                    Finding.backlogNotDrained(session.observer.totals().backlog()));
        }
        return drained == Observer.End.DONE;
    }

    private Observer.End sampleWhileBacklog(Extreme extreme, Predicate<Totals> reached)
            throws InterruptedException, RunFailedException, DriverException {
        boolean[] stuck = new boolean[1];
        Observer.End end = session.observer.sampleUntil(Optional.empty(), LOOK, Optional.empty(), totals -> {
            stuck[0] = extreme.isStuckAt(totals.backlog());
            return stuck[0] || reached.test(totals);
        });
        return end == Observer.End.DONE && stuck[0] ? Observer.End.STALLED : end;
    }

    /** Notices when a backlog that is to grow or shrink has not reached a new extreme for too long. */
    private final class Extreme {

        private final int direction;
        private long furthest = Long.MIN_VALUE;
        private long sinceNs = session.time.nowNs();

        /** The direction is 1 for a backlog that is to grow, -1 for one that is to shrink. */
        Extreme(int direction) {
            this.direction = direction;
        }

        boolean isStuckAt(long backlog) {
            if (direction * backlog > furthest) {
                furthest = direction * backlog;
                sinceNs = session.time.nowNs();
            }
            return session.time.nowNs() - sinceNs > session.timeouts.backlog().toNanos();
        }
    }
}
