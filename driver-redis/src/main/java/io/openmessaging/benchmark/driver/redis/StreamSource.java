package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.redis.link.RedisLink;
import io.openmessaging.benchmark.driver.redis.read.EntryId;
import io.openmessaging.benchmark.driver.redis.read.MessageSource;
import io.openmessaging.benchmark.driver.redis.read.ReadSize;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A member of a consumer group of some streams. Delivered entries are acknowledged together with the next read
 * request, so that both take one round trip. After a lost connection, the source reads the pending entries again:
 * those that were already delivered are only acknowledged.
 */
final class StreamSource implements MessageSource {

    private static final byte[] PAYLOAD = PartitionKeys.bytes(StreamTransport.PAYLOAD_FIELD);
    private static final byte[] KEY = PartitionKeys.bytes(StreamTransport.KEY_FIELD);

    /** Entries never handed out to a member of the group. */
    private static final String NEW_ENTRIES = ">";

    /** Entries handed out to this member and not acknowledged, from the first one on. */
    private static final String PENDING_ENTRIES = "0";

    /** Start of Redis' error if a stream or its consumer group does not exist. */
    private static final String NO_GROUP = "NOGROUP";

    private static final String FROM_THE_BEGIN = "0";

    private final ConsumerSpec spec;
    private final String group;
    private final ReadSize size;
    private final Duration wait;
    private final MessageListener listener;
    private final Map<ByteBuffer, PartitionCursor> streams = new LinkedHashMap<>();

    /** Reused as long as its count fits. */
    private CommandArguments readNew;

    private int readNewCount;
    private boolean attachedBefore;
    private int acknowledgementsUnderWay;

    /** The stream of one partition and the last delivered entry. */
    private static final class PartitionCursor {

        private final int partition;
        private final String key;
        private EntryId last = EntryId.NONE;

        PartitionCursor(int partition, String key) {
            this.partition = partition;
            this.key = key;
        }
    }

    StreamSource(
            ConsumerSpec spec,
            String group,
            List<Integer> partitions,
            int readCount,
            Duration wait,
            MessageListener listener) {
        this.spec = spec;
        this.group = group;
        this.wait = wait;
        this.listener = listener;
        for (int partition : partitions) {
            String key = PartitionKeys.partition(spec.topic(), partition);
            streams.put(ByteBuffer.wrap(PartitionKeys.bytes(key)), new PartitionCursor(partition, key));
        }
        this.size = new ReadSize((int) Math.min(Integer.MAX_VALUE, (long) readCount * Math.max(1, partitions.size())));
        this.readNew = readNew(countOfEach());
    }

    /** Returns the count per stream, since Redis applies the count to each stream separately. */
    private int countOfEach() {
        return Math.max(1, size.next() / Math.max(1, streams.size()));
    }

    private CommandArguments readNew(int count) {
        readNewCount = count;
        return read(NEW_ENTRIES, count);
    }

    /**
     * Creates a request for entries.
     *
     * @param count largest number of entries of each stream, with a wait for the first; 0 for all that exist, without
     *     waiting
     */
    private CommandArguments read(String from, int count) {
        CommandArguments command =
                new CommandArguments(Command.XREADGROUP).add("GROUP").add(group).add("consumer-" + spec.id());
        if (count > 0) {
            command.add("COUNT").add(count).add("BLOCK").add(wait.toMillis());
        }
        command.add("STREAMS");
        streams.values().forEach(stream -> command.add(stream.key));
        streams.values().forEach(stream -> command.add(from));
        return command;
    }

    @Override
    public void attach(RedisLink link) throws IOException {
        acknowledgementsUnderWay = 0;
        if (attachedBefore) {
            link.write(read(PENDING_ENTRIES, 0));
            link.flush();
            deliver(link, readEntries(link));
        }
        attachedBefore = true;
    }

    @Override
    public void deliverSome(RedisLink link) throws IOException {
        int count = countOfEach();
        if (count != readNewCount) {
            readNew = readNew(count);
        }
        link.write(readNew);
        link.flush();
        JedisDataException refusal = readAcknowledgements(link);
        deliver(link, readEntries(link));
        if (refusal != null) {
            throw refusal;
        }
    }

