package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the control thread wants of a consumer and what the poll thread says of it. Thread-safe; the poll thread looks
 * once a poll and takes no lock for it.
 */
final class ConsumerState {

    private volatile boolean attaching = true;
    private volatile boolean pauseWanted;
    private volatile boolean closing;
    private volatile @Nullable Membership membership;

    // Changed under the lock of this object, on which the control thread waits.
    private boolean paused;
    private boolean left;
    private boolean released;
    private @Nullable DriverException failure;

    // The control thread

    /** Asks for a pause, or for its end. */
    void wantPause(boolean wanted) {
        pauseWanted = wanted;
    }

    /** Asks the poll thread to end. */
    synchronized void wantClose() {
        closing = true;
        notifyAll();
    }

    /** From now on a failure is one of the run, no longer one of the creation. */
    synchronized void endAttaching() {
        attaching = false;
    }

    /** The place in the group; null while it is not known, or not to be relied on. */
    @Nullable
    Membership membership() {
        return membership;
    }

    /** Why the poll thread has ended by itself; null if it has not. */
    synchronized @Nullable DriverException failure() {
        return failure;
    }

    /** Waits until the poll thread has paused or resumed, or polls no more; returns whether it has done the former. */
    synchronized boolean awaitPaused(boolean wanted, Deadline deadline) throws InterruptedException {
        await(() -> paused == wanted || left, deadline);
        return paused == wanted;
    }

    /** Waits until the poll thread delivers no more and has left the group; returns whether it has. */
    synchronized boolean awaitLeft(Deadline deadline) throws InterruptedException {
        await(() -> left, deadline);
        return left;
    }

    /** Waits until the poll thread has released the client; returns whether it has. */
    synchronized boolean awaitReleased(Deadline deadline) throws InterruptedException {
        await(() -> released, deadline);
        return released;
    }

    private void await(BooleanSupplier condition, Deadline deadline) throws InterruptedException {
        while (!condition.getAsBoolean() && !deadline.hasPassed()) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, deadline.leftNs()));
        }
    }

    // The poll thread

    boolean isAttaching() {
        return attaching;
    }

    boolean isClosing() {
        return closing;
    }

    boolean isPauseWanted() {
        return pauseWanted;
    }

    /** The pause has begun or ended. */
    synchronized void paused(boolean now) {
        paused = now;
        notifyAll();
    }

    /** The place in the group is known, or, for null, no longer. */
    void joined(@Nullable Membership now) {
        membership = now;
    }

    /** Waits for a while, or until this is to be closed. The poll thread is never interrupted. */
    synchronized void rest(Duration duration) throws InterruptedException {
        await(() -> closing, Deadline.in(duration));
    }

    /** The poll thread ends for this reason; returns whether the run has to be told. */
    synchronized boolean failed(DriverException cause) {
        failure = cause;
        return !attaching && !closing;
    }

    /** Nothing is delivered any more, and the group is left. */
    synchronized void left() {
        left = true;
        notifyAll();
    }

    /** The last call of the poll thread: the client is closed. */
    synchronized void released() {
        released = true;
        notifyAll();
    }
}
