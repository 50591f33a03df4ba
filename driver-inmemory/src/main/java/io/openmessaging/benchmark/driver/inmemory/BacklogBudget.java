package io.openmessaging.benchmark.driver.inmemory;

import java.util.concurrent.atomic.AtomicLong;

/** How much of the memory for backlogs is taken. Thread-safe. */
final class BacklogBudget {

    private final long maxBytes;
    private final AtomicLong takenBytes = new AtomicLong();

    BacklogBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Takes what a message needs, or nothing if the limit is reached. A first message always fits. */
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

    /** Takes what a message needs, past the limit as well: for one that is here already. */
    void take(Message message) {
        takenBytes.addAndGet(message.bytes());
    }

    void giveBack(Message message) {
        takenBytes.addAndGet(-message.bytes());
    }
}
