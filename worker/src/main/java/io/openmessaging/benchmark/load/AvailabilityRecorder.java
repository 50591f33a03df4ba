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
    private final SlotCounters together = new SlotCounters(Availability.KINDS);
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

    /** What a time by a producer's clock is by the coordinator's. */
    private long ofCoordinatorNs(int producer, long ns) {
        return clocks == null ? ns : ns - clocks.aheadOfCoordinatorNs(producer);
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
        return new Availability(counts, together.counts(), publishLatencies.counts(), deliveryLatencies.counts());
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
            long dueNs = ofCoordinatorNs(producer, intendedNs);
            count(dueNs, Availability.DUE);
            try {
                client.send(key, payload, new WatchedCallback(this, callback, intendedNs, dueNs));
            } catch (Throwable e) {
                // There will be no callback.
                count(dueNs, Availability.FAILED);
                throw e;
            }
        }

        /** One more of a kind, at a time by the coordinator's clock. */
        void count(long ns, int kind) {
            counters.add(Slots.of(ns), kind);
            together.add(Slots.fineOf(ns), kind);
        }

        @Override
        public void close() throws DriverException {
            client.close();
        }
    }

    private final class WatchedCallback implements SendCallback {

        private final WatchedProducer producer;
        private final SendCallback callback;
        private final long intendedNs;

        /** By the coordinator's clock. Kept, since what is known of clocks may be another by the time of the answer. */
        private final long dueNs;

        WatchedCallback(WatchedProducer producer, SendCallback callback, long intendedNs, long dueNs) {
            this.producer = producer;
            this.callback = callback;
            this.intendedNs = intendedNs;
            this.dueNs = dueNs;
        }

        @Override
        public void acknowledged() {
            long latencyNs = clock.getAsLong() - intendedNs;
            callback.acknowledged();
            publishLatencies.add(Slots.of(dueNs), LatencyBuckets.of(latencyNs));
            producer.count(dueNs + latencyNs, Availability.ANSWERED);
            if (latencyNs <= Slots.ON_TIME_NS) {
                producer.count(dueNs, Availability.ON_TIME);
            }
        }

        @Override
        public void failed(Throwable cause) {
            callback.failed(cause);
            producer.count(dueNs, Availability.FAILED);
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
                        Slots.of(ofCoordinatorNs(producer, intendedNs)),
                        LatencyBuckets.of(deliveryLatencyNs(producer, intendedNs)));
            }
            listener.received(key, payload, partition);
        }

        @Override
        public boolean mayBlock() {
            return listener.mayBlock();
        }
    }
}
