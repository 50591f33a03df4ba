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
import org.jspecify.annotations.Nullable;

/**
 * The keys of a RabbitMQ driver file. The first seven are those of OpenMessaging Benchmark.
 *
 * @param amqpUris brokers, as {@code amqp://user:password@host:port/vhost} or {@code amqps://…}; connections go to them
 *     in turn
 * @param messagePersistence whether messages in classic queues are written to disk
 * @param queueType what messages are kept in
 * @param producerCreationDelay ms to wait after each batch of created producers
 * @param producerCreationBatchSize producers created before that wait; by default as in OpenMessaging Benchmark
 * @param consumerCreationDelay the same for consumers
 * @param consumerCreationBatchSize the same for consumers
 * @param exchangeType of the exchanges in front of queues
 * @param queueArguments more arguments of each queue or stream, such as {@code x-max-length}; whole numbers and {@code
 *     true}/{@code false} are sent as such
 * @param quorumInitialGroupSize on how many nodes a quorum queue begins; null for RabbitMQ's default (3, or as many as
 *     there are)
 * @param autoAck whether a delivered message counts as acknowledged; by default as in OpenMessaging Benchmark
 * @param prefetchCount messages that a consumer may hold without having acknowledged them, 0 for no limit; with {@code
 *     autoAck: false} 500 unless given
 * @param publisherConfirms whether messages count as published when the broker confirms them
 * @param confirmWindow messages of a producer that may be unconfirmed, for streams per partition; 1,000 for queues
 *     unless given, 10,000 for streams (stream-client's default)
 * @param connectionsPerProducers how many connections the producers of a worker share; by default few enough for a thousand
 *     clients, and enough for each of a handful to have its own
 * @param connectionsPerConsumers the same for the consumers of a worker
 * @param connectionPerClient whether each producer and each consumer has a connection of its own
 * @param clientsAtLeader whether the leaders of queues are spread by the driver, and producers and consumers of a queue
 *     connect to the node that leads it
 * @param requeueEvery of how many deliveries to a consumer it returns one to the queue, which delivers that again; 0 for
 *     none
 * @param prometheusAddresses {@code host:port} of each node's metrics, in the order of {@code amqpUris}, which alone
 *     tell what each node leads; none unless given
 * @param streamAddresses {@code host:port} of the stream protocol; the hosts of {@code amqpUris} with port 5552, or 5551
 *     with TLS, unless given
 * @param streamAdvertisedAddresses whether to connect to the addresses that nodes advertise, as a cluster needs;
 *     with false, to {@code streamAddresses} only, as a single node behind a port mapping needs
 * @param streamBatchSize messages in a publish frame, at most; stream-client's default
 * @param streamSubEntrySize messages in a sub-entry, 1 for none
 * @param streamCompression of sub-entries
 * @param streamMaxSegmentSizeBytes size of a segment file; null for RabbitMQ's default (500 MB)
 * @param streamMaxLengthBytes size at which old segments are deleted; null for no limit
 * @param offset where a subscription begins in a stream; by default with its first message: topics are new
 * @param offsetTimestamp for {@link StreamOffset#TIMESTAMP}, such as {@code 2026-01-31T12:00:00Z}
 * @param streamDeduplication whether stream producers have names and number their messages, so that the broker drops one
 *     that comes a second time
 * @param streamSingleActiveConsumer whether the broker decides which consumer of a subscription reads a stream, and the
 *     consumers may be created at different times, by several workers
 * @param streamFilterValues how many filter values the messages of a stream have, which the consumers of a subscription
 *     divide among them; 0 for none
 * @param existingTopics queues, streams or super streams that are there already and take the places of the run's own topics,
 *     in this order
 * @param tls for {@code amqps}; what Java trusts by default
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
        @Range(from = "0", to = "65_535") Integer prefetchCount, // AMQP has two bytes for it.
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

    /** What a topic's messages are kept in. */
    public enum QueueType {

        /** A classic queue for each partition and subscription. */
        CLASSIC,

        /** A quorum queue for each partition and subscription: replicated, always on disk. */
        QUORUM,

        /** One stream, which all subscriptions read. */
        STREAM,

        /** A stream for each partition, which all subscriptions read. */
        SUPER_STREAM;

        /** Whether messages travel over the stream protocol. */
        public boolean isStream() {
            return this == STREAM || this == SUPER_STREAM;
        }
    }

    /** How a topic's exchange finds the queues of a message. */
    public enum ExchangeType {

        /** By the partition, which is the routing key. */
        DIRECT,

        /** The same, with the exchange that compares patterns. */
        TOPIC,

        /** Every queue gets everything: for topics of one partition. */
        FANOUT;

        /** What RabbitMQ calls it. */
        public String amqpName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where a subscription begins to read a stream. */
    public enum StreamOffset {

        /** With the oldest message. */
        FIRST,

        /** With the last chunk that is there. */
        LAST,

        /** With what is published from now on. */
        NEXT,

        /** With the chunk that holds the time of {@code offsetTimestamp}. */
        TIMESTAMP
    }

    private static final int STREAM_PORT = 5552;
    private static final int STREAM_TLS_PORT = 5551;
    private static final int DEFAULT_PREFETCH = 500;
    private static final int DEFAULT_QUEUE_WINDOW = 1_000;
    private static final int DEFAULT_STREAM_WINDOW = 10_000;

    /** Arguments that have keys of their own, and those that the driver decides. */
    private static final Map<String, String> NOT_ARGUMENTS = Map.of(
            "x-queue-type",
            "is chosen by queueType",
            "x-quorum-initial-group-size",
            "is quorumInitialGroupSize",
            "x-stream-max-segment-size-bytes",
            "is streamMaxSegmentSizeBytes");

    /** Arguments that choose the node of a queue's leader. */
    private static final Set<String> LOCATORS = Set.of("x-queue-leader-locator", "x-queue-master-locator");

    /** Puts the defaults in place that follow from other keys. */
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
        String rule = "must be left out with existingTopics: ";
        boolean own = existingTopics.isEmpty();
        problems.require(
                own || !streamSingleActiveConsumer,
                "streamSingleActiveConsumer",
                rule + "its consumers would store positions in a stream of others",
                streamSingleActiveConsumer);
        problems.require(
                own || streamFilterValues == 0,
                "streamFilterValues",
                rule + "messages of others have other filter values",
                streamFilterValues);
        problems.require(
                own || queueArguments.isEmpty(),
                "queueArguments",
                rule + "they are those of the queues that are there",
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
        problems.require(
                quorumInitialGroupSize == null || queueType == QueueType.QUORUM,
                "quorumInitialGroupSize",
                "needs queueType: QUORUM",
                quorumInitialGroupSize);
        problems.require(
                prefetchCount == 0 || !autoAck,
                "prefetchCount",
                "needs autoAck: false, since RabbitMQ does not count what is acknowledged already",
                prefetchCount);
        problems.require(
                requeueEvery == 0 || !autoAck,
                "requeueEvery",
                "needs autoAck: false, since what is acknowledged already cannot be returned",
                requeueEvery);
        problems.require(
                !clientsAtLeader || queueArguments.keySet().stream().noneMatch(LOCATORS::contains),
                "clientsAtLeader",
                "must be false where queueArguments choose the leaders",
                true);
    }

    /** What an argument is by its own key: to say so twice changes nothing. */
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
                "needs streamSubEntrySize above 1, since it is sub-entries that are compressed",
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
                "needs queueType: STREAM or SUPER_STREAM and streamSubEntrySize: 1, since sub-entries have one number"
                        + " for all of their messages",
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
                wanted ? "must say when offset: timestamp is" : "needs offset: timestamp",
                offsetTimestamp);
        if (offsetTimestamp != null) {
            try {
                Instant.parse(offsetTimestamp);
            } catch (DateTimeParseException e) {
                problems.add("offsetTimestamp", "must be a time like 2026-01-31T12:00:00Z", offsetTimestamp);
            }
        }
    }

    /** The brokers, read. */
    public List<AmqpUri> brokers() {
        return amqpUris.stream().map(AmqpUri::parse).toList();
    }

    /** How many connections the producers of a worker share at most. */
    public int producerConnections() {
        return connectionPerClient ? Integer.MAX_VALUE : connectionsPerProducers;
    }

    /** The same for the consumers. */
    public int consumerConnections() {
        return connectionPerClient ? Integer.MAX_VALUE : connectionsPerConsumers;
    }

    /** Where the stream protocol is spoken, {@code host:port}. */
    public List<String> streamEndpoints() {
        return streamAddresses.isEmpty()
                ? brokers().stream()
                        .map(broker -> broker.host() + ":" + (broker.tls() ? STREAM_TLS_PORT : STREAM_PORT))
                        .distinct()
                        .toList()
                : streamAddresses;
    }

    /** Where a subscription begins, as the stream client takes it. */
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

    /** Without passwords. */
    @Override
    public String toString() {
        return "RabbitMqConfig[" + queueType + " at "
                + amqpUris.stream().map(AmqpUri::masked).toList() + "]";
    }
}
