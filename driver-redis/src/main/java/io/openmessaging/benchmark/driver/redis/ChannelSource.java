package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.redis.link.RedisLink;
import io.openmessaging.benchmark.driver.redis.read.MessageSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Subscribes to the channels of some partitions. Redis stores nothing: messages published while the connection is lost
 * never arrive. Redis itself closes the connection of a subscriber that does not keep up
 * ({@code client-output-buffer-limit pubsub}); the loss is always reported as an error, and the source subscribes
 * again.
 */
final class ChannelSource implements MessageSource {

    /** After this many messages in a row the loop checks whether to pause. */
    private static final int DELIVERED_AT_ONCE = 64;

    private final ConsumerSpec spec;
    private final boolean sharded;
    private final MessageListener listener;
    private final Map<ByteBuffer, Integer> partitionsByChannel = new HashMap<>();

    /**
     * Does not subscribe yet.
     *
     * @param sharded true if messages stay on the channel's cluster node
     */
    ChannelSource(ConsumerSpec spec, List<Integer> partitions, boolean sharded, MessageListener listener) {
        this.spec = spec;
        this.sharded = sharded;
        this.listener = listener;
        for (int partition : partitions) {
            byte[] channel = PartitionKeys.bytes(PartitionKeys.partition(spec.topic(), partition));
            partitionsByChannel.put(ByteBuffer.wrap(channel), partition);
        }
    }

    @Override
    public void attach(RedisLink link) throws IOException {
        // One command per channel: in a cluster, channels may have different slots, which one command must not mix.
        for (ByteBuffer channel : partitionsByChannel.keySet()) {
            link.write(new CommandArguments(sharded ? Command.SSUBSCRIBE : Command.SUBSCRIBE).add(channel.array()));
        }
        link.flush();
        int confirmed = 0;
        while (confirmed < partitionsByChannel.size()) {
            // Messages of channels confirmed earlier may arrive in between.
            confirmed += handle(link.read()) ? 0 : 1;
        }
        // Silence is no error on a channel.
        link.limitReads(Duration.ZERO);
    }

    @Override
    public void deliverSome(RedisLink link) throws IOException {
        try {
            if (!link.hasReply()) {
                link.awaitReply();
                // The wait may have been long: the loop may have to pause by now.
                return;
            }
            // Closing a consumer closes its connection first.
            for (int i = 0; i < DELIVERED_AT_ONCE && !link.isClosed() && link.hasReply(); i++) {
                handle(link.read());
            }
        } catch (IOException | JedisConnectionException e) {
            throw new IOException(
                    "Redis at " + link.node() + " has closed the connection of a subscriber, because it did not keep up"
                            + " (client-output-buffer-limit) or because Redis was stopped: messages of "
                            + spec.topic().name() + " published until it subscribes again are lost",
                    e);
        }
    }

    /** Delivers a message; returns false if the reply confirms a subscription instead. */
    private boolean handle(@Nullable Object reply) {
        List<?> push = (List<?>) Objects.requireNonNull(reply, "a subscriber gets no null");
        String type = new String((byte[]) push.get(0), StandardCharsets.US_ASCII);
        if (type.equals("sunsubscribe")) {
            throw new JedisException("A channel of " + spec.topic().name()
                    + " was moved to another node: messages published until the consumer subscribes there are lost");
        }
        if (!type.equals("message") && !type.equals("smessage")) {
            return false;
        }
        Integer partition = partitionsByChannel.get(ByteBuffer.wrap((byte[]) push.get(1)));
        Frame.deliver(
                (byte[]) push.get(2), Objects.requireNonNull(partition, "a channel that was subscribed to"), listener);
        return true;
    }

    @Override
    public boolean isPushed() {
        return true;
    }
}
