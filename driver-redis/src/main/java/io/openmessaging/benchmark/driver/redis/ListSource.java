package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.redis.link.RedisLink;
import io.openmessaging.benchmark.driver.redis.read.MessageSource;
import io.openmessaging.benchmark.driver.redis.read.ReadSize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * Pops messages from the lists of a subscription. A popped message is gone from Redis, so messages in transit when a
 * connection breaks are lost.
 */
final class ListSource implements MessageSource {

    private final ReadSize size;
    private final double waitSeconds;
    private final MessageListener listener;
    private final List<String> keys = new ArrayList<>();
    private final Map<ByteBuffer, Integer> partitionsByKey = new HashMap<>();

    /** True if Redis supports {@code BLMPOP} (since 7.0), which pops many messages at once. */
    private boolean takesMany;

    ListSource(ConsumerSpec spec, List<Integer> partitions, int readCount, Duration wait, MessageListener listener) {
        this.size = new ReadSize(readCount);
        this.waitSeconds = wait.toMillis() / 1e3;
        this.listener = listener;
        for (int partition : partitions) {
            String key = PartitionKeys.list(spec.topic(), partition, spec.subscription());
            keys.add(key);
            partitionsByKey.put(ByteBuffer.wrap(PartitionKeys.bytes(key)), partition);
        }
    }

    @Override
    public void attach(RedisLink link) throws IOException {
        link.write(new CommandArguments(Command.COMMAND).add("INFO").add("BLMPOP"));
        link.flush();
        takesMany = link.read() instanceof List<?> commands && !commands.isEmpty() && commands.get(0) != null;
    }

    @Override
    public void deliverSome(RedisLink link) throws IOException {
        link.write(takesMany ? popMany() : popOne());
        link.flush();
        List<?> reply = (List<?>) link.read();
        // Redis checks the lists in the order given: rotating gives each list its turn to be first.
        Collections.rotate(keys, 1);
        if (reply == null) {
            return;
        }
        Integer partition = partitionsByKey.get(ByteBuffer.wrap((byte[]) reply.get(0)));
        Objects.requireNonNull(partition, "a list that was asked for");
        if (reply.get(1) instanceof List<?> frames) {
            long startNs = System.nanoTime();
            frames.forEach(frame -> Frame.deliver((byte[]) frame, partition, listener));
            size.delivered(frames.size(), System.nanoTime() - startNs);
        } else {
            Frame.deliver((byte[]) reply.get(1), partition, listener);
        }
    }

    private CommandArguments popMany() {
        CommandArguments command =
                new CommandArguments(Command.BLMPOP).add(waitSeconds).add(keys.size());
        keys.forEach(command::add);
        return command.add("RIGHT").add("COUNT").add(size.next());
    }

    private CommandArguments popOne() {
        CommandArguments command = new CommandArguments(Command.BRPOP);
        keys.forEach(command::add);
        return command.add(waitSeconds);
    }
}
