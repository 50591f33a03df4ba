package io.openmessaging.benchmark.clock;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/** Bursts of probes, each sent as fast as the probes are answered, one burst after the other. Not thread-safe. */
final class Bursts {

    /** Time without an answer after which a burst expects no more answers. */
    private static final long PATIENCE_NS = 1_000_000_000L;

    private static final class Burst {
        final CompletableFuture<Integer> done = new CompletableFuture<>();
        final int probes;
        int sent;
        int answered;
        /** Time of the first probe, the last answer or the last restart, whichever is latest. */
        long heardNs;

        Burst(int probes) {
            this.probes = probes;
        }
    }

    private final Deque<Burst> waiting = new ArrayDeque<>();

    CompletableFuture<Integer> add(int probes) {
        Burst burst = new Burst(probes);
        waiting.add(burst);
        return burst.done;
    }

    /** Adds a burst that nobody waits for, unless another burst is waiting. */
    void addIfNone(int probes) {
        if (waiting.isEmpty()) {
            waiting.add(new Burst(probes));
        }
    }

    /** Returns whether the current burst has probes left to send. */
    boolean isSending() {
        Burst burst = waiting.peek();
        return burst != null && burst.sent < burst.probes;
    }

    void sent(long nowNs) {
        Burst burst = waiting.peek();
        if (burst != null && burst.sent < burst.probes) {
            burst.heardNs = burst.sent == 0 ? nowNs : burst.heardNs;
            burst.sent++;
        }
    }

    void answered(long nowNs) {
        Burst burst = waiting.peek();
        if (burst != null && burst.answered < burst.sent) {
            burst.answered++;
            burst.heardNs = nowNs;
        }
    }

    /** Restarts the current burst, because the probes that were sent and not answered are lost. */
    void again(long nowNs) {
        Burst burst = waiting.peek();
        if (burst != null) {
            burst.sent = burst.answered;
            burst.heardNs = nowNs;
        }
    }

    /** Ends the bursts that are complete, or receive no more answers. */
    void endComplete(long nowNs) {
        Burst burst = waiting.peek();
        while (burst != null && isComplete(burst, nowNs)) {
            waiting.remove();
            burst.done.complete(burst.answered);
            burst = waiting.peek();
        }
    }

    private static boolean isComplete(Burst burst, long nowNs) {
        return burst.answered >= burst.probes || (burst.sent > 0 && nowNs - burst.heardNs > PATIENCE_NS);
    }

    /** Ends all bursts; no more answers are expected. */
    void end() {
        waiting.forEach(burst -> burst.done.complete(burst.answered));
        waiting.clear();
    }
}
