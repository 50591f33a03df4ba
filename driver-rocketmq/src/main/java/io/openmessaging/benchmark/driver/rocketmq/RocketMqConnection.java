package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.RocketMqCalls.CALLS;
import static java.util.Objects.requireNonNull;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ClientCreation;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The control plane of one run; what differs between the protocols is for a subclass to say. Used by one thread, but for
 * the creation of single clients.
 *
 * @param <C> its consumers
 */
abstract class RocketMqConnection<C extends RocketMqConnection.AbortableConsumer> implements DriverConnection {

    static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofMillis(20);

    /** For clients that were closed; they give up after a few seconds themselves. */
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(10);

    /** A consumer that can be given up. */
    interface AbortableConsumer extends BenchmarkConsumer {

        /** Begins to close. */
        void abort();
    }

    final RocketMqConfig config;
    final DriverContext context;
    final Cluster cluster;
    final ClientRelease release;
    private final SendBudget budget;

    /** Takes the cluster over. */
    RocketMqConnection(RocketMqConfig config, DriverContext context, Cluster cluster, ClientRelease release) {
        this.config = config;
        this.context = context;
        this.cluster = cluster;
        this.release = release;
        this.budget = new SendBudget(config.maxOutstandingMessages(), config.maxOutstandingBytes());
    }

    /** What topics have to be like, in the form in which RocketMQ takes it with the creation of a topic. */
    abstract Map<String, String> topicAttributes();

    /** A producer that is ready to send. */
    abstract RocketMqProducer producer(ProducerSpec spec, TopicQueues queues) throws DriverException;

    /** Sees to it that a group that was created just now gets all that is sent once its consumers are attached. */
    void prepareGroup(String group, TopicQueues queues, Deadline deadline)
            throws DriverException, InterruptedException {}

    /** A consumer that is a member of its group, or begins to join it. */
    abstract C consumer(ConsumerSpec spec, String group, TopicQueues queues) throws DriverException;

    /** Waits until consumers are attached, if they are not yet. */
    void awaitAttached(List<C> consumers, Deadline deadline) throws DriverException, InterruptedException {}

    /** A producer whose client is shut down in the end. */
    final RocketMqProducer producer(RocketMqProducer.Sender sender, String client, AutoCloseable shutdown) {
        return new RocketMqProducer(budget, sender, context.timeout(), () -> release.begin(client, shutdown));
    }

    private Deadline deadline() {
        return Deadline.in(context.timeout());
    }

    @Override
    public BrokerDescription describeBroker() throws DriverException, InterruptedException {
        Deadline deadline = deadline();
        String first = cluster.addresses().get(0);
        Properties broker = cluster.settings(first, deadline);
        Map<String, String> settings = new TreeMap<>();
        settings.put("protocol", config.protocol().name());
        for (String key : List.of("brokerClusterName", "flushDiskType", "brokerRole", "sendMessageThreadPoolNums")) {
            settings.put(key, broker.getProperty(key, "unknown"));
        }
        if (config.protocol() == Protocol.GRPC) {
            settings.put("proxy", String.join(",", config.proxies()));
        }
        return new BrokerDescription("Apache RocketMQ", cluster.version(deadline), cluster.addresses(), settings)
                .promising(guarantee(settings));
    }

