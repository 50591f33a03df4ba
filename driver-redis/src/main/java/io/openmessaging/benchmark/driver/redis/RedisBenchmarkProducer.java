package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.redis.link.RedisCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.redis.link.CommandPipeline;
import io.openmessaging.benchmark.driver.redis.link.Links;
import io.openmessaging.benchmark.driver.redis.link.Topology;
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
    private final Transport.Publisher publisher;
    private final Partitions partitions;
    private final Map<HostAndPort, Lane> lanes = new LinkedHashMap<>();
    private final Lane[] laneOfPartition;
    private long notReopenedBeforeNs = System.nanoTime();

    /** The way to a node. */
    private final class Lane {

        private final HostAndPort node;

        /** Replaced by the sending thread when it is lost. */
        private volatile CommandPipeline pipeline;

        Lane(HostAndPort node) {
            this.node = node;
            this.pipeline = open();
        }

        private CommandPipeline open() {
            return new CommandPipeline(
                    "redis-replies-" + id,
                    links.open(node),
                    config.pipelineDepth(),
                    !config.flushInterval().isZero(),
                    context.timeout(),
                    cause -> context.events().clientError("producer connection lost", cause));
        }

        /** If there is no connection to be had, the pipeline stays as it is, and refuses messages. */
        private void reopen() throws InterruptedException {
            try {
                pipeline = CALLS.run(
                        "reach Redis at " + node + " again",
                        Deadline.in(context.timeout()),
                        this::open,
                        late -> {},
                        links::breakOff);
            } catch (DriverException e) {
                context.events().clientError("producer connection", e);
            }
        }
    }

    /** Connects to the nodes. Blocks, and not interruptibly: {@link Links#breakOff} ends it. */
    RedisBenchmarkProducer(
            ProducerSpec spec,
            Topology topology,
            Links links,
            RedisConfig config,
            DriverContext context,
            Transport.Publisher publisher) {
        this.id = spec.id();
        this.links = links;
        this.config = config;
        this.context = context;
        this.publisher = publisher;
        int count = spec.topic().partitions();
        this.partitions = new Partitions(count, spec.id());
        this.laneOfPartition = new Lane[count];
        try {
            for (int p = 0; p < count; p++) {
                HostAndPort node = topology.nodeOf(PartitionKeys.partition(spec.topic(), p));
                laneOfPartition[p] = lanes.computeIfAbsent(node, Lane::new);
            }
        } catch (JedisException e) {
            abort();
            throw e;
        }
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        int partition = partitions.of(key);
        Lane lane = laneOfPartition[partition];
        if (lane.pipeline.isLost() && System.nanoTime() - notReopenedBeforeNs >= 0) {
            lane.reopen();
            notReopenedBeforeNs = System.nanoTime() + REOPEN_PAUSE.toNanos();
        }
        publisher.publish(lane.pipeline, partition, key, payload, callback);
    }

    /** Writes what is held back; called every {@code flushInterval} by another thread. */
    void flush() {
        lanes.values().forEach(lane -> lane.pipeline.flush());
    }

    @Override
    public void close() {
        close(Deadline.in(context.timeout()));
    }

    /** Releases the connections at once. */
    void abort() {
        close(Deadline.in(Duration.ZERO));
    }

    private void close(Deadline deadline) {
        lanes.values().forEach(lane -> lane.pipeline.close(deadline));
        links.close();
    }
}
