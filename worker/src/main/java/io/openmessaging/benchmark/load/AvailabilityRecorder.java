package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.availability.Availability;
import io.openmessaging.benchmark.availability.LatencyBuckets;
import io.openmessaging.benchmark.availability.SlotCounters;
import io.openmessaging.benchmark.availability.SlotCounts;
import io.openmessaging.benchmark.availability.Slots;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what becomes of the messages of one worker, by the time at which they were to be sent, by the coordinator's clock: that
 * is whose time faults have. Its messages have a whole header. Clients are put under watch by one thread; what they do may be seen by any.
 */
public final class AvailabilityRecorder {

    private final int runTag;
    private final LongSupplier clock;
    private final @Nullable SenderClocks clocks;
    private final Map<Integer, SlotCounters> sends = new HashMap<>();
    private final SlotCounters publishLatencies = new SlotCounters(LatencyBuckets.COUNT);
    private final SlotCounters deliveryLatencies = new SlotCounters(LatencyBuckets.COUNT);

    /**
     * Nothing seen yet.
     *
     * @param runTag by which the run knows its own messages
     * @param clock epoch nanoseconds
     * @param clocks how far the clocks of all workers are from the coordinator's; null if there is one worker, which has its
     *     clock
     */
    public AvailabilityRecorder(int runTag, LongSupplier clock, @Nullable SenderClocks clocks) {
        this.runTag = runTag;
        this.clock = clock;
        this.clocks = clocks;
    }

    /**
     * A driver's producer under watch.
     *
     * @param producer its number
     */
    public BenchmarkProducer watch(BenchmarkProducer client, int producer) {
        SlotCounters counters = new SlotCounters(Availability.KINDS);
        sends.put(producer, counters);
        return new WatchedProducer(client, producer, counters);
    }

    /** A consumer's listener under watch. */
    public MessageListener watch(MessageListener listener) {
        return new WatchedListener(listener);
    }

    private boolean isOfLoad(byte[] payload) {
        return MessageHeader.isOfRun(payload, runTag) && MessageHeader.producer(payload) != MessageHeader.PROBE;
    }

    /** Of a message that was to be sent at a time by its producer's clock. */
    private long slot(int producer, long intendedNs) {
        return Slots.of(clocks == null ? intendedNs : intendedNs - clocks.aheadOfCoordinatorNs(producer));
    }

    /** From the intended send to now. */
    private long deliveryLatencyNs(int producer, long intendedNs) {
        Offset sender = clocks == null ? null : clocks.of(producer);
        return clock.getAsLong() - intendedNs + (sender == null ? 0 : sender.aheadNs());
    }

    /** What was seen until now. Called by the thread that puts clients under watch. */
    public Availability seen() {
        Map<Integer, SlotCounts> counts = new HashMap<>();
        sends.forEach((producer, counters) -> counts.put(producer, counters.counts()));
        return new Availability(counts, publishLatencies.counts(), deliveryLatencies.counts());
    }

    private final class WatchedProducer implements BenchmarkProducer {

        private final BenchmarkProducer client;
        private final int producer;
        private final SlotCounters counters;

        WatchedProducer(BenchmarkProducer client, int producer, SlotCounters counters) {
            this.client = client;
            this.producer = producer;
            this.counters = counters;
        }

        @Override
        public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
            if (!isOfLoad(payload)) {
                client.send(key, payload, callback);
                return;
            }
            long intendedNs = MessageHeader.intendedNs(payload);
            long slot = slot(producer, intendedNs);
            counters.add(slot, Availability.DUE);
            try {
                client.send(key, payload, new WatchedCallback(callback, counters, intendedNs, slot));
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

        /** Kept, since what is known of clocks may be another by the time of the answer. */
        private final long slot;

        WatchedCallback(SendCallback callback, SlotCounters counters, long intendedNs, long slot) {
            this.callback = callback;
            this.counters = counters;
            this.intendedNs = intendedNs;
            this.slot = slot;
        }

        @Override
        public void acknowledged() {
            long latencyNs = clock.getAsLong() - intendedNs;
            callback.acknowledged();
            publishLatencies.add(slot, LatencyBuckets.of(latencyNs));
            if (latencyNs <= Slots.ON_TIME_NS) {
                counters.add(slot, Availability.ON_TIME);
            }
        }

        @Override
        public void failed(Throwable cause) {
            callback.failed(cause);
            counters.add(slot, Availability.FAILED);
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
                int producer = MessageHeader.producer(payload);
                long intendedNs = MessageHeader.intendedNs(payload);
                deliveryLatencies.add(
                        slot(producer, intendedNs), LatencyBuckets.of(deliveryLatencyNs(producer, intendedNs)));
            }
            listener.received(key, payload, partition);
        }

        @Override
        public boolean mayBlock() {
            return listener.mayBlock();
        }
    }
}
