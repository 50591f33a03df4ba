package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.stream.compression.Compression;
import io.openmessaging.benchmark.driver.Problems;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong with a configuration without asking a broker. */
final class RabbitMqConfigCheck {

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

    private final RabbitMqConfig config;
    private final Problems problems;

    RabbitMqConfigCheck(RabbitMqConfig config, Problems problems) {
        this.config = config;
        this.problems = problems;
    }

    void run() {
        checkUris();
        checkCreation();
        checkQueues();
        checkClients();
        checkStreams();
    }

    private void checkUris() {
        problems.require(!config.amqpUris().isEmpty(), "amqpUris", "must name at least one broker", null);
        for (String uri : config.amqpUris()) {
            try {
                AmqpUri.parse(uri);
            } catch (IllegalArgumentException e) {
                problems.add("amqpUris", AmqpUri.RULE, AmqpUri.masked(uri));
            }
        }
        for (String address : config.streamAddresses()) {
            problems.require(isHostAndPort(address), "streamAddresses", "must be host:port", address);
        }
    }

    private static boolean isHostAndPort(String address) {
        int colon = address.lastIndexOf(':');
        String port = address.substring(colon + 1);
        return colon > 0 && port.matches("\\d{1,5}") && Integer.parseInt(port) >= 1 && Integer.parseInt(port) <= 65_535;
    }

    private void checkCreation() {
        requireRange("producerCreationDelay", config.producerCreationDelay(), 0, Integer.MAX_VALUE);
        requireRange("producerCreationBatchSize", config.producerCreationBatchSize(), 1, Integer.MAX_VALUE);
        requireRange("consumerCreationDelay", config.consumerCreationDelay(), 0, Integer.MAX_VALUE);
        requireRange("consumerCreationBatchSize", config.consumerCreationBatchSize(), 1, Integer.MAX_VALUE);
    }

    private void checkQueues() {
        for (String name : config.queueArguments().keySet()) {
            String home = NOT_ARGUMENTS.get(name);
            if (home != null) {
                problems.below("queueArguments").add(name, home, null);
            }
        }
        Integer group = config.quorumInitialGroupSize();
        if (group != null) {
            requireRange("quorumInitialGroupSize", group, 1, Integer.MAX_VALUE);
            problems.require(
                    config.queueType() == QueueType.QUORUM, "quorumInitialGroupSize", "needs queueType: QUORUM", group);
        }
    }

    private void checkClients() {
        requireRange("prefetchCount", config.prefetchCount(), 0, MAX_PREFETCH);
        problems.require(
                config.prefetchCount() == 0 || !config.autoAck(),
                "prefetchCount",
                "needs autoAck: false, since RabbitMQ does not count what is acknowledged already",
                config.prefetchCount());
        requireRange("confirmWindow", config.confirmWindow(), 1, MAX_WINDOW);
        requireRange("connectionsPerProducers", config.connectionsPerProducers(), 1, MAX_CONNECTIONS);
        requireRange("connectionsPerConsumers", config.connectionsPerConsumers(), 1, MAX_CONNECTIONS);
    }

    private void checkStreams() {
        requireRange("streamBatchSize", config.streamBatchSize(), 1, Short.MAX_VALUE);
        requireRange("streamSubEntrySize", config.streamSubEntrySize(), 1, Short.MAX_VALUE);
        problems.require(
                config.streamCompression() == Compression.NONE || config.streamSubEntrySize() > 1,
                "streamCompression",
                "needs streamSubEntrySize above 1, since it is sub-entries that are compressed",
                config.streamCompression());
        requirePositive("streamMaxSegmentSizeBytes", config.streamMaxSegmentSizeBytes());
        requirePositive("streamMaxLengthBytes", config.streamMaxLengthBytes());
        if (config.queueType().isStream()) {
            problems.require(
                    config.publisherConfirms(),
                    "publisherConfirms",
                    "must be true for streams, whose protocol always confirms",
                    false);
            problems.require(
                    config.autoAck(), "autoAck", "must be true for streams, which know no acknowledgements", false);
        }
        checkOffset();
    }

    private void checkOffset() {
        String timestamp = config.offsetTimestamp();
        boolean wanted = config.offset() == StreamOffset.TIMESTAMP;
        problems.require(
                wanted == (timestamp != null),
                "offsetTimestamp",
                wanted ? "must say when offset: timestamp is" : "needs offset: timestamp",
                timestamp);
        if (timestamp != null) {
            try {
                Instant.parse(timestamp);
            } catch (DateTimeParseException e) {
                problems.add("offsetTimestamp", "must be a time like 2026-01-31T12:00:00Z", timestamp);
            }
        }
    }

    private void requireRange(String key, int value, int least, int most) {
        String rule = most == Integer.MAX_VALUE ? "must be at least " + least : "must be from " + least + " to " + most;
        problems.require(value >= least && value <= most, key, rule, value);
    }

    private void requirePositive(String key, @Nullable Long value) {
        problems.require(value == null || value >= 1, key, "must be at least 1", value);
    }
}
