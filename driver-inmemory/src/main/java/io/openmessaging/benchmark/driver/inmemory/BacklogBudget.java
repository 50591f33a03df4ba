package io.openmessaging.benchmark.driver.inmemory;

import java.util.concurrent.atomic.AtomicLong;

/** Tracks how much of the memory for backlogs is in use. Thread-safe. */
final class BacklogBudget {

    private final long maxBytes;
    private final AtomicLong takenBytes = new AtomicLong();

    BacklogBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Reserves the memory of a message and returns true, or returns false if the limit is reached. A first message
     * always fits.
     */
    boolean tryTake(Message message) {
        long taken = takenBytes.get();
        while (taken == 0 || taken + message.bytes() <= maxBytes) {
            if (takenBytes.compareAndSet(taken, taken + message.bytes())) {
                return true;
            }
            taken = takenBytes.get();
        }
        return false;
    }

    /** Reserves the memory of a message, even past the limit: for a message that already exists. */
    void take(Message message) {
        takenBytes.addAndGet(message.bytes());
    }

    void giveBack(Message message) {
        takenBytes.addAndGet(-message.bytes());
    }
}
