package io.openmessaging.benchmark.worker.fake;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The control plane of a {@link FakeSystem}. */
final class FakeConnection implements DriverConnection {

    private final FakeSystem system;
    private final List<String> nodes;

    FakeConnection(FakeSystem system, List<String> nodes) {
        this.system = system;
        this.nodes = nodes;
    }

    @Override
    public BrokerDescription describeBroker() throws DriverException, InterruptedException {
        system.called(Call.DESCRIBE);
        return new BrokerDescription("Fake", "1.0", nodes, Map.of());
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        return system.ownership();
    }

    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        system.called(Call.CREATE_TOPICS);
        for (TopicSpec topic : topics) {
            system.create(topic);
        }
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        system.called(Call.DELETE_TOPICS);
        topics.forEach(system::delete);
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> producers)
            throws DriverException, InterruptedException {
        system.called(Call.CREATE_PRODUCERS);
        List<BenchmarkProducer> created = new ArrayList<>();
        producers.forEach(spec -> created.add(new FakeProducer(system, spec)));
        return created;
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> consumers)
            throws DriverException, InterruptedException {
        system.called(Call.CREATE_CONSUMERS);
        List<BenchmarkConsumer> created = new ArrayList<>();
        for (ConsumerSpec spec : consumers) {
            FakeConsumer consumer = new FakeConsumer(system, spec);
            system.attach(consumer);
            created.add(consumer);
        }
        return created;
    }

    @Override
    public List<BenchmarkConsumer> createReaders(List<ConsumerSpec> readers)
            throws DriverException, InterruptedException {
        system.called(Call.CREATE_READERS);
        List<BenchmarkConsumer> created = new ArrayList<>();
        if (system.keeps()) {
            for (ConsumerSpec spec : readers) {
                FakeConsumer reader = new FakeConsumer(system, spec);
                system.replay(reader);
                created.add(reader);
            }
        }
        return created;
    }

    @Override
    public void close() throws DriverException {
        system.closing(Call.CLOSE);
    }
}
