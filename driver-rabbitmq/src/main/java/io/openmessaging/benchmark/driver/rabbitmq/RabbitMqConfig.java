package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.stream.compression.Compression;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
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

    private static final int DEFAULT_CREATION_BATCH = 5;
    private static final int DEFAULT_PREFETCH = 500;
    private static final int DEFAULT_QUEUE_WINDOW = 1_000;
    private static final int DEFAULT_STREAM_WINDOW = 10_000;

    /** Few enough for a thousand clients, enough for each of a handful to have its own. */
    private static final int DEFAULT_CONNECTIONS = 8;

    private static final int DEFAULT_STREAM_BATCH = 100;

    /** Puts defaults in the place of what is absent. */
    public RabbitMqConfig(
            @Nullable List<String> amqpUris,
            boolean messagePersistence,
            @Nullable QueueType queueType,
            @Nullable Integer producerCreationDelay,
            @Nullable Integer producerCreationBatchSize,
            @Nullable Integer consumerCreationDelay,
            @Nullable Integer consumerCreationBatchSize,
            @Nullable ExchangeType exchangeType,
            @Nullable Map<String, String> queueArguments,
            @Nullable Integer quorumInitialGroupSize,
            @Nullable Boolean autoAck,
            @Nullable Integer prefetchCount,
            @Nullable Boolean publisherConfirms,
            @Nullable Integer confirmWindow,
            @Nullable Integer connectionsPerProducers,
            @Nullable Integer connectionsPerConsumers,
            @Nullable List<String> streamAddresses,
            @Nullable Boolean streamAdvertisedAddresses,
            @Nullable Integer streamBatchSize,
            @Nullable Integer streamSubEntrySize,
            @Nullable Compression streamCompression,
            @Nullable Long streamMaxSegmentSizeBytes,
            @Nullable Long streamMaxLengthBytes,
            @Nullable StreamOffset offset,
            @Nullable String offsetTimestamp,
            @Nullable TlsConfig tls) {
        this.amqpUris = amqpUris == null ? List.of() : List.copyOf(amqpUris);
        this.messagePersistence = messagePersistence;
        this.queueType = orElse(queueType, QueueType.CLASSIC);
        this.producerCreationDelay = orElse(producerCreationDelay, 0);
        this.producerCreationBatchSize = orElse(producerCreationBatchSize, DEFAULT_CREATION_BATCH);
        this.consumerCreationDelay = orElse(consumerCreationDelay, 0);
        this.consumerCreationBatchSize = orElse(consumerCreationBatchSize, DEFAULT_CREATION_BATCH);
        this.exchangeType = orElse(exchangeType, ExchangeType.DIRECT);
        this.queueArguments = queueArguments == null ? Map.of() : Map.copyOf(queueArguments);
        this.quorumInitialGroupSize = quorumInitialGroupSize;
        this.autoAck = orElse(autoAck, true);
        this.prefetchCount = orElse(prefetchCount, this.autoAck ? 0 : DEFAULT_PREFETCH);
        this.publisherConfirms = orElse(publisherConfirms, true);
        this.confirmWindow =
                orElse(confirmWindow, this.queueType.isStream() ? DEFAULT_STREAM_WINDOW : DEFAULT_QUEUE_WINDOW);
        this.connectionsPerProducers = orElse(connectionsPerProducers, DEFAULT_CONNECTIONS);
        this.connectionsPerConsumers = orElse(connectionsPerConsumers, DEFAULT_CONNECTIONS);
        this.streamAddresses = streamAddresses == null ? List.of() : List.copyOf(streamAddresses);
        this.streamAdvertisedAddresses = orElse(streamAdvertisedAddresses, true);
        this.streamBatchSize = orElse(streamBatchSize, DEFAULT_STREAM_BATCH);
        this.streamSubEntrySize = orElse(streamSubEntrySize, 1);
        this.streamCompression = orElse(streamCompression, Compression.NONE);
        this.streamMaxSegmentSizeBytes = streamMaxSegmentSizeBytes;
        this.streamMaxLengthBytes = streamMaxLengthBytes;
        this.offset = orElse(offset, StreamOffset.FIRST);
        this.offsetTimestamp = offsetTimestamp;
        this.tls = orElse(tls, TlsConfig.DEFAULT);
    }

    private static <T> T orElse(@Nullable T given, T otherwise) {
        return given == null ? otherwise : given;
    }

    @Override
    public void check(Problems problems) {
        new RabbitMqConfigCheck(this, problems).run();
    }

    /** The brokers, read. */
    List<AmqpUri> brokers() {
        return amqpUris.stream().map(AmqpUri::parse).toList();
    }

    /** The same pointed elsewhere. */
    RabbitMqConfig pointedTo(List<String> uris, List<String> streams) {
        return new RabbitMqConfig(
                uris,
                messagePersistence,
                queueType,
                producerCreationDelay,
                producerCreationBatchSize,
                consumerCreationDelay,
                consumerCreationBatchSize,
                exchangeType,
                queueArguments,
                quorumInitialGroupSize,
                autoAck,
                prefetchCount,
                publisherConfirms,
                confirmWindow,
                connectionsPerProducers,
                connectionsPerConsumers,
                streams,
                streamAdvertisedAddresses,
                streamBatchSize,
                streamSubEntrySize,
                streamCompression,
                streamMaxSegmentSizeBytes,
                streamMaxLengthBytes,
                offset,
                offsetTimestamp,
                tls);
    }

    /** Without passwords. */
    @Override
    public String toString() {
        return "RabbitMqConfig[" + queueType + " at "
                + amqpUris.stream().map(AmqpUri::masked).toList() + "]";
    }
}
