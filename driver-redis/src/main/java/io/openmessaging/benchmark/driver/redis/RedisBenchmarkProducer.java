package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.redis.RedisCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Publishes to one topic, with a pipeline to each node that has partitions of it. A pipeline whose connection is lost
 * fails what is under way; the next message opens another one, but not more often than once a second.
 */
final class RedisBenchmarkProducer implements BenchmarkProducer {

    private static final Duration REOPEN_PAUSE = Duration.ofSeconds(1);

    private final int id;
    private final Links links;
    private final RedisConfig config;
    private final DriverContext context;
    private final Publisher publisher;
    private final Partitions partitions;
    private final HostAndPort[] nodeOfPartition;

    /** Changed by the sending thread under this object's lock; read by {@link #flush} under it. */
    private final Map<HostAndPort, CommandPipeline> pipelines = new LinkedHashMap<>();

    /** The same by partition, for the sending thread. */
    private final CommandPipeline[] pipelineOfPartition;

    private long notReopenedBeforeNs = System.nanoTime();

    /** Connects to the nodes. Blocks, and not interruptibly: {@link Links#breakOff} ends it. */
    RedisBenchmarkProducer(
            ProducerSpec spec,
            Topology topology,
            Links links,
            RedisConfig config,
            DriverContext context,
            Publisher publisher) {
        this.id = spec.id();
        this.links = links;
        this.config = config;
        this.context = context;
        this.publisher = publisher;
        int count = spec.topic().partitions();
        this.partitions = new Partitions(count, spec.id());
        this.nodeOfPartition = new HostAndPort[count];
        this.pipelineOfPartition = new CommandPipeline[count];
        try {
            for (int p = 0; p < count; p++) {
                HostAndPort node = topology.nodeOf(PartitionKeys.partition(spec.topic(), p));
                nodeOfPartition[p] = node;
                pipelineOfPartition[p] = pipelines.computeIfAbsent(node, this::pipeline);
            }
        } catch (JedisException e) {
            abort();
            throw e;
        }
    }

    private CommandPipeline pipeline(HostAndPort node) {
        return new CommandPipeline(
                "redis-replies-" + id,
                links.open(node),
                config.pipelineDepth(),
                !config.flushInterval().isZero(),
                context.timeout(),
                cause -> context.events().clientError("producer connection lost", cause));
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        int partition = partitions.of(key);
        CommandPipeline pipeline = pipelineOfPartition[partition];
        if (pipeline.isLost()) {
            pipeline = reopened(nodeOfPartition[partition], pipeline);
        }
        publisher.publish(pipeline, partition, key, payload, callback);
    }

    /** The same pipeline, which refuses the message, if there is no connection to be had. */
    private CommandPipeline reopened(HostAndPort node, CommandPipeline lost) throws InterruptedException {
        if (System.nanoTime() - notReopenedBeforeNs < 0) {
            return lost;
        }
        CommandPipeline opened;
        try {
            opened = CALLS.run(
                    "reach Redis at " + node + " again",
                    Deadline.in(context.timeout()),
                    () -> pipeline(node),
                    late -> {},
                    links::breakOff);
        } catch (DriverException e) {
            context.events().clientError("producer connection", e);
            notReopenedBeforeNs = System.nanoTime() + REOPEN_PAUSE.toNanos();
            return lost;
        }
        notReopenedBeforeNs = System.nanoTime() + REOPEN_PAUSE.toNanos();
        synchronized (this) {
            pipelines.put(node, opened);
        }
        for (int p = 0; p < nodeOfPartition.length; p++) {
            if (nodeOfPartition[p].equals(node)) {
                pipelineOfPartition[p] = opened;
            }
        }
        return opened;
    }

    /** Writes what is held back; called every {@code flushInterval} by another thread. */
    synchronized void flush() {
        pipelines.values().forEach(CommandPipeline::flush);
    }

    @Override
    public void close() {
        Deadline deadline = Deadline.in(context.timeout());
        for (CommandPipeline pipeline : pipelines.values()) {
            pipeline.close(deadline);
        }
        links.close();
    }

    /** Releases the connections at once. */
    void abort() {
        Deadline now = Deadline.in(Duration.ZERO);
        pipelines.values().forEach(pipeline -> pipeline.close(now));
        links.close();
    }
}
