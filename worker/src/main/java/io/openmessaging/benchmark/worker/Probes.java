package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.load.KeyDistributor;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.worker.protocol.Topology;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether every partition of every topic delivers to every subscription, with messages that are not part of
 * the load. In a topic with several partitions, keys determine the partition of a probe, and it takes some rounds to
 * reach all.
 */
final class Probes {

    /** Number of probes that a round sends to a topic for each of its partitions. */
    private static final int PROBES_PER_PARTITION = 2;

    private final int runTag;
    private final Topology topology;
    private final int scratchBytes;
    private final KeyDistributor keys;

    /** Paths open in the current series; also the lock for it. */
    private final BitSet arrived = new BitSet();

    private long series;
    private final AtomicLong copiesOnTheirWay = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> lastError = new AtomicReference<>();

    /** Number of bytes at the start of a message that the driver overwrites, as a probe has shown; 0 if none has. */
    private final AtomicInteger overwrittenBytes = new AtomicInteger();

    /**
     * Creates probes of which none has been sent.
     *
     * @param scratchBytes number of bytes of each message that the driver takes for itself
     */
    Probes(int runTag, Topology topology, int scratchBytes) {
        this.runTag = runTag;
        this.topology = topology;
        this.scratchBytes = scratchBytes;
        this.keys = KeyDistributor.random(runTag);
    }

    /** Starts a series if its number is new: from now on only its probes count. */
    void begin(long wanted) {
        synchronized (arrived) {
            if (wanted > series) {
                series = wanted;
                arrived.clear();
                copiesOnTheirWay.set(0);
                lastError.set(null);
            }
        }
    }

    /**
     * Counts a probe that has arrived at a consumer. If its worker has started the next series a little earlier than
     * this one, that series starts here as well.
     */
    void arrived(long ofSeries, int topic, int subscription, int partition) {
        synchronized (arrived) {
            // Workers send no other numbers.
            if (ofSeries == series + 1) {
                begin(ofSeries);
            }
            if (ofSeries == series) {
                copiesOnTheirWay.decrementAndGet();
                arrived.set(topology.probeIndex(topic, subscription, partition));
            }
        }
    }

    /** Finds out which bytes of a probe the driver has overwritten. */
    void changed(byte[] payload) {
        byte[] sent = MessageHeader.probe(runTag, series(), 0);
        int bytes = sent.length;
        while (bytes > 0 && payload[bytes - 1] == sent[bytes - 1]) {
            bytes--;
        }
        overwrittenBytes.accumulateAndGet(bytes, Math::max);
    }

    /** Returns what a driver that overwrites messages needs, as a sentence; empty if it leaves them as they are. */
    Optional<String> overwritten() {
        int bytes = overwrittenBytes.get();
        if (bytes == 0) {
            return Optional.empty();
        }
        // A byte may keep its value by chance, so the number of bytes is rounded up.
        int needed = (scratchBytes + bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
        return Optional.of(
                "the driver overwrites the start of each message, where the harness has its header: add omb: {scratchBytes: "
                        + needed
                        + "} to the driver file, which works for drivers of OMB; any other driver must leave payloads as they"
                        + " are");
    }

    BitSet arrived() {
        synchronized (arrived) {
            return (BitSet) arrived.clone();
        }
    }

    /**
     * Copies sent from here and not refused, minus copies that arrived here: in sum over all workers, the number in
     * flight.
     */
    long onTheirWay() {
        return copiesOnTheirWay.get();
    }

    /** The error of the last probe that could not be sent. */
    Optional<Throwable> lastError() {
        return Optional.ofNullable(lastError.get());
    }

    /** Returns whether a topic has a path on which no probe has arrived. */
    boolean isMissing(int topic, BitSet arrivedAnywhere) {
        int first = topology.probeIndex(topic, 0, 0);
        int end = topology.probeIndex(topic + 1, 0, 0);
        return arrivedAnywhere.nextClearBit(first) < end;
    }

    void send(BenchmarkProducer producer, PayloadOwnership ownership) throws InterruptedException {
        int partitions = topology.partitionsTold();
        int count = partitions == 1 ? 1 : partitions * PROBES_PER_PARTITION;
        long current = series();
        byte[] payload = newProbe(current);
        for (int i = 0; i < count; i++) {
            copiesOnTheirWay.addAndGet(topology.subscriptionCount());
            producer.send(partitions == 1 ? null : keys.next(0), payload, new ProbeCallback());
            if (ownership == PayloadOwnership.KEPT_AFTER_SEND) {
                payload = newProbe(current);
            }
        }
    }

    private long series() {
        synchronized (arrived) {
            return series;
        }
    }

    private byte[] newProbe(long ofSeries) {
        return MessageHeader.probe(runTag, ofSeries, scratchBytes);
    }

    private final class ProbeCallback implements SendCallback {
        @Override
        public void acknowledged() {
            // Only the arrival counts.
        }

        @Override
        public void failed(Throwable cause) {
            lastError.set(cause);
            copiesOnTheirWay.addAndGet(-topology.subscriptionCount());
        }
    }
}
