package io.openmessaging.benchmark.driver.rabbitmq.stream;

import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.CALLS;

import com.rabbitmq.client.Channel;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
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
import io.openmessaging.benchmark.driver.rabbitmq.connection.PacedCreation;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqConnection;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RecoveringConnection;
import io.openmessaging.benchmark.driver.rabbitmq.stream.StreamBenchmarkConsumer.Share;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * Streams and super streams over the stream protocol, declared over AMQP. A stream is a stream queue with the topic's
 * name; a super stream is one such queue per partition, behind an exchange. Every broker with streams accepts super
 * streams declared in this way; the stream protocol's own command came later.
 */
public final class StreamConnection extends RabbitMqConnection {

    private final StreamClients clients;
    private final StreamSubscriptions subscriptions;

    /** Uses an open control connection. */
    public StreamConnection(RabbitMqConfig config, DriverContext context, RecoveringConnection control) {
        super(config, context, control);
        this.clients = new StreamClients(config, context);
        this.subscriptions = new StreamSubscriptions(control);
    }

    @Override
    public void probe(Deadline deadline) throws DriverException, InterruptedException {
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
    protected String obstacleToPartitions() {
        return isSuper() ? "" : "a stream has one partition; use queueType: SUPER_STREAM";
    }

    @Override
    protected void declare(Channel channel, TopicSpec topic) throws IOException {
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
    protected void delete(Channel channel, TopicSpec topic) throws IOException {
        for (String stream : streamsOf(topic)) {
            channel.queueDelete(stream);
        }
        if (isSuper()) {
            channel.exchangeDelete(topic.name());
        }
    }

    @Override
    protected List<String> queuesOfExisting(TopicSpec topic) {
        return streamsOf(topic);
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
        Environment environment = clients.environment("producers", streams, config.producerConnections(), deadline);
        return List.copyOf(PacedCreation.ofProducers(config, deadline)
                .all(
                        specs,
                        spec -> new StreamBenchmarkProducer(
                                environment, spec, streamsOf(spec.topic()), config, context),
                        StreamBenchmarkProducer::release));
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        if (config.streamSingleActiveConsumer()) {
            return createBeside(specs, deadline);
        }
        // An existing stream contains messages of others.
        boolean existing = specs.stream().anyMatch(spec -> spec.topic().existing());
        return createSharing(specs, existing ? OffsetSpecification.next() : config.offsetSpecification(), deadline);
    }

    /**
     * Creates consumers among which the broker divides the streams. It assigns partition p to the consumer that
     * registered for that partition as number p modulo the number of consumers. Consumers of one subscription therefore
     * register one after another: if their order differed between partitions, some would get no stream.
     */
    private List<BenchmarkConsumer> createBeside(List<ConsumerSpec> specs, Deadline deadline)
            throws DriverException, InterruptedException {
        Environment environment = environment(streams(specs), deadline);
        Map<ConsumerSpec, Lock> turns = new HashMap<>();
        for (ConsumerGroup group : ConsumerGroup.of(specs)) {
            Lock turn = new ReentrantLock();
            group.members().forEach(member -> turns.put(member, turn));
        }
        return created(specs, deadline, spec -> {
            Lock turn = Objects.requireNonNull(turns.get(spec));
            turn.lockInterruptibly();
            try {
                return new StreamBenchmarkConsumer(spec, context, () -> {})
                        .startBeside(
                                environment,
                                streamsOf(spec.topic()),
                                isSuper() ? spec.topic().name() : null,
                                config.offsetSpecification());
            } finally {
                turn.unlock();
            }
        });
    }

    /**
     * Creates consumers among which the driver divides the streams, or the messages of one stream by their filter
     * values.
     */
    private List<BenchmarkConsumer> createSharing(
            List<ConsumerSpec> specs, OffsetSpecification begin, Deadline deadline)
            throws DriverException, InterruptedException {
        List<ConsumerGroup> groups = ConsumerGroup.of(specs);
        Map<ConsumerSpec, Share> shares = new HashMap<>();
        groups.forEach(group -> shares.putAll(sharesOf(group)));
        int streams = shares.values().stream()
                .mapToInt(share -> share.streams().size())
                .sum();
        Environment environment = environment(streams, deadline);
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
            List<BenchmarkConsumer> created = created(
                    specs,
                    deadline,
                    spec -> new StreamBenchmarkConsumer(spec, context, () -> subscriptions.release(spec))
                            .start(environment, shares.getOrDefault(spec, Share.NOTHING), begin));
            complete = true;
            return created;
        } finally {
            if (!complete) {
                taken.forEach(subscriptions::giveUp);
            }
        }
    }

    /** Readers have no name or position in the broker and leave nothing behind. They need no coordination. */
    @Override
    public List<BenchmarkConsumer> createReaders(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        if (specs.stream().anyMatch(spec -> spec.topic().existing())) {
            return createSharing(specs, OffsetSpecification.first(), deadline);
        }
        Environment environment = environment(streams(specs), deadline);
        return created(specs, deadline, spec -> {
            List<String> streams = streamsOf(spec.topic());
            return new StreamBenchmarkConsumer(spec, context, () -> {})
                    .start(environment, Share.all(streams), OffsetSpecification.first());
        });
    }

    private static int streams(List<ConsumerSpec> specs) {
        return specs.stream().mapToInt(spec -> spec.topic().partitions()).sum();
    }

    private Environment environment(int streams, Deadline deadline) throws DriverException, InterruptedException {
        return clients.environment("consumers", streams, config.consumerConnections(), deadline);
    }

    private List<BenchmarkConsumer> created(
            List<ConsumerSpec> specs,
            Deadline deadline,
            PacedCreation.CreateCall<ConsumerSpec, StreamBenchmarkConsumer> step)
            throws DriverException, InterruptedException {
        return List.copyOf(
                PacedCreation.ofConsumers(config, deadline).all(specs, step, StreamBenchmarkConsumer::close));
    }

    /** Shares of the consumers; some may get nothing. */
    private Map<ConsumerSpec, Share> sharesOf(ConsumerGroup group) {
        Map<ConsumerSpec, Share> shares = new HashMap<>();
        int members = group.members().size();
        List<String> streams = streamsOf(group.topic());
        if (config.streamFilterValues() > 0) {
            int readers = Math.min(config.streamFilterValues(), members);
            for (int i = 0; i < readers; i++) {
                shares.put(
                        group.members().get(i),
                        new Share(
                                Map.of(0, streams.get(0)),
                                FilterValues.shareOf(i, readers, config.streamFilterValues())));
            }
        } else {
            // Each stream has one reader per subscription.
            shares(group, streams, Math.min(streams.size(), members))
                    .forEach((spec, share) -> shares.put(spec, new Share(share, List.of())));
        }
        return shares;
    }

    @Override
    protected boolean hasPartitions(TopicSpec topic, Deadline deadline) {
        return true;
    }

    @Override
    protected String partitionOf(String queue) {
        return isSuper() ? queue : queue + "-0";
    }

    @Override
    protected void closeClients() {
        clients.close();
    }
}
