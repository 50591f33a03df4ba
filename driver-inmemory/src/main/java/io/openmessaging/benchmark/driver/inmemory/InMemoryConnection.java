package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
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
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A connection to a broker of this process. */
final class InMemoryConnection implements DriverConnection {

    private final InMemoryBroker broker;
    private final InMemoryConfig config;
    private final DriverContext context;
    /** Producers before consumers. It is harmless to close one that is already closed. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Takes over one connection that the broker has counted. */
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
                        Map.of("delivery", config.delivery().name()))
                .promising(new Guarantee(1, 1, Storage.MEMORY, Consumption.AUTOMATIC, Order.PARTITION));
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
        List<BenchmarkProducer> producers = new ArrayList<>();
        for (ProducerSpec spec : specs) {
            producers.add(createProducer(spec.id(), broker.topic(spec.topic())));
        }
        producers.forEach(opened::addFirst);
        return producers;
    }

    private BenchmarkProducer createProducer(int id, Topic topic) {
        BenchmarkProducer producer =
                topic.withFaults(new InMemoryProducer(id, topic, context.timeout()), context.events());
        return config.ackDelay().isZero()
                ? producer
                : new DelayingProducer(id, producer, config.ackDelay(), context.timeout());
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs) throws DriverException {
        Map<ConsumerSpec, InMemoryConsumer> consumers = new LinkedHashMap<>();
        for (ConsumerSpec spec : specs) {
            Topic topic = broker.topic(spec.topic());
            consumers.put(spec, new InMemoryConsumer(spec, topic, broker, context.events()));
        }
        try {
            for (ConsumerGroup group : ConsumerGroup.of(specs)) {
                broker.topic(group.topic())
                        .attach(
                                group.subscription(),
                                group.members().stream().map(consumers::get).toList());
            }
        } catch (DriverException e) {
            closeAll(consumers.values(), e);
            throw e;
        }
        opened.addAll(consumers.values());
        return List.copyOf(consumers.values());
    }

    @Override
    public void close() throws DriverException {
        broker.disconnect();
        DriverException failure = new DriverException("A producer or consumer could not be closed.");
        closeAll(opened, failure);
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }

    private static void closeAll(Collection<? extends AutoCloseable> things, DriverException failure) {
        for (AutoCloseable thing : things) {
            try {
                thing.close();
            } catch (Exception e) {
                failure.addSuppressed(e);
            }
        }
    }
}
