package io.openmessaging.benchmark.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BurstsTest {

    private static final long SECOND_NS = 1_000_000_000L;

    private final Bursts bursts = new Bursts();

    private void send(int probes, long nowNs) {
        for (int i = 0; i < probes; i++) {
            bursts.sent(nowNs);
        }
    }

    @Test
    void itEndsWithItsLastAnswer() {
        CompletableFuture<Integer> first = bursts.add(2);
        CompletableFuture<Integer> second = bursts.add(1);
        send(3, 0);
        assertThat(bursts.isSending()).isFalse();
        bursts.answered(1);
        bursts.endComplete(1);
        assertThat(first).isNotDone();
        bursts.answered(2);
        bursts.endComplete(2);
        assertThat(first).isCompletedWithValue(2);
        assertThat(second).as("the next one begins").isNotDone();
        assertThat(bursts.isSending()).isTrue();
    }

    @Test
    void itEndsASecondAfterTheLastAnswer() {
        CompletableFuture<Integer> burst = bursts.add(3);
        send(3, 0);
        bursts.answered(SECOND_NS / 2);
        bursts.endComplete(SECOND_NS + SECOND_NS / 2);
        assertThat(burst).isNotDone();
        bursts.endComplete(SECOND_NS + SECOND_NS / 2 + 1);
        assertThat(burst).isCompletedWithValue(1);
    }

    @Test
    void whatIsLostIsSentAgain() {
        CompletableFuture<Integer> burst = bursts.add(3);
        send(3, 0);
        bursts.answered(1);
        bursts.again(SECOND_NS);
        assertThat(bursts.isSending()).isTrue();
        send(2, SECOND_NS);
        bursts.answered(SECOND_NS + 1);
        bursts.answered(SECOND_NS + 2);
        bursts.endComplete(SECOND_NS + 2);
        assertThat(burst).isCompletedWithValue(3);
    }

    @Test
    void oneThatNobodyWaitsForIsNotAddedToOthers() {
        CompletableFuture<Integer> burst = bursts.add(1);
        bursts.addIfNone(5);
        send(1, 0);
        bursts.answered(1);
        bursts.endComplete(1);
        assertThat(burst).isCompletedWithValue(1);
        assertThat(bursts.isSending()).isFalse();
        bursts.addIfNone(5);
        assertThat(bursts.isSending()).isTrue();
    }
}
