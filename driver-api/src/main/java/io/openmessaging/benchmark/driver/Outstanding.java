package io.openmessaging.benchmark.driver;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How many messages of a producer have not been answered. One thread sends, any thread answers: each side has its own
 * counter, so that neither slows the other down.
 */
public final class Outstanding {

    private final AtomicLong answered = new AtomicLong();

    /** Of the thread that sends, and after it of the one that closes. */
    private long sent;

    /** Null until the last message has been sent and somebody waits. */
    private volatile @Nullable CompletableFuture<Void> none;

    /** No message yet. */
    public Outstanding() {}

    /** A message is about to be sent. */
    public void sent() {
        sent++;
    }

    /** A message needs no answer any more; its callback, if it has one, has returned. */
    public void answered() {
        long now = answered.incrementAndGet();
        CompletableFuture<Void> awaited = none;
        if (awaited != null && now == sent) {
            awaited.complete(null);
        }
    }

    /** Called by the thread that sends, or after it. */
    public long count() {
        return sent - answered.get();
    }

    /** Complete once all have been answered; to be called after the last message by the thread that sends, or after it. */
    public CompletableFuture<Void> none() {
        CompletableFuture<Void> awaited = new CompletableFuture<>();
        none = awaited;
        if (count() == 0) {
            awaited.complete(null);
        }
        return awaited;
    }
}
