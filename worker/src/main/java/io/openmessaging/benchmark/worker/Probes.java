package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.load.KeyDistributor;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.worker.protocol.Topology;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether every partition of every topic delivers to every subscription, by messages that are not part of the
 * load. Where a topic has several partitions, keys decide where a probe goes, and it takes some rounds to hit them all.
 */
final class Probes {

    /** How many probes a round sends to a topic for each partition of it. */
    private static final int PROBES_PER_PARTITION = 2;

    private final int runTag;
    private final Topology topology;
    private final KeyDistributor keys;

    /** Of the series; guards it as well. */
    private final BitSet arrived = new BitSet();

    private long series;
    private final AtomicLong copiesOnTheirWay = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> lastError = new AtomicReference<>();

    Probes(int runTag, Topology topology) {
        this.runTag = runTag;
        this.topology = topology;
        this.keys = KeyDistributor.random(runTag);
    }

    /** From now on only the probes of this series count, unless it is not new. */
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
     * A probe has come to a consumer. It may be from another worker, which has begun its series a little earlier than this
     * one, and then it begins here as well.
     */
    void arrived(long ofSeries, int topic, int subscription, int partition) {
        synchronized (arrived) {
            // Any other number is not one that a worker has sent.
            if (ofSeries == series + 1) {
                begin(ofSeries);
            }
            if (ofSeries == series) {
                copiesOnTheirWay.decrementAndGet();
                arrived.set(topology.probeIndex(topic, subscription, partition));
            }
        }
    }

    BitSet arrived() {
        synchronized (arrived) {
            return (BitSet) arrived.clone();
        }
    }

    /**
     * How many copies were sent from here and not refused, less those that have arrived here: of all workers together, how
     * many are on their way.
     */
    long onTheirWay() {
        return copiesOnTheirWay.get();
    }

    /** The error of the last probe that could not be sent. */
    Optional<Throwable> lastError() {
        return Optional.ofNullable(lastError.get());
    }

    /** Whether a topic is still to be probed. */
    boolean isMissing(int topic, BitSet arrivedAnywhere) {
        int first = topology.probeIndex(topic, 0, 0);
        int end = topology.probeIndex(topic + 1, 0, 0);
        return arrivedAnywhere.nextClearBit(first) < end;
    }

    /** Sends a round of probes to a topic. */
    void send(BenchmarkProducer producer, PayloadOwnership ownership) throws InterruptedException {
        int partitions = topology.partitions();
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
        byte[] payload = new byte[MessageHeader.Layout.FULL.bytes()];
        MessageHeader.writeFull(payload, runTag, MessageHeader.PROBE, ofSeries, 0, 0);
        return payload;
    }

    private final class ProbeCallback implements SendCallback {
        @Override
        public void acknowledged() {
            // Whether it arrives is what counts.
        }

        @Override
        public void failed(Throwable cause) {
            lastError.set(cause);
            copiesOnTheirWay.addAndGet(-topology.subscriptionCount());
        }
    }
}
