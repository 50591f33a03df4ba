package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.redis.link.CommandSink;
import io.openmessaging.benchmark.driver.redis.link.Lanes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to one topic.
 *
 * @param lanes where commands about each partition go
 * @param timeout of a close
 */
record RedisBenchmarkProducer(Partitions partitions, Transport.Publisher publisher, Lanes lanes, Duration timeout)
        implements BenchmarkProducer {

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        int partition = partitions.of(key);
        CommandSink sink = lanes.begin(partition);
        try {
            publisher.publish(sink, partition, key, payload, callback);
        } finally {
            lanes.end();
        }
    }

    /** Writes what is held back; called every {@code flushInterval} by another thread. */
    void flush() {
        lanes.flush();
    }

    @Override
    public void close() {
        lanes.close(Deadline.in(timeout));
    }

    /** Releases the connections at once. */
    void abort() {
        lanes.close(Deadline.in(Duration.ZERO));
    }
}
