package io.openmessaging.benchmark.driver.acme;

import static io.openmessaging.benchmark.driver.acme.AcmeBenchmarkDriver.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.ManyCalls;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.List;
import java.util.Map;

/** The control plane of one run. */
final class AcmeConnection implements DriverConnection {

    private final AcmeClient client;
    private final DriverContext context;

    AcmeConnection(AcmeClient client, DriverContext context) {
        this.client = client;
        this.context = context;
    }

    /** Describes what the system reports about itself. The guarantee depends on the settings of topics and client. */
    @Override
    public BrokerDescription describeBroker() {
        return new BrokerDescription("Acme", client.brokerVersion(), client.brokers(), Map.of())
                .promising(new Guarantee(1, 1, Storage.MEMORY, Consumption.AUTOMATIC, Order.PARTITION));
    }

    /** The client passes the array on without a copy. {@code COPIED_ON_SEND} would be wrong for such a client. */
    @Override
    public PayloadOwnership payloadOwnership() {
        return PayloadOwnership.KEPT_AFTER_SEND;
    }

    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        ManyCalls.forEach(
                CALLS, "create " + topics.size() + " topics", topics, deadline, topic -> create(topic, deadline));
    }

    private void create(TopicSpec topic, Deadline deadline) throws DriverException, InterruptedException {
        CALLS.run(
                "create the topic '" + topic.name() + "'",
                deadline,
                () -> client.createTopic(topic.name(), topic.partitions()));
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        ManyCalls.forEach(
                CALLS, "delete " + topics.size() + " topics", topics, deadline, topic -> delete(topic, deadline));
    }

    private void delete(TopicSpec topic, Deadline deadline) throws DriverException, InterruptedException {
        CALLS.run("delete the topic '" + topic.name() + "'", deadline, () -> client.deleteTopic(topic.name()));
    }

    /** If creating a producer takes a request, {@code new ManyCalls(…).all(…)} creates several at a time. */
    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        return ManyCalls.inTurn(specs, this::producer, producer -> {});
    }

    private BenchmarkProducer producer(ProducerSpec spec) {
        return new AcmeProducer(client, spec, context.timeout());
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        return ManyCalls.inTurn(specs, spec -> subscribe(spec, deadline), AcmeConnection::discard);
    }

    private static void discard(BenchmarkConsumer consumer) {
        try {
            consumer.close();
        } catch (DriverException e) {
            // The failure that ended the creation is the one to report.
        }
    }

    private BenchmarkConsumer subscribe(ConsumerSpec spec, Deadline deadline)
            throws DriverException, InterruptedException {
        String topic = spec.topic().name();
        AcmeClient.Subscription subscription = CALLS.run(
                "subscribe to the topic '" + topic + "'",
                deadline,
                () -> client.subscribe(topic, spec.subscription(), spec.listener()::received),
                AcmeClient.Subscription::close,
                () -> {});
        return new AcmeConsumer(subscription);
    }

    @Override
    public void close() {
        client.close();
    }
}
