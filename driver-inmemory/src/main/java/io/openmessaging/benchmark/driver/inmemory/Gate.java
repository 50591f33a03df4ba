package io.openmessaging.benchmark.driver.inmemory;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;

/**
 * Lets one thread at a time into a topic: the producers, each for a message, and whoever changes the topic.
 *
 * <p>A lock made for one case, a single producer: entering is then one atomic instruction on a cache line that no other
 * thread writes, leaving a plain store, which is about half the cost of the locks of the JDK. Those who have to wait do
 * so by turning, then by sleeping for microseconds. Changes go before messages. Not reentrant.
 */
final class Gate {

    // Two words in the middle of an array that is longer than the cache lines on either side of them.
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

    /** Enters for a change, or gives up and returns false when there is no need any more. */
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

    /** Leaves. What was done inside is seen by the next one to enter. */
    void exit() {
        words.setRelease(HELD, 0);
    }
}
