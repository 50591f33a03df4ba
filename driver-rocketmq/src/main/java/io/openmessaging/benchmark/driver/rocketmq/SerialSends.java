package io.openmessaging.benchmark.driver.rocketmq;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends that follow each other: the next one begins when the one before has been answered. For messages whose order
 * counts, since gRPC does not keep the order of requests that are under way at the same time. Thread-safe.
 */
final class SerialSends {

    private final Queue<Supplier<CompletableFuture<?>>> waiting = new ArrayDeque<>();
    private boolean busy;

    /** Begins a send now or later, on this thread or on that of an answer. */
    void add(Supplier<CompletableFuture<?>> send) {
        synchronized (this) {
            waiting.add(send);
            if (busy) {
                return;
            }
            busy = true;
        }
        proceed();
    }

    // A loop, as long as answers come at once: each would otherwise be one call deeper.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void proceed() {
        for (Supplier<CompletableFuture<?>> send = next(); send != null; send = next()) {
            CompletableFuture<?> answer = send.get();
            if (!answer.isDone()) {
                answer.whenComplete((result, failure) -> proceed());
                return;
            }
        }
    }

    private synchronized @Nullable Supplier<CompletableFuture<?>> next() {
        Supplier<CompletableFuture<?>> next = waiting.poll();
        busy = next != null;
        return next;
    }
}
