package io.openmessaging.benchmark.clock;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/** Probes that are wanted as fast as they are answered, one burst after the other. Not thread-safe. */
final class Bursts {

    /** After so long without an answer, there will be no more. */
    private static final long PATIENCE_NS = 1_000_000_000L;

    private static final class Burst {
        final CompletableFuture<Integer> done = new CompletableFuture<>();
        final int probes;
        int sent;
        int answered;
        /** When the first probe was sent, or the last answer came. */
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

    /** Adds one that nobody waits for, unless there is one anyway. */
    void addIfNone(int probes) {
        if (waiting.isEmpty()) {
            waiting.add(new Burst(probes));
        }
    }

    /** Whether probes are to be sent that have not been. */
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

    /** What was sent is lost: the burst is to be sent again. */
    void again(long nowNs) {
        Burst burst = waiting.peek();
        if (burst != null) {
            burst.sent = burst.answered;
            burst.heardNs = nowNs;
        }
    }

    /** Ends those that are complete, or get no more answers. */
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

    /** Ends all: there will be no more answers. */
    void end() {
        waiting.forEach(burst -> burst.done.complete(burst.answered));
        waiting.clear();
    }
}
