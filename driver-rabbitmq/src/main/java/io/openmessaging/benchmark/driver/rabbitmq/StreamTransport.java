package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.RabbitMqCalls.CALLS;

import com.rabbitmq.client.Connection;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.ProducerSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Streams and super streams over the stream protocol. */
final class StreamTransport implements Transport {

    private static final int[] NOTHING = {};

    private final RabbitMqConfig config;
    private final DriverContext context;
    private final Topology topology;
    private final StreamClients clients;
    private final StreamSubscriptions subscriptions;

    StreamTransport(
            RabbitMqConfig config,
            DriverContext context,
            Connection control,
            Topology topology,
            StreamClients clients) {
        this.config = config;
        this.context = context;
        this.topology = topology;
        this.clients = clients;
        this.subscriptions = new StreamSubscriptions(control);
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs, Deadline deadline)
            throws DriverException, InterruptedException {
        int streams = specs.stream().mapToInt(spec -> spec.topic().partitions()).sum();
        Environment environment = clients.forProducers(streams, deadline);
        return List.copyOf(new Creation<StreamBenchmarkProducer>(
                        config.producerCreationBatchSize(),
                        config.producerCreationDelay(),
                        deadline,
                        StreamBenchmarkProducer::release)
                .all(
                        "producer",
                        specs,
                        spec -> StreamBenchmarkProducer.start(
                                environment, spec.id(), topology.streamsOf(spec.topic()), config, context)));
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs, Deadline deadline)
            throws DriverException, InterruptedException {
        List<ConsumerGroup> groups = ConsumerGroup.of(specs);
        Map<ConsumerSpec, int[]> shares = shares(groups);
        int readers =
                groups.stream().mapToInt(group -> group.topic().partitions()).sum();
        Environment environment = clients.forConsumers(readers, deadline);
        List<ConsumerGroup> taken = new ArrayList<>();
        boolean complete = false;
        try {
            for (ConsumerGroup group : groups) {
                take(group, deadline);
                taken.add(group);
            }
            List<BenchmarkConsumer> created = List.copyOf(new Creation<StreamBenchmarkConsumer>(
                            config.consumerCreationBatchSize(),
                            config.consumerCreationDelay(),
                            deadline,
                            StreamBenchmarkConsumer::close)
                    .all("consumer", specs, spec -> consumer(environment, spec, shares.getOrDefault(spec, NOTHING))));
            complete = true;
            return created;
        } finally {
            if (!complete) {
                taken.forEach(group -> subscriptions.giveUp(group.topic().name(), group.subscription()));
            }
        }
    }

    /** The partitions of each consumer. A stream has one reader in a subscription, so some may be left without any. */
    private static Map<ConsumerSpec, int[]> shares(List<ConsumerGroup> groups) {
        Map<ConsumerSpec, int[]> shares = new HashMap<>();
        for (ConsumerGroup group : groups) {
            int partitions = group.topic().partitions();
            int readers = Math.min(partitions, group.members().size());
            for (int i = 0; i < readers; i++) {
                shares.put(group.members().get(i), Partitions.shareOf(i, readers, partitions));
            }
        }
        return shares;
    }

    private StreamBenchmarkConsumer consumer(Environment environment, ConsumerSpec spec, int[] share) {
        String topic = spec.topic().name();
        return StreamBenchmarkConsumer.start(
                environment,
                spec,
                topology.streamsOf(spec.topic()),
                share,
                offset(),
                context,
                () -> subscriptions.release(topic, spec.subscription()));
    }

    private void take(ConsumerGroup group, Deadline deadline) throws DriverException, InterruptedException {
        String topic = group.topic().name();
        CALLS.run(
                "take the subscription '" + group.subscription() + "' of topic '" + topic + "'",
                deadline,
                () -> subscriptions.take(
                        topic, group.subscription(), group.members().size()));
    }

    private OffsetSpecification offset() {
        return switch (config.offset()) {
            case FIRST -> OffsetSpecification.first();
            case LAST -> OffsetSpecification.last();
            case NEXT -> OffsetSpecification.next();
            case TIMESTAMP ->
                OffsetSpecification.timestamp(
                        Instant.parse(String.valueOf(config.offsetTimestamp())).toEpochMilli());
        };
    }

    @Override
    public void close() {
        clients.close();
    }
}
