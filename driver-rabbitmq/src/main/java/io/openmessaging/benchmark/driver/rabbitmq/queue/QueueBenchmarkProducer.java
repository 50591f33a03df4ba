package io.openmessaging.benchmark.driver.rabbitmq.queue;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses the partition of each message, and sends it on that partition's channel. */
final class QueueBenchmarkProducer implements BenchmarkProducer {

    private final Partitions partitions;
    private final MessageKeys keys;
    private final String[] routingKeys;

    /** By partition; several partitions may share one. */
    private final QueuePublisher[] publishers;

    private final List<QueuePublisher> each;
    private final Duration closeLimit;

    /**
     * Publishes through channels that are attached.
     *
     * @param publishers the publishers by partition
     * @param routingKeys routing keys by partition
     * @param closeLimit limit for outstanding confirms on closing
     */
    QueueBenchmarkProducer(
            int id, List<QueuePublisher> publishers, List<String> routingKeys, MessageKeys keys, Duration closeLimit) {
        this.partitions = new Partitions(publishers.size(), id);
        this.keys = keys;
        this.routingKeys = routingKeys.toArray(String[]::new);
        this.publishers = publishers.toArray(QueuePublisher[]::new);
        this.each = publishers.stream().distinct().toList();
        this.closeLimit = closeLimit;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        int partition = partitions.of(key);
        publishers[partition].send(routingKeys[partition], keys.propertiesFor(key), payload, callback);
    }

    @Override
    public void close() {
        Deadline deadline = Deadline.in(closeLimit);
        each.forEach(publisher -> publisher.close(deadline));
    }

    /** Releases the channels at once; unconfirmed messages fail. */
    void release() {
        each.forEach(QueuePublisher::release);
    }
}
