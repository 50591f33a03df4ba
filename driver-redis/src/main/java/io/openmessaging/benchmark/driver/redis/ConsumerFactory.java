package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.redis.RedisCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ClientCreation;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.RedisBenchmarkConsumer.Departure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.HostAndPort;

/** Attaches subscriptions and creates their consumers. */
final class ConsumerFactory {

    private final RedisConfig config;
    private final DriverContext context;
    private final ControlPlane control;
    private final Transport transport;

    ConsumerFactory(RedisConfig config, DriverContext context, ControlPlane control, Transport transport) {
        this.config = config;
        this.context = context;
        this.control = control;
        this.transport = transport;
    }

    /** Creates consumers, all or none, and starts them. */
    List<BenchmarkConsumer> create(List<ConsumerSpec> specs) throws DriverException, InterruptedException {
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
        ReadLoop loop = new ReadLoop(spec, part.node(), source, new Links(config, context.timeout()), context);
        String attempt =
                "open consumer " + spec.id() + " of topic '" + spec.topic().name() + "' at " + part.node();
        CALLS.run(attempt, Deadline.in(context.timeout()), loop::open, late -> {}, loop::breakOff);
        return loop;
    }
}
