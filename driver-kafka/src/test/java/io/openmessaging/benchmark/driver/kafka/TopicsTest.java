package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TopicsTest {

    @Test
    void batchesKeepTheOrderAndLeaveNothingOut() {
        assertThat(Topics.batches(List.of(1, 2, 3, 4, 5), 2))
                .isEqualTo(List.of(List.of(1, 2), List.of(3, 4), List.of(5)));
    }

    @Test
    void whatFitsIsOneBatch() {
        assertThat(Topics.batches(List.of(1, 2), 2)).isEqualTo(List.of(List.of(1, 2)));
    }

    @Test
    void nothingIsNoBatch() {
        assertThat(Topics.batches(List.of(), 2)).isEmpty();
    }
}
