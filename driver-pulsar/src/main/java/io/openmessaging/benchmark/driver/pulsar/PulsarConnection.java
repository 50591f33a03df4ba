package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.DriverThreads;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.client.api.PulsarClient;

/** The control plane of one run: a client for messages, the administration, and the namespace of the run. */
final class PulsarConnection implements DriverConnection {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    /** Used if the thread is already interrupted. */
    private static final Duration HURRIED_CLOSE_LIMIT = Duration.ofSeconds(1);

    private final PulsarConfig config;
    private final DriverContext context;
    private final PulsarClient client;
    private final Administration administration;
    private final OptionalInt bookies;
    private final RunNamespace namespace;
    private final PulsarTopics topics;
    private final ProducerFactory producers;

    private PulsarConnection(
            PulsarConfig config,
            DriverContext context,
            PulsarClient client,
            Administration administration,
            OptionalInt bookies) {
        this.config = config;
        this.context = context;
        this.client = client;
        this.administration = administration;
        this.bookies = bookies;
        this.namespace = new RunNamespace(administration.client(), config.client(), bookies, context.runId());
        this.topics = new PulsarTopics(
                administration.client(), namespace, config.client().isPersistent());
        this.producers = new ProducerFactory(client, namespace, config.producer(), context.timeout());
    }

    /** Connects both clients, so that a wrong address is noticed now. */
    static PulsarConnection open(PulsarConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        PulsarClient client = PulsarClients.connect(config, context, deadline);
        try {
            Administration administration = Administration.of(config.client(), context.timeout());
            try {
                return new PulsarConnection(config, context, client, administration, administration.bookies(deadline));
            } catch (Throwable e) {
                administration.close();
                throw e;
            }
        } catch (Throwable e) {
            PulsarClients.close(client);
            throw e;
        }
    }

    @Override
    public BrokerDescription describeBroker() throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        Optional<Persistence> stored = stored(deadline);
        Map<String, String> settings = new TreeMap<>();
        settings.put("topic type", config.client().topicType());
        bookies.ifPresent(count -> settings.put("bookies", Integer.toString(count)));
        if (config.client().isPersistent()) {
            settings.put(
                    "persistence",
                    config.existingTopics().isEmpty()
                            ? config.client().persistence().inWords(bookies)
                            : stored.map(Persistence::numbers).orElse("unknown"));
        }
        return administration.describe(settings, deadline).promising(PulsarGuarantee.of(config, stored));
    }

    /** Returns the storage of the topics in use; empty if unknown. That of the file applies only to own topics. */
    private Optional<Persistence> stored(Deadline deadline) throws DriverException, InterruptedException {
        Persistence ofFile = config.client().persistence();
        return config.existingTopics().isEmpty()
                ? Optional.of(ofFile.cappedAt(bookies))
                : new ExistingStorage(administration.client(), ofFile).weakest(config.existingTopics(), deadline);
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        return PayloadOwnership.KEPT_AFTER_SEND;
    }

    @Override
    public void createTopics(List<TopicSpec> specs) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        topics.requireThere(specs.stream().filter(TopicSpec::existing).toList(), deadline);
        List<TopicSpec> own = specs.stream().filter(spec -> !spec.existing()).toList();
        if (!own.isEmpty()) {
            namespace.create(deadline);
            topics.create(own, deadline);
        }
    }

    /**
     * Matches brokers, known by the address of their administration, with the brokers of topics, known by the address
     * for messages. The two have the host in common; where several brokers share a host, it is unknown which of them
     * is meant.
     */
    @Override
    public List<List<String>> leaders(List<TopicSpec> specs) throws DriverException, InterruptedException {
        if (specs.stream().anyMatch(TopicSpec::existing)) {
            return List.of();
        }
        Deadline deadline = Deadline.in(context.timeout());
        Map<String, String> brokers = administration.brokersByHost(deadline);
        List<List<String>> leaders = topics.hosts(specs, deadline).stream()
                .map(hosts -> hosts.stream()
                        .map(host -> brokers.getOrDefault(host, ""))
                        .toList())
                .toList();
        return leaders.stream().flatMap(List::stream).anyMatch(String::isEmpty) ? List.of() : leaders;
    }

    @Override
    public void deleteTopics(List<TopicSpec> specs) throws DriverException, InterruptedException {
        if (specs.stream().anyMatch(spec -> !spec.existing())) {
            namespace.noteDeletion();
        }
        topics.delete(specs, Deadline.in(context.timeout()));
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        return List.copyOf(PulsarCalls.all(
                "create producers",
                specs,
                Deadline.in(context.timeout()),
                spec -> "create a producer of topic '" + spec.topic().name() + "'",
                producers::create,
                PulsarBenchmarkProducer::abandon));
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        return consumers(specs, config.consumer());
    }

    /**
     * Messages that every subscription has acknowledged may be gone. Messages that a subscription has not received are
     * still there, and finding those is the purpose of readers.
     */
    @Override
    public List<BenchmarkConsumer> createReaders(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        return config.client().isPersistent()
                ? consumers(specs, config.consumer().fromTheOldest())
                : List.of();
    }

    private List<BenchmarkConsumer> consumers(List<ConsumerSpec> specs, ConsumerConfig consumers)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        List<PulsarBenchmarkConsumer> created = PulsarCalls.all(
                "create consumers",
                specs,
                deadline,
                spec -> "attach a consumer to topic '" + spec.topic().name() + "', subscription '" + spec.subscription()
                        + "'",
                spec -> consumer(spec, consumers),
                PulsarBenchmarkConsumer::beginClose);
        try {
            if (!config.client().isPersistent()) {
                topics.awaitPermits(created, deadline);
            }
            return List.copyOf(created);
        } catch (Throwable e) {
            created.forEach(PulsarConnection::discard);
            throw e;
        }
    }

    // The result for a consumer that is given up does not matter; the client's own timeout is the limit.
    @SuppressWarnings("FutureReturnValueIgnored")
    private static void discard(PulsarBenchmarkConsumer consumer) {
        consumer.beginClose();
    }

    private CompletableFuture<PulsarBenchmarkConsumer> consumer(ConsumerSpec spec, ConsumerConfig consumers) {
        boolean cumulative = consumers.ackMode() == ConsumerConfig.AckMode.CUMULATIVE;
        return new PulsarBenchmarkConsumer(spec, cumulative, context.events())
                .subscribe(PulsarClients.consumer(
                        client,
                        namespace.topic(spec.topic()),
                        namespace.subscription(spec.topic(), spec.subscription()),
                        consumers));
    }

    @Override
    public void close() throws DriverException {
        Duration limit = Thread.currentThread().isInterrupted() ? HURRIED_CLOSE_LIMIT : CLOSE_LIMIT;
        DriverThreads.uninterrupted(() -> {
            try {
                producers.close();
                PulsarClients.close(client);
                namespace.removeIfEmpty(limit);
            } finally {
                administration.close();
            }
        });
    }
}
