package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.driver.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutstandingTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final Outstanding outstanding = new Outstanding();

    @Test
    void nothingIsAwaitedWhereNothingWasSent() throws Exception {
        assertThat(outstanding.awaitNone(Deadline.in(Duration.ZERO))).isTrue();
    }

    @Test
    void aWaitEndsWithTheLastAnswer() throws Exception {
        outstanding.sent();
        outstanding.sent();
        Thread waiting = Thread.currentThread();
        CompletableFuture<Void> answers = CompletableFuture.runAsync(() -> {
            await("the wait").atMost(LONG).until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            outstanding.answered();
            outstanding.answered();
        });
        assertThat(outstanding.awaitNone(Deadline.in(LONG))).isTrue();
        answers.get(10, TimeUnit.SECONDS);
        assertThat(outstanding.count()).isZero();
    }

    @Test
    void aWaitInVainEndsAtTheDeadline() throws Exception {
        outstanding.sent();
        assertThat(outstanding.awaitNone(Deadline.in(Duration.ofMillis(20)))).isFalse();
        assertThat(outstanding.count()).isEqualTo(1);
    }

    @Test
    void anInterruptEndsTheWait() {
        outstanding.sent();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> outstanding.awaitNone(Deadline.in(LONG))).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }
}
