package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.redis.RedisCalls.CALLS;

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
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;

/** Creates consumers of attached subscriptions. */
final class ConsumerFactory {

    private final RedisConfig config;
    private final DriverContext context;
    private final ControlPlane control;

    ConsumerFactory(RedisConfig config, DriverContext context, ControlPlane control) {
        this.config = config;
        this.context = context;
        this.control = control;
    }

    /** A consumer whose sources are open, but which has to be started yet. */
    RedisBenchmarkConsumer consumer(ConsumerSpec spec, List<Integer> partitions)
            throws DriverException, InterruptedException {
        List<Part> parts = parts(spec.topic(), partitions);
        MessageListener listener = parts.size() > 1 ? serialized(spec.listener()) : spec.listener();
        List<ReadLoop> loops = new ArrayList<>();
        String name = "consumer " + spec.id() + " of topic '" + spec.topic().name() + "'";
        try {
            for (Part part : parts) {
                loops.add(loop(spec, part, listener));
            }
        } catch (DriverException | InterruptedException | RuntimeException e) {
            loops.forEach(ReadLoop::breakOff);
            throw e;
        }
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
        Map<HostAndPort, Part> byNode = new LinkedHashMap<>();
        List<Part> apart = new ArrayList<>();
        for (int partition : partitions) {
            HostAndPort node = control.topology().nodeOf(PartitionKeys.partition(topic, partition));
            if (together) {
                byNode.computeIfAbsent(node, n -> new Part(n, new ArrayList<>()))
                        .partitions()
                        .add(partition);
            } else {
                apart.add(new Part(node, List.of(partition)));
            }
        }
        return together ? List.copyOf(byNode.values()) : apart;
    }

    private Departure departure(ConsumerSpec spec, List<Integer> partitions) {
        if (config.mode() != RedisMode.PUBSUB || partitions.isEmpty()) {
            return Departure.SILENT;
        }
        return () -> control.call("release the channels of consumer " + spec.id(), () -> {
            new Attachment(config, control).release(spec, partitions);
            return spec;
        });
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
        Links links = new Links(config, context.timeout());
        String attempt =
                "open consumer " + spec.id() + " of topic '" + spec.topic().name() + "' at " + part.node();
        MessageSource source = CALLS.run(
                attempt,
                Deadline.in(context.timeout()),
                () -> {
                    MessageSource created = source(spec, part.node(), links, part.partitions(), listener);
                    created.open();
                    return created;
                },
                late -> {},
                () -> {
                    links.close();
                    control.breakOff();
                });
        return new ReadLoop("redis-consumer-" + spec.id(), source, links, context);
    }

    private MessageSource source(
            ConsumerSpec spec, HostAndPort node, Links links, List<Integer> partitions, MessageListener listener) {
        return switch (config.mode()) {
            case STREAM ->
                new StreamSource(node, links, context.timeout(), spec, partitions, config.readCount(), listener);
            case LIST ->
                new ListSource(
                        node,
                        links,
                        context.timeout(),
                        spec,
                        partitions,
                        config.readCount(),
                        knows(control.jedis(node), "BLMPOP"),
                        listener);
            case PUBSUB ->
                new ChannelSource(node, links, context.timeout(), spec, partitions, config.isCluster(), listener);
        };
    }

    private static boolean knows(Jedis jedis, String command) {
        List<?> answer = (List<?>) jedis.sendCommand(Command.COMMAND, "INFO", command);
        return !answer.isEmpty() && answer.get(0) != null;
    }
}
