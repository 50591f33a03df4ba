package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A connection to a broker of this process. */
final class InMemoryConnection implements DriverConnection {

    private record SubscriptionOfTopic(Topic topic, String subscription) {}

    private final InMemoryBroker broker;
    private final InMemoryConfig config;
    private final DriverContext context;

    /** Takes over one of the broker's connections. */
    InMemoryConnection(InMemoryBroker broker, DriverContext context) {
        this.broker = broker;
        this.config = broker.config();
        this.context = context;
    }

    @Override
    public BrokerDescription describeBroker() {
        return new BrokerDescription(
                "In-memory broker",
                InMemoryBenchmarkDriver.version(),
                List.of(),
                Map.of("delivery", config.delivery().name()));
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        return config.delivery() == Delivery.DIRECT
                ? PayloadOwnership.COPIED_ON_SEND
                : PayloadOwnership.KEPT_AFTER_SEND;
    }

    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException {
        broker.create(topics);
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException {
        for (TopicSpec topic : topics) {
            broker.delete(topic);
        }
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs) throws DriverException {
        List<Topic> topics = new ArrayList<>();
        for (ProducerSpec spec : specs) {
            topics.add(broker.topic(spec.topic()));
        }
        List<BenchmarkProducer> producers = new ArrayList<>();
        for (int i = 0; i < specs.size(); i++) {
            producers.add(createProducer(specs.get(i).id(), topics.get(i)));
        }
        return producers;
    }

    private BenchmarkProducer createProducer(int id, Topic topic) {
        BenchmarkProducer producer = new InMemoryProducer(id, topic, context.timeout());
        SendFaults faults = topic.sendFaults();
        if (faults != null) {
            producer = new FaultyProducer(producer, faults, context.events());
        }
        if (!config.ackDelay().isZero()) {
            producer = new DelayingProducer(id, producer, config.ackDelay(), context.timeout());
        }
        return producer;
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs) throws DriverException {
        List<BenchmarkConsumer> consumers = new ArrayList<>();
        Map<SubscriptionOfTopic, List<InMemoryConsumer>> bySubscription = new LinkedHashMap<>();
        for (ConsumerSpec spec : specs) {
            Topic topic = broker.topic(spec.topic());
            InMemoryConsumer consumer = new InMemoryConsumer(spec, topic, config, broker.budget(), context.events());
            consumers.add(consumer);
            bySubscription
                    .computeIfAbsent(new SubscriptionOfTopic(topic, spec.subscription()), s -> new ArrayList<>())
                    .add(consumer);
        }
        try {
            for (Map.Entry<SubscriptionOfTopic, List<InMemoryConsumer>> entry : bySubscription.entrySet()) {
                entry.getKey().topic().attach(entry.getKey().subscription(), entry.getValue());
            }
        } catch (DriverException e) {
            closeAll(consumers, e);
            throw e;
        }
        return consumers;
    }

    private static void closeAll(List<BenchmarkConsumer> consumers, DriverException failure) {
        for (BenchmarkConsumer consumer : consumers) {
            try {
                consumer.close();
            } catch (DriverException e) {
                failure.addSuppressed(e);
            }
        }
    }

    @Override
    public void close() {
        broker.disconnect();
    }
}
