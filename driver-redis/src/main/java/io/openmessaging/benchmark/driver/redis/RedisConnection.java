package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.redis.link.RedisCalls.CALLS;
import static io.openmessaging.benchmark.driver.redis.link.RedisCalls.THREADS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ManyCalls;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.RedisBenchmarkConsumer.Departure;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.redis.link.AcknowledgeAfter;
import io.openmessaging.benchmark.driver.redis.link.ControlPlane;
import io.openmessaging.benchmark.driver.redis.link.Links;
import io.openmessaging.benchmark.driver.redis.link.NodePipelines;
import io.openmessaging.benchmark.driver.redis.link.PipelineSpec;
import io.openmessaging.benchmark.driver.redis.link.ServerRoom;
import io.openmessaging.benchmark.driver.redis.read.MessageSource;
import io.openmessaging.benchmark.driver.redis.read.ReadLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** The control plane of one run: a command connection to each node that is queried. */
final class RedisConnection implements DriverConnection {

    private final RedisConfig config;
    private final DriverContext context;
    private final ControlPlane control;
    private final Transport transport;
    private final ServerRoom room;
    private final List<RedisBenchmarkProducer> producers = new CopyOnWriteArrayList<>();

    /** Flushes all producers every {@code flushInterval}, if that is not zero. */
    private final ScheduledExecutorService flusher =
            Executors.newSingleThreadScheduledExecutor(THREADS.named("redis-flush"));

    /** Follows redirections for producers that are not sending at the moment. */
    private final ExecutorService follower = Executors.newSingleThreadExecutor(THREADS.named("redis-follow"));

    RedisConnection(RedisConfig config, DriverContext context, ControlPlane control) {
        this.config = config;
        this.context = context;
        this.control = control;
        this.room = new ServerRoom(control);
        this.transport = switch (config.mode()) {
            case STREAM -> new StreamTransport(config, control, context.runId());
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
        HostAndPort first = control.topology().nodes().get(0);
        BrokerDescription described = control.call("read what Redis at " + first + " reports about itself", this::ask);
        return described.promising(RedisGuarantee.of(config, described.settings()));
    }

    private BrokerDescription ask() {
        List<HostAndPort> masters = control.topology().nodes();
        List<Jedis> asked = new ArrayList<>();
        List<String> nodes = new ArrayList<>();
        IntSummaryStatistics replicas = new IntSummaryStatistics();
        for (HostAndPort master : masters) {
            Jedis jedis = control.jedis(master);
            List<String> ofMaster = BrokerInfo.replicas(jedis);
            asked.add(jedis);
            nodes.add(master.toString());
            nodes.addAll(ofMaster);
            replicas.accept(ofMaster.size());
        }
        return BrokerInfo.ask(asked, nodes, replicas);
    }

    /**
     * Jedis' encoder has copied the bytes, to its buffer or to the socket, when it returns. If keys can move, however,
     * they are needed again when another node turns out to have the key.
     */
    @Override
    public PayloadOwnership payloadOwnership() {
        return control.directory().follows() ? PayloadOwnership.KEPT_AFTER_SEND : PayloadOwnership.COPIED_ON_SEND;
    }

    /**
     * Only checks that keys may be created, since the first message or the first consumer creates them: a missing
     * permission, or a missing replica, ends the run at once and with Redis' reason.
     */
    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (TopicSpec topic : topics) {
            String attempt = topic.existing() ? "use the existing topic '" : "create the topic '";
            control.run(attempt + topic.name() + "'", () -> transport.create(topic));
        }
        AcknowledgeAfter after = config.acknowledgeAfter();
        if (after != null) {
            control.run("get messages acknowledged as acknowledgeAfter requires", () -> tryOut(after));
        }
    }

    private void tryOut(AcknowledgeAfter after) {
        for (HostAndPort node : control.topology().nodes()) {
            IOException shortfall =
                    after.shortfall(control.jedis(node).getConnection().executeCommand(after.question()));
            if (shortfall != null) {
                throw new JedisException("at " + node + ", " + shortfall.getMessage());
            }
        }
    }

    /** Returns the owners of the partitions' slots in a cluster, else the one server. */
    @Override
    public List<List<String>> leaders(List<TopicSpec> topics) {
        return topics.stream()
                .map(topic -> PartitionKeys.partitions(topic).stream()
                        .map(key -> control.topology().nodeOf(key).toString())
                        .toList())
                .toList();
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (TopicSpec topic : topics) {
            control.run("delete the topic '" + topic.name() + "'", () -> {
                if (topic.existing()) {
                    transport.deleteGroups(topic);
                    return;
                }
                for (List<String> keys : transport.keys(topic)) {
                    // UNLINK frees memory in the background: deleting millions of entries would block Redis for
                    // others.
                    control.jedisOf(keys.get(0)).unlink(keys.toArray(String[]::new));
                }
            });
        }
    }