    /** Replicas that the broker does not wait for do not count: it does not tell how many there are. */
    private Guarantee guarantee(Map<String, String> broker) {
        int copies = "SYNC_MASTER".equals(broker.get("brokerRole")) ? 2 : 1;
        Storage storage = switch (broker.getOrDefault("flushDiskType", "")) {
            case "SYNC_FLUSH" -> Storage.SYNCED;
            case "ASYNC_FLUSH" -> Storage.WRITTEN;
            default -> Storage.UNKNOWN;
        };
        Order order = config.autoBatch() || config.senderPool() ? Order.NONE : Order.PARTITION;
        return new Guarantee(copies, copies, storage, Consumption.ACKNOWLEDGED, order);
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        // Both clients write a message to the connection on a thread of their own.
        return PayloadOwnership.KEPT_AFTER_SEND;
    }

    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (TopicSpec topic : topics) {
            create(topic, deadline());
        }
        for (TopicSpec topic : topics) {
            awaitKnown(topic, deadline());
        }
    }

    private void create(TopicSpec topic, Deadline deadline) throws DriverException, InterruptedException {
        Optional<TopicQueues> before = cluster.queues(topic.name(), deadline);
        if (before.isEmpty()) {
            cluster.createTopic(topic.name(), topic.partitions(), topicAttributes(), deadline);
        } else if (before.get().count() != topic.partitions()) {
            // RocketMQ itself would change it.
            throw new DriverException("Could not create the topic '" + topic.name() + "' (partitions "
                    + topic.partitions() + "): there is one of that name already, with "
                    + before.get().count() + " partitions");
        }
    }

    private void awaitKnown(TopicSpec topic, Deadline deadline) throws DriverException, InterruptedException {
        deadline.await(
                PAUSE_BETWEEN_LOOKS,
                () -> cluster.queues(topic.name(), deadline)
                        .filter(queues -> queues.count() == topic.partitions())
                        .isPresent(),
                () -> "RocketMQ's name server to know all partitions of the topic '" + topic.name() + "'");
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (TopicSpec topic : topics) {
            Deadline deadline = deadline();
            for (String group : cluster.groupsOf(topic.name(), deadline)) {
                cluster.deleteGroup(group, deadline);
            }
            cluster.deleteTopic(topic.name(), deadline);
        }
    }

    @Override
    public final List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = deadline();
        Map<TopicSpec, TopicQueues> queues = queues(specs.stream().map(ProducerSpec::topic), deadline);
        return List.copyOf(new ClientCreation<RocketMqProducer>(
                        CALLS, "producers", ClientCreation.SEVERAL, ClientCreation.each(RocketMqProducer::abort))
                .all(specs, spec -> producer(spec, requireNonNull(queues.get(spec.topic()))), deadline));
    }

    @Override
    public final List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = deadline();
        Map<TopicSpec, TopicQueues> queues = queues(specs.stream().map(ConsumerSpec::topic), deadline);
        for (ConsumerGroup group : ConsumerGroup.of(specs)) {
            String name = group(group.members().get(0));
            cluster.createGroup(name, deadline);
            prepareGroup(name, requireNonNull(queues.get(group.topic())), deadline);
        }
        List<C> created = new ClientCreation<C>(
                        CALLS, "consumers", ClientCreation.SEVERAL, ClientCreation.each(AbortableConsumer::abort))
                .all(specs, spec -> consumer(spec, group(spec), requireNonNull(queues.get(spec.topic()))), deadline);
        try {
            awaitAttached(created, deadline);
            return List.copyOf(created);
        } catch (Throwable e) {
            created.forEach(AbortableConsumer::abort);
            throw e;
        }
    }

    private Map<TopicSpec, TopicQueues> queues(Stream<TopicSpec> topics, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<TopicSpec, TopicQueues> queues = new HashMap<>();
        for (TopicSpec topic : topics.distinct().toList()) {
            queues.put(
                    topic,
                    cluster.queues(topic.name(), deadline)
                            .filter(found -> found.count() > 0)
                            .orElseThrow(() -> new DriverException("RocketMQ has no topic '" + topic.name() + "'")));
        }
        return queues;
    }

    /** The group of a subscription; other than RocketMQ's consumer groups, a subscription belongs to one topic. */
    private String group(ConsumerSpec spec) {
        String name = context.runId() + "-" + spec.topic().name() + "-" + spec.subscription();
        return name.replaceAll("[^%|a-zA-Z0-9_-]", "_");
    }

    @Override
    public void close() throws DriverException {
        release.begin("admin", cluster::close);
        release.awaitAll(Deadline.in(RELEASE_LIMIT));
    }
}
