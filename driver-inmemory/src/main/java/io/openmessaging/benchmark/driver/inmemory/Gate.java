package io.openmessaging.benchmark.driver.inmemory;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;

/**
 * Lets one thread at a time into a topic: a producer for each message, or a thread that changes the topic.
 *
 * <p>A lock optimized for one case, a single producer: entering is one atomic instruction on a cache line that no other
 * thread writes, and leaving is a plain store, which costs about half as much as the locks of the JDK. Waiting threads
 * first spin, then sleep for microseconds. Changes take precedence over messages. Not reentrant.
 */
final class Gate {

    // Two words in the middle of an array that extends beyond the cache lines on either side of them.
    private static final int WORDS = 48;
    private static final int HELD = 24;
    private static final int CHANGES_WAITING = 25;

    private final AtomicLongArray words = new AtomicLongArray(WORDS);

    /** Enters for one message. */
    void enter() {
        if (!tryEnter()) {
            Backoff backoff = new Backoff();
            do {
                backoff.pause();
            } while (!tryEnter());
        }
    }

    private boolean tryEnter() {
        return words.get(CHANGES_WAITING) == 0 && words.compareAndSet(HELD, 0, 1);
    }

    /** Enters for a change. */
    void enterForChange() {
        enterForChangeUnless(() -> false);
    }

    /** Enters for a change and returns true, or gives up and returns false once the change is no longer needed. */
    boolean enterForChangeUnless(BooleanSupplier needless) {
        words.incrementAndGet(CHANGES_WAITING);
        try {
            Backoff backoff = new Backoff();
            while (!words.compareAndSet(HELD, 0, 1)) {
                if (needless.getAsBoolean()) {
                    return false;
                }
                backoff.pause();
            }
            return true;
        } finally {
            words.decrementAndGet(CHANGES_WAITING);
        }
    }

    /** Leaves. The next thread that enters sees everything done inside. */
    void exit() {
        words.setRelease(HELD, 0);
    }
}
