package io.openmessaging.benchmark.driver.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BlockingCallsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void returnsWhatTheCallReturns() throws Exception {
        assertThat(BlockingCalls.run("add", Deadline.in(LONG), () -> 1 + 1, late -> {}))
                .isEqualTo(2);
    }

    @Test
    void anErrorBecomesASentence() {
        assertThatThrownBy(() -> BlockingCalls.run("read it", Deadline.in(LONG), () -> {
                    throw new IOException("disk full");
                }))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not read it: disk full")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void aSentenceStaysAsItIs() {
        DriverException known = new DriverException("Known");
        assertThatThrownBy(() -> BlockingCalls.run("read it", Deadline.in(LONG), () -> {
                    throw known;
                }))
                .isSameAs(known);
    }

    @Test
    void aCallThatTakesTooLongIsGivenUpAndItsResultDiscarded() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<String> discarded = new CompletableFuture<>();
        assertThatThrownBy(() -> BlockingCalls.run(
                        "connect to it",
                        Deadline.in(Duration.ofMillis(50)),
                        () -> {
                            awaitIgnoringInterrupts(release);
                            return "late";
                        },
                        discarded::complete))
                .isInstanceOf(DriverException.class)
                .hasMessage("Waited 50 ms to connect to it");
        assertThat(discarded).isNotDone();
        release.countDown();
        assertThat(discarded.get(30, TimeUnit.SECONDS)).isEqualTo("late");
    }

    @Test
    void anInterruptEndsTheWait() {
        CountDownLatch never = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> BlockingCalls.run("wait", Deadline.in(LONG), never::await))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // As the clients do.
            }
        }
    }
}
