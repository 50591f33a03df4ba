package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/** The control plane of one run; what differs between the protocols is in {@link Clients}. */
final class RocketMqConnection implements DriverConnection {

    private static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofMillis(20);

    /** For clients that were closed; they give up after a few seconds themselves. */
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(10);

    private final RocketMqConfig config;
    private final DriverContext context;
    private final Cluster cluster;
    private final Clients<?> clients;
    private final ClientRelease release;

    /** Takes the cluster over. */
    RocketMqConnection(
            RocketMqConfig config, DriverContext context, Cluster cluster, Clients<?> clients, ClientRelease release) {
        this.config = config;
        this.context = context;
        this.cluster = cluster;
        this.clients = clients;
        this.release = release;
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
        return new BrokerDescription("Apache RocketMQ", cluster.version(deadline), cluster.addresses(), settings);
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
            cluster.createTopic(topic.name(), topic.partitions(), clients.topicAttributes(), deadline);
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
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> producers)
            throws DriverException, InterruptedException {
        return clients.createProducers(producers, deadline());
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> consumers)
            throws DriverException, InterruptedException {
        return clients.createConsumers(consumers, deadline());
    }

    @Override
    public void close() throws DriverException {
        release.begin("admin", cluster::close);
        release.awaitAll(Deadline.in(RELEASE_LIMIT));
    }
}
