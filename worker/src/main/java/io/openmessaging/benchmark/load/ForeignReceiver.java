package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.measure.Consumed;
import io.openmessaging.benchmark.measure.Measurements;
import org.jspecify.annotations.Nullable;

/**
 * Receives the messages of one consumer in a run without producers. It counts every message, whoever sent it, and
 * times it by the timestamp that the system gave it. Called by one thread at a time, as the driver promises.
 */
public final class ForeignReceiver implements MessageListener {

    private final int subscription;
    private final Measurements measurements;
    private final Consumed.ConsumerCounts counts;

    /**
     * Creates the receiver.
     *
     * @param subscription the index of the consumer's subscription
     * @param measurements the measurements of this worker, whose clock times messages
     * @param counts the counts of this consumer
     */
    public ForeignReceiver(int subscription, Measurements measurements, Consumed.ConsumerCounts counts) {
        this.subscription = subscription;
        this.measurements = measurements;
        this.counts = counts;
    }

    @Override
    public void received(@Nullable String key, byte[] payload, int partition) {
        received(key, payload, partition, NO_TIME);
    }

    @Override
    public void received(@Nullable String key, byte[] payload, int partition, long timeMs) {
        long nowNs = measurements.clock().getAsLong();
        counts.note(payload.length, nowNs, timeMs);
        measurements.received(subscription, nowNs, Measurements.NOT_STAMPED, Measurements.NOT_STAMPED);
    }
}
