package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.Partitions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Converts messages of a producer to records. Used by one thread.
 *
 * @param topic Kafka's name of the topic
 * @param headers the headers of each message, converted once; null for none. The client copies the list, not its
 *     elements.
 * @param partitions chooses the partition; null to leave that to the client
 */
public record Records(
        String topic,
        @Nullable Iterable<Header> headers,
        @Nullable Partitions partitions) {

    /** Converts the headers of a workload. */
    public static Records of(String topic, Map<String, String> headers, @Nullable Partitions partitions) {
        if (headers.isEmpty()) {
            return new Records(topic, null, partitions);
        }
        List<Header> converted = headers.entrySet().stream()
                .<Header>map(header ->
                        new RecordHeader(header.getKey(), header.getValue().getBytes(StandardCharsets.UTF_8)))
                .toList();
        return new Records(topic, new RecordHeaders(converted), partitions);
    }

    ProducerRecord<String, byte[]> of(@Nullable String key, byte[] payload) {
        @Nullable Integer partition = partitions == null ? null : partitions.of(key);
        return new ProducerRecord<>(topic, partition, key, payload, headers);
    }
}
