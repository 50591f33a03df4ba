package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Publishes without faults or delay: acknowledges before {@link #send} returns. */
final class InMemoryProducer implements BenchmarkProducer {

    private final int id;
    private final Topic topic;
    private final Duration timeout;
    private final Partitions partitions;

    /**
     * Creates a producer for one topic.
     *
     * @param timeout how long a message may wait for room
     */
    InMemoryProducer(int id, Topic topic, Duration timeout) {
        this.id = id;
        this.topic = topic;
        this.timeout = timeout;
        // Starts at a partition that depends on the id, so that producers that each send little reach all partitions
        // together.
        this.partitions = new Partitions(topic.partitions(), id);
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        int partition = partitions.of(key);
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
        if (topic.releaseHeldBack(id)) {
            return;
        }
        try {
            awaitRoom("message held back by faults.swap", () -> topic.releaseHeldBack(id));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
