package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionsTest {

    @Test
    void aKeyGoesToTheSamePartitionForEveryProducer() {
        Partitions one = new Partitions(7, 0);
        Partitions other = new Partitions(7, 3);
        for (int i = 0; i < 1_000; i++) {
            assertThat(one.of("key-" + i)).isEqualTo(other.of("key-" + i)).isBetween(0, 6);
        }
    }

    @Test
    void keysAreSpread() {
        for (int count : new int[] {2, 3, 10, 64}) {
            Partitions partitions = new Partitions(count, 0);
            int[] messages = new int[count];
            for (int i = 0; i < 1_000 * count; i++) {
                messages[partitions.of("key-" + i)]++;
            }
            assertThat(IntStream.of(messages).boxed())
                    .as("keys for each of %d partitions", count)
                    .allMatch(n -> n > 700 && n < 1_300);
        }
    }

    @Test
    void messagesWithoutKeyTakeTurns() {
        Partitions partitions = new Partitions(5, 12);
        for (int i = 0; i < 50; i++) {
            assertThat(partitions.of(null)).isEqualTo((2 + i) % 5);
        }
    }

    @Test
    void onePartitionTakesEverything() {
        Partitions partitions = new Partitions(1, 3);
        assertThat(partitions.of("key")).isZero();
        assertThat(partitions.of(null)).isZero();
    }

    /** Values from Kafka's own tests of its hash, and the empty key. */
    @ParameterizedTest
    @CsvSource({"21, -973932308", "foobar, -790332482", "a-little-bit-long-string, -985981536", "abc, 479470107"})
    void theHashIsKafkas(String key, int hash) {
        assertThat(Partitions.murmur2(key.getBytes(StandardCharsets.UTF_8))).isEqualTo(hash);
    }

    @Test
    void everyPartitionHasAReaderAndEveryConsumerHasAPartition() {
        for (int consumers = 1; consumers <= 10; consumers++) {
            for (int partitions = 1; partitions <= 10; partitions++) {
                List<Integer> read = new ArrayList<>();
                for (int i = 0; i < consumers; i++) {
                    int[] share = Partitions.shareOf(i, consumers, partitions);
                    assertThat(share).as("share of %d of %d", i, consumers).isNotEmpty();
                    IntStream.of(share).forEach(read::add);
                }
                assertThat(read).hasSize(Math.max(consumers, partitions));
                assertThat(read.stream().distinct().sorted().toList())
                        .isEqualTo(IntStream.range(0, partitions).boxed().toList());
            }
        }
    }
}
