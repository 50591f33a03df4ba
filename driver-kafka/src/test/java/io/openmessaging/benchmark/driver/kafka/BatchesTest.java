package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchesTest {

    private static List<List<Integer>> of(List<Integer> weights, int most) {
        return Batches.of(weights, most, weight -> weight);
    }

    @Test
    void batchesKeepTheOrderAndLeaveNothingOut() {
        assertThat(of(List.of(1, 1, 1, 1, 1), 2)).isEqualTo(List.of(List.of(1, 1), List.of(1, 1), List.of(1)));
    }

    @Test
    void whatFitsIsOneBatch() {
        assertThat(of(List.of(1, 3), 4)).isEqualTo(List.of(List.of(1, 3)));
    }

    @Test
    void whatIsTooLargeByItselfIsABatch() {
        assertThat(of(List.of(1, 9, 1), 4)).isEqualTo(List.of(List.of(1), List.of(9), List.of(1)));
    }

    @Test
    void nothingIsNoBatch() {
        assertThat(of(List.of(), 2)).isEmpty();
    }

    @Test
    void topicsCountByTheCopiesOfTheirPartitions() {
        List<TopicSpec> topics = IntStream.range(0, 20)
                .mapToObj(i -> new TopicSpec("topic-" + i, 100))
                .toList();
        assertThat(Batches.ofTopics(topics, 1)).extracting(List::size).containsExactly(10, 10);
        assertThat(Batches.ofTopics(topics, 3)).hasSize(7).allMatch(batch -> batch.size() <= 3);
    }
}
