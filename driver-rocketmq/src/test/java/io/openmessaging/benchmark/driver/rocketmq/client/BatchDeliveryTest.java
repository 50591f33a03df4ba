package io.openmessaging.benchmark.driver.rocketmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchDeliveryTest {

    private static final int MAX = 32;

    private long nowNs = -5;
    private final BatchDelivery batches = new BatchDelivery(MAX, () -> nowNs);
    private final List<Integer> delivered = new ArrayList<>();

    /** Delivers a batch to a listener that takes this long for each message; returns how long all took. */
    private Duration deliver(int messages, Duration each) {
        delivered.clear();
        long startNs = nowNs;
        batches.deliver(IntStream.range(0, messages).boxed().toList(), message -> {
            delivered.add(message);
            nowNs += each.toNanos();
        });
        return Duration.ofNanos(nowNs - startNs);
    }

    private void deliverFastUntilBatchesAreFull() {
        for (int size = 1; size < MAX; size *= 2) {
            assertThat(batches.next()).isEqualTo(size);
            deliver(size, Duration.ZERO);
        }
        assertThat(batches.next()).isEqualTo(MAX);
    }

    @Test
    void aFastListenerSoonGetsFullBatches() {
        deliverFastUntilBatchesAreFull();
        deliver(MAX, Duration.ofMillis(1));
        assertThat(delivered).hasSize(MAX);
        assertThat(batches.next()).isEqualTo(MAX);
    }

    @Test
    void aSlowListenerGetsWhatItTakesInASixthOfTheTime() {
        deliver(1, Duration.ofSeconds(2));
        assertThat(batches.next()).isEqualTo(2);
        deliver(2, Duration.ofSeconds(2));
        deliver(4, Duration.ofSeconds(2));
        assertThat(batches.next()).isEqualTo(5);
        deliver(5, Duration.ofSeconds(10));
        assertThat(batches.next()).isEqualTo(1);
        deliver(1, Duration.ofSeconds(100));
        assertThat(batches.next()).isEqualTo(1);
    }

    @Test
    void whatCannotBeAcknowledgedInTimeIsLeftToTheProxy() {
        deliverFastUntilBatchesAreFull();
        Duration took = deliver(MAX, Duration.ofSeconds(2));
        assertThat(took).isLessThanOrEqualTo(BatchDelivery.HIDDEN.dividedBy(2));
        assertThat(delivered)
                .containsExactlyElementsOf(IntStream.range(0, 15).boxed().toList());
        assertThat(batches.next()).isEqualTo(5);
    }

    @Test
    void theLongestPermittedDelayEndsInTimeAsWell() {
        deliverFastUntilBatchesAreFull();
        assertThat(deliver(MAX, Duration.ofSeconds(10))).isLessThan(BatchDelivery.HIDDEN);
        assertThat(delivered).hasSize(3);
    }

    @Test
    void aRequestWithoutMessagesChangesNothing() {
        deliver(1, Duration.ZERO);
        deliver(0, Duration.ZERO);
        assertThat(batches.next()).isEqualTo(2);
    }
}
