package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.client.RocketMqCalls.CALLS;
import static java.util.Objects.requireNonNull;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ManyCalls;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.rocketmq.client.ClientRelease;
import io.openmessaging.benchmark.driver.rocketmq.client.RocketMqProducer;
import io.openmessaging.benchmark.driver.rocketmq.client.SendBudget;
import io.openmessaging.benchmark.driver.rocketmq.client.TopicQueues;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * The control plane of one run; subclasses implement the differences between the protocols. Used by one thread, except
 * for the creation of single clients.
 *
 * @param <C> type of its consumers
 */
abstract class RocketMqConnection<C extends RocketMqConnection.AbortableConsumer> implements DriverConnection {

    static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofMillis(20);

    /** Used where an answer lists all topics. */
    private static final Duration PAUSE_BETWEEN_LONG_LOOKS = Duration.ofMillis(500);

    /** Settings of the masters that determine the results and the guarantee. */
    private static final List<String> TOLD = List.of(
            "brokerClusterName",
            MasterPromise.THREADS,
            MasterPromise.FLUSH,
            MasterPromise.ROLE,
            MasterPromise.CONTROLLED,
            MasterPromise.NEEDED,
            MasterPromise.ALL_IN_SYNC,
            MasterPromise.LEAST_IN_SYNC);

    /**
     * Time limit for the shutdown of clients. They give up after a few seconds themselves, except for a PushConsumer:
     * it waits for its last request, which a proxy keeps for 20 s unless configured otherwise.
     */
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(30);

    /** A consumer that can be closed without a wait. */
    interface AbortableConsumer extends BenchmarkConsumer {

        /** Starts to close. */
        void abort();
    }

    final RocketMqConfig config;
    final DriverContext context;
    final Cluster cluster;
    final ClientRelease release;
    private final SendBudget budget;

    /** Takes over the cluster. */
    RocketMqConnection(RocketMqConfig config, DriverContext context, Cluster cluster, ClientRelease release) {
        this.config = config;
        this.context = context;
        this.cluster = cluster;
        this.release = release;
        this.budget = new SendBudget(config.maxOutstandingMessages(), config.maxOutstandingBytes());
    }

    /** Returns the attributes for new topics, in RocketMQ's format. */
    abstract Map<String, String> topicAttributes();

    /** Creates a producer that is ready to send. */
    abstract RocketMqProducer producer(ProducerSpec spec, TopicQueues queues) throws DriverException;

    /** Makes a new group start at the given position, where it would not do so by itself. */
    void prepareGroup(String group, TopicQueues queues, Cluster.Begin begin, Deadline deadline)
            throws DriverException, InterruptedException {}

    /** Creates a consumer that is a member of its group, or has started to join it. */
    abstract C consumer(ConsumerSpec spec, String group, TopicQueues queues) throws DriverException;

    /** Waits until all consumers are attached. */
    void awaitAttached(List<C> consumers, Deadline deadline) throws DriverException, InterruptedException {}

    /** Creates a producer that shuts down its client when it is closed. */
    final RocketMqProducer producer(RocketMqProducer.Sender sender, String client, AutoCloseable shutdown) {
        return producer(sender, () -> release.begin(client, shutdown));
    }

    /** Creates a producer that releases its client when it is closed. */
    final RocketMqProducer producer(RocketMqProducer.Sender sender, Runnable releaseClient) {
        return new RocketMqProducer(budget, sender, context.timeout(), releaseClient);
    }

    private Deadline deadline() {
        return Deadline.in(context.timeout());
    }

