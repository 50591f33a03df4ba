package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.driver.MessageListener;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A consumer that is busy with each message for a while before it takes the next: the message is timed when it arrives,
 * and then the client's thread is kept. That is what an application does that handles messages where it gets them.
 */
public final class SlowListener implements MessageListener {

    private final MessageListener listener;
    private final long delayNs;
    private final Predicate<byte[]> isProbe;

    /**
     * A slow consumer.
     *
     * @param listener is given the messages first
     * @param delay for each message of the load
     * @param isProbe tells messages that are none of the load's from their payload: they cost no time
     */
    public SlowListener(MessageListener listener, Duration delay, Predicate<byte[]> isProbe) {
        this.listener = listener;
        this.delayNs = delay.toNanos();
        this.isProbe = isProbe;
    }

    @Override
    public boolean mayBlock() {
        return true;
    }

    @Override
    public void received(@Nullable String key, byte[] payload, int partition) {
        received(key, payload, partition, NO_TIME);
    }

    @Override
    public void received(@Nullable String key, byte[] payload, int partition, long timeMs) {
        listener.received(key, payload, partition, timeMs);
        if (isProbe.test(payload)) {
            return;
        }
        long endNs = System.nanoTime() + delayNs;
        // An interrupt, by a client that is being closed, ends the work.
        for (long leftNs = delayNs;
                leftNs > 0 && !Thread.currentThread().isInterrupted();
                leftNs = endNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }
}
