package io.openmessaging.benchmark.driver.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartitionsTest {

    @Test
    void aKeyGoesToTheSamePartitionForEveryProducer() {
        Partitions one = new Partitions(7);
        Partitions other = new Partitions(7);
        for (int i = 0; i < 1_000; i++) {
            assertThat(one.of("key-" + i)).isEqualTo(other.of("key-" + i)).isBetween(0, 6);
        }
    }

    @Test
    void keysAreSpread() {
        for (int count : new int[] {2, 3, 10, 64}) {
            Partitions partitions = new Partitions(count);
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
        Partitions partitions = new Partitions(5);
        int first = partitions.of(null);
        for (int i = 1; i < 50; i++) {
            assertThat(partitions.of(null)).isEqualTo((first + i) % 5);
        }
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
