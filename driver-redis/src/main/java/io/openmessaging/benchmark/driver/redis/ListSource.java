package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.MessageListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;

/**
 * Takes messages from the lists of a subscription. A message that was taken is gone: what is on its way when a
 * connection breaks is lost.
 */
final class ListSource implements MessageSource {

    private final HostAndPort node;
    private final Links links;
    private final Duration timeout;
    private final ConsumerSpec spec;
    private final int readCount;
    private final boolean many;
    private final MessageListener listener;
    private final List<String> keys = new ArrayList<>();
    private final Map<ByteBuffer, Integer> partitionsByKey = new HashMap<>();

    private @Nullable RedisLink link;

    /**
     * For some partitions.
     *
     * @param many whether Redis knows {@code BLMPOP}, which takes many messages at once (since 7.0)
     */
    ListSource(
            HostAndPort node,
            Links links,
            Duration timeout,
            ConsumerSpec spec,
            List<Integer> partitions,
            int readCount,
            boolean many,
            MessageListener listener) {
        this.node = node;
        this.links = links;
        this.timeout = timeout;
        this.spec = spec;
        this.readCount = readCount;
        this.many = many;
        this.listener = listener;
        for (int partition : partitions) {
            String key = PartitionKeys.list(spec.topic(), partition, spec.subscription());
            keys.add(key);
            partitionsByKey.put(ByteBuffer.wrap(PartitionKeys.bytes(key)), partition);
        }
    }

    @Override
    public void open() throws IOException {
        RedisLink opened = links.open(node);
        opened.limitReads(timeout.plus(ReadLimits.WAIT));
        link = opened;
    }

    @Override
    public void deliverSome() throws IOException {
        RedisLink opened = Objects.requireNonNull(link, "opened before");
        opened.write(many ? popMany() : popOne());
        opened.flush();
        List<?> reply = (List<?>) opened.read();
        // Redis looks at the lists in the order given: another one is to be the first next time.
        Collections.rotate(keys, 1);
        if (reply == null) {
            return;
        }
        Integer partition = partitionsByKey.get(ByteBuffer.wrap((byte[]) reply.get(0)));
        Objects.requireNonNull(partition, "a list that was asked for");
        if (reply.get(1) instanceof List<?> frames) {
            frames.forEach(frame -> Frame.deliver((byte[]) frame, partition, listener));
        } else {
            Frame.deliver((byte[]) reply.get(1), partition, listener);
        }
    }

    private CommandArguments popMany() {
        CommandArguments command =
                new CommandArguments(Command.BLMPOP).add(waitSeconds()).add(keys.size());
        keys.forEach(command::add);
        return command.add("RIGHT").add("COUNT").add(readCount);
    }

    private CommandArguments popOne() {
        CommandArguments command = new CommandArguments(Command.BRPOP);
        keys.forEach(command::add);
        return command.add(waitSeconds());
    }

    private static double waitSeconds() {
        return ReadLimits.WAIT.toMillis() / 1e3;
    }

    @Override
    public void settle() {
        // Redis knows already: what was taken is gone.
    }

    @Override
    public void wakeUp() {
        // A read ends soon by itself, and what it brings has to be delivered.
    }

    @Override
    public String lossKind() {
        return "consumer connection lost";
    }

    @Override
    public String toString() {
        return "topic '" + spec.topic().name() + "', subscription '" + spec.subscription() + "' at " + node;
    }
}
