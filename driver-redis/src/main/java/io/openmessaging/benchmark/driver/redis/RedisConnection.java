package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.redis.link.RedisCalls.CALLS;
import static io.openmessaging.benchmark.driver.redis.link.RedisCalls.THREADS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ClientCreation;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.RedisBenchmarkConsumer.Departure;
import io.openmessaging.benchmark.driver.redis.link.ControlPlane;
import io.openmessaging.benchmark.driver.redis.link.Links;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.HostAndPort;

/** The control plane of one run: a connection for commands to each node that is asked something. */
final class RedisConnection implements DriverConnection {

    private final RedisConfig config;
    private final DriverContext context;
    private final ControlPlane control;
    private final Transport transport;
    private final List<RedisBenchmarkProducer> producers = new CopyOnWriteArrayList<>();

    /** Flushes all producers every {@code flushInterval}, if that is not zero. */
    private final ScheduledExecutorService flusher =
            Executors.newSingleThreadScheduledExecutor(THREADS.named("redis-flush"));

    RedisConnection(RedisConfig config, DriverContext context, ControlPlane control) {
        this.config = config;
        this.context = context;
        this.control = control;
        this.transport = switch (config.mode()) {
            case STREAM -> new StreamTransport(config, control);
            case PUBSUB -> new ChannelTransport(config, control);
            case LIST -> new ListTransport(config, control, context);
        };
        long intervalNs = config.flushInterval().toNanos();
        if (intervalNs > 0) {
            Runnable flush = () -> producers.forEach(RedisBenchmarkProducer::flush);
            ScheduledFuture<?> unused =
                    flusher.scheduleAtFixedRate(flush, intervalNs, intervalNs, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public BrokerDescription describeBroker() throws DriverException, InterruptedException {
        List<HostAndPort> nodes = control.topology().nodes();
        HostAndPort first = nodes.get(0);
        BrokerDescription described = control.call(
                "ask Redis at " + first + " what it is",
                () -> BrokerInfo.ask(
                        control.jedis(first),
                        nodes.stream().map(HostAndPort::toString).toList()));
        return described.promising(RedisGuarantee.of(config.mode(), described.settings()));
    }

    /** Jedis' encoder has copied the bytes when it returns, to its buffer or to the socket. */
    @Override
    public PayloadOwnership payloadOwnership() {
        return PayloadOwnership.COPIED_ON_SEND;
    }

    /**
     * Keys come into being with the first message or the first consumer; here it is only tried whether they may, so
     * that a missing permission ends the run at once and with Redis' reason.
     */
    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (TopicSpec topic : topics) {
            control.run("create the topic '" + topic.name() + "'", () -> transport.create(topic));
        }
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (TopicSpec topic : topics) {
            control.run("delete the topic '" + topic.name() + "'", () -> {
                for (List<String> keys : transport.keys(topic)) {
                    // In the background: millions of entries would block Redis for others.
                    control.jedisOf(keys.get(0)).unlink(keys.toArray(String[]::new));
                }
            });
        }
    }

    // Producers

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        List<RedisBenchmarkProducer> created =
                ClientCreation.inTurn(specs, this::producer, RedisBenchmarkProducer::abort);
        producers.addAll(created);
        return List.copyOf(created);
    }

    private RedisBenchmarkProducer producer(ProducerSpec spec) throws DriverException, InterruptedException {
        Links links = new Links(config.clientConfig(context.timeout()));
        return CALLS.run(
                "create a producer of topic '" + spec.topic().name() + "'",
                Deadline.in(context.timeout()),
                () -> new RedisBenchmarkProducer(
                        spec, control.topology(), links, config, context, transport.publisher(spec.topic())),
                RedisBenchmarkProducer::abort,
                () -> {
                    links.close();
                    control.breakOff();
                });
    }

    // Consumers

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        Map<ConsumerSpec, List<Integer>> partitions =
                control.call("attach " + specs.size() + " consumers", () -> transport.attach(ConsumerGroup.of(specs)));
        List<RedisBenchmarkConsumer> created = ClientCreation.inTurn(
                specs, spec -> consumer(spec, partitions.getOrDefault(spec, List.of())), RedisBenchmarkConsumer::abort);
        created.forEach(RedisBenchmarkConsumer::start);
        return List.copyOf(created);
    }

    /** A consumer that is connected, but which has to be started yet. */
    private RedisBenchmarkConsumer consumer(ConsumerSpec spec, List<Integer> partitions)
            throws DriverException, InterruptedException {
        List<Part> parts = parts(spec.topic(), partitions);
        MessageListener listener = parts.size() > 1 ? serialized(spec.listener()) : spec.listener();
        List<ReadLoop> loops = ClientCreation.inTurn(parts, part -> loop(spec, part, listener), ReadLoop::breakOff);
        String name = "consumer " + spec.id() + " of topic '" + spec.topic().name() + "'";
        return new RedisBenchmarkConsumer(name, loops, departure(spec, partitions));
    }

    /** What one thread reads from one connection. */
    private record Part(HostAndPort node, List<Integer> partitions) {}

    /**
     * As few as possible: one for each node. But a cluster refuses a command about several slots, even where they are
     * on one node, so that streams and lists of different partitions cannot be read together.
     */
    private List<Part> parts(TopicSpec topic, List<Integer> partitions) {
        boolean together = !config.isCluster() || config.mode() == RedisMode.PUBSUB;
        Map<Object, Part> parts = new LinkedHashMap<>();
        for (Integer partition : partitions) {
            HostAndPort node = control.topology().nodeOf(PartitionKeys.partition(topic, partition));
            parts.computeIfAbsent(together ? node : partition, key -> new Part(node, new ArrayList<>()))
                    .partitions()
                    .add(partition);
        }
        return List.copyOf(parts.values());
    }

    private Departure departure(ConsumerSpec spec, List<Integer> partitions) {
        if (config.mode() != RedisMode.PUBSUB || partitions.isEmpty()) {
            return Departure.SILENT;
        }
        return () ->
                control.run("release the channels of consumer " + spec.id(), () -> transport.release(spec, partitions));
    }

    /** For a consumer with several threads. */
    private static MessageListener serialized(MessageListener listener) {
        Object lock = new Object();
        return (key, payload, partition) -> {
            synchronized (lock) {
                listener.received(key, payload, partition);
            }
        };
    }

    private ReadLoop loop(ConsumerSpec spec, Part part, MessageListener listener)
            throws DriverException, InterruptedException {
        MessageSource source = transport.source(spec, part.partitions(), listener);
        ReadLoop loop =
                new ReadLoop(spec, part.node(), source, new Links(config.clientConfig(context.timeout())), context);
        String attempt =
                "open consumer " + spec.id() + " of topic '" + spec.topic().name() + "' at " + part.node();
        CALLS.run(attempt, Deadline.in(context.timeout()), loop::open, late -> {}, loop::breakOff);
        return loop;
    }

    @Override
    public void close() {
        flusher.shutdownNow();
        transport.close();
        control.close();
    }
}
