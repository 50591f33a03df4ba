package io.openmessaging.benchmark.driver.rocketmq.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends that follow each other: the next one starts when the previous one has been answered. For messages whose order
 * matters, since gRPC does not keep the order of requests in flight at the same time. Thread-safe.
 */
public final class SerialSends {

    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /** Starts a send now or later, on this thread or on that of an answer. */
    public synchronized void add(Supplier<CompletableFuture<?>> send) {
        CompletableFuture<@Nullable Object> before = last.handle((answer, failure) -> null);
        last = before.thenCompose(nothing -> send.get());
    }
}
