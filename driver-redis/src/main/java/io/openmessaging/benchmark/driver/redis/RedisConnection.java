package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.redis.RedisCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/** The control plane of one run: a connection for commands to each node that is asked something. */
final class RedisConnection implements DriverConnection {

    private final RedisConfig config;
    private final DriverContext context;
    private final ControlPlane control;
    private final List<RedisBenchmarkProducer> producers = new CopyOnWriteArrayList<>();
    private final Map<HostAndPort, SubscriptionWatch> watches = new HashMap<>();
    private final @Nullable FlushTimer flushTimer;

    private RedisConnection(RedisConfig config, DriverContext context, ControlPlane control) {
        this.config = config;
        this.context = context;
        this.control = control;
        this.flushTimer = config.flushInterval().isZero()
                ? null
                : new FlushTimer(config.flushInterval(), () -> producers.forEach(RedisBenchmarkProducer::flush));
    }

    /** Connects, logs in, and finds out about the nodes. */
    static RedisConnection open(RedisConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        return new RedisConnection(config, context, ControlPlane.open(config, context.timeout()));
    }

    @Override
    public BrokerDescription describeBroker() throws DriverException, InterruptedException {
        Topology topology = control.topology();
        HostAndPort first = topology.nodes().get(0);
        List<String> nodes =
                topology.nodes().stream().map(HostAndPort::toString).toList();
        return control.call("ask Redis at " + first + " what it is", () -> BrokerInfo.ask(control.jedis(first), nodes));
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
            control.call("create the topic '" + topic.name() + "'", () -> {
                new TopicKeys(config, control).create(topic);
                return topic;
            });
        }
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (TopicSpec topic : topics) {
            control.call("delete the topic '" + topic.name() + "'", () -> {
                new TopicKeys(config, control).delete(topic);
                return topic;
            });
        }
    }

    // Producers

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        List<RedisBenchmarkProducer> created = new ArrayList<>();
        try {
            for (ProducerSpec spec : specs) {
                created.add(producer(spec));
            }
        } catch (DriverException | InterruptedException | RuntimeException e) {
            created.forEach(RedisBenchmarkProducer::abort);
            throw e;
        }
        producers.addAll(created);
        return List.copyOf(created);
    }

    private RedisBenchmarkProducer producer(ProducerSpec spec) throws DriverException, InterruptedException {
        Links links = new Links(config, context.timeout());
        Callable<RedisBenchmarkProducer> task = () ->
                new RedisBenchmarkProducer(spec, control.topology(), links, config, context, publisher(spec.topic()));
        return CALLS.run(
                "create a producer of topic '" + spec.topic().name() + "'",
                Deadline.in(context.timeout()),
                task,
                RedisBenchmarkProducer::abort,
                () -> {
                    links.close();
                    control.breakOff();
                });
    }

    private Publisher publisher(TopicSpec topic) throws Exception {
        return switch (config.mode()) {
            case STREAM -> new StreamPublisher(topic, config.maxLength());
            case PUBSUB -> new ChannelPublisher(topic, config.isCluster());
            case LIST -> new ListPublisher(targetsOf(topic));
        };
    }

    private ListTargets targetsOf(TopicSpec topic) throws Exception {
        HostAndPort node = control.topology().nodeOf(PartitionKeys.changes(topic));
        SubscriptionWatch watch = watches.get(node);
        if (watch == null) {
            watch = SubscriptionWatch.start(
                    node, context.timeout(), new Links(config, context.timeout()), context.events());
            watches.put(node, watch);
        }
        return watch.targetsOf(topic, control.jedis(node));
    }

    // Consumers

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        ConsumerFactory factory = new ConsumerFactory(config, context, control);
        List<RedisBenchmarkConsumer> created = new ArrayList<>();
        try {
            Map<ConsumerSpec, List<Integer>> partitions = control.call(
                    "attach " + specs.size() + " consumers",
                    () -> new Attachment(config, control).attach(specs, context.timeout()));
            for (ConsumerSpec spec : specs) {
                created.add(factory.consumer(spec, partitions.getOrDefault(spec, List.of())));
            }
        } catch (DriverException | InterruptedException | RuntimeException e) {
            created.forEach(RedisBenchmarkConsumer::abort);
            throw e;
        }
        created.forEach(RedisBenchmarkConsumer::start);
        return List.copyOf(created);
    }

    @Override
    public void close() {
        if (flushTimer != null) {
            flushTimer.close();
        }
        watches.values().forEach(SubscriptionWatch::close);
        control.close();
    }
}
