package io.openmessaging.benchmark.driver.rabbitmq.queue;

import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.CALLS;

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
import io.openmessaging.benchmark.driver.ManyCalls;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.ExchangeType;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.connection.AmqpClients;
import io.openmessaging.benchmark.driver.rabbitmq.connection.PacedCreation;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqConnection;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RecoveringConnection;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Classic and quorum queues over AMQP. A topic is an exchange of its name and, for each subscription, a queue per
 * partition, bound with the partition as routing key. As AMQP cannot list queues, a small queue beside the exchange,
 * the registry, stores the names of the subscriptions, so that the worker that deletes the topic knows its queues.
 *
 * <p>Producers share some connections, consumers others. With {@code clientsAtLeader}, each partition has a {@linkplain
 * Homes home}: the node on which its queues are declared and to which their clients connect.
 */
public final class QueueConnection extends RabbitMqConnection {

    /** Limit for emptying the registry; larger than the number of subscriptions of any topic. */
    private static final int MAX_SUBSCRIPTIONS = 100_000;

    private static final int CONFIRM_LIMIT_MS = 10_000;

    /** Name of the queue of a subscription and partition; a topic's name contains no dot. */
    private static final Pattern QUEUE = Pattern.compile("(?<topic>[^.]+)\\..+(?<partition>-\\d+)");

    private static final int NOT_PERSISTENT = 1;
    private static final int PERSISTENT = 2;

    private final AmqpClients amqp;
    private final Homes homes;

    /** By home. */
    private final List<SharedConnections> forProducers;

    private final List<SharedConnections> forConsumers;

    /** Connections for declaring queues, by home; the control connection if there is only one home. */
    private final Map<Integer, RecoveringConnection> declaring = new HashMap<>();

    /** Acknowledges remaining messages of consumers; its thread starts with the first consumer. */
    private final ScheduledExecutorService rest =
            Executors.newSingleThreadScheduledExecutor(RabbitMqCalls.THREADS.named("rabbitmq-rest"));

    /** Uses an open control connection. */
    public QueueConnection(
            RabbitMqConfig config, DriverContext context, RecoveringConnection control, AmqpClients amqp) {
        super(config, context, control);
        this.amqp = amqp;
        this.homes = new Homes(config.clientsAtLeader() ? config.brokers().size() : 1);
        this.forProducers = connections("producers", config.producerConnections());
        this.forConsumers = connections("consumers", config.consumerConnections());
    }

    private List<SharedConnections> connections(String role, int limit) {
        int each = Math.max(1, limit / homes.count());
        return IntStream.range(0, homes.count())
                .mapToObj(home ->
                        new SharedConnections(amqp, config.clientsAtLeader() ? home : null, role, context, each))
                .toList();
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        return PayloadOwnership.COPIED_ON_SEND;
    }

    // Topics

    @Override
    protected String obstacleToPartitions() {
        return config.exchangeType() == ExchangeType.FANOUT
                ? "a fanout exchange gives every message to every queue; use exchangeType: direct"
                : "";
    }

    @Override
    protected void declare(Channel channel, TopicSpec topic) throws IOException {
        channel.exchangeDeclare(topic.name(), config.exchangeType().amqpName(), true);
        declareRegistry(channel, topic);
    }

    private static void declareRegistry(Channel channel, TopicSpec topic) throws IOException {
        channel.queueDeclare(registryOf(topic), true, false, false, Map.of());
    }

    @Override
    protected void delete(Channel channel, TopicSpec topic) throws IOException {
        for (String subscription : subscriptionsOf(channel, topic)) {
            for (String queue : queuesOf(topic, subscription)) {
                channel.queueDelete(queue);
            }
        }
        channel.queueDelete(registryOf(topic));
        channel.exchangeDelete(topic.name());
    }

