package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.RabbitMqCalls.CALLS;

import com.rabbitmq.client.Connection;
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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The control plane of one run: an AMQP connection that declares and deletes, and the clients that carry messages. */
final class RabbitMqConnection implements DriverConnection {

    private final RabbitMqConfig config;
    private final DriverContext context;
    private final Connection control;
    private final Topology topology;
    private final Transport transport;

    private RabbitMqConnection(
            RabbitMqConfig config, DriverContext context, Connection control, Topology topology, Transport transport) {
        this.config = config;
        this.context = context;
        this.control = control;
        this.topology = topology;
        this.transport = transport;
    }

    static RabbitMqConnection open(RabbitMqConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        AmqpClients amqp = new AmqpClients(config, context);
        Connection control = amqp.open("control", deadline);
        Topology topology = new Topology(config);
        boolean opened = false;
        try {
            Transport transport;
            if (config.queueType().isStream()) {
                transport = new StreamTransport(
                        config, context, control, topology, StreamClients.open(config, context, deadline));
            } else {
                transport = new QueueTransport(config, context, control, topology, amqp);
            }
            opened = true;
            return new RabbitMqConnection(config, context, control, topology, transport);
        } finally {
            if (!opened) {
                AmqpClients.abort(control);
            }
        }
    }

    /** As the broker greets its clients with it; nodes are those that the configuration names. */
    @Override
    public BrokerDescription describeBroker() {
        Map<String, Object> greeting = control.getServerProperties();
        Map<String, String> settings = new TreeMap<>();
        for (String property : List.of("cluster_name", "platform")) {
            Object value = greeting.get(property);
            if (value != null) {
                settings.put(property.replace('_', ' '), value.toString());
            }
        }
        return new BrokerDescription(
                String.valueOf(greeting.getOrDefault("product", "unknown")),
                String.valueOf(greeting.getOrDefault("version", "unknown")),
                config.brokers().stream().map(AmqpUri::address).distinct().toList(),
                settings);
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        return config.queueType().isStream() ? PayloadOwnership.KEPT_AFTER_SEND : PayloadOwnership.COPIED_ON_SEND;
    }

    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (TopicSpec topic : topics) {
            topology.check(topic);
        }
        Deadline deadline = Deadline.in(context.timeout());
        for (TopicSpec topic : topics) {
            declare(
                    "create the topic '" + topic.name() + "' (partitions " + topic.partitions() + ", "
                            + config.queueType() + ")",
                    deadline,
                    channel -> topology.create(channel, topic));
        }
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        for (TopicSpec topic : topics) {
            declare("delete the topic '" + topic.name() + "'", deadline, channel -> topology.delete(channel, topic));
        }
    }

    private void declare(String attempt, Deadline deadline, Topology.Declaration declaration)
            throws DriverException, InterruptedException {
        CALLS.run(attempt, deadline, () -> Topology.on(control, declaration));
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> producers)
            throws DriverException, InterruptedException {
        return transport.createProducers(producers, Deadline.in(context.timeout()));
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> consumers)
            throws DriverException, InterruptedException {
        return transport.createConsumers(consumers, Deadline.in(context.timeout()));
    }

    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        try {
            transport.close();
            AmqpClients.abort(control);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
