package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Partitions;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;

/** Tests that drivers that choose partitions themselves choose as Kafka's own client does. */
class PartitionsOfKeysTest {

    @Test
    void equalKafkasOwn() {
        Random random = new Random(5);
        for (int i = 0; i < 10_000; i++) {
            String key = random.ints(random.nextInt(20), 'a', 'ÿ')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            int partitions = 1 + random.nextInt(100);
            assertThat(Partitions.ofKey(key, partitions))
                    .as("partition of %s", key)
                    .isEqualTo(BuiltInPartitioner.partitionForKey(key.getBytes(StandardCharsets.UTF_8), partitions));
        }
    }
}
