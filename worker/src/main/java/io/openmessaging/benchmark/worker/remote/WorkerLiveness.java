package io.openmessaging.benchmark.worker.remote;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a worker is still heard of: suspect after a while of silence, lost after a longer one, and lost at once when
 * something proves it. What is lost stays lost. Silence counts only while somebody listened: a coordinator that had no
 * processor for a while has not lost its workers by that. Thread-safe.
 */
final class WorkerLiveness {

    /** What a worker is taken for. */
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
     * One that was heard just now.
     *
     * @param listenEveryNs how often {@link #listen} is called where nothing is in the way
     * @param nanoTime as {@link System#nanoTime}
     */
    WorkerLiveness(WorkerTimeouts timeouts, long listenEveryNs, LongSupplier nanoTime) {
        this.timeouts = timeouts;
        this.listenEveryNs = listenEveryNs;
        this.nanoTime = nanoTime;
        this.heardNs = nanoTime.getAsLong();
        this.listenedNs = heardNs;
    }

    /** It has answered. */
    synchronized void heard() {
        heardNs = nanoTime.getAsLong();
        lastFailure = null;
    }

    /** How long ago it has answered last, nanoseconds. */
    synchronized long silentNs() {
        return nanoTime.getAsLong() - heardNs;
    }

    /** It has not answered; why, as far as is known. */
    synchronized void missed(String why) {
        lastFailure = why;
    }

    /** It is known to be gone. The first reason stays. */
    synchronized void lose(String why) {
        if (lost == null) {
            lost = why;
        }
    }

    /** Looks at how long it has been silent; called all the time by one thread. */
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
