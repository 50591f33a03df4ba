package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.artemis.ArtemisCalls.CALLS;

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
import io.openmessaging.benchmark.driver.artemis.address.BrokerAddress;
import io.openmessaging.benchmark.driver.artemis.storage.BrokerStorage;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** Control plane of one run: a session of its own, and the connections of the clients. */
final class ArtemisConnection implements DriverConnection {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

    private final ArtemisConfig config;
    private final DriverContext context;
    private final ArtemisConnections connections;
    private final ClientLink control;
    private final Management management;
    private final ArtemisTopics topics;
    private final ArtemisClients clients;

    private ArtemisConnection(
            ArtemisConfig config, DriverContext context, ArtemisConnections connections, ClientLink control) {
        this.config = config;
        this.context = context;
        this.connections = connections;
        this.control = control;
        this.management = new Management(control.session());
        this.topics = new ArtemisTopics(control.session(), management, config, context.runId(), context.timeout());
        this.clients = switch (config.client()) {
            case CORE -> new CoreClients(connections, config, context);
            case JMS -> new JmsClients(new ArtemisJms(connections, config, context), config, context);
            case AMQP -> new JmsClients(new QpidJms(config, context), config, context);
        };
    }

    static ArtemisConnection open(ArtemisConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        ArtemisConnections connections = new ArtemisConnections(config, context);
        try {
            ClientLink control = connections.forControl();
            // Needed to receive answers from the management.
            CALLS.run("start a session", Deadline.in(context.timeout()), control.session()::start);
            return new ArtemisConnection(config, context, connections, control);
        } catch (Throwable e) {
            connections.close();
            throw e;
        }
    }

    @Override
    public BrokerDescription describeBroker() throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        BrokerStorage.Attributes attributes = attribute -> CALLS.ask(
                "ask Artemis for its " + attribute, deadline, () -> management.attribute(attribute, deadline));
        return new SystemDescription(config, attributes, topics.volatileQueues()).get();
    }

    @Override
    public List<List<String>> leaders(List<TopicSpec> specs) {
        String live = BrokerAddress.parse(config.brokerAddress())
                .named(control.connection().internal().getConnectorConfiguration())
                .orElse("");
        return specs.stream()
                .map(topic -> Collections.nCopies(topic.partitions(), live))
                .toList();
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        return PayloadOwnership.COPIED_ON_SEND;
    }

    @Override
    public void createTopics(List<TopicSpec> specs) throws DriverException, InterruptedException {
        topics.create(specs);
    }

    @Override
    public void deleteTopics(List<TopicSpec> specs) throws DriverException, InterruptedException {
        topics.delete(specs);
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        return List.copyOf(create(
                specs,
                spec -> "create producer " + spec.id() + " of topic '"
                        + spec.topic().name() + "'",
                clients::producer));
    }

    /** Creates clients one after the other: only the control thread may use the connections. */
    private <S, T extends AutoCloseable> List<T> create(
            List<S> specs, Function<S, String> attempt, CreateClient<S, T> creation)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        return ManyCalls.inTurn(
                specs,
                spec -> CALLS.<T>run(
                        attempt.apply(spec), deadline, () -> creation.of(spec), ArtemisConnection::discard, () -> {}),
                ArtemisConnection::discard);
    }

    private interface CreateClient<S, T> {
        T of(S spec) throws Exception;
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        ConsumerGroup.requireOneEach(ConsumerGroup.of(
                specs.stream().filter(spec -> topics.readsQueue(spec.topic())).toList()));
        return List.copyOf(create(
                specs,
                spec -> "create consumer " + spec.id() + " of topic '"
                        + spec.topic().name() + "', subscription '" + spec.subscription() + "'",
                spec -> clients.consumer(spec, topics.queues(spec.topic(), spec.subscription()))));
    }

    /** Only existing queues have readers, which empty them; new queues start with later messages. */
    @Override
    public List<BenchmarkConsumer> createReaders(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        return specs.stream().allMatch(spec -> topics.readsQueue(spec.topic())) ? createConsumers(specs) : List.of();
    }

    private static void discard(AutoCloseable client) {
        try {
            client.close();
        } catch (Exception e) {
            // It would only follow from the error that is thrown.
        }
    }

    @Override
    public void close() {
        control.close(CLOSE_LIMIT);
        connections.close();
    }
}
