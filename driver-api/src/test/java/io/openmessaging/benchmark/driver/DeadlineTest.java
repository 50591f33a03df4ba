package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    private static final Deadline PAST = new Deadline(System.nanoTime() - 1, Duration.ofSeconds(1));

    @Test
    void countsDownToNothing() {
        Deadline far = Deadline.in(Duration.ofHours(1));
        assertThat(far.hasPassed()).isFalse();
        assertThat(far.leftNs()).isPositive();
        assertThat(PAST.hasPassed()).isTrue();
        assertThat(PAST.leftNs()).isZero();
    }

    @Test
    void whatIsLeftSuitsClientsThatTakeZeroForNoLimit() {
        assertThat(PAST.leftMs()).isEqualTo(1);
        assertThat(PAST.leftMs(Duration.ZERO)).isEqualTo(1);
    }

    @Test
    void whatIsLeftFitsAnInt() {
        assertThat(Deadline.in(Duration.ofDays(1000)).leftMs()).isEqualTo(Integer.MAX_VALUE);
        assertThat(Deadline.in(Duration.ofDays(1000)).leftMs(Duration.ofSeconds(5)))
                .isEqualTo(5000);
    }

    @Test
    void aPauseEndsWithTheDeadline() throws InterruptedException {
        // Unlimited, this would take a day.
        new Deadline(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5), Duration.ofMillis(5))
                .pause(Duration.ofDays(1));
    }

    @Test
    void looksUntilItIsSo() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        Deadline.in(Duration.ofHours(1)).await(Duration.ZERO, () -> looks.incrementAndGet() == 3, () -> "nothing");
        assertThat(looks).hasValue(3);
    }

    @Test
    void takesALookAfterTheEndAndSaysWhatWasMissing() {
        assertThatThrownBy(() -> PAST.await(Duration.ZERO, () -> false, () -> "the moon to rise"))
                .isInstanceOf(DriverException.class)
                .hasMessage("Waited 1000 ms for the moon to rise")
                .hasNoCause();
        assertThatCode(() -> PAST.await(Duration.ZERO, () -> true, () -> "nothing"))
                .doesNotThrowAnyException();
    }

    @Test
    void aLookThatFailsEndsTheWaitAndAfterTheEndIsPartOfTheReason() {
        DriverException failure = new DriverException("no view");
        assertThatThrownBy(() -> Deadline.in(Duration.ofHours(1)).await(Duration.ZERO, failing(failure), () -> "it"))
                .isSameAs(failure);
        assertThatThrownBy(() -> PAST.await(Duration.ZERO, failing(failure), () -> "it"))
                .hasMessage("Waited 1000 ms for it")
                .hasCause(failure);
    }

    private static Deadline.Condition failing(DriverException failure) {
        return () -> {
            throw failure;
        };
    }

    @Test
    void aWaitForTheEndOfATaskIsNotHurriedByAnInterrupt() {
        CompletableFuture<Void> task = new CompletableFuture<>();
        Thread.currentThread().interrupt();
        assertThat(PAST.awaitEnd(task)).isFalse();
        new Thread(() -> task.complete(null)).start();
        assertThat(Deadline.in(Duration.ofMinutes(1)).awaitEnd(task)).isTrue();
        assertThat(PAST.awaitEnd(task)).as("of a task that has ended").isTrue();
        assertThat(Thread.interrupted()).as("the interrupt is left set").isTrue();
    }

    @Test
    void aWaitThatMayBeInterruptedEndsWithTheTaskOrItselfOrAnInterrupt() {
        CompletableFuture<Void> task = new CompletableFuture<>();
        PAST.awaitUnlessInterrupted(task);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        // Uninterrupted, this would take an hour.
        Deadline.in(Duration.ofHours(1)).awaitUnlessInterrupted(task);
        assertThat(Thread.interrupted()).as("the interrupt is left set").isTrue();
        task.completeExceptionally(new IllegalStateException("of the task"));
        Deadline.in(Duration.ofHours(1)).awaitUnlessInterrupted(task);
        assertThat(Thread.interrupted()).isFalse();
    }
}
