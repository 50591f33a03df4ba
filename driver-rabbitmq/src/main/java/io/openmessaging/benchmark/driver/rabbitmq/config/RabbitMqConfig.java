package io.openmessaging.benchmark.driver.rabbitmq.config;

import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.compression.Compression;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a RabbitMQ driver file. The first seven are those of OpenMessaging Benchmark.
 *
 * @param amqpUris brokers, as {@code amqp://user:password@host:port/vhost} or {@code amqps://…}; connections go to them
 *     in turn
 * @param messagePersistence whether messages in classic queues are written to disk; false unless given
 * @param queueType what messages are kept in; {@link QueueType#CLASSIC} unless given
 * @param producerCreationDelay ms to wait after each batch of created producers; 0 unless given
 * @param producerCreationBatchSize producers created before that wait; 5 unless given, as in OpenMessaging Benchmark
 * @param consumerCreationDelay the same for consumers
 * @param consumerCreationBatchSize the same for consumers
 * @param exchangeType of the exchanges in front of queues; {@link ExchangeType#DIRECT} unless given
 * @param queueArguments more arguments of each queue or stream, such as {@code x-max-length}; whole numbers and {@code
 *     true}/{@code false} are sent as such
 * @param quorumInitialGroupSize on how many nodes a quorum queue begins; null for RabbitMQ's default (3, or as many as
 *     there are)
 * @param autoAck whether a delivered message counts as acknowledged; true unless given, as in OpenMessaging Benchmark
 * @param prefetchCount messages that a consumer may hold without having acknowledged them, 0 for no limit; with {@code
 *     autoAck: false} 500 unless given
 * @param publisherConfirms whether messages count as published when the broker confirms them; true unless given
 * @param confirmWindow messages of a producer that may be unconfirmed, for streams per partition; 1,000 for queues
 *     unless given, 10,000 for streams (stream-client's default)
 * @param connectionsPerProducers how many connections the producers of a worker share; 8 unless given
 * @param connectionsPerConsumers how many connections the consumers of a worker share; 8 unless given
 * @param streamAddresses {@code host:port} of the stream protocol; the hosts of {@code amqpUris} with port 5552, or 5551
 *     with TLS, unless given
 * @param streamAdvertisedAddresses whether to connect to the addresses that nodes advertise, as a cluster needs; true
 *     unless given; with false, to {@code streamAddresses} only, as a single node behind a port mapping needs
 * @param streamBatchSize messages in a publish frame, at most; 100 unless given (stream-client's default)
 * @param streamSubEntrySize messages in a sub-entry, 1 for none; 1 unless given
 * @param streamCompression of sub-entries; {@link Compression#NONE} unless given
 * @param streamMaxSegmentSizeBytes size of a segment file; null for RabbitMQ's default (500 MB)
 * @param streamMaxLengthBytes size at which old segments are deleted; null for no limit
 * @param offset where a subscription begins in a stream; {@link StreamOffset#FIRST} unless given: topics are new
 * @param offsetTimestamp for {@link StreamOffset#TIMESTAMP}, such as {@code 2026-01-31T12:00:00Z}
 * @param tls for {@code amqps}; what Java trusts unless given
 */
public record RabbitMqConfig(
        List<String> amqpUris,
        boolean messagePersistence,
        QueueType queueType,
        Integer producerCreationDelay,
        Integer producerCreationBatchSize,
        Integer consumerCreationDelay,
        Integer consumerCreationBatchSize,
        ExchangeType exchangeType,
        Map<String, String> queueArguments,
        @Nullable Integer quorumInitialGroupSize,
        Boolean autoAck,
        Integer prefetchCount,
        Boolean publisherConfirms,
        Integer confirmWindow,
        Integer connectionsPerProducers,
        Integer connectionsPerConsumers,
        List<String> streamAddresses,
        Boolean streamAdvertisedAddresses,
        Integer streamBatchSize,
        Integer streamSubEntrySize,
        Compression streamCompression,
        @Nullable Long streamMaxSegmentSizeBytes,
        @Nullable Long streamMaxLengthBytes,
        StreamOffset offset,
        @Nullable String offsetTimestamp,
        TlsConfig tls)
        implements Checked {

    private static final int STREAM_PORT = 5552;
    private static final int STREAM_TLS_PORT = 5551;
    private static final int DEFAULT_CREATION_BATCH = 5;
    private static final int DEFAULT_PREFETCH = 500;
    private static final int DEFAULT_QUEUE_WINDOW = 1_000;
    private static final int DEFAULT_STREAM_WINDOW = 10_000;

    /** AMQP has two bytes for it. */
    private static final int MAX_PREFETCH = 65_535;

    private static final int MAX_WINDOW = 10_000_000;
    private static final int MAX_CONNECTIONS = 10_000;

    /** Arguments that have keys of their own, and those that the driver decides. */
    private static final Map<String, String> NOT_ARGUMENTS = Map.of(
            "x-queue-type",
            "is chosen by queueType",
            "x-quorum-initial-group-size",
            "is quorumInitialGroupSize",
            "x-stream-max-segment-size-bytes",
            "is streamMaxSegmentSizeBytes");

    /** Few enough for a thousand clients, enough for each of a handful to have its own. */
    private static final int DEFAULT_CONNECTIONS = 8;

    private static final int DEFAULT_STREAM_BATCH = 100;

    /** Puts defaults in the place of what is absent. */
    public RabbitMqConfig {
        amqpUris = List.copyOf(orElse(amqpUris, List.of()));
        queueType = orElse(queueType, QueueType.CLASSIC);
        producerCreationDelay = orElse(producerCreationDelay, 0);
        producerCreationBatchSize = orElse(producerCreationBatchSize, DEFAULT_CREATION_BATCH);
        consumerCreationDelay = orElse(consumerCreationDelay, 0);
        consumerCreationBatchSize = orElse(consumerCreationBatchSize, DEFAULT_CREATION_BATCH);
        exchangeType = orElse(exchangeType, ExchangeType.DIRECT);
        queueArguments = Map.copyOf(orElse(queueArguments, Map.of()));
        autoAck = orElse(autoAck, true);
        prefetchCount = orElse(prefetchCount, autoAck ? 0 : DEFAULT_PREFETCH);
        publisherConfirms = orElse(publisherConfirms, true);
        confirmWindow = orElse(confirmWindow, queueType.isStream() ? DEFAULT_STREAM_WINDOW : DEFAULT_QUEUE_WINDOW);
        connectionsPerProducers = orElse(connectionsPerProducers, DEFAULT_CONNECTIONS);
        connectionsPerConsumers = orElse(connectionsPerConsumers, DEFAULT_CONNECTIONS);
        streamAddresses = List.copyOf(orElse(streamAddresses, List.of()));
        streamAdvertisedAddresses = orElse(streamAdvertisedAddresses, true);
        streamBatchSize = orElse(streamBatchSize, DEFAULT_STREAM_BATCH);
        streamSubEntrySize = orElse(streamSubEntrySize, 1);
        streamCompression = orElse(streamCompression, Compression.NONE);
        offset = orElse(offset, StreamOffset.FIRST);
        tls = orElse(tls, TlsConfig.DEFAULT);
    }

    private static <T> T orElse(@Nullable T given, T otherwise) {
        return given == null ? otherwise : given;
    }

    @Override
    public void check(Problems problems) {
        checkAddresses(problems);
        checkCreation(problems);
        checkQueues(problems);
        checkClients(problems);
        checkStreams(problems);
        checkOffset(problems);
    }

    private void checkAddresses(Problems problems) {
        problems.require(!amqpUris.isEmpty(), "amqpUris", "must name at least one broker", null);
        for (String uri : amqpUris) {
            try {
                AmqpUri.parse(uri);
            } catch (IllegalArgumentException e) {
                problems.add("amqpUris", AmqpUri.RULE, AmqpUri.masked(uri));
            }
        }
        for (String address : streamAddresses) {
            problems.require(isHostAndPort(address), "streamAddresses", "must be host:port", address);
        }
    }

    private static boolean isHostAndPort(String address) {
        int colon = address.lastIndexOf(':');
        String port = address.substring(colon + 1);
        return colon > 0 && port.matches("\\d{1,5}") && Integer.parseInt(port) >= 1 && Integer.parseInt(port) <= 65_535;
    }

    private void checkCreation(Problems problems) {
        problems.atLeast(0, "producerCreationDelay", producerCreationDelay);
        problems.atLeast(1, "producerCreationBatchSize", producerCreationBatchSize);
        problems.atLeast(0, "consumerCreationDelay", consumerCreationDelay);
        problems.atLeast(1, "consumerCreationBatchSize", consumerCreationBatchSize);
    }

    private void checkQueues(Problems problems) {
        for (String name : queueArguments.keySet()) {
            String home = NOT_ARGUMENTS.get(name);
            if (home != null) {
                problems.below("queueArguments").add(name, home, null);
            }
        }
        if (quorumInitialGroupSize != null) {
            problems.atLeast(1, "quorumInitialGroupSize", quorumInitialGroupSize);
            problems.require(
                    queueType == QueueType.QUORUM,
                    "quorumInitialGroupSize",
                    "needs queueType: QUORUM",
                    quorumInitialGroupSize);
        }
    }

    private void checkClients(Problems problems) {
        requireRange(problems, "prefetchCount", prefetchCount, 0, MAX_PREFETCH);
        problems.require(
                prefetchCount == 0 || !autoAck,
                "prefetchCount",
                "needs autoAck: false, since RabbitMQ does not count what is acknowledged already",
                prefetchCount);
        requireRange(problems, "confirmWindow", confirmWindow, 1, MAX_WINDOW);
        requireRange(problems, "connectionsPerProducers", connectionsPerProducers, 1, MAX_CONNECTIONS);
        requireRange(problems, "connectionsPerConsumers", connectionsPerConsumers, 1, MAX_CONNECTIONS);
    }

    private void checkStreams(Problems problems) {
        requireRange(problems, "streamBatchSize", streamBatchSize, 1, Short.MAX_VALUE);
        requireRange(problems, "streamSubEntrySize", streamSubEntrySize, 1, Short.MAX_VALUE);
        problems.require(
                streamCompression == Compression.NONE || streamSubEntrySize > 1,
                "streamCompression",
                "needs streamSubEntrySize above 1, since it is sub-entries that are compressed",
                streamCompression);
        if (streamMaxSegmentSizeBytes != null) {
            problems.atLeast(1, "streamMaxSegmentSizeBytes", streamMaxSegmentSizeBytes);
        }
        if (streamMaxLengthBytes != null) {
            problems.atLeast(1, "streamMaxLengthBytes", streamMaxLengthBytes);
        }
        if (queueType.isStream()) {
            problems.require(
                    publisherConfirms,
                    "publisherConfirms",
                    "must be true for streams, whose protocol always confirms",
                    false);
            problems.require(autoAck, "autoAck", "must be true for streams, which know no acknowledgements", false);
        }
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

    private static void requireRange(Problems problems, String key, int value, int least, int most) {
        problems.require(value >= least && value <= most, key, "must be from " + least + " to " + most, value);
    }

    /** The brokers, read. */
    public List<AmqpUri> brokers() {
        return amqpUris.stream().map(AmqpUri::parse).toList();
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
