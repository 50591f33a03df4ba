package io.openmessaging.benchmark.driver.rocketmq.client;

import java.util.concurrent.Semaphore;

/**
 * Limits what the producers of one connection have in flight together. Neither of RocketMQ's clients has a limit by
 * default: they accept messages until the memory is full. Thread-safe.
 */
public final class SendBudget {

    private static final int UNIT_BYTES = 1024;

    private final Semaphore messages;
    private final Semaphore units;
    private final int allUnits;

    /** Starts with the whole budget left. */
    public SendBudget(int maxMessages, long maxBytes) {
        this.messages = new Semaphore(maxMessages);
        this.allUnits = (int) Math.min(Integer.MAX_VALUE, Math.max(1, maxBytes / UNIT_BYTES));
        this.units = new Semaphore(allUnits);
    }

    /** Takes the budget for a message, once enough is left. A message larger than the whole budget takes all of it. */
    void take(int bytes) throws InterruptedException {
        messages.acquire();
        try {
            units.acquire(unitsOf(bytes));
        } catch (InterruptedException e) {
            messages.release();
            throw e;
        }
    }

    /** Returns the budget of a message. */
    void giveBack(int bytes) {
        units.release(unitsOf(bytes));
        messages.release();
    }

    private int unitsOf(int bytes) {
        return Math.min(allUnits, bytes / UNIT_BYTES + 1);
    }
}
