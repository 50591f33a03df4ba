package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.kafka.KafkaCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ClientCreation;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/** The control plane of one run: an admin client and the settings of the other clients. */
final class KafkaConnection implements DriverConnection {

    /** How many topics or groups go into one request. */
    private static final int BATCH_SIZE = 500;

    private static final Duration ADMIN_CLOSE_LIMIT = Duration.ofSeconds(1);

    /** For clients of closed consumers; they give up after a few seconds themselves. */
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(10);

    private final KafkaBenchmarkDriver driver;
    private final DriverContext context;
    private final KafkaConfig config;
    private final ClientProperties properties;
    private final Admin admin;
    private final Topics topics;
    private final ConsumerGroups groups;
    private final List<KafkaBenchmarkConsumer> consumers = new ArrayList<>();

    /** Takes the admin client over. */
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
        this.topics = new Topics(admin, config, BATCH_SIZE, context.timeout());
        this.groups = new ConsumerGroups(admin, properties.groupPrefix(), BATCH_SIZE, context.timeout());
    }

    @Override
    public BrokerDescription describeBroker() throws DriverException, InterruptedException {
        return new ClusterDescription(admin, Deadline.in(context.timeout()))
                .ask(driver, new KafkaGuarantee(config, properties));
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
        groups.deleteOf(specs);
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        return List.copyOf(new ClientCreation<KafkaBenchmarkProducer>(
                        CALLS, "producers", ClientCreation.SEVERAL, ClientCreation.each(KafkaBenchmarkProducer::abort))
                .all(specs, this::producer, Deadline.in(context.timeout())));
    }

    private KafkaBenchmarkProducer producer(ProducerSpec spec) {
        String topic = spec.topic().name();
        Producer<String, byte[]> client = new KafkaProducer<>(properties.ofProducer(spec.id()));
        KafkaBenchmarkProducer producer = new KafkaBenchmarkProducer(client, topic, context.timeout());
        try {
            // Else the first message would wait for it.
            client.partitionsFor(topic);
        } catch (KafkaException e) {
            producer.abort();
            throw e;
        }
        return producer;
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        List<KafkaBenchmarkConsumer> created = new ClientCreation<KafkaBenchmarkConsumer>(
                        CALLS, "consumers", ClientCreation.SEVERAL, this::discard)
                .all(specs, this::consumer, deadline);
        consumers.addAll(created);
        try {
            groups.awaitAttached(created, deadline);
            for (KafkaBenchmarkConsumer consumer : created) {
                consumer.endAttaching();
            }
            return List.copyOf(created);
        } catch (Throwable e) {
            KafkaBenchmarkConsumer.closeAll(created, e);
            throw e;
        }
    }

    private void discard(List<KafkaBenchmarkConsumer> created, Exception reason) {
        consumers.addAll(created);
        KafkaBenchmarkConsumer.closeAll(created, reason);
    }

    private KafkaBenchmarkConsumer consumer(ConsumerSpec spec) {
        String groupId = groups.idFor(spec);
        Consumer<String, byte[]> client = new KafkaConsumer<>(properties.ofConsumer(spec.id(), groupId));
        return new KafkaBenchmarkConsumer(spec, groupId, client, properties.driverCommits(), context);
    }

    @Override
    public void close() throws DriverException {
        admin.close(ADMIN_CLOSE_LIMIT);
        Deadline deadline = Deadline.in(RELEASE_LIMIT);
        long left = consumers.stream()
                .filter(consumer -> !consumer.awaitReleased(deadline))
                .count();
        if (left > 0) {
            throw deadline.missed("the clients of " + left + " closed consumers to be released", null);
        }
    }
}
