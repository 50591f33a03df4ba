package io.openmessaging.benchmark.driver.rocketmq.client;

import java.util.concurrent.Semaphore;

/**
 * How much the producers of one connection may have under way together. Neither of RocketMQ's clients has a bound of its
 * own by default: they take messages until the memory is full. Thread-safe.
 */
public final class SendBudget {

    private static final int UNIT_BYTES = 1024;

    private final Semaphore messages;
    private final Semaphore units;
    private final int allUnits;

    /** With all of it left. */
    public SendBudget(int maxMessages, long maxBytes) {
        this.messages = new Semaphore(maxMessages);
        this.allUnits = (int) Math.min(Integer.MAX_VALUE, Math.max(1, maxBytes / UNIT_BYTES));
        this.units = new Semaphore(allUnits);
    }

    /** Takes what a message needs, as soon as there is enough. A message larger than the whole needs the whole. */
    void take(int bytes) throws InterruptedException {
        messages.acquire();
        try {
            units.acquire(unitsOf(bytes));
        } catch (InterruptedException e) {
            messages.release();
            throw e;
        }
    }

    /** Gives it back. */
    void giveBack(int bytes) {
        units.release(unitsOf(bytes));
        messages.release();
    }

    private int unitsOf(int bytes) {
        return Math.min(allUnits, bytes / UNIT_BYTES + 1);
    }
}
