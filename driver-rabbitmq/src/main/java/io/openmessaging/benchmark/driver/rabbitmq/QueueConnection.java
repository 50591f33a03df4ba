package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.ExchangeType;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Classic and quorum queues over AMQP. A topic is an exchange of its name, and for each subscription a queue per
 * partition, bound with the partition as routing key. As AMQP has no way to list queues, a small queue beside the exchange
 * keeps the names of the subscriptions, so that whoever deletes the topic knows what belongs to it.
 *
 * <p>Producers share some connections, consumers others.
 */
final class QueueConnection extends RabbitMqConnection {

    /** A limit for emptying the queue that keeps their names; more than any topic has. */
    private static final int MAX_SUBSCRIPTIONS = 100_000;

    private static final int CONFIRM_LIMIT_MS = 10_000;

    private final SharedConnections forProducers;
    private final SharedConnections forConsumers;

    /** Acknowledges what consumers have left; its thread starts with the first of them. */
    private final ScheduledExecutorService rest =
            Executors.newSingleThreadScheduledExecutor(RabbitMqCalls.THREADS.named("rabbitmq-rest"));

    QueueConnection(RabbitMqConfig config, DriverContext context, RecoveringConnection control, AmqpClients amqp) {
        super(config, context, control);
        this.forProducers = new SharedConnections(amqp, "producers", context, config.connectionsPerProducers());
        this.forConsumers = new SharedConnections(amqp, "consumers", context, config.connectionsPerConsumers());
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        return PayloadOwnership.COPIED_ON_SEND;
    }

    // Topics

    @Override
    String obstacleToPartitions() {
        return config.exchangeType() == ExchangeType.FANOUT
                ? "a fanout exchange gives every message to every queue; use exchangeType: direct"
                : "";
    }

    @Override
    void declare(Channel channel, TopicSpec topic) throws IOException {
        channel.exchangeDeclare(topic.name(), config.exchangeType().amqpName(), true);
        declareRegistry(channel, topic);
    }

    private static void declareRegistry(Channel channel, TopicSpec topic) throws IOException {
        channel.queueDeclare(registryOf(topic), true, false, false, Map.of());
    }

    @Override
    void delete(Channel channel, TopicSpec topic) throws IOException {
        for (String subscription : subscriptionsOf(channel, topic)) {
            for (String queue : queuesOf(topic, subscription)) {
                channel.queueDelete(queue);
            }
        }
        channel.queueDelete(registryOf(topic));
        channel.exchangeDelete(topic.name());
    }

    private static Set<String> subscriptionsOf(Channel channel, TopicSpec topic) throws IOException {
        // Declared again, because asking a queue that is not there closes the channel.
        declareRegistry(channel, topic);
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
        return IntStream.range(0, topic.partitions())
                .mapToObj(i -> topic.name() + "." + subscription + "-" + i)
                .toList();
    }

    // Producers

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        forProducers.open(specs.size(), deadline);
        return List.copyOf(
                Creation.ofProducers(config, deadline).all(specs, this::producer, QueueBenchmarkProducer::release));
    }

    private QueueBenchmarkProducer producer(ProducerSpec spec) throws IOException {
        RecoveringConnection connection = forProducers.next();
        return connection.attached(
                new QueueBenchmarkProducer(connection, spec, registryOf(spec.topic()), config, context));
    }

    // Consumers

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        Map<ConsumerSpec, Map<Integer, String>> shares = new HashMap<>();
        for (ConsumerGroup group : ConsumerGroup.of(specs)) {
            List<String> queues = queuesOf(group.topic(), group.subscription());
            onChannel(
                    "create the subscription '" + group.subscription() + "' of topic '"
                            + group.topic().name() + "'",
                    deadline,
                    channel -> subscribe(channel, group, queues));
            shares.putAll(shares(group, queues, group.members().size()));
        }
        forConsumers.open(specs.size(), deadline);
        return List.copyOf(Creation.ofConsumers(config, deadline)
                .all(
                        specs,
                        spec -> consumer(spec, shares.getOrDefault(spec, Map.of())),
                        QueueBenchmarkConsumer::close));
    }

    private QueueBenchmarkConsumer consumer(ConsumerSpec spec, Map<Integer, String> queues) throws IOException {
        RecoveringConnection connection = forConsumers.next();
        QueueBenchmarkConsumer consumer =
                connection.attached(new QueueBenchmarkConsumer(connection, spec, queues, config, context));
        consumer.acknowledgeRestBy(rest);
        return consumer;
    }

    /** Declares a subscription's queues and notes that they exist. */
    private void subscribe(Channel channel, ConsumerGroup group, List<String> queues)
            throws IOException, InterruptedException, TimeoutException {
        Map<String, Object> arguments = arguments(config.queueType() == QueueType.QUORUM ? "quorum" : "classic");
        if (config.quorumInitialGroupSize() != null) {
            arguments.put("x-quorum-initial-group-size", config.quorumInitialGroupSize());
        }
        for (int i = 0; i < queues.size(); i++) {
            channel.queueDeclare(queues.get(i), true, false, false, arguments);
            channel.queueBind(queues.get(i), group.topic().name(), Integer.toString(i));
        }
        channel.confirmSelect();
        channel.basicPublish(
                "",
                registryOf(group.topic()),
                MessageProperties.MINIMAL_PERSISTENT_BASIC,
                group.subscription().getBytes(StandardCharsets.UTF_8));
        channel.waitForConfirmsOrDie(CONFIRM_LIMIT_MS);
    }

    @Override
    void closeClients() {
        rest.shutdownNow();
        AmqpClients.abortAll(Stream.concat(forProducers.open.stream(), forConsumers.open.stream())
                .map(RecoveringConnection::end)
                .toList());
    }

    /** Connections that are opened as they are needed, and then used in turn. */
    private static final class SharedConnections {

        private final AmqpClients amqp;
        private final String role;
        private final DriverContext context;
        private final int limit;
        private final List<RecoveringConnection> open = new ArrayList<>();
        private int next;

        SharedConnections(AmqpClients amqp, String role, DriverContext context, int limit) {
            this.amqp = amqp;
            this.role = role;
            this.context = context;
            this.limit = limit;
        }

        /** Opens what is missing for so many more clients to have their own, or as many as there may be. */
        void open(int clients, Deadline deadline) throws DriverException, InterruptedException {
            int wanted = Math.min(limit, open.size() + clients);
            while (open.size() < wanted) {
                open.add(RecoveringConnection.open(amqp, role, context, deadline));
            }
        }

        RecoveringConnection next() {
            return open.get(next++ % open.size());
        }
    }
}
