package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.TopicSpec;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.args.RawableFactory;

/** Adds entries with the payload and, if there is one, the key to a stream for each partition. */
final class StreamPublisher implements Publisher {

    /** The entry's field with the payload; short, since it travels with each message. */
    static final String PAYLOAD_FIELD = "p";

    /** The entry's field with the key. */
    static final String KEY_FIELD = "k";

    private static final Rawable PAYLOAD = RawableFactory.from(PAYLOAD_FIELD);
    private static final Rawable KEY = RawableFactory.from(KEY_FIELD);
    private static final Rawable NEXT_ID = RawableFactory.from("*");
    private static final Rawable MAX_LENGTH = RawableFactory.from("MAXLEN");
    private static final Rawable ABOUT = RawableFactory.from("~");

    private final Rawable[] streams;
    private final @Nullable Rawable maxLength;

    /**
     * For one topic.
     *
     * @param maxLength to how many entries a stream is trimmed, null for no limit
     */
    StreamPublisher(TopicSpec topic, @Nullable Long maxLength) {
        this.streams = new Rawable[topic.partitions()];
        for (int p = 0; p < streams.length; p++) {
            streams[p] = RawableFactory.from(PartitionKeys.partition(topic, p));
        }
        this.maxLength = maxLength == null ? null : RawableFactory.from(maxLength.longValue());
    }

    @Override
    public void publish(
            CommandPipeline pipeline, int partition, @Nullable String key, byte[] payload, SendCallback callback)
            throws InterruptedException {
        CommandArguments command = new CommandArguments(Command.XADD).add(streams[partition]);
        if (maxLength != null) {
            command.add(MAX_LENGTH).add(ABOUT).add(maxLength);
        }
        command.add(NEXT_ID).add(PAYLOAD).add(payload);
        if (key != null) {
            command.add(KEY).add(key);
        }
        pipeline.submit(command, callback);
    }
}
