package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.TopicSpec;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.args.RawableFactory;

/** Publishes frames to a channel for each partition. */
final class ChannelPublisher implements Publisher {

    private final Command command;
    private final Rawable[] channels;

    /**
     * For one topic.
     *
     * @param sharded whether the message stays on the channel's node of a cluster
     */
    ChannelPublisher(TopicSpec topic, boolean sharded) {
        this.command = sharded ? Command.SPUBLISH : Command.PUBLISH;
        this.channels = new Rawable[topic.partitions()];
        for (int p = 0; p < channels.length; p++) {
            channels[p] = RawableFactory.from(PartitionKeys.partition(topic, p));
        }
    }

    @Override
    public void publish(
            CommandPipeline pipeline, int partition, @Nullable String key, byte[] payload, SendCallback callback)
            throws InterruptedException {
        pipeline.submit(new CommandArguments(command).add(channels[partition]).add(Frame.of(key, payload)), callback);
    }
}
