package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ManyCalls;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaSharedClients;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaTransaction;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaBenchmarkProducer;
import io.openmessaging.benchmark.driver.kafka.clients.Records;
import io.openmessaging.benchmark.driver.kafka.clients.ReleasableProducer;
import io.openmessaging.benchmark.driver.kafka.clients.SharedProducer;
import io.openmessaging.benchmark.driver.kafka.clients.SharedProducers;
import io.openmessaging.benchmark.driver.kafka.clients.TransactionalProducer;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Control plane of one run: an admin client and the settings of the other clients. */
final class KafkaConnection implements DriverConnection {

    private static final Duration ADMIN_CLOSE_LIMIT = Duration.ofSeconds(1);

    /** Limit for clients of closed consumers, which give up by themselves after a few seconds. */
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(10);

    private final KafkaBenchmarkDriver driver;
    private final DriverContext context;
    private final KafkaConfig config;
    private final ClientProperties properties;
    private final Admin admin;
    private final KafkaTopics topics;
    private final Subscriptions<?> subscriptions;

    /** Subscriptions that start at the oldest message, as a new share group always does. */
    private final Subscriptions<?> readers;

    /** Null if each producer has its own client. */
    private final @Nullable SharedProducers sharedProducers;

    /** Takes ownership of the admin client. */
    KafkaConnection(
            KafkaBenchmarkDriver driver,
            KafkaConfig config,
            DriverContext context,
            ClientProperties properties,
            Admin admin) {
        this.driver = driver;
        this.context = context;
        this.config = config;
        this.properties = properties;
        this.admin = admin;
        this.topics = new KafkaTopics(admin, config, context.timeout());
        KafkaSharedClients shared = config.sharedClients();
        if (config.groupType() == GroupType.SHARE) {
            this.subscriptions = new ShareGroups(admin, properties, context);
            this.readers = subscriptions;
        } else {
            this.subscriptions = ConsumerGroups.of(admin, properties, shared, context);
            this.readers = ConsumerGroups.ofReaders(admin, properties, shared, context);
        }
        this.sharedProducers = shared == null
                ? null
                : new SharedProducers(
                        shared.producers(), number -> new KafkaProducer<>(properties.ofSharedProducer(number)));
    }

    @Override
    public BrokerDescription describeBroker() throws DriverException, InterruptedException {
        return new ClusterDescription(admin, Deadline.in(context.timeout()))
                .ask(driver, new KafkaGuarantee(config, properties, driver));
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        return PayloadOwnership.COPIED_ON_SEND;
    }

    @Override
    public void createTopics(List<TopicSpec> specs) throws DriverException, InterruptedException {
        topics.requireThere(specs.stream().filter(TopicSpec::existing).toList());
        topics.create(ownOf(specs));
    }

    @Override
    public List<List<String>> leaders(List<TopicSpec> specs) throws DriverException, InterruptedException {
        return topics.leaders(specs);
    }

    @Override
    public void deleteTopics(List<TopicSpec> specs) throws DriverException, InterruptedException {
        try {
            // Groups first: a share group keeps state about its topics, which it cannot look up once they are gone.
            subscriptions.deleteOf(specs);
        } finally {
            topics.delete(ownOf(specs));
        }
    }

    private static List<TopicSpec> ownOf(List<TopicSpec> specs) {
        return specs.stream().filter(spec -> !spec.existing()).toList();
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        return List.copyOf(new ManyCalls<ReleasableProducer>(
                        CALLS, "create producers", ManyCalls.SEVERAL, ManyCalls.each(ReleasableProducer::abort))
                .all(specs, this::producer, Deadline.in(context.timeout())));
    }

    private ReleasableProducer producer(ProducerSpec spec) throws DriverException {
        TopicSpec topic = spec.topic();
        return sharedProducers == null ? alone(spec, topic) : sharing(spec, topic, sharedProducers);
    }

    private ReleasableProducer alone(ProducerSpec spec, TopicSpec topic) {
        KafkaTransaction transaction = config.transaction();
        Producer<String, byte[]> client = new KafkaProducer<>(properties.ofProducer(spec.id()));
        try {
            Records records = records(spec, topic, client);
            if (transaction == null) {
                return new KafkaBenchmarkProducer(client, records, context.timeout());
            }
            client.initTransactions();
            return new TransactionalProducer(
                    spec.id(), client, records, transaction.messages(), transaction.maxTime(), context.timeout());
        } catch (KafkaException e) {
            client.close(Duration.ZERO);
            throw e;
        }
    }

    private ReleasableProducer sharing(ProducerSpec spec, TopicSpec topic, SharedProducers clients) {
        SharedProducers.SharedClient place = clients.enter(spec.id());
        try {
            return new SharedProducer(place, records(spec, topic, place.client()), context.timeout());
        } catch (KafkaException e) {
            place.leave(Duration.ZERO);
            throw e;
        }
    }

    private static Records records(ProducerSpec spec, TopicSpec topic, Producer<String, byte[]> client) {
        // Fetches the metadata; otherwise the first message would wait for it.
        int partitions = client.partitionsFor(topic.name()).size();
        return Records.of(
                topic.name(),
                spec.headers(),
                partitions > topic.partitions() ? new Partitions(topic.partitions(), spec.id()) : null);
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        return subscriptions.create(specs);
    }

    @Override
    public List<BenchmarkConsumer> createReaders(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        return readers.create(specs);
    }

    @Override
    public void close() throws DriverException {
        admin.close(ADMIN_CLOSE_LIMIT);
        Deadline deadline = Deadline.in(RELEASE_LIMIT);
        subscriptions.awaitReleased(deadline);
        readers.awaitReleased(deadline);
    }
}
