package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionerTest {

    @Test
    void goesRoundWithoutAKeyBeginningWhereItIsTold() {
        Partitioner partitioner = new Partitioner(3, 7);
        assertThat(IntStream.range(0, 5).map(i -> partitioner.partitionOf(null)))
                .containsExactly(1, 2, 0, 1, 2);
    }

    @Test
    void equalKeysGoToTheSamePartitionWhoeverSendsThem() {
        Partitioner one = new Partitioner(16, 0);
        Partitioner other = new Partitioner(16, 5);
        other.partitionOf(null);
        for (int i = 0; i < 100; i++) {
            assertThat(one.partitionOf("key-" + i)).isEqualTo(other.partitionOf("key-" + i));
        }
    }

    /** Chance alone would be off by some 7 %. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8, 10, 64})
    void keysThatAreNumberedSpreadEvenly(int partitions) {
        int keysOfEach = 2000;
        Partitioner partitioner = new Partitioner(partitions, 0);
        int[] counts = new int[partitions];
        for (int i = 0; i < partitions * keysOfEach; i++) {
            counts[partitioner.partitionOf("key-" + i)]++;
        }
        assertThat(Arrays.stream(counts).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(keysOfEach * 4 / 5, keysOfEach * 6 / 5));
    }

    @Test
    void onePartitionTakesAll() {
        Partitioner partitioner = new Partitioner(1, 3);
        assertThat(partitioner.partitionOf(null)).isZero();
        assertThat(partitioner.partitionOf("key")).isZero();
    }
}
