package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.link.CommandSink;
import io.openmessaging.benchmark.driver.redis.read.MessageSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How messages travel in one mode: the keys of a topic in Redis, how to send to it and how to read it. All methods run
 * within control calls and throw {@code JedisException} if Redis refuses.
 */
interface Transport extends AutoCloseable {

    /** Turns a message into the commands of one mode. Used by one thread. */
    interface Publisher {

        /** Submits the commands of one message; the callback is called once, when the last command is answered. */
        void publish(CommandSink sink, int partition, @Nullable String key, byte[] payload, SendCallback callback)
                throws InterruptedException;
    }

    /** Creates what must exist before a topic is used. */
    default void create(TopicSpec topic) {}

    /** Removes the consumer groups of this run from an existing topic; only mode STREAM has those. */
    default void deleteGroups(TopicSpec topic) {}

    /** Returns the keys to delete with a topic, in lists whose keys are all on one node. */
    List<List<String>> keys(TopicSpec topic);

    /** Returns a publisher for the messages of a producer. */
    Publisher publisher(ProducerSpec spec) throws InterruptedException;

    /**
     * Registers subscriptions in Redis and decides which partitions each consumer reads; a consumer that is not in the
     * map reads none.
     */
    Map<ConsumerSpec, List<Integer>> attach(List<ConsumerGroup> groups);

    /**
     * Like {@link #attach}, for subscriptions that start at the oldest message; empty in a mode that does not keep
     * messages once they are read.
     */
    default Optional<Map<ConsumerSpec, List<Integer>>> attachAtOldest(List<ConsumerGroup> groups) {
        return Optional.empty();
    }

    /** Assigns all partitions of its topic to every consumer, since Redis shares the messages out among them. */
    static Map<ConsumerSpec, List<Integer>> allPartitions(List<ConsumerGroup> groups) {
        Map<ConsumerSpec, List<Integer>> partitions = new HashMap<>();
        for (ConsumerGroup group : groups) {
            List<Integer> all =
                    IntStream.range(0, group.topic().partitions()).boxed().toList();
            group.members().forEach(consumer -> partitions.put(consumer, all));
        }
        return partitions;
    }

    /**
     * Creates a source of the messages of these partitions, over one connection.
     *
     * @param wait time for which a read waits for messages, where Redis is polled
     */
    MessageSource source(ConsumerSpec spec, List<Integer> partitions, MessageListener listener, Duration wait);

    /** Releases partitions that only this consumer had, so that a later one of its subscription can take them. */
    default void release(ConsumerSpec spec, List<Integer> partitions) {}

    @Override
    default void close() {}
}