    // Producers

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        String attempt = "create " + specs.size() + " producers";
        room.require(attempt, specs, spec -> nodes(spec.topic()));
        int bufferBytes = ServerRoom.bufferBytes(specs.size());
        List<RedisBenchmarkProducer> created =
                ManyCalls.inTurn(specs, spec -> producer(spec, bufferBytes), RedisBenchmarkProducer::abort);
        producers.addAll(created);
        return List.copyOf(created);
    }

    /** Returns the nodes that have partitions of a topic, each once. */
    private List<HostAndPort> nodes(TopicSpec topic) {
        return PartitionKeys.partitions(topic).stream()
                .map(control.topology()::nodeOf)
                .distinct()
                .toList();
    }

    private RedisBenchmarkProducer producer(ProducerSpec spec, int bufferBytes)
            throws DriverException, InterruptedException {
        Links links = new Links(config.clientConfig(context.timeout()), bufferBytes);
        return CALLS.run(
                "create a producer of topic '" + spec.topic().name() + "'",
                Deadline.in(context.timeout()),
                () -> connected(spec, links),
                RedisBenchmarkProducer::abort,
                () -> {
                    links.close();
                    control.breakOff();
                });
    }

    private RedisBenchmarkProducer connected(ProducerSpec spec, Links links) throws InterruptedException {
        Transport.Publisher publisher = transport.publisher(spec);
        PipelineSpec pipelines = new PipelineSpec(
                "redis-replies-" + spec.id(),
                config.pipelineDepth(),
                !config.flushInterval().isZero(),
                context.timeout(),
                config.acknowledgeAfter());
        NodePipelines nodePipelines = new NodePipelines(
                pipelines,
                PartitionKeys.partitions(spec.topic()),
                control.directory(),
                links,
                context.events(),
                follower);
        Partitions partitions = new Partitions(spec.topic().partitions(), spec.id());
        return new RedisBenchmarkProducer(partitions, publisher, nodePipelines, context.timeout());
    }

    // Consumers

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        return consumers(specs, control.call(attempt(specs), () -> transport.attach(ConsumerGroup.of(specs))));
    }

    @Override
    public List<BenchmarkConsumer> createReaders(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        Optional<Map<ConsumerSpec, List<Integer>>> partitions =
                control.call(attempt(specs), () -> transport.attachAtOldest(ConsumerGroup.of(specs)));
        return partitions.isEmpty() ? List.of() : consumers(specs, partitions.get());
    }

    private static String attempt(List<ConsumerSpec> specs) {
        return "attach " + specs.size() + " consumers";
    }

    /** Creates and starts consumers of the partitions that they are attached to. */
    private List<BenchmarkConsumer> consumers(List<ConsumerSpec> specs, Map<ConsumerSpec, List<Integer>> partitions)
            throws DriverException, InterruptedException {
        room.require(
                attempt(specs),
                specs,
                spec -> parts(partitions.getOrDefault(spec, List.of())).stream()
                        .map(part -> control.topology().nodeOf(PartitionKeys.partition(spec.topic(), part.get(0))))
                        .toList());
        List<RedisBenchmarkConsumer> created = ManyCalls.inTurn(
                specs,
                spec -> consumer(spec, partitions.getOrDefault(spec, List.of()), specs.size()),
                RedisBenchmarkConsumer::abort);
        created.forEach(RedisBenchmarkConsumer::start);
        return List.copyOf(created);
    }

    /** Creates a consumer that is connected but not started. */
    private RedisBenchmarkConsumer consumer(ConsumerSpec spec, List<Integer> partitions, int consumers)
            throws DriverException, InterruptedException {
        List<List<Integer>> parts = parts(partitions);
        MessageListener listener = parts.size() > 1 ? MessageListener.oneAtATime(spec.listener()) : spec.listener();
        List<ReadLoop> loops =
                ManyCalls.inTurn(parts, part -> loop(spec, part, listener, consumers), ReadLoop::breakOff);
        String name = "consumer " + spec.id() + " of topic '" + spec.topic().name() + "'";
        return new RedisBenchmarkConsumer(name, loops, departure(spec, partitions));
    }

    /**
     * Groups the partitions by connection. A cluster refuses a command about several slots and may move each slot
     * separately, so there every partition has its own connection.
     */
    private List<List<Integer>> parts(List<Integer> partitions) {
        if (config.isCluster()) {
            return partitions.stream().map(List::of).toList();
        }
        return partitions.isEmpty() ? List.of() : List.of(partitions);
    }

    private Departure departure(ConsumerSpec spec, List<Integer> partitions) {
        if (config.mode() != RedisMode.PUBSUB || partitions.isEmpty()) {
            return Departure.SILENT;
        }
        return () ->
                control.run("release the channels of consumer " + spec.id(), () -> transport.release(spec, partitions));
    }

    private ReadLoop loop(ConsumerSpec spec, List<Integer> part, MessageListener listener, int consumers)
            throws DriverException, InterruptedException {
        String key = PartitionKeys.partition(spec.topic(), part.get(0));
        ReadLoop loop = new ReadLoop(
                spec,
                key,
                control.directory(),
                transport.source(spec, part, listener, MessageSource.waitOf(consumers)),
                new Links(config.clientConfig(context.timeout()), ServerRoom.bufferBytes(consumers)),
                context);
        String attempt = "open consumer " + spec.id() + " of topic '"
                + spec.topic().name() + "' at " + control.topology().nodeOf(key);
        CALLS.run(attempt, Deadline.in(context.timeout()), loop::open, late -> {}, loop::breakOff);
        return loop;
    }

    @Override
    public void close() {
        flusher.shutdownNow();
        follower.shutdownNow();
        transport.close();
        control.close();
    }
}
