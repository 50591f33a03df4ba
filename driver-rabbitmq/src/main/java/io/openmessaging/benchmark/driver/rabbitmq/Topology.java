package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * What a topic is made of, declared over AMQP.
 *
 * <ul>
 *   <li>Queues: an exchange named like the topic, and for each subscription a queue per partition, bound with the
 *       partition as routing key. As AMQP has no way to list queues, a small queue beside the exchange keeps the names of
 *       the subscriptions, so that whoever deletes the topic knows what belongs to it.
 *   <li>A stream: a stream queue named like the topic.
 *   <li>A super stream: the same for each partition, behind an exchange. Declared like this it is one for every broker
 *       that has streams; the stream protocol's own command for it came later.
 * </ul>
 */
final class Topology {

    private static final String QUEUE_TYPE = "x-queue-type";

    /** A limit for emptying the queue that keeps their names; more than any topic has. */
    private static final int MAX_SUBSCRIPTIONS = 100_000;

    private static final int CONFIRM_LIMIT_MS = 10_000;

    private final RabbitMqConfig config;

    Topology(RabbitMqConfig config) {
        this.config = config;
    }

    /** What is done on a channel of its own. */
    @FunctionalInterface
    interface Declaration {

        void on(Channel channel) throws Exception;
    }

    /** Opens a channel for a declaration, and closes it. */
    static void on(Connection connection, Declaration declaration) throws Exception {
        Channel channel = Channels.open(connection);
        try {
            declaration.on(channel);
        } finally {
            Channels.close(channel);
        }
    }

    /** Refuses what cannot be had, with the reason. */
    void check(TopicSpec topic) throws DriverException {
        if (topic.partitions() == 1) {
            return;
        }
        String reason = null;
        if (config.queueType() == QueueType.STREAM) {
            reason = "a stream has one partition; use queueType: SUPER_STREAM";
        } else if (!config.queueType().isStream() && config.exchangeType() == ExchangeType.FANOUT) {
            reason = "a fanout exchange gives every message to every queue; use exchangeType: direct";
        }
        if (reason != null) {
            throw new DriverException("Could not create the topic '" + topic.name() + "' with " + topic.partitions()
                    + " partitions: " + reason);
        }
    }

    // Topics

    void create(Channel channel, TopicSpec topic) throws IOException {
        switch (config.queueType()) {
            case CLASSIC, QUORUM -> {
                channel.exchangeDeclare(topic.name(), config.exchangeType().amqpName(), true);
                channel.queueDeclare(registryOf(topic), true, false, false, Map.of());
            }
            case STREAM -> channel.queueDeclare(topic.name(), true, false, false, streamArguments());
            case SUPER_STREAM -> createSuperStream(channel, topic);
        }
    }

    private void createSuperStream(Channel channel, TopicSpec topic) throws IOException {
        channel.exchangeDeclare(
                topic.name(), ExchangeType.DIRECT.amqpName(), true, false, Map.of("x-super-stream", true));
        List<String> streams = streamsOf(topic);
        for (int i = 0; i < streams.size(); i++) {
            channel.queueDeclare(streams.get(i), true, false, false, streamArguments());
            channel.queueBind(streams.get(i), topic.name(), Integer.toString(i), Map.of("x-stream-partition-order", i));
        }
    }

    void delete(Channel channel, TopicSpec topic) throws IOException {
        if (config.queueType().isStream()) {
            for (String stream : streamsOf(topic)) {
                channel.queueDelete(stream);
            }
        } else {
            for (String subscription : subscriptionsOf(channel, topic)) {
                for (String queue : queuesOf(topic, subscription)) {
                    channel.queueDelete(queue);
                }
            }
            channel.queueDelete(registryOf(topic));
        }
        if (config.queueType() != QueueType.STREAM) {
            channel.exchangeDelete(topic.name());
        }
    }