    private static Set<String> subscriptionsOf(Channel channel, TopicSpec topic) throws IOException {
        // Declare it again: querying a queue that does not exist closes the channel.
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

    /** Name of the registry; for an existing topic, the queue itself, which always receives the run's messages. */
    private static String registryOf(TopicSpec topic) {
        return topic.existing() ? topic.name() : topic.name() + ".subscriptions";
    }

    private static List<String> queuesOf(ConsumerGroup group) {
        return queuesOf(group.topic(), group.subscription());
    }

    private static List<String> queuesOf(TopicSpec topic, String subscription) {
        if (topic.existing()) {
            return List.of(topic.name());
        }
        return IntStream.range(0, topic.partitions())
                .mapToObj(i -> topic.name() + "." + subscription + "-" + i)
                .toList();
    }

    @Override
    protected List<String> queuesOfExisting(TopicSpec topic) {
        return List.of(topic.name());
    }

    /** Returns whether a subscription exists: queues are created with subscriptions. */
    @Override
    protected boolean hasPartitions(TopicSpec topic, Deadline deadline) throws DriverException, InterruptedException {
        return CALLS.ask("find the subscriptions of topic '" + topic.name() + "'", deadline, () -> {
            AtomicBoolean some = new AtomicBoolean();
            control.on(channel -> some.set(channel.messageCount(registryOf(topic)) > 0));
            return some.get();
        });
    }

    @Override
    protected String partitionOf(String queue) {
        Matcher parts = QUEUE.matcher(queue);
        return parts.matches() ? parts.group("topic") + parts.group("partition") : "";
    }

    // Producers

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        open(forProducers, specs.stream().map(spec -> partitionsByHome(spec.topic())), deadline);
        return List.copyOf(PacedCreation.ofProducers(config, deadline)
                .all(specs, this::producer, QueueBenchmarkProducer::release));
    }

    private Map<Integer, List<Integer>> partitionsByHome(TopicSpec topic) {
        return homes.of(topic, IntStream.range(0, topic.partitions()).boxed().toList());
    }

    /** Opens connections for clients, given the homes of each client. */
    private static void open(
            List<SharedConnections> connections, Stream<Map<Integer, List<Integer>>> clients, Deadline deadline)
            throws DriverException, InterruptedException {
        int[] clientsByHome = new int[connections.size()];
        clients.flatMap(client -> client.keySet().stream()).forEach(home -> clientsByHome[home]++);
        for (int home = 0; home < clientsByHome.length; home++) {
            connections.get(home).open(clientsByHome[home], deadline);
        }
    }

    private QueueBenchmarkProducer producer(ProducerSpec spec) throws IOException {
        TopicSpec topic = spec.topic();
        Map<Integer, List<Integer>> byHome = partitionsByHome(topic);
        int window = config.publisherConfirms() ? Math.max(1, config.confirmWindow() / byHome.size()) : 0;
        List<QueuePublisher> attached = new ArrayList<>();
        QueuePublisher[] publishers = new QueuePublisher[topic.partitions()];
        try {
            for (Map.Entry<Integer, List<Integer>> home : byHome.entrySet()) {
                RecoveringConnection connection =
                        forProducers.get(home.getKey()).next();
                QueuePublisher publisher = connection.attached(
                        new QueuePublisher(connection, exchangeOf(topic), registryOf(topic), window, context));
                attached.add(publisher);
                home.getValue().forEach(partition -> publishers[partition] = publisher);
            }
        } catch (IOException | RuntimeException e) {
            attached.forEach(QueuePublisher::release);
            throw e;
        }
        MessageKeys keys = new MessageKeys(config.messagePersistence() ? PERSISTENT : NOT_PERSISTENT, spec.headers());
        List<String> routingKeys = topic.existing()
                ? List.of(topic.name())
                : IntStream.range(0, topic.partitions())
                        .mapToObj(Integer::toString)
                        .toList();
        return new QueueBenchmarkProducer(spec.id(), List.of(publishers), routingKeys, keys, context.timeout());
    }

    /** The default exchange for existing queues: it routes by queue name. */
    private static String exchangeOf(TopicSpec topic) {
        return topic.existing() ? "" : topic.name();
    }

