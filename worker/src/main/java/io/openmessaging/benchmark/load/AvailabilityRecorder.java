package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.availability.Availability;
import io.openmessaging.benchmark.availability.LatencyBuckets;
import io.openmessaging.benchmark.availability.SlotCounters;
import io.openmessaging.benchmark.availability.SlotCounts;
import io.openmessaging.benchmark.availability.Slots;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what becomes of the messages of one worker, by the time at which they were to be sent. Its messages have a whole
 * header. Clients are put under watch by one thread; what they do may be seen by any.
 */
public final class AvailabilityRecorder {

    private final int runTag;
    private final LongSupplier clock;
    private final Map<Integer, SlotCounters> sends = new HashMap<>();
    private final SlotCounters publishLatencies = new SlotCounters(LatencyBuckets.COUNT);
    private final SlotCounters deliveryLatencies = new SlotCounters(LatencyBuckets.COUNT);

    /**
     * Nothing seen yet.
     *
     * @param runTag by which the run knows its own messages
     * @param clock epoch nanoseconds
     */
    public AvailabilityRecorder(int runTag, LongSupplier clock) {
        this.runTag = runTag;
        this.clock = clock;
    }

    /**
     * A driver's producer under watch.
     *
     * @param producer its number
     */
    public BenchmarkProducer watch(BenchmarkProducer client, int producer) {
        SlotCounters counters = new SlotCounters(Availability.KINDS);
        sends.put(producer, counters);
        return new WatchedProducer(client, counters);
    }

    /** A consumer's listener under watch. */
    public MessageListener watch(MessageListener listener) {
        return new WatchedListener(listener);
    }

    private boolean isOfLoad(byte[] payload) {
        return MessageHeader.isOfRun(payload, runTag) && MessageHeader.producer(payload) != MessageHeader.PROBE;
    }

    /** What was seen until now. Called by the thread that puts clients under watch. */
    public Availability seen() {
        Map<Integer, SlotCounts> counts = new HashMap<>();
        sends.forEach((producer, counters) -> counts.put(producer, counters.counts()));
        return new Availability(counts, publishLatencies.counts(), deliveryLatencies.counts());
    }

    private final class WatchedProducer implements BenchmarkProducer {

        private final BenchmarkProducer client;
        private final SlotCounters counters;

        WatchedProducer(BenchmarkProducer client, SlotCounters counters) {
            this.client = client;
            this.counters = counters;
        }

        @Override
        public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
            if (!isOfLoad(payload)) {
                client.send(key, payload, callback);
                return;
            }
            long intendedNs = MessageHeader.intendedNs(payload);
            long slot = Slots.of(intendedNs);
            counters.add(slot, Availability.DUE);
            try {
                client.send(key, payload, new WatchedCallback(callback, counters, intendedNs));
            } catch (Throwable e) {
                // There will be no callback.
                counters.add(slot, Availability.FAILED);
                throw e;
            }
        }

        @Override
        public void close() throws DriverException {
            client.close();
        }
    }

    private final class WatchedCallback implements SendCallback {

        private final SendCallback callback;
        private final SlotCounters counters;
        private final long intendedNs;

        WatchedCallback(SendCallback callback, SlotCounters counters, long intendedNs) {
            this.callback = callback;
            this.counters = counters;
            this.intendedNs = intendedNs;
        }

        @Override
        public void acknowledged() {
            long latencyNs = clock.getAsLong() - intendedNs;
            callback.acknowledged();
            long slot = Slots.of(intendedNs);
            publishLatencies.add(slot, LatencyBuckets.of(latencyNs));
            if (latencyNs <= Slots.ON_TIME_NS) {
                counters.add(slot, Availability.ON_TIME);
            }
        }

        @Override
        public void failed(Throwable cause) {
            callback.failed(cause);
            counters.add(Slots.of(intendedNs), Availability.FAILED);
        }
    }

    private final class WatchedListener implements MessageListener {

        private final MessageListener listener;

        WatchedListener(MessageListener listener) {
            this.listener = listener;
        }

        @Override
        public void received(@Nullable String key, byte[] payload, int partition) {
            if (isOfLoad(payload)) {
                long intendedNs = MessageHeader.intendedNs(payload);
                deliveryLatencies.add(Slots.of(intendedNs), LatencyBuckets.of(clock.getAsLong() - intendedNs));
            }
            listener.received(key, payload, partition);
        }

        @Override
        public boolean mayBlock() {
            return listener.mayBlock();
        }
    }
}
