package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The callback of one message, which records every call. All methods may be called from any thread; those that wait
 * have a limit.
 */
public final class RecordingCallback implements SendCallback {

    private final String message;
    private final List<Throwable> failures = new ArrayList<>();
    private int acknowledgements;

    /** Creates the callback of one message, which failures describe by the given words. */
    public RecordingCallback(String message) {
        this.message = message;
    }

    @Override
    public synchronized void acknowledged() {
        acknowledgements++;
        notifyAll();
    }

    @Override
    public synchronized void failed(Throwable cause) {
        failures.add(cause);
        notifyAll();
    }

    /** Returns how often either method has been called; 1 once the client is done with the message. */
    public synchronized int calls() {
        return acknowledgements + failures.size();
    }

    /** Returns how often {@link #acknowledged} has been called. */
    public synchronized int acknowledgements() {
        return acknowledgements;
    }

    /** Returns the cause of each call of {@link #failed}. */
    public synchronized List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /**
     * Waits until the message is acknowledged.
     *
     * @throws AssertionError if it fails, or if neither method was called within the limit
     */
    public synchronized void awaitAcknowledged(Duration limit) throws InterruptedException {
        awaitCall(limit);
        if (!failures.isEmpty()) {
            throw new AssertionError("The send of " + message + " failed: " + failures.get(0), failures.get(0));
        }
    }

    /**
     * Waits until the message has failed.
     *
     * @return the cause
     * @throws AssertionError if it is acknowledged, or if neither method was called within the limit
     */
    public synchronized Throwable awaitFailed(Duration limit) throws InterruptedException {
        awaitCall(limit);
        if (failures.isEmpty()) {
            throw new AssertionError("The send of " + message + " was acknowledged, but it should have failed.");
        }
        return failures.get(0);
    }

    private synchronized void awaitCall(Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.in(limit);
        while (calls() == 0) {
            if (deadline.hasPassed()) {
                throw new AssertionError(
                        "Waited " + limit.toMillis() + " ms for the callback of " + message + ": it was not called.");
            }
            wait(deadline.leftMs());
        }
    }

    /** Returns the outcome of the message so far. */
    @Override
    public synchronized String toString() {
        return message + ": acknowledged " + acknowledgements + " times, failed " + failures.size() + " times "
                + failures;
    }
}
