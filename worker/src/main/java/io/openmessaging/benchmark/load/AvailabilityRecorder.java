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
 * Counts the outcome of one worker's messages by their intended send time, converted to the coordinator's clock,
 * because the times of faults are in that clock. Messages must have a full header. One thread wraps the clients; the
 * wrapped clients may be used by any thread.
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
     * Creates a recorder without any counts.
     *
     * @param runTag the tag that identifies messages of this run
     * @param clock epoch nanoseconds
     * @param clocks offsets of all workers' clocks from the coordinator's; null if there is only one worker, whose
     *     clock is the coordinator's
     */
    public AvailabilityRecorder(int runTag, LongSupplier clock, @Nullable SenderClocks clocks) {
        this.runTag = runTag;
        this.clock = clock;
        this.clocks = clocks;
    }

    /**
     * Wraps a driver's producer so that its messages are counted.
     *
     * @param producer the producer's number
     */
    public BenchmarkProducer watch(BenchmarkProducer client, int producer) {
        SlotCounters counters = new SlotCounters(Availability.KINDS);
        sends.put(producer, counters);
        return new WatchedProducer(client, producer, counters);
    }

    /** Wraps a consumer's listener so that its messages are counted. */
    public MessageListener watch(MessageListener listener) {
        return new WatchedListener(listener);
    }

    private boolean isOfLoad(byte[] payload) {
        return MessageHeader.isOfRun(payload, runTag) && MessageHeader.producer(payload) != MessageHeader.PROBE;
    }

    /** Converts a time of a producer's clock to the coordinator's clock. */
    private long ofCoordinatorNs(int producer, long ns) {
        return clocks == null ? ns : ns - clocks.aheadOfCoordinatorNs(producer);
    }

    /** Returns the time from the intended send until now. */
    private long deliveryLatencyNs(int producer, long intendedNs) {
        Offset sender = clocks == null ? null : clocks.of(producer);
        return clock.getAsLong() - intendedNs + (sender == null ? 0 : sender.aheadNs());
    }

    /** Returns the counts so far. Called by the thread that wraps the clients. */
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
                // By the driver's contract there is no callback after an exception.
                count(dueNs, Availability.FAILED);
                throw e;
            }
        }

        /** Counts one message of a kind, at a time of the coordinator's clock. */
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

        /**
         * By the coordinator's clock. Computed once, since the known clock offset may have changed when the answer
         * arrives.
         */
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