    /** The streams of a topic, by partition. */
    List<String> streamsOf(TopicSpec topic) {
        return config.queueType() == QueueType.STREAM
                ? List.of(topic.name())
                : IntStream.range(0, topic.partitions())
                        .mapToObj(i -> topic.name() + "-" + i)
                        .toList();
    }

    // Subscriptions

    /** Declares a subscription's queues and notes that they exist; returns them by partition. */
    List<String> subscribe(Connection connection, TopicSpec topic, String subscription) throws Exception {
        on(connection, channel -> declareSubscription(channel, topic, subscription));
        return queuesOf(topic, subscription);
    }

    private void declareSubscription(Channel channel, TopicSpec topic, String subscription)
            throws IOException, InterruptedException, TimeoutException {
        List<String> queues = queuesOf(topic, subscription);
        for (int i = 0; i < queues.size(); i++) {
            channel.queueDeclare(queues.get(i), true, false, false, queueArguments());
            channel.queueBind(queues.get(i), topic.name(), Integer.toString(i));
        }
        channel.confirmSelect();
        channel.basicPublish(
                "",
                registryOf(topic),
                MessageProperties.MINIMAL_PERSISTENT_BASIC,
                subscription.getBytes(StandardCharsets.UTF_8));
        channel.waitForConfirmsOrDie(CONFIRM_LIMIT_MS);
    }

    /**
     * Whether anybody has subscribed to a topic, on whichever worker.
     *
     * @throws IOException if there is no such topic; the channel is closed then
     */
    boolean hasSubscription(Channel channel, TopicSpec topic) throws IOException {
        return channel.messageCount(registryOf(topic)) > 0;
    }

    private Set<String> subscriptionsOf(Channel channel, TopicSpec topic) throws IOException {
        // Declared again, because asking a queue that is not there closes the channel.
        channel.queueDeclare(registryOf(topic), true, false, false, Map.of());
        Set<String> subscriptions = new LinkedHashSet<>();
        for (int i = 0; i < MAX_SUBSCRIPTIONS; i++) {
            GetResponse entry = channel.basicGet(registryOf(topic), true);
            if (entry == null) {
                break;
            }
            subscriptions.add(new String(entry.getBody(), StandardCharsets.UTF_8));
        }
        return subscriptions;
    }

    private static String registryOf(TopicSpec topic) {
        return topic.name() + ".subscriptions";
    }

    private static List<String> queuesOf(TopicSpec topic, String subscription) {
        List<String> queues = new ArrayList<>();
        for (int i = 0; i < topic.partitions(); i++) {
            queues.add(topic.name() + "." + subscription + "-" + i);
        }
        return queues;
    }

    // Arguments

    private Map<String, Object> queueArguments() {
        Map<String, Object> arguments = chosenArguments();
        arguments.put(QUEUE_TYPE, config.queueType() == QueueType.QUORUM ? "quorum" : "classic");
        if (config.quorumInitialGroupSize() != null) {
            arguments.put("x-quorum-initial-group-size", config.quorumInitialGroupSize());
        }
        return arguments;
    }

    private Map<String, Object> streamArguments() {
        Map<String, Object> arguments = chosenArguments();
        arguments.put(QUEUE_TYPE, "stream");
        if (config.streamMaxSegmentSizeBytes() != null) {
            arguments.put("x-stream-max-segment-size-bytes", config.streamMaxSegmentSizeBytes());
        }
        if (config.streamMaxLengthBytes() != null) {
            arguments.put("x-max-length-bytes", config.streamMaxLengthBytes());
        }
        return arguments;
    }

    /** RabbitMQ insists on numbers where it expects numbers. */
    private Map<String, Object> chosenArguments() {
        Map<String, Object> arguments = new HashMap<>();
        config.queueArguments().forEach((name, text) -> arguments.put(name, typed(text)));
        return arguments;
    }

    private static Object typed(String text) {
        if (text.matches("-?\\d{1,18}")) {
            return Long.valueOf(text);
        }
        return text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : text;
    }
}
