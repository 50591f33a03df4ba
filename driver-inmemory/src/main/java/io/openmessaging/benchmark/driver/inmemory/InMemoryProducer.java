package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Publishes without faults or delay: the acknowledgement comes before {@link #send} returns. */
final class InMemoryProducer implements BenchmarkProducer {

    /** 2³² divided by the golden ratio: spreads keys that differ little. */
    private static final int SPREAD = 0x9E3779B9;

    private final int id;
    private final Topic topic;
    private final Duration timeout;
    private final int partitions;
    private int nextPartition;

    /**
     * For one topic.
     *
     * @param timeout how long a message may wait for room
     */
    InMemoryProducer(int id, Topic topic, Duration timeout) {
        this.id = id;
        this.topic = topic;
        this.timeout = timeout;
        this.partitions = topic.partitions();
        // Producers that each send little reach all partitions together.
        this.nextPartition = id % partitions;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        int partition = key == null ? takeTurn() : partitionOf(key);
        if (!topic.offer(id, key, payload, partition)) {
            try {
                awaitRoom("message", () -> topic.offer(id, key, payload, partition));
            } catch (DriverException e) {
                callback.failed(e);
                return;
            }
        }
        callback.acknowledged();
    }

    private int takeTurn() {
        if (partitions == 1) {
            // Not even written: this field may lie on a cache line with another producer's.
            return 0;
        }
        int partition = nextPartition;
        nextPartition = partition + 1 == partitions ? 0 : partition + 1;
        return partition;
    }

    private int partitionOf(String key) {
        long hash = Integer.toUnsignedLong(key.hashCode() * SPREAD);
        return (int) (hash * partitions >>> Integer.SIZE);
    }

    private void awaitRoom(String what, BooleanSupplier attempt) throws DriverException, InterruptedException {
        Backoff backoff = new Backoff();
        long startNs = System.nanoTime();
        do {
            if (topic.isDeleted()) {
                throw new DriverException("Topic " + topic.name() + " was deleted.");
            }
            if (System.nanoTime() - startNs >= timeout.toNanos()) {
                throw new DriverException("Waited " + timeout.toMillis() + " ms for room for a " + what + " in topic "
                        + topic.name() + ": consumers are behind or paused, and queueCapacity or maxBacklogBytes is"
                        + " reached.");
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            backoff.pause();
        } while (!attempt.getAsBoolean());
    }

    @Override
    public void close() throws DriverException {
        if (topic.letOut(id)) {
            return;
        }
        try {
            awaitRoom("message held back by faults.swap", () -> topic.letOut(id));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
