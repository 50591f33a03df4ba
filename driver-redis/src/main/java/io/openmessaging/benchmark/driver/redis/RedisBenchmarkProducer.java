package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.redis.link.CommandSink;
import io.openmessaging.benchmark.driver.redis.link.NodePipelines;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to one topic.
 *
 * @param pipelines pipelines to the nodes that have the topic's partitions
 * @param timeout time limit for a close
 */
record RedisBenchmarkProducer(
        Partitions partitions, Transport.Publisher publisher, NodePipelines pipelines, Duration timeout)
        implements BenchmarkProducer {

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        int partition = partitions.of(key);
        CommandSink sink = pipelines.begin(partition);
        try {
            publisher.publish(sink, partition, key, payload, callback);
        } finally {
            pipelines.end();
        }
    }

    /** Writes held-back commands; called every {@code flushInterval} by another thread. */
    void flush() {
        pipelines.flush();
    }

    @Override
    public void close() {
        pipelines.close(Deadline.in(timeout));
    }

    /** Releases the connections at once. */
    void abort() {
        pipelines.close(Deadline.in(Duration.ZERO));
    }
}
