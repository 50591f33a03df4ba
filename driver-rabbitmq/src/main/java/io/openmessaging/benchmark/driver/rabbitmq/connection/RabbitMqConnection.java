package io.openmessaging.benchmark.driver.rabbitmq.connection;

import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.CALLS;

import com.rabbitmq.client.Channel;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.DriverThreads;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.ManyCalls;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.AmqpUri;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Control plane of one run: an AMQP connection that declares and deletes the parts of topics. Subclasses transport
 * messages: over AMQP to and from queues, or over the stream protocol.
 */
public abstract class RabbitMqConnection implements DriverConnection {

    protected final RabbitMqConfig config;
    protected final DriverContext context;
    protected final RecoveringConnection control;
    private final ExistingQueues existingQueues;
    private final Leaders leaders;

    /** Uses an open control connection. */
    protected RabbitMqConnection(RabbitMqConfig config, DriverContext context, RecoveringConnection control) {
        this.config = config;
        this.context = context;
        this.control = control;
        this.existingQueues = new ExistingQueues(config, control);
        this.leaders = new Leaders(config);
    }

    /** Checks that clients can reach the broker, if they connect in another way than this connection. */
    public void probe(Deadline deadline) throws DriverException, InterruptedException {}

    /** Uses the properties in the broker's greeting; nodes are those in the configuration. */
    @Override
    public final BrokerDescription describeBroker() throws InterruptedException {
        Map<String, Object> greeting = control.current().getServerProperties();
        Map<String, String> settings = new TreeMap<>();
        for (String property : List.of("cluster_name", "platform")) {
            Object value = greeting.get(property);
            if (value != null) {
                settings.put(property.replace('_', ' '), value.toString());
            }
        }
        List<String> nodes =
                config.brokers().stream().map(AmqpUri::address).distinct().toList();
        String product = String.valueOf(greeting.getOrDefault("product", "unknown"));
        String version = version();
        Guarantee guarantee = existingQueues
                .doubt(Deadline.in(context.timeout()))
                .map(doubt -> RabbitMqGuarantee.unknown(config, doubt))
                .orElseGet(() -> RabbitMqGuarantee.of(config, nodes.size(), version));
        return new BrokerDescription(product, version, nodes, settings).promising(guarantee);
    }

    // Leaders

    /** Returns whether a topic's queues or streams exist already. */
    protected abstract boolean hasPartitions(TopicSpec topic, Deadline deadline)
            throws DriverException, InterruptedException;

    /** The partition of a queue or stream, as {@code <topic>-<partition>}; any other text if it belongs to none. */
    protected abstract String partitionOf(String queue);

    /** Returns leaders if the configuration names the metrics of the nodes. */
    @Override
    public final List<List<String>> leaders(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        return topics.isEmpty()
                        || topics.stream().anyMatch(TopicSpec::existing)
                        || !leaders.areKnown()
                        || !hasPartitions(topics.get(0), deadline)
                ? List.of()
                : leaders.await(topics, this::partitionOf, deadline);
    }

    // Topics

    /** Reason that topics cannot have several partitions; empty if they can. */
    protected abstract String obstacleToPartitions();

    /** Declares the parts of a topic. */
    protected abstract void declare(Channel channel, TopicSpec topic) throws IOException;

    /** Deletes the parts of a topic, and its subscriptions. */
    protected abstract void delete(Channel channel, TopicSpec topic) throws IOException;

    @Override
    public final void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (TopicSpec topic : topics) {
            if (topic.partitions() > 1 && !obstacleToPartitions().isEmpty()) {
                throw new DriverException("Could not " + useOf(topic) + " the topic '" + topic.name() + "' with "
                        + topic.partitions() + " partitions: " + obstacleToPartitions());
            }
        }
        Deadline deadline = Deadline.in(context.timeout());
        ManyCalls.forEach(CALLS, "create topics", topics, deadline, topic -> {
            String attempt = useOf(topic) + " the topic '" + topic.name() + "' (partitions " + topic.partitions() + ", "
                    + config.queueType() + ")";
            if (topic.existing()) {
                CALLS.run(attempt, deadline, () -> existingQueues.compareAll(queuesOfExisting(topic)));
            } else {
                onChannel(attempt, deadline, channel -> declare(channel, topic));
            }
        });
    }

    private static String useOf(TopicSpec topic) {
        return topic.existing() ? "use" : "create";
    }

    /** The queues or streams of an existing topic, by partition. */
    protected abstract List<String> queuesOfExisting(TopicSpec topic);

    @Override
    public final void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        ManyCalls.forEach(
                CALLS,
                "delete topics",
                // Existing topics leave nothing to delete: they have no separate subscriptions.
                topics.stream().filter(topic -> !topic.existing()).toList(),
                deadline,
                topic -> onChannel(
                        "delete the topic '" + topic.name() + "'", deadline, channel -> delete(channel, topic)));
    }

    /** Runs a task on a channel of its own. Thread-safe. */
    protected final void onChannel(String attempt, Deadline deadline, Channels.Task task)
            throws DriverException, InterruptedException {
        CALLS.run(attempt, deadline, () -> control.on(task));
    }

    /**
     * Arguments from the driver file, plus the queue type. RabbitMQ requires numbers where it expects numbers.
     *
     * <p>Leaders are spread over the nodes: by RabbitMQ's default, all would be on the node of the control connection.
     * Alternatively, the driver spreads them itself, by the connections on which it declares.
     */
    protected final Map<String, Object> arguments(String queueType) {
        Map<String, Object> arguments = new HashMap<>(locator(config, version()));
        config.queueArguments().forEach((name, text) -> arguments.put(name, typed(text)));
        arguments.put("x-queue-type", queueType);
        return arguments;
    }

    /** Classic queues of RabbitMQ 3 know an older name only, which RabbitMQ refuses from 4.3 on. */
    static Map<String, String> locator(RabbitMqConfig config, String version) {
        boolean older = config.queueType() == QueueType.CLASSIC && version.startsWith("3.");
        if (config.clientsAtLeader()) {
            return Map.of(older ? "x-queue-master-locator" : "x-queue-leader-locator", "client-local");
        }
        return older ? Map.of("x-queue-master-locator", "min-masters") : Map.of("x-queue-leader-locator", "balanced");
    }

    private String version() {
        return String.valueOf(control.current().getServerProperties().getOrDefault("version", "unknown"));
    }

    private static Object typed(String text) {
        if (text.matches("-?\\d{1,18}")) {
            return Long.valueOf(text);
        }
        return text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : text;
    }

    /**
     * The queues or streams that each consumer of a subscription reads, by partition.
     *
     * @param queues the queues or streams of the subscription, by partition
     * @param readers number of consumers that read
     */
    protected static Map<ConsumerSpec, Map<Integer, String>> shares(
            ConsumerGroup group, List<String> queues, int readers) {
        Map<ConsumerSpec, Map<Integer, String>> shares = new HashMap<>();
        for (int i = 0; i < readers; i++) {
            Map<Integer, String> share = new HashMap<>();
            for (int partition : Partitions.shareOf(i, readers, queues.size())) {
                share.put(partition, queues.get(partition));
            }
            shares.put(group.members().get(i), share);
        }
        return shares;
    }

    // Closing

    /** Releases the connections that carry messages. */
    protected abstract void closeClients();

    @Override
    public final void close() {
        DriverThreads.uninterrupted(() -> {
            closeClients();
            AmqpClients.abort(control.end());
        });
    }
}
