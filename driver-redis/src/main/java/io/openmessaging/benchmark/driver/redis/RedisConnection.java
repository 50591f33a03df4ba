package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.redis.RedisCalls.CALLS;
import static io.openmessaging.benchmark.driver.redis.RedisCalls.THREADS;

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
import java.util.List;
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

    private RedisConnection(RedisConfig config, DriverContext context, ControlPlane control) {
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

    /** Connects, logs in, and finds out about the nodes. */
    static RedisConnection open(RedisConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        return new RedisConnection(config, context, ControlPlane.open(config, context.timeout()));
    }

    @Override
    public BrokerDescription describeBroker() throws DriverException, InterruptedException {
        List<HostAndPort> nodes = control.topology().nodes();
        HostAndPort first = nodes.get(0);
        return control.call(
                "ask Redis at " + first + " what it is",
                () -> BrokerInfo.ask(
                        control.jedis(first),
                        nodes.stream().map(HostAndPort::toString).toList()));
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

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        List<RedisBenchmarkProducer> created =
                ClientCreation.inTurn(specs, this::producer, RedisBenchmarkProducer::abort);
        producers.addAll(created);
        return List.copyOf(created);
    }

    private RedisBenchmarkProducer producer(ProducerSpec spec) throws DriverException, InterruptedException {
        Links links = new Links(config, context.timeout());
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

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        return new ConsumerFactory(config, context, control, transport).create(specs);
    }

    @Override
    public void close() {
        flusher.shutdownNow();
        transport.close();
        control.close();
    }
}
