package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.RabbitMqCalls.CALLS;
import static java.util.Objects.requireNonNull;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.ProducerSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Classic and quorum queues over AMQP. Producers share some connections, consumers others. */
final class QueueTransport implements Transport {

    private final RabbitMqConfig config;
    private final DriverContext context;
    private final Connection control;
    private final Topology topology;
    private final SharedConnections forProducers;
    private final SharedConnections forConsumers;

    QueueTransport(
            RabbitMqConfig config, DriverContext context, Connection control, Topology topology, AmqpClients amqp) {
        this.config = config;
        this.context = context;
        this.control = control;
        this.topology = topology;
        this.forProducers = new SharedConnections(amqp, "producers", config.connectionsPerProducers());
        this.forConsumers = new SharedConnections(amqp, "consumers", config.connectionsPerConsumers());
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<ProducerSpec, Connection> connections = new HashMap<>();
        for (ProducerSpec spec : specs) {
            connections.put(spec, forProducers.next(deadline));
        }
        return List.copyOf(new Creation<QueueBenchmarkProducer>(
                        config.producerCreationBatchSize(),
                        config.producerCreationDelay(),
                        deadline,
                        QueueBenchmarkProducer::release)
                .all("producer", specs, spec -> producer(spec, requireNonNull(connections.get(spec)))));
    }

    private QueueBenchmarkProducer producer(ProducerSpec spec, Connection connection) throws IOException {
        Channel channel = Channels.open(connection);
        try {
            // Asked now, for a topic that is not there: else the first message would close the channel.
            boolean hasSubscription = topology.hasSubscription(channel, spec.topic());
            return QueueBenchmarkProducer.start(channel, spec, hasSubscription, config, context);
        } catch (IOException | ShutdownSignalException e) {
            Channels.close(channel);
            throw e;
        }
    }

    /** One consumer to be created, with what it is to read. */
    private record Plan(ConsumerSpec spec, List<String> queues, int[] share, Connection connection) {}

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<ConsumerSpec, Plan> plans = new HashMap<>();
        for (ConsumerGroup group : ConsumerGroup.of(specs)) {
            List<String> queues = CALLS.ask(
                    "create the subscription '" + group.subscription() + "' of topic '"
                            + group.topic().name() + "'",
                    deadline,
                    () -> topology.subscribe(control, group.topic(), group.subscription()));
            for (int i = 0; i < group.members().size(); i++) {
                int[] share = Partitions.shareOf(i, group.members().size(), queues.size());
                ConsumerSpec spec = group.members().get(i);
                plans.put(spec, new Plan(spec, queues, share, forConsumers.next(deadline)));
            }
        }
        return List.copyOf(new Creation<QueueBenchmarkConsumer>(
                        config.consumerCreationBatchSize(),
                        config.consumerCreationDelay(),
                        deadline,
                        QueueBenchmarkConsumer::close)
                .all("consumer", specs, spec -> consumer(requireNonNull(plans.get(spec)))));
    }

    private QueueBenchmarkConsumer consumer(Plan plan) throws IOException {
        Channel channel = Channels.open(plan.connection());
        try {
            return QueueBenchmarkConsumer.start(channel, plan.spec(), plan.queues(), plan.share(), config, context);
        } catch (IOException | ShutdownSignalException e) {
            Channels.close(channel);
            throw e;
        }
    }

    @Override
    public void close() {
        List<Connection> connections = new ArrayList<>(forProducers.open);
        connections.addAll(forConsumers.open);
        AmqpClients.abortAll(connections);
    }

    /** Connections that are opened as they are needed, and then used in turn. */
    private static final class SharedConnections {

        private final AmqpClients amqp;
        private final String role;
        private final int limit;
        private final List<Connection> open = new ArrayList<>();
        private int next;

        SharedConnections(AmqpClients amqp, String role, int limit) {
            this.amqp = amqp;
            this.role = role;
            this.limit = limit;
        }

        Connection next(Deadline deadline) throws DriverException, InterruptedException {
            if (open.size() < limit) {
                open.add(amqp.open(role, deadline));
                return open.get(open.size() - 1);
            }
            next = next + 1 == limit ? 0 : next + 1;
            return open.get(next);
        }
    }
}
