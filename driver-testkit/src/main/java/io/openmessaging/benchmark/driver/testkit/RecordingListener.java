package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.MessageListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A listener that records its messages and detects overlapping calls. All methods may be called from any thread; those
 * that wait have a limit.
 */
public final class RecordingListener implements MessageListener {

    private final long dwellNs;
    private final AtomicInteger callsInside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final List<ReceivedMessage> messages = new ArrayList<>();

    /** Creates a listener that returns from each call as fast as it can. */
    public RecordingListener() {
        this(Duration.ZERO);
    }

    /**
     * Creates a listener that dwells in each call, so that an overlapping call is certain to be noticed.
     *
     * @param dwell the duration of each call, spent busy-waiting; microseconds rather than milliseconds, since a
     *     listener does not block
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

    /** Returns the messages that have arrived so far, in the order of the calls. */
    public synchronized List<ReceivedMessage> messages() {
        return List.copyOf(messages);
    }

    /** Returns how many messages have arrived so far. */
    public synchronized int count() {
        return messages.size();
    }

    /** Returns how many calls started while another one was still in progress. */
    public int overlaps() {
        return overlaps.get();
    }

    /**
     * Waits for messages and returns all that have arrived by then.
     *
     * @throws AssertionError if fewer have arrived within the limit
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
     * @param quiet the time without a message
     * @param limit the maximum wait for such a time
     * @return the total number of messages that have arrived
     * @throws AssertionError if messages keep arriving until the limit
     */
    public synchronized int awaitQuiet(Duration quiet, Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.in(limit);
        while (!deadline.hasPassed()) {
            if (!reaches(messages.size() + 1, quiet)) {
                return messages.size();
            }
        }
        throw new AssertionError("Waited " + limit.toMillis() + " ms for " + quiet.toMillis()
                + " ms without a message: they keep coming, " + messages.size() + " so far.");
    }

    private synchronized boolean reaches(int count, Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.in(limit);
        while (messages.size() < count && !deadline.hasPassed()) {
            wait(deadline.leftMs());
        }
        return messages.size() >= count;
    }

    /**
     * The arguments of one call.
     *
     * @param key the key as it arrived, or null
     * @param payload a copy of the bytes, made during the call
     * @param partition the partition reported by the driver
     * @param timeMs the system's time of the message, ms, or {@link MessageListener#NO_TIME}
     */
    public record ReceivedMessage(@Nullable String key, byte[] payload, int partition, long timeMs) {}
}
