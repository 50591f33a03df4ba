package io.openmessaging.benchmark.driver;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the messages of a producer that have no answer yet. One thread sends, any thread answers: each side has its
 * own counter, so that neither slows the other down.
 */
public final class Outstanding {

    private final AtomicLong answered = new AtomicLong();

    /** Used by the sending thread, and after it by the closing thread. */
    private long sent;

    /** Null until the last message has been sent and a thread waits. */
    private volatile @Nullable CompletableFuture<Void> none;

    public Outstanding() {}

    /** Counts a message that is about to be sent. */
    public void sent() {
        sent++;
    }

    /** Counts a message that needs no answer any more; its callback, if it has one, has returned. */
    public void answered() {
        long now = answered.incrementAndGet();
        CompletableFuture<Void> awaited = none;
        if (awaited != null && now == sent) {
            awaited.complete(null);
        }
    }

    /** Returns the number of messages without an answer. Called by the sending thread, or after it. */
    public long count() {
        return sent - answered.get();
    }

    /** Completes once all messages have an answer; called after the last message by the sending thread, or after it. */
    public CompletableFuture<Void> none() {
        CompletableFuture<Void> awaited = new CompletableFuture<>();
        none = awaited;
        if (count() == 0) {
            awaited.complete(null);
        }
        return awaited;
    }
}