    @Override
    public BrokerDescription describeBroker() throws DriverException, InterruptedException {
        Deadline deadline = deadline();
        cluster.find(deadline);
        Map<String, String> settings = new TreeMap<>();
        settings.put("protocol", config.protocol().name());
        for (String master : cluster.masters()) {
            Properties reported = cluster.settings(master, deadline);
            for (String key : TOLD) {
                settings.merge(
                        key,
                        reported.getProperty(key, "unknown"),
                        (one, other) -> one.equals(other) ? one : one + ", " + other);
            }
        }
        if (config.protocol() == Protocol.GRPC) {
            settings.put("proxy", String.join(",", config.proxies()));
        }
        return new BrokerDescription("Apache RocketMQ", cluster.version(deadline), cluster.addresses(), settings)
                .promising(MasterPromise.of(config, settings, cluster.replicas()));
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        // Both clients write messages to the connection on their own threads.
        return PayloadOwnership.KEPT_AFTER_SEND;
    }

    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = deadline();
        cluster.find(deadline);
        Queue<TopicSpec> missing = new ConcurrentLinkedQueue<>();
        ManyCalls.forEach(CALLS, "create topics", topics, deadline, topic -> {
            if (isMissing(topic, deadline)) {
                missing.add(topic);
            }
        });
        cluster.createTopics(missing, topicAttributes(), deadline);
        ManyCalls.forEach(CALLS, "create topics", topics, deadline, topic -> awaitKnown(topic, deadline));
        if (cluster.isControlled()) {
            Set<String> names = topics.stream().map(TopicSpec::name).collect(Collectors.toSet());
            deadline.await(
                    PAUSE_BETWEEN_LONG_LOOKS,
                    () -> cluster.slavesKnow(names, deadline),
                    () -> "RocketMQ's slaves to know " + topics.size() + " topics");
        }
    }

    private boolean isMissing(TopicSpec topic, Deadline deadline) throws DriverException, InterruptedException {
        Optional<TopicQueues> before = cluster.queues(topic.name(), deadline);
        if (topic.existing()) {
            requireThere(topic, before.map(TopicQueues::count).orElse(0));
            return false;
        }
        if (before.isPresent() && before.get().count() != topic.partitions()) {
            // RocketMQ itself would change the existing topic.
            throw new DriverException("Could not create the topic '" + topic.name() + "' (partitions "
                    + topic.partitions() + "): one of that name already exists, with "
                    + before.get().count() + " partitions");
        }
        return before.isEmpty();
    }

    private static void requireThere(TopicSpec topic, int queues) throws DriverException {
        if (queues != topic.partitions()) {
            String found = queues == 0
                    ? "there is no such topic"
                    : "it has " + queues + " queues, and the workload asks for " + topic.partitions() + " partitions";
            throw new DriverException("Could not use the existing topic '" + topic.name() + "': " + found);
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
    public List<List<String>> leaders(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Map<TopicSpec, TopicQueues> queues = queues(topics.stream(), deadline());
        return topics.stream()
                .map(topic -> requireNonNull(queues.get(topic)).leaders())
                .toList();
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = deadline();
        cluster.find(deadline);
        ManyCalls.forEach(CALLS, "delete topics", topics, deadline, topic -> {
            for (String group : cluster.groupsOf(topic.name(), deadline)) {
                if (!topic.existing() || group.startsWith(context.runId() + "-")) {
                    cluster.deleteGroup(group, deadline);
                }
            }
            if (!topic.existing()) {
                cluster.deleteTopic(topic.name(), deadline);
            }
        });
    }

    @Override
    public final List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = deadline();
        Map<TopicSpec, TopicQueues> queues = queues(specs.stream().map(ProducerSpec::topic), deadline);
        return List.copyOf(new ManyCalls<RocketMqProducer>(
                        CALLS, "create producers", ManyCalls.SEVERAL, ManyCalls.each(RocketMqProducer::abort))
                .all(specs, spec -> producer(spec, requireNonNull(queues.get(spec.topic()))), deadline));
    }

    @Override
    public final List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        return consumers(specs, Cluster.Begin.END);
    }

    @Override
    public final List<BenchmarkConsumer> createReaders(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        return consumers(specs, Cluster.Begin.OLDEST);
    }

    private List<BenchmarkConsumer> consumers(List<ConsumerSpec> specs, Cluster.Begin begin)
            throws DriverException, InterruptedException {
        Deadline deadline = deadline();
        cluster.find(deadline);
        Map<TopicSpec, TopicQueues> queues = queues(specs.stream().map(ConsumerSpec::topic), deadline);
        cluster.createGroups(specs.stream().map(this::group).distinct().toList(), deadline);
        ManyCalls.forEach(
                CALLS,
                "create groups",
                ConsumerGroup.of(specs),
                deadline,
                group -> prepareGroup(group, requireNonNull(queues.get(group.topic())), begin, deadline));
        List<C> created = new ManyCalls<C>(
                        CALLS, "create consumers", ManyCalls.SEVERAL, ManyCalls.each(AbortableConsumer::abort))
                .all(specs, spec -> consumer(spec, group(spec), requireNonNull(queues.get(spec.topic()))), deadline);
        try {
            awaitAttached(created, deadline);
            return List.copyOf(created);
        } catch (Throwable e) {
            created.forEach(AbortableConsumer::abort);
            throw e;
        }
    }

    /**
     * Sets the start position of a group. A new group of an existing topic would by itself start at the messages that
     * are already there.
     */
    private void prepareGroup(ConsumerGroup group, TopicQueues queues, Cluster.Begin begin, Deadline deadline)
            throws DriverException, InterruptedException {
        String name = group(group.members().get(0));
        prepareGroup(name, queues, begin, deadline);
        if (group.topic().existing()) {
            for (MessageQueue queue : queues.all()) {
                cluster.fixBegin(name, queue, begin, deadline);
            }
        }
    }

    private Map<TopicSpec, TopicQueues> queues(Stream<TopicSpec> topics, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<TopicSpec, TopicQueues> queues = new ConcurrentHashMap<>();
        ManyCalls.forEach(
                CALLS,
                "look up topics",
                topics.distinct().toList(),
                deadline,
                topic -> queues.put(
                        topic,
                        cluster.queues(topic.name(), deadline)
                                .filter(found -> found.count() > 0)
                                .orElseThrow(
                                        () -> new DriverException("RocketMQ has no topic '" + topic.name() + "'"))));
        return queues;
    }

    /** Returns the group of a subscription; unlike RocketMQ's consumer groups, a subscription belongs to one topic. */
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
