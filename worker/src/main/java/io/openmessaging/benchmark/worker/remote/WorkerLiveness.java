package io.openmessaging.benchmark.worker.remote;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tracks whether a worker still answers: suspect after a while of silence, lost after a longer one, and lost at once
 * if there is proof. A lost worker stays lost. Silence counts only while the coordinator listens: one that got no
 * processor time for a while has not lost its workers. Thread-safe.
 */
final class WorkerLiveness {

    /** The assumed state of a worker. */
    enum Presence {
        HEARD,
        SUSPECT,
        LOST
    }

    private final WorkerTimeouts timeouts;
    private final long listenEveryNs;
    private final LongSupplier nanoTime;
    private long heardNs;
    private long listenedNs;
    private @Nullable String lastFailure;
    private @Nullable String lost;

    /**
     * Creates the liveness of a worker that has just answered.
     *
     * @param listenEveryNs usual interval between calls of {@link #listen}
     * @param nanoTime as {@link System#nanoTime}
     */
    WorkerLiveness(WorkerTimeouts timeouts, long listenEveryNs, LongSupplier nanoTime) {
        this.timeouts = timeouts;
        this.listenEveryNs = listenEveryNs;
        this.nanoTime = nanoTime;
        this.heardNs = nanoTime.getAsLong();
        this.listenedNs = heardNs;
    }

    /** Notes an answer of the worker. */
    synchronized void heard() {
        heardNs = nanoTime.getAsLong();
        lastFailure = null;
    }

    /** The time since the worker's last answer, in nanoseconds. */
    synchronized long silentNs() {
        return nanoTime.getAsLong() - heardNs;
    }

    /** Notes that the worker did not answer, with the reason as far as known. */
    synchronized void missed(String why) {
        lastFailure = why;
    }

    /** Declares the worker lost. The first reason stays. */
    synchronized void lose(String why) {
        if (lost == null) {
            lost = why;
        }
    }

    /** Checks how long the worker has been silent; called continually by one thread. */
    synchronized Presence listen() {
        long nowNs = nanoTime.getAsLong();
        long lateNs = nowNs - listenedNs - listenEveryNs;
        if (lateNs > listenEveryNs) {
            heardNs += lateNs;
        }
        listenedNs = nowNs;
        if (lost == null && nowNs - heardNs > timeouts.of(WorkerTimeout.LOST).toNanos()) {
            lost = "nothing heard for " + timeouts.describe(WorkerTimeout.LOST)
                    + (lastFailure == null ? "" : ": " + lastFailure);
        }
        return state();
    }

    synchronized Presence state() {
        if (lost != null) {
            return Presence.LOST;
        }
        return nanoTime.getAsLong() - heardNs
                        > timeouts.of(WorkerTimeout.SUSPECT).toNanos()
                ? Presence.SUSPECT
                : Presence.HEARD;
    }

    synchronized Optional<String> lost() {
        return Optional.ofNullable(lost);
    }
}
