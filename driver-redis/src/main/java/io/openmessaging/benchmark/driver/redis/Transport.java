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
 * How messages travel in one mode: what a topic is made of in Redis, who sends to it and who reads it. Everything is done
 * within control calls, and throws {@code JedisException} if Redis refuses.
 */
interface Transport extends AutoCloseable {

    /** Turns a message into the commands of one mode. Used by one thread. */
    interface Publisher {

        /** Submits the commands; the callback is called once, when the last of them is answered. */
        void publish(CommandSink sink, int partition, @Nullable String key, byte[] payload, SendCallback callback)
                throws InterruptedException;
    }

    /** Creates what a topic has to consist of before it is used. */
    default void create(TopicSpec topic) {}

    /** Removes what subscriptions of this run have left in an existing topic, which only one mode has. */
    default void deleteGroups(TopicSpec topic) {}

    /** The keys to be removed with a topic: lists of some that lie on one node. */
    List<List<String>> keys(TopicSpec topic);

    /** Turns the messages of a producer into commands. */
    Publisher publisher(ProducerSpec spec) throws InterruptedException;

    /**
     * Makes subscriptions known to Redis and decides which partitions each consumer reads; one that is not in the map
     * reads none.
     */
    Map<ConsumerSpec, List<Integer>> attach(List<ConsumerGroup> groups);

    /** The same for subscriptions that begin with the oldest message; empty in a mode that keeps none that was read. */
    default Optional<Map<ConsumerSpec, List<Integer>>> attachAtOldest(List<ConsumerGroup> groups) {
        return Optional.empty();
    }

    /** For consumers who all read all partitions of their topic, since Redis shares the messages out among them. */
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
     * What brings a consumer the messages of these partitions, over one connection.
     *
     * @param wait how long a read waits for messages, where Redis is asked for them
     */
    MessageSource source(ConsumerSpec spec, List<Integer> partitions, MessageListener listener, Duration wait);

    /** Gives up partitions that a consumer had for itself alone, so that a later one of its subscription can have them. */
    default void release(ConsumerSpec spec, List<Integer> partitions) {}

    @Override
    default void close() {}
}
