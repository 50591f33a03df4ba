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
 * Sees to it that a subscription of a stream topic is read from one place only. RabbitMQ gives a stream to everybody who
 * reads it, so that consumers of a subscription can share its partitions only by agreement: the driver shares them out
 * among those that are created together. Were there others, on another worker, each message would come twice.
 *
 * <p>Held by an exclusive queue, which no second connection can declare and which goes with its connection. Not needed with
 * {@code streamSingleActiveConsumer}, where the broker does the sharing, among all workers. Thread-safe.
 */
final class StreamSubscriptions {

    private static final int RESOURCE_LOCKED = 405;

    private final RecoveringConnection connection;
    private final Map<String, Integer> openConsumers = new HashMap<>();

    StreamSubscriptions(RecoveringConnection connection) {
        this.connection = connection;
    }

    /**
     * Takes a subscription, for consumers each of which has to be {@linkplain #release released}.
     *
     * @throws DriverException if it is taken
     */
    synchronized void take(ConsumerGroup group) throws Exception {
        String name = nameOf(group.topic(), group.subscription());
        DriverException taken = new DriverException(
                "Could not read the subscription '" + group.subscription()
                        + "' of topic '" + group.topic().name()
                        + "': it has consumers already, and all consumers of a stream's"
                        + " subscription have to be created together, on one worker, unless streamSingleActiveConsumer is true");
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

    /** One of the consumers is closed. */
    synchronized void release(ConsumerSpec consumer) {
        String name = nameOf(consumer.topic(), consumer.subscription());
        Integer left = openConsumers.computeIfPresent(name, (n, count) -> count - 1);
        if (left != null && left == 0) {
            giveUp(name);
        }
    }

    /** Whatever there was of consumers is closed, or will not be created. Does nothing if nothing is taken. */
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