    @Override
    public void settle(RedisLink link) throws IOException {
        link.flush();
        JedisDataException refusal = readAcknowledgements(link);
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Reads all outstanding replies to acknowledgements, since other replies follow them; returns the last error. */
    private @Nullable JedisDataException readAcknowledgements(RedisLink link) {
        JedisDataException refusal = null;
        while (acknowledgementsUnderWay > 0) {
            acknowledgementsUnderWay--;
            try {
                link.read();
            } catch (JedisDataException e) {
                refusal = e;
            }
        }
        return refusal;
    }

    /**
     * Reads the reply to a read request. A Redis without persistence that was killed has lost the group with its
     * streams, and producers send to new streams from then on: so the group is created again, from the start of the
     * new streams. The error is reported nevertheless.
     */
    private @Nullable Object readEntries(RedisLink link) throws IOException {
        try {
            return link.read();
        } catch (JedisDataException e) {
            if (String.valueOf(e.getMessage()).startsWith(NO_GROUP)) {
                createGroups(link);
            }
            throw e;
        }
    }

    private void createGroups(RedisLink link) throws IOException {
        for (PartitionCursor stream : streams.values()) {
            stream.last = EntryId.NONE;
            CommandArguments create = new CommandArguments(Command.XGROUP)
                    .add("CREATE")
                    .add(stream.key)
                    .add(group)
                    .add(FROM_THE_BEGIN);
            link.write(spec.topic().existing() ? create : create.add("MKSTREAM"));
        }
        link.flush();
        for (int i = 0; i < streams.size(); i++) {
            try {
                link.read();
            } catch (JedisDataException e) {
                // Another consumer of the subscription was first, or Redis refuses: the next read shows which.
            }
        }
    }

    private void deliver(RedisLink link, @Nullable Object reply) {
        if (reply == null) {
            return;
        }
        long startNs = System.nanoTime();
        int delivered = 0;
        for (Object part : (List<?>) reply) {
            List<?> streamAndEntries = (List<?>) part;
            PartitionCursor stream = streams.get(ByteBuffer.wrap((byte[]) streamAndEntries.get(0)));
            List<?> entries = (List<?>) streamAndEntries.get(1);
            if (stream != null && !entries.isEmpty()) {
                acknowledge(link, stream, entries);
                delivered += entries.size();
            }
        }
        size.delivered(delivered, System.nanoTime() - startNs);
    }

    private void acknowledge(RedisLink link, PartitionCursor stream, List<?> entries) {
        CommandArguments command =
                new CommandArguments(Command.XACK).add(stream.key).add(group);
        for (Object entry : entries) {
            List<?> idAndFields = (List<?>) entry;
            byte[] id = (byte[]) idAndFields.get(0);
            deliver(stream, EntryId.parse(id), (List<?>) idAndFields.get(1));
            command.add(id);
        }
        link.write(command);
        acknowledgementsUnderWay++;
    }

    /** Delivers an entry. The fields are null for an entry that was trimmed after it was handed out. */
    private void deliver(PartitionCursor stream, EntryId id, @Nullable List<?> fields) {
        if (fields == null || id.compareTo(stream.last) <= 0) {
            return;
        }
        stream.last = id;
        byte[] payload = null;
        String key = null;
        for (int i = 0; i + 1 < fields.size(); i += 2) {
            byte[] name = (byte[]) fields.get(i);
            byte[] value = (byte[]) fields.get(i + 1);
            if (Arrays.equals(name, PAYLOAD)) {
                payload = value;
            } else if (Arrays.equals(name, KEY)) {
                key = new String(value, StandardCharsets.UTF_8);
            }
        }
        if (payload == null && spec.topic().existing()) {
            payload = allOf(fields);
        }
        if (payload == null) {
            throw new IllegalArgumentException(
                    "entry " + id + " of " + stream.key + " is not a message of this driver");
        }
        listener.received(key, payload, stream.partition, id.timeMs());
    }

    /** Joins the names and values of an entry that another program has added. */
    private static byte[] allOf(List<?> fields) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        fields.forEach(part -> all.writeBytes((byte[]) part));
        return all.toByteArray();
    }
}
