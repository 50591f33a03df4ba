package io.openmessaging.benchmark.driver.rabbitmq.config;

import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.compression.Compression;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a RabbitMQ driver file. The first seven are those of OpenMessaging Benchmark.
 *
 * @param amqpUris brokers, as {@code amqp://user:password@host:port/vhost} or {@code amqps://…}; connections go to them
 *     in turn
 * @param messagePersistence true if messages in classic queues are written to disk
 * @param queueType kind of queue or stream that stores messages
 * @param producerCreationDelay wait after each batch of created producers, ms
 * @param producerCreationBatchSize producers created before that wait; the default is that of OpenMessaging Benchmark
 * @param consumerCreationDelay wait after each batch of created consumers, ms
 * @param consumerCreationBatchSize consumers created before that wait; the default is that of OpenMessaging Benchmark
 * @param exchangeType type of the exchanges in front of queues
 * @param queueArguments more arguments of each queue or stream, such as {@code x-max-length}; whole numbers and {@code
 *     true}/{@code false} are sent as such
 * @param quorumInitialGroupSize initial number of nodes of a quorum queue; null for RabbitMQ's default (3, or as many
 *     as there are)
 * @param autoAck true if a delivered message counts as acknowledged; the default is that of OpenMessaging Benchmark
 * @param prefetchCount unacknowledged messages that a consumer may hold, 0 for no limit; with {@code autoAck: false}
 *     500 unless given
 * @param publisherConfirms true if messages count as published only when the broker confirms them
 * @param confirmWindow unconfirmed messages that a producer may have, for streams per partition; 1,000 for queues
 *     unless given, 10,000 for streams (stream-client's default)
 * @param connectionsPerProducers connections that the producers of a worker share; the default is low enough for a
 *     thousand clients, and lets each of a handful have its own
 * @param connectionsPerConsumers connections that the consumers of a worker share; the default has the same reason
 * @param connectionPerClient true if each producer and each consumer has a connection of its own
 * @param clientsAtLeader true if the driver spreads the leaders of queues, and producers and consumers of a queue
 *     connect to the node that leads it
 * @param requeueEvery number of deliveries of which a consumer returns one to the queue, for redelivery; 0 for none
 * @param prometheusAddresses {@code host:port} of each node's metrics, in the order of {@code amqpUris}; only these
 *     metrics reveal which queues a node leads; none unless given
 * @param streamAddresses {@code host:port} of the stream protocol; the hosts of {@code amqpUris} with port 5552, or
 *     5551 with TLS, unless given
 * @param streamAdvertisedAddresses true to connect to the addresses that nodes advertise, as a cluster needs; false to
 *     connect to {@code streamAddresses} only, as a single node behind a port mapping needs
 * @param streamBatchSize largest number of messages in a publish frame; stream-client's default
 * @param streamSubEntrySize messages in a sub-entry, 1 for none
 * @param streamCompression compression of sub-entries
 * @param streamMaxSegmentSizeBytes size of a segment file; null for RabbitMQ's default (500 MB)
 * @param streamMaxLengthBytes size at which old segments are deleted; null for no limit
 * @param offset where a subscription starts in a stream; at its first message by default, as topics are new
 * @param offsetTimestamp time for {@link StreamOffset#TIMESTAMP}, such as {@code 2026-01-31T12:00:00Z}
 * @param streamDeduplication true if stream producers have names and number their messages, so that the broker drops
 *     duplicates
 * @param streamSingleActiveConsumer true if the broker decides which consumer of a subscription reads a stream, and
 *     several workers may create the consumers at different times
 * @param streamFilterValues number of filter values of a stream's messages, which the consumers of a subscription
 *     divide among themselves; 0 for none
 * @param existingTopics queues, streams or super streams that exist already and replace the run's own topics, in this
 *     order
 * @param tls settings for {@code amqps}; by default, Java's trusted certificates
 */
public record RabbitMqConfig(
        @Default("[]") List<String> amqpUris,
        boolean messagePersistence,
        @Default("CLASSIC") QueueType queueType,
        @Range(from = "0") int producerCreationDelay,
        @Default("5") @Range(from = "1") int producerCreationBatchSize,
        @Range(from = "0") int consumerCreationDelay,
        @Default("5") @Range(from = "1") int consumerCreationBatchSize,
        @Default("DIRECT") ExchangeType exchangeType,
        @Default("{}") Map<String, String> queueArguments,
        @Range(from = "1") @Nullable Integer quorumInitialGroupSize,
        @Default("true") boolean autoAck,
        @Range(from = "0", to = "65_535") Integer prefetchCount, // AMQP encodes it in two bytes.
        @Default("true") boolean publisherConfirms,
        @Range(from = "1", to = "10_000_000") Integer confirmWindow,
        @Default("8") @Range(from = "1", to = "10_000") int connectionsPerProducers,
        @Default("8") @Range(from = "1", to = "10_000") int connectionsPerConsumers,
        boolean connectionPerClient,
        boolean clientsAtLeader,
        @Range(from = "0", to = "1_000_000_000") int requeueEvery,
        @Default("[]") List<String> prometheusAddresses,
        @Default("[]") List<String> streamAddresses,
        @Default("true") boolean streamAdvertisedAddresses,
        @Default("100") @Range(from = "1", to = "32_767") int streamBatchSize,
        @Default("1") @Range(from = "1", to = "32_767") int streamSubEntrySize,
        @Default("NONE") Compression streamCompression,
        @Range(from = "1") @Nullable Long streamMaxSegmentSizeBytes,
        @Range(from = "1") @Nullable Long streamMaxLengthBytes,
        @Default("FIRST") StreamOffset offset,
        @Nullable String offsetTimestamp,
        boolean streamDeduplication,
        boolean streamSingleActiveConsumer,
        @Range(from = "0", to = "1_000") int streamFilterValues,
        @Default("[]") List<String> existingTopics,
        @Default("{}") TlsConfig tls)
        implements Checked {

    /** Kind of queue or stream that stores a topic's messages. */
    public enum QueueType {

        /** A classic queue for each partition and subscription. */
        CLASSIC,

        /** A quorum queue for each partition and subscription: replicated, always on disk. */
        QUORUM,

        /** One stream, which all subscriptions read. */
        STREAM,

        /** A stream for each partition, which all subscriptions read. */
        SUPER_STREAM;

        /** Returns whether messages use the stream protocol. */
        public boolean isStream() {
            return this == STREAM || this == SUPER_STREAM;
        }
    }

    /** How a topic's exchange routes messages to queues. */
    public enum ExchangeType {

        /** By partition, which is the routing key. */
        DIRECT,

        /** By partition, with the exchange that matches patterns. */
        TOPIC,

        /** To all queues: for topics with one partition. */
        FANOUT;

        /** RabbitMQ's name of the type. */
        public String amqpName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where a subscription starts to read a stream. */
    public enum StreamOffset {

        /** At the oldest message. */
        FIRST,

        /** At the last existing chunk. */
        LAST,

        /** At messages that are published from now on. */
        NEXT,

        /** At the chunk that contains the time {@code offsetTimestamp}. */
        TIMESTAMP
    }

    private static final int STREAM_PORT = 5552;
    private static final int STREAM_TLS_PORT = 5551;
    private static final int DEFAULT_PREFETCH = 500;
    private static final int DEFAULT_QUEUE_WINDOW = 1_000;
    private static final int DEFAULT_STREAM_WINDOW = 10_000;

    /** Arguments that have keys of their own, and those that the driver sets. */
    private static final Map<String, String> NOT_ARGUMENTS = Map.of(
            "x-queue-type",
            "is set by queueType",
            "x-quorum-initial-group-size",
            "is set by quorumInitialGroupSize",
            "x-stream-max-segment-size-bytes",
            "is set by streamMaxSegmentSizeBytes");

    /** The argument with the number of nodes of a stream; RabbitMQ's default is all. */
    private static final String STREAM_NODES = "x-initial-cluster-size";

    private static final Pattern POSITIVE = Pattern.compile("[1-9]\\d{0,8}");

    /** Arguments that choose the node of a queue's leader. */
    private static final Set<String> LOCATORS = Set.of("x-queue-leader-locator", "x-queue-master-locator");

    /** Sets defaults that depend on other keys. */
    public RabbitMqConfig {
        if (prefetchCount == null) {
            prefetchCount = autoAck ? 0 : DEFAULT_PREFETCH;
        }
        if (confirmWindow == null) {
            confirmWindow = queueType.isStream() ? DEFAULT_STREAM_WINDOW : DEFAULT_QUEUE_WINDOW;
        }
    }

    @Override
    public void check(Problems problems) {
        checkAddresses(problems);
        checkQueues(problems);
        checkStreams(problems);
        checkOffset(problems);
        checkFeaturesOfStreams(problems);
        checkExistingTopics(problems);
    }

    private void checkExistingTopics(Problems problems) {
        problems.names("existingTopics", existingTopics);
        String rule = "must be absent with existingTopics: ";
        boolean own = existingTopics.isEmpty();
        problems.require(
                own || !streamSingleActiveConsumer,
                "streamSingleActiveConsumer",
                rule + "its consumers would store positions in another program's stream",
                streamSingleActiveConsumer);
        problems.require(
                own || streamFilterValues == 0,
                "streamFilterValues",
                rule + "messages of other programs have other filter values",
                streamFilterValues);
        problems.require(
                own || queueArguments.isEmpty(),
                "queueArguments",
                rule + "existing queues keep their own arguments",
                queueArguments);
    }

    private void checkAddresses(Problems problems) {
        problems.require(!amqpUris.isEmpty(), "amqpUris", "must name at least one broker", null);
        for (String uri : amqpUris) {
            try {
                AmqpUri.parse(uri);
            } catch (IllegalArgumentException e) {
                problems.add("amqpUris", String.valueOf(e.getMessage()), AmqpUri.masked(uri));
            }
        }
        streamAddresses.forEach(address -> problems.address("streamAddresses", address));
        prometheusAddresses.forEach(address -> problems.address("prometheusAddresses", address));
        problems.require(
                prometheusAddresses.isEmpty() || prometheusAddresses.size() == amqpUris.size(),
                "prometheusAddresses",
                "must name as many nodes as amqpUris, in the same order",
                prometheusAddresses);
    }

    private void checkQueues(Problems problems) {
        queueArguments.forEach((name, value) -> {
            String home = NOT_ARGUMENTS.get(name);
            if (home != null && !value.equals(chosenAnyway(name))) {
                problems.below("queueArguments").add(name, home, null);
            }
        });
        String streamNodes = queueArguments.get(STREAM_NODES);
        if (streamNodes != null) {
            problems.below("queueArguments")
                    .require(
                            queueType.isStream()
                                    && POSITIVE.matcher(streamNodes).matches(),
                            STREAM_NODES,
                            "must be a whole number from 1, for streams only",
                            streamNodes);
        }
        problems.require(
                quorumInitialGroupSize == null || queueType == QueueType.QUORUM,
                "quorumInitialGroupSize",
                "needs queueType: QUORUM",
                quorumInitialGroupSize);
        problems.require(
                prefetchCount == 0 || !autoAck,
                "prefetchCount",
                "needs autoAck: false, since RabbitMQ does not count messages that are already acknowledged",
                prefetchCount);
        problems.require(
                requeueEvery == 0 || !autoAck,
                "requeueEvery",
                "needs autoAck: false, since messages that are already acknowledged cannot be returned",
                requeueEvery);
        problems.require(
                !clientsAtLeader || queueArguments.keySet().stream().noneMatch(LOCATORS::contains),
                "clientsAtLeader",
                "must be false if queueArguments choose the leaders",
                true);
    }

    /** Value of an argument according to its own key; repeating it changes nothing. */
    private String chosenAnyway(String argument) {
        return switch (argument) {
            case "x-queue-type" ->
                queueType.isStream() ? "stream" : queueType.name().toLowerCase(Locale.ROOT);
            case "x-quorum-initial-group-size" -> String.valueOf(quorumInitialGroupSize);
            default -> String.valueOf(streamMaxSegmentSizeBytes);
        };
    }

    private void checkStreams(Problems problems) {
        problems.require(
                streamCompression == Compression.NONE || streamSubEntrySize > 1,
                "streamCompression",
                "needs streamSubEntrySize above 1, since only sub-entries are compressed",
                streamCompression);
        if (queueType.isStream()) {
            problems.require(
                    publisherConfirms,
                    "publisherConfirms",
                    "must be true for streams, whose protocol always confirms",
                    false);
            problems.require(autoAck, "autoAck", "must be true for streams, which have no acknowledgements", false);
            problems.require(
                    !clientsAtLeader,
                    "clientsAtLeader",
                    "must be false for streams, whose client finds the leaders itself",
                    true);
        }
    }

    private void checkFeaturesOfStreams(Problems problems) {
        problems.require(
                !streamDeduplication || queueType.isStream() && streamSubEntrySize == 1,
                "streamDeduplication",
                "needs queueType: STREAM or SUPER_STREAM and streamSubEntrySize: 1, since all messages of a"
                        + " sub-entry share one number",
                streamDeduplication);
        problems.require(
                !streamSingleActiveConsumer
                        || queueType.isStream() && offset == StreamOffset.FIRST && streamFilterValues == 0,
                "streamSingleActiveConsumer",
                "needs queueType: STREAM or SUPER_STREAM, offset: first and no streamFilterValues",
                streamSingleActiveConsumer);
        problems.require(
                streamFilterValues == 0 || queueType == QueueType.STREAM && streamSubEntrySize == 1,
                "streamFilterValues",
                "needs queueType: STREAM and streamSubEntrySize: 1, since a sub-entry has no filter value",
                streamFilterValues);
    }

    private void checkOffset(Problems problems) {
        boolean wanted = offset == StreamOffset.TIMESTAMP;
        problems.require(
                wanted == (offsetTimestamp != null),
                "offsetTimestamp",
                wanted ? "must be set with offset: timestamp" : "needs offset: timestamp",
                offsetTimestamp);
        if (offsetTimestamp != null) {
            try {
                Instant.parse(offsetTimestamp);
            } catch (DateTimeParseException e) {
                problems.add("offsetTimestamp", "must be a time like 2026-01-31T12:00:00Z", offsetTimestamp);
            }
        }
    }

    /** Initial number of nodes of a stream, which {@code queueArguments} may contain; null for RabbitMQ's default. */
    public @Nullable Integer streamInitialClusterSize() {
        String size = queueArguments.get(STREAM_NODES);
        return size == null ? null : Integer.valueOf(size);
    }

    /** The brokers, parsed. */
    public List<AmqpUri> brokers() {
        return amqpUris.stream().map(AmqpUri::parse).toList();
    }

    /** Largest number of connections that the producers of a worker share. */
    public int producerConnections() {
        return connectionPerClient ? Integer.MAX_VALUE : connectionsPerProducers;
    }

    /** Largest number of connections that the consumers of a worker share. */
    public int consumerConnections() {
        return connectionPerClient ? Integer.MAX_VALUE : connectionsPerConsumers;
    }

    /** Addresses of the stream protocol, {@code host:port}. */
    public List<String> streamEndpoints() {
        return streamAddresses.isEmpty()
                ? brokers().stream()
                        .map(broker -> broker.host() + ":" + (broker.tls() ? STREAM_TLS_PORT : STREAM_PORT))
                        .distinct()
                        .toList()
                : streamAddresses;
    }

    /** Where a subscription starts, in the form of the stream client. */
    public OffsetSpecification offsetSpecification() {
        return switch (offset) {
            case FIRST -> OffsetSpecification.first();
            case LAST -> OffsetSpecification.last();
            case NEXT -> OffsetSpecification.next();
            case TIMESTAMP ->
                OffsetSpecification.timestamp(
                        Instant.parse(String.valueOf(offsetTimestamp)).toEpochMilli());
        };
    }

    /** Contains no passwords. */
    @Override
    public String toString() {
        return "RabbitMqConfig[" + queueType + " at "
                + amqpUris.stream().map(AmqpUri::masked).toList() + "]";
    }
}
