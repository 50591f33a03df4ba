package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.suite.Patience;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Records of a topic, read by Kafka's own consumer without the driver, including those of uncommitted transactions.
 */
final class RawRecords {

    private RawRecords() {}

    static Map<String, Object> connection(List<String> addresses) {
        return Map.of("bootstrap.servers", String.join(",", addresses));
    }

    /** Waits for this number of records and returns all that have arrived by then. */
    static List<ConsumerRecord<String, byte[]>> read(List<String> addresses, String topic, int atLeast) {
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", String.join(",", addresses), "auto.offset.reset", "earliest"),
                new StringDeserializer(),
                new ByteArrayDeserializer())) {
            int partitions = consumer.partitionsFor(topic).size();
            consumer.assign(IntStream.range(0, partitions)
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList());
            Patience.until(atLeast + " records of " + topic, () -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                return records.size() >= atLeast;
            });
        }
        return records;
    }

    /** Returns the names and values of the headers, in order. */
    static List<Map.Entry<String, String>> headersOf(ConsumerRecord<String, byte[]> message) {
        return StreamSupport.stream(message.headers().spliterator(), false)
                .map(header -> Map.entry(header.key(), new String(header.value(), StandardCharsets.UTF_8)))
                .toList();
    }
}
