package io.openmessaging.benchmark.driver.rabbitmq.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HomesTest {

    private static final Homes THREE = new Homes(3);

    @Test
    void partitionsAreDealtOutInTurn() {
        assertThat(THREE.of(new TopicSpec("test-topic-run-00001", 6), List.of(0, 1, 2, 3, 4, 5)))
                .isEqualTo(Map.of(0, List.of(2, 5), 1, List.of(0, 3), 2, List.of(1, 4)));
    }

    @Test
    void soAreTopicsOfOnePartition() {
        int[] topics = new int[3];
        for (int number = 0; number < 300; number++) {
            topics[THREE.of(new TopicSpec(String.format("t-%05d", number), 1), 0)]++;
        }
        assertThat(Arrays.stream(topics)).containsOnly(100);
    }

    @Test
    void aTopicWithoutANumberHasAHomeToo() {
        assertThat(THREE.of(new TopicSpec("whole-path", 1), 0)).isBetween(0, 2);
    }

    @Test
    void withOnePlaceEverythingIsThere() {
        assertThat(new Homes(1).of(new TopicSpec("t-7", 2), List.of(0, 1))).isEqualTo(Map.of(0, List.of(0, 1)));
    }
}
