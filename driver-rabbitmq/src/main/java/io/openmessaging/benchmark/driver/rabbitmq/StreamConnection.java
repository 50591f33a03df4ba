package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.RabbitMqCalls.CALLS;

import com.rabbitmq.client.Channel;
import com.rabbitmq.stream.Environment;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.ExchangeType;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Streams and super streams over the stream protocol, declared over AMQP. A stream is a stream queue named like the topic;
 * a super stream is one for each partition, behind an exchange. Declared like this it is one for every broker that has
 * streams; the stream protocol's own command for it came later.
 */
final class StreamConnection extends RabbitMqConnection {

    private final StreamClients clients;
    private final StreamSubscriptions subscriptions;

    StreamConnection(RabbitMqConfig config, DriverContext context, RecoveringConnection control) {
        super(config, context, control);
        this.clients = new StreamClients(config, context);
        this.subscriptions = new StreamSubscriptions(control);
    }

    @Override
    void probe(Deadline deadline) throws DriverException, InterruptedException {
        clients.probe(deadline);
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        return PayloadOwnership.KEPT_AFTER_SEND;
    }

    // Topics

    private boolean isSuper() {
        return config.queueType() == QueueType.SUPER_STREAM;
    }

    @Override
    String obstacleToPartitions() {
        return isSuper() ? "" : "a stream has one partition; use queueType: SUPER_STREAM";
    }

    @Override
    void declare(Channel channel, TopicSpec topic) throws IOException {
        Map<String, Object> arguments = arguments("stream");
        if (config.streamMaxSegmentSizeBytes() != null) {
            arguments.put("x-stream-max-segment-size-bytes", config.streamMaxSegmentSizeBytes());
        }
        if (config.streamMaxLengthBytes() != null) {
            arguments.put("x-max-length-bytes", config.streamMaxLengthBytes());
        }
        if (isSuper()) {
            channel.exchangeDeclare(
                    topic.name(), ExchangeType.DIRECT.amqpName(), true, false, Map.of("x-super-stream", true));
        }
        List<String> streams = streamsOf(topic);
        for (int i = 0; i < streams.size(); i++) {
            channel.queueDeclare(streams.get(i), true, false, false, arguments);
            if (isSuper()) {
                channel.queueBind(
                        streams.get(i), topic.name(), Integer.toString(i), Map.of("x-stream-partition-order", i));
            }
        }
    }

    @Override
    void delete(Channel channel, TopicSpec topic) throws IOException {
        for (String stream : streamsOf(topic)) {
            channel.queueDelete(stream);
        }
        if (isSuper()) {
            channel.exchangeDelete(topic.name());
        }
    }

    /** The streams of a topic, by partition. */
    private List<String> streamsOf(TopicSpec topic) {
        return isSuper()
                ? IntStream.range(0, topic.partitions())
                        .mapToObj(i -> topic.name() + "-" + i)
                        .toList()
                : List.of(topic.name());
    }

    // Clients

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        int streams = specs.stream().mapToInt(spec -> spec.topic().partitions()).sum();
        Environment environment = clients.environment("producers", streams, config.connectionsPerProducers(), deadline);
        return List.copyOf(Creation.ofProducers(config, deadline)
                .all(
                        specs,
                        spec -> new StreamBenchmarkProducer(
                                environment, spec.id(), streamsOf(spec.topic()), config, context),
                        StreamBenchmarkProducer::release));
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        List<ConsumerGroup> groups = ConsumerGroup.of(specs);
        int streams =
                groups.stream().mapToInt(group -> group.topic().partitions()).sum();
        Environment environment = clients.environment("consumers", streams, config.connectionsPerConsumers(), deadline);
        Map<ConsumerSpec, Map<Integer, String>> shares = new HashMap<>();
        for (ConsumerGroup group : groups) {
            // A stream has one reader in a subscription, so some consumers may be left without any.
            int readers = Math.min(group.topic().partitions(), group.members().size());
            shares.putAll(shares(group, streamsOf(group.topic()), readers));
        }
        List<ConsumerGroup> taken = new ArrayList<>();
        boolean complete = false;
        try {
            for (ConsumerGroup group : groups) {
                CALLS.run(
                        "take the subscription '" + group.subscription() + "' of topic '"
                                + group.topic().name() + "'",
                        deadline,
                        () -> subscriptions.take(group));
                taken.add(group);
            }
            List<BenchmarkConsumer> created = List.copyOf(Creation.ofConsumers(config, deadline)
                    .all(
                            specs,
                            spec -> new StreamBenchmarkConsumer(spec, context, () -> subscriptions.release(spec))
                                    .start(
                                            environment,
                                            shares.getOrDefault(spec, Map.of()),
                                            config.offsetSpecification()),
                            StreamBenchmarkConsumer::close));
            complete = true;
            return created;
        } finally {
            if (!complete) {
                taken.forEach(subscriptions::giveUp);
            }
        }
    }

    @Override
    void closeClients() {
        clients.close();
    }
}
