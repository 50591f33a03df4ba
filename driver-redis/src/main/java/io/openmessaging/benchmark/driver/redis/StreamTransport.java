package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.link.ControlPlane;
import io.openmessaging.benchmark.driver.redis.read.MessageSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.args.RawableFactory;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.resps.StreamGroupInfo;

/** Streams: one per partition, with a consumer group per subscription, whose members all read all partitions. */
record StreamTransport(RedisConfig config, ControlPlane control, String runId) implements Transport {

    /** Name of the payload field; short, since it travels with each message. */
    static final String PAYLOAD_FIELD = "p";

    /** Name of the key field. */
    static final String KEY_FIELD = "k";

    private static final Rawable PAYLOAD = RawableFactory.from(PAYLOAD_FIELD);
    private static final Rawable KEY = RawableFactory.from(KEY_FIELD);
    private static final Rawable NEXT_ID = RawableFactory.from("*");
    private static final Rawable MAX_LENGTH = RawableFactory.from("MAXLEN");
    private static final Rawable ABOUT = RawableFactory.from("~");

    /** Created to make an empty stream, which is not possible otherwise, and removed again. */
    private static final String FOUNDING_GROUP = "created";

    @Override
    public void create(TopicSpec topic) {
        if (topic.existing()) {
            requireThere(topic);
            return;
        }
        for (String stream : PartitionKeys.partitions(topic)) {
            createGroup(stream, FOUNDING_GROUP, StreamEntryID.XGROUP_LAST_ENTRY, true)
                    .xgroupDestroy(stream, FOUNDING_GROUP);
        }
    }

    private void requireThere(TopicSpec topic) {
        String type = control.jedisOf(topic.name()).type(topic.name());
        if (!type.equals("stream")) {
            throw new JedisException(
                    type.equals("none") ? "there is no such key" : "it is a " + type + ", not a stream");
        }
        if (topic.partitions() > 1) {
            throw new JedisException(
                    "it is one stream, and the workload asks for " + topic.partitions() + " partitions");
        }
    }

    /** Returns the group name, with the run ID for an existing stream, which may have other groups. */
    private String groupOf(TopicSpec topic, String subscription) {
        return topic.existing() ? runId + "-" + subscription : subscription;
    }

    @Override
    public void deleteGroups(TopicSpec topic) {
        Jedis jedis = control.jedisOf(topic.name());
        if (jedis.exists(topic.name())) {
            jedis.xinfoGroups(topic.name()).stream()
                    .map(StreamGroupInfo::getName)
                    .filter(group -> group.startsWith(runId + "-"))
                    .forEach(group -> jedis.xgroupDestroy(topic.name(), group));
        }
    }

    /**
     * Creates a group that receives every entry after {@code after}; also creates the stream if {@code makesStream} is
     * set and there is none.
     */
    private Jedis createGroup(String stream, String group, StreamEntryID after, boolean makesStream) {
        Jedis jedis = control.jedisOf(stream);
        try {
            jedis.xgroupCreate(stream, group, after, makesStream);
        } catch (JedisDataException e) {
            // Another consumer of the group was first.
            if (e.getMessage() == null || !e.getMessage().startsWith("BUSYGROUP")) {
                throw e;
            }
        }
        return jedis;
    }

    /** Returns only the streams: deleting a stream deletes its consumer groups. */
    @Override
    public List<List<String>> keys(TopicSpec topic) {
        return PartitionKeys.partitions(topic).stream().map(List::of).toList();
    }

    /** Sends headers as further fields of an entry. */
    @Override
    public Publisher publisher(ProducerSpec spec) {
        Rawable[] streams = PartitionKeys.raw(spec.topic());
        Rawable[] headers = headers(spec);
        Rawable maxLength = config.maxLength() == null
                ? null
                : RawableFactory.from(config.maxLength().longValue());
        return (sink, partition, key, payload, callback) ->
                sink.submit(entry(streams[partition], maxLength, key, payload, headers), callback);
    }

    /** Returns the headers' names and values, alternating and encoded for sending. */
    private static Rawable[] headers(ProducerSpec spec) {
        List<Rawable> fields = new ArrayList<>();
        spec.headers().forEach((name, value) -> {
            if (name.equals(PAYLOAD_FIELD) || name.equals(KEY_FIELD)) {
                throw new IllegalArgumentException(
                        "a header must not be named '" + name + "', since the driver has a field of that name");
            }
            fields.add(RawableFactory.from(name));
            fields.add(RawableFactory.from(value));
        });
        return fields.toArray(Rawable[]::new);
    }

    private static CommandArguments entry(
            Rawable stream, @Nullable Rawable maxLength, @Nullable String key, byte[] payload, Rawable[] headers) {
        CommandArguments command = new CommandArguments(Command.XADD).add(stream);
        if (maxLength != null) {
            command.add(MAX_LENGTH).add(ABOUT).add(maxLength);
        }
        command.add(NEXT_ID).add(PAYLOAD).add(payload);
        if (key != null) {
            command.add(KEY).add(key);
        }
        for (Rawable header : headers) {
            command.add(header);
        }
        return command;
    }

    /** Starts the groups at the end of each stream. */
    @Override
    public Map<ConsumerSpec, List<Integer>> attach(List<ConsumerGroup> groups) {
        return attach(groups, StreamEntryID.XGROUP_LAST_ENTRY);
    }

    @Override
    public Optional<Map<ConsumerSpec, List<Integer>>> attachAtOldest(List<ConsumerGroup> groups) {
        return Optional.of(attach(groups, new StreamEntryID()));
    }

    private Map<ConsumerSpec, List<Integer>> attach(List<ConsumerGroup> groups, StreamEntryID after) {
        for (ConsumerGroup group : groups) {
            String name = groupOf(group.topic(), group.subscription());
            boolean own = !group.topic().existing();
            PartitionKeys.partitions(group.topic()).forEach(stream -> createGroup(stream, name, after, own));
        }
        return Transport.allPartitions(groups);
    }

    @Override
    public MessageSource source(ConsumerSpec spec, List<Integer> partitions, MessageListener listener, Duration wait) {
        return new StreamSource(
                spec, groupOf(spec.topic(), spec.subscription()), partitions, config.readCount(), wait, listener);
    }
}
