package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.openmessaging.benchmark.driver.DriverException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Sees to it that a subscription of a stream topic is read from one place only. RabbitMQ gives a stream to everybody who
 * reads it, so that consumers of a subscription can share its partitions only by agreement: the driver shares them out
 * among those that are created together. Were there others, on another worker, each message would come twice.
 *
 * <p>Held by an exclusive queue, which no second connection can declare and which goes with its connection. (Since
 * RabbitMQ 3.11 there is a <i>single active consumer</i> for streams. It would not be simpler: it decides on one consumer
 * for each partition too, but later and elsewhere.) Thread-safe.
 */
final class StreamSubscriptions {

    private static final int RESOURCE_LOCKED = 405;

    private final Connection connection;
    private final Map<String, Integer> openConsumers = new HashMap<>();

    StreamSubscriptions(Connection connection) {
        this.connection = connection;
    }

    /**
     * Takes a subscription.
     *
     * @param consumers how many are going to read it; each has to be {@linkplain #release released}
     * @throws DriverException if it is taken
     */
    synchronized void take(String topic, String subscription, int consumers) throws IOException, DriverException {
        String name = nameOf(topic, subscription);
        DriverException taken = new DriverException("Could not read the subscription '" + subscription + "' of topic '"
                + topic + "': it has consumers already, and all consumers of a stream's subscription have to be created"
                + " together, on one worker");
        if (openConsumers.containsKey(name)) {
            throw taken;
        }
        Channel channel = Channels.open(connection);
        try {
            channel.queueDeclare(name, false, true, false, Map.of());
        } catch (IOException e) {
            if (Channels.replyCode(e) == RESOURCE_LOCKED) {
                throw taken;
            }
            throw e;
        } finally {
            Channels.close(channel);
        }
        openConsumers.put(name, consumers);
    }

    /** One of the consumers is closed. */
    synchronized void release(String topic, String subscription) {
        Integer left = openConsumers.computeIfPresent(nameOf(topic, subscription), (n, count) -> count - 1);
        if (left != null && left == 0) {
            giveUp(topic, subscription);
        }
    }

    /** Whatever there was of consumers is closed, or will not be created. Does nothing if nothing is taken. */
    synchronized void giveUp(String topic, String subscription) {
        String name = nameOf(topic, subscription);
        if (openConsumers.remove(name) == null) {
            return;
        }
        try {
            Channel channel = Channels.open(connection);
            try {
                channel.queueDelete(name);
            } finally {
                Channels.close(channel);
            }
        } catch (IOException | ShutdownSignalException e) {
            // The connection is lost, and the queue with it.
        }
    }

    private static String nameOf(String topic, String subscription) {
        return topic + "." + subscription + ".readers";
    }
}
