package io.openmessaging.benchmark.driver.rabbitmq.stream;

import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.connection.Channels;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RecoveringConnection;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Ensures that a subscription of a stream topic is read by one worker only. RabbitMQ gives a stream to every reader, so
 * consumers of a subscription can share its partitions only by agreement: the driver divides them among consumers that
 * are created together. With others on a second worker, each message would arrive twice.
 *
 * <p>An exclusive queue represents the claim: no second connection can declare it, and it disappears with its
 * connection. Not needed with {@code streamSingleActiveConsumer}, where the broker divides streams among all workers.
 * Thread-safe.
 */
final class StreamSubscriptions {

    private static final int RESOURCE_LOCKED = 405;

    private final RecoveringConnection connection;
    private final Map<String, Integer> openConsumers = new HashMap<>();

    StreamSubscriptions(RecoveringConnection connection) {
        this.connection = connection;
    }

    /**
     * Takes a subscription for consumers, each of which must be {@linkplain #release released}.
     *
     * @throws DriverException if it is taken
     */
    synchronized void take(ConsumerGroup group) throws Exception {
        String name = nameOf(group.topic(), group.subscription());
        DriverException taken = new DriverException("Could not read the subscription '" + group.subscription()
                + "' of topic '" + group.topic().name()
                + "': it has consumers already, and all consumers of a stream's"
                + " subscription must be created together, on one worker, unless streamSingleActiveConsumer is true");
        if (openConsumers.containsKey(name)) {
            throw taken;
        }
        try {
            connection.on(channel -> channel.queueDeclare(name, false, true, false, Map.of()));
        } catch (IOException e) {
            if (Channels.replyCode(e) == RESOURCE_LOCKED) {
                throw taken;
            }
            throw e;
        }
        openConsumers.put(name, group.members().size());
    }

    /** Releases one consumer, which was closed. */
    synchronized void release(ConsumerSpec consumer) {
        String name = nameOf(consumer.topic(), consumer.subscription());
        Integer left = openConsumers.computeIfPresent(name, (n, count) -> count - 1);
        if (left != null && left == 0) {
            giveUp(name);
        }
    }

    /** Gives up a subscription whose consumers are closed or will not be created. Does nothing if it is not taken. */
    synchronized void giveUp(ConsumerGroup group) {
        giveUp(nameOf(group.topic(), group.subscription()));
    }

    private void giveUp(String name) {
        if (openConsumers.remove(name) == null) {
            return;
        }
        try {
            connection.on(channel -> channel.queueDelete(name));
        } catch (Exception e) {
            // The connection is lost, and the queue with it.
        }
    }

    private static String nameOf(TopicSpec topic, String subscription) {
        return topic.name() + "." + subscription + ".readers";
    }
}