    // Consumers

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        Map<ConsumerSpec, Map<Integer, String>> shares = new HashMap<>();
        List<ConsumerGroup> groups = ConsumerGroup.of(specs);
        ConsumerGroup.requireOneEach(
                groups.stream().filter(group -> group.topic().existing()).toList());
        for (ConsumerGroup group : groups) {
            shares.putAll(shares(group, queuesOf(group), group.members().size()));
        }
        openDeclaring(deadline);
        ManyCalls.forEach(
                CALLS,
                "create subscriptions",
                groups,
                deadline,
                group -> CALLS.run(
                        "create the subscription '" + group.subscription() + "' of topic '"
                                + group.topic().name() + "'",
                        deadline,
                        () -> subscribe(group)));
        open(
                forConsumers,
                specs.stream()
                        .map(spec ->
                                homes.of(spec.topic(), shareOf(spec, shares).keySet())),
                deadline);
        return List.copyOf(PacedCreation.ofConsumers(config, deadline)
                .all(specs, spec -> consumer(spec, shareOf(spec, shares)), QueueBenchmarkConsumer::close));
    }

    /** Only existing queues have readers, which empty them. */
    @Override
    public List<BenchmarkConsumer> createReaders(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        return specs.stream().allMatch(spec -> spec.topic().existing()) ? createConsumers(specs) : List.of();
    }

    private void openDeclaring(Deadline deadline) throws DriverException, InterruptedException {
        for (int home = 0; home < homes.count(); home++) {
            if (!declaring.containsKey(home)) {
                declaring.put(
                        home,
                        config.clientsAtLeader()
                                ? RecoveringConnection.open(amqp, home, "control", context, deadline)
                                : control);
            }
        }
    }

    private static Map<Integer, String> shareOf(ConsumerSpec spec, Map<ConsumerSpec, Map<Integer, String>> shares) {
        return shares.getOrDefault(spec, Map.of());
    }

    private QueueBenchmarkConsumer consumer(ConsumerSpec spec, Map<Integer, String> queues) throws IOException {
        Map<Integer, List<Integer>> byHome = homes.of(spec.topic(), queues.keySet());
        QueueBenchmarkConsumer consumer = new QueueBenchmarkConsumer(spec, byHome.size(), context.timeout());
        try {
            for (Map.Entry<Integer, List<Integer>> home : byHome.entrySet()) {
                Map<Integer, String> there = new HashMap<>(queues);
                there.keySet().retainAll(home.getValue());
                RecoveringConnection connection =
                        forConsumers.get(home.getKey()).next();
                QueueReader reader =
                        connection.attached(new QueueReader(connection, consumer.delivery(), there, config, context));
                reader.acknowledgeRestBy(rest);
                consumer.add(reader);
            }
            return consumer;
        } catch (IOException | RuntimeException e) {
            consumer.close();
            throw e;
        }
    }

    /** Declares a subscription's queues, each at its home, and adds the subscription to the registry. */
    private void subscribe(ConsumerGroup group) throws Exception {
        if (group.topic().existing()) {
            return;
        }
        Map<String, Object> arguments = arguments(config.queueType() == QueueType.QUORUM ? "quorum" : "classic");
        if (config.quorumInitialGroupSize() != null) {
            arguments.put("x-quorum-initial-group-size", config.quorumInitialGroupSize());
        }
        TopicSpec topic = group.topic();
        List<String> queues = queuesOf(group);
        for (Map.Entry<Integer, List<Integer>> home : partitionsByHome(topic).entrySet()) {
            declaring.getOrDefault(home.getKey(), control).on(channel -> {
                for (int partition : home.getValue()) {
                    channel.queueDeclare(queues.get(partition), true, false, false, arguments);
                    channel.queueBind(queues.get(partition), topic.name(), Integer.toString(partition));
                }
            });
        }
        control.on(channel -> {
            channel.confirmSelect();
            channel.basicPublish(
                    "",
                    registryOf(topic),
                    MessageProperties.MINIMAL_PERSISTENT_BASIC,
                    group.subscription().getBytes(StandardCharsets.UTF_8));
            channel.waitForConfirmsOrDie(CONFIRM_LIMIT_MS);
        });
    }

    @Override
    protected void closeClients() {
        rest.shutdownNow();
        Stream<RecoveringConnection> clients =
                Stream.concat(forProducers.stream(), forConsumers.stream()).flatMap(SharedConnections::stream);
        AmqpClients.abortAll(Stream.concat(clients, declaring.values().stream().filter(one -> one != control))
                .map(RecoveringConnection::end)
                .toList());
    }
}
