package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The callback of one message, which keeps every call it gets. All methods may be called from any thread; the ones that
 * wait do so with a limit.
 */
public final class RecordingCallback implements SendCallback {

    private final String message;
    private final List<Throwable> failures = new ArrayList<>();
    private int acknowledgements;

    /** For one message, which the given words name in a failure. */
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

    /** How often either method has been called; 1 once the client is done with the message. */
    public synchronized int calls() {
        return acknowledgements + failures.size();
    }

    /** How often {@link #acknowledged} has been called. */
    public synchronized int acknowledgements() {
        return acknowledgements;
    }

    /** The cause of each call of {@link #failed}. */
    public synchronized List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /**
     * Waits until the message is acknowledged.
     *
     * @throws AssertionError if it fails, or if nothing was called by the limit
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
     * @throws AssertionError if it is acknowledged, or if nothing was called by the limit
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

    /** What has become of the message so far. */
    @Override
    public synchronized String toString() {
        return message + ": acknowledged " + acknowledgements + " times, failed " + failures.size() + " times "
                + failures;
    }
}
