package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.redis.link.RedisLink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * Takes messages from the lists of a subscription. A message that was taken is gone: what is on its way when a
 * connection breaks is lost.
 */
final class ListSource implements MessageSource {

    private final int readCount;
    private final MessageListener listener;
    private final List<String> keys = new ArrayList<>();
    private final Map<ByteBuffer, Integer> partitionsByKey = new HashMap<>();

    /** Whether Redis knows {@code BLMPOP}, which takes many messages at once (since 7.0). */
    private boolean takesMany;

    ListSource(ConsumerSpec spec, List<Integer> partitions, int readCount, MessageListener listener) {
        this.readCount = readCount;
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
        return WAIT.toMillis() / 1e3;
    }
}
