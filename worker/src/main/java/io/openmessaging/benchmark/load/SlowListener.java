package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.driver.MessageListener;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A listener that spends a fixed time on each message: it times the message on arrival, and then keeps the client's
 * thread busy. An application does the same if it processes messages in the receiving thread.
 */
public final class SlowListener implements MessageListener {

    private final MessageListener listener;
    private final long delayNs;
    private final Predicate<byte[]> isProbe;

    /**
     * Creates the listener.
     *
     * @param listener receives the messages first
     * @param delay time per message of the load
     * @param isProbe returns, from the payload, whether a message is not part of the load; such messages take no time
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
        // An interrupt, by a client that is being closed, ends the delay.
        for (long leftNs = delayNs;
                leftNs > 0 && !Thread.currentThread().isInterrupted();
                leftNs = endNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }
}
