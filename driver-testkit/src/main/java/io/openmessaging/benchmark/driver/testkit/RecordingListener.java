package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.MessageListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A listener that keeps what it gets and notices calls that overlap. All methods may be called from any thread; the
 * ones that wait do so with a limit.
 */
public final class RecordingListener implements MessageListener {

    private final long dwellNs;
    private final AtomicInteger callsInside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final List<ReceivedMessage> messages = new ArrayList<>();

    /** Returns from each call as fast as it can. */
    public RecordingListener() {
        this(Duration.ZERO);
    }

    /**
     * Stays in each call for a while, so that a second call at the same time is certain to be noticed.
     *
     * @param dwell how long, busy; microseconds rather than milliseconds, since a listener does not block
     */
    public RecordingListener(Duration dwell) {
        this.dwellNs = dwell.toNanos();
    }

    @Override
    public void received(@Nullable String key, byte[] payload, int partition) {
        received(key, payload, partition, NO_TIME);
    }

    @Override
    public void received(@Nullable String key, byte[] payload, int partition, long timeMs) {
        if (callsInside.incrementAndGet() > 1) {
            overlaps.incrementAndGet();
        }
        dwell();
        ReceivedMessage message = new ReceivedMessage(key, payload.clone(), partition, timeMs);
        synchronized (this) {
            messages.add(message);
            notifyAll();
        }
        callsInside.decrementAndGet();
    }

    private void dwell() {
        if (dwellNs > 0) {
            long end = System.nanoTime() + dwellNs;
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** What has arrived so far, in the order of the calls. */
    public synchronized List<ReceivedMessage> messages() {
        return List.copyOf(messages);
    }

    /** How many messages have arrived so far. */
    public synchronized int count() {
        return messages.size();
    }

    /** How many calls began while another one was still in progress. */
    public int overlaps() {
        return overlaps.get();
    }

    /**
     * Waits for messages and returns all that have arrived by then.
     *
     * @throws AssertionError if there are still fewer at the limit
     */
    public synchronized List<ReceivedMessage> awaitMessages(int atLeast, Duration limit) throws InterruptedException {
        if (!reaches(atLeast, limit)) {
            throw new AssertionError("Waited " + limit.toMillis() + " ms for " + atLeast + " messages: "
                    + messages.size() + " have arrived.");
        }
        return List.copyOf(messages);
    }

    /**
     * Waits until no message has arrived for a while.
     *
     * @param quiet how long nothing may arrive
     * @param limit how long to wait for such a while
     * @return how many messages have arrived altogether
     * @throws AssertionError if messages keep coming until the limit
     */
    public synchronized int awaitQuiet(Duration quiet, Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.in(limit);
        while (!deadline.hasPassed()) {
            if (!reaches(messages.size() + 1, quiet)) {
                return messages.size();
            }
        }
        throw new AssertionError("Waited " + limit.toMillis() + " ms for " + quiet.toMillis()
                + " ms without a message: they keep coming, " + messages.size() + " by now.");
    }

    private synchronized boolean reaches(int count, Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.in(limit);
        while (messages.size() < count && !deadline.hasPassed()) {
            wait(deadline.leftMs());
        }
        return messages.size() >= count;
    }
}
