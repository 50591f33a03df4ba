package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.artemis.ArtemisCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ClientCreation;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientProducer;

/** The control plane of one run: a session of its own, and the connections of the clients. */
final class ArtemisConnection implements DriverConnection {

    private static final String PRODUCT = "Apache Artemis";
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

    private final ArtemisConfig config;
    private final DriverContext context;
    private final Connections connections;
    private final ClientLink control;
    private final Management management;
    private final Topics topics;

    private ArtemisConnection(
            ArtemisConfig config, DriverContext context, Connections connections, ClientLink control) {
        this.config = config;
        this.context = context;
        this.connections = connections;
        this.control = control;
        this.management = new Management(control.session());
        this.topics = new Topics(control.session(), management, config, context.timeout());
    }

    static ArtemisConnection open(ArtemisConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        Connections connections = new Connections(config, context);
        try {
            ClientLink control = connections.forControl();
            // For the answers of the management.
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
        List<String> nodes = BrokerAddress.parse(config.brokerAddress()).hostsAndPorts();
        try {
            String version = ask("version", deadline);
            Map<String, String> settings = new TreeMap<>();
            settings.put("node id", ask("nodeID", deadline));
            boolean persistent = Boolean.parseBoolean(ask("persistenceEnabled", deadline));
            settings.put("persistence enabled", Boolean.toString(persistent));
            settings.put("journal type", persistent ? ask("journalType", deadline) : "none");
            boolean synced = persistent && Boolean.parseBoolean(ask("journalSyncNonTransactional", deadline));
            Storage storage =
                    !persistent || !config.durable() ? Storage.MEMORY : synced ? Storage.SYNCED : Storage.WRITTEN;
            return new BrokerDescription(PRODUCT, version, nodes, settings).promising(guarantee(storage, ""));
        } catch (DriverException e) {
            if (e.getCause() instanceof ActiveMQSecurityException) {
                // Who may send and consume need not be one who may manage.
                return new BrokerDescription(PRODUCT, "unknown", nodes, Map.of())
                        .promising(guarantee(
                                config.durable() ? Storage.UNKNOWN : Storage.MEMORY,
                                "the user may not ask the broker for its settings"));
            }
            throw e;
        }
    }

    private Guarantee guarantee(Storage storage, String note) {
        boolean acknowledged = config.blockOnDurableSend() || config.acknowledgesAsynchronously();
        Consumption consumption = config.autoAck() ? Consumption.AUTOMATIC : Consumption.ACKNOWLEDGED;
        return new Guarantee(1, acknowledged ? 1 : 0, storage, consumption, Order.PARTITION, note);
    }

    private String ask(String attribute, Deadline deadline) throws DriverException, InterruptedException {
        return CALLS.ask("ask Artemis for its " + attribute, deadline, () -> management.attribute(attribute, deadline));
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
                this::producer));
    }

    /** One after the other: the connections are the control thread's. */
    private <S, T extends AutoCloseable> List<T> create(
            List<S> specs, Function<S, String> attempt, Creation<S, T> creation)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        return ClientCreation.inTurn(
                specs,
                spec -> CALLS.<T>run(
                        attempt.apply(spec), deadline, () -> creation.of(spec), ArtemisConnection::discard, () -> {}),
                ArtemisConnection::discard);
    }

    /** Creates one client. */
    private interface Creation<S, T> {
        T of(S spec) throws Exception;
    }

    private ArtemisBenchmarkProducer producer(ProducerSpec spec) throws Exception {
        ClientLink link = connections.forProducer();
        try {
            List<ClientProducer> partitions = new ArrayList<>();
            for (int partition = 0; partition < spec.topic().partitions(); partition++) {
                SimpleString address = Topics.address(spec.topic(), partition);
                partitions.add(link.session().createProducer(address));
            }
            if (config.acknowledgesAsynchronously()) {
                link.session().setSendAcknowledgementHandler(ArtemisBenchmarkProducer.ANSWERS);
            }
            return new ArtemisBenchmarkProducer(link::close, partitions, spec.id(), config, context.timeout());
        } catch (Throwable e) {
            link.close(CLOSE_LIMIT);
            throw e;
        }
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        return List.copyOf(create(
                specs,
                spec -> "create consumer " + spec.id() + " of topic '"
                        + spec.topic().name() + "', subscription '" + spec.subscription() + "'",
                this::consumer));
    }

    private ArtemisBenchmarkConsumer consumer(ConsumerSpec spec) throws Exception {
        List<SimpleString> queues = topics.queues(spec.topic(), spec.subscription());
        ClientLink link = connections.forConsumer();
        try {
            ArtemisBenchmarkConsumer consumer = new ArtemisBenchmarkConsumer(link, spec, config, context);
            consumer.start(queues);
            return consumer;
        } catch (Throwable e) {
            link.close(CLOSE_LIMIT);
            throw e;
        }
    }

    private static void discard(AutoCloseable client) {
        try {
            client.close();
        } catch (Exception e) {
            // It would only follow from the error that is the reason, which is thrown.
        }
    }

    @Override
    public void close() {
        control.close(CLOSE_LIMIT);
        connections.close();
    }
}
