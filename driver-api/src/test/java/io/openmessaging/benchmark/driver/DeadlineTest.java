package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    @Test
    void countsDownToNothing() {
        Deadline far = Deadline.in(Duration.ofHours(1));
        assertThat(far.hasPassed()).isFalse();
        assertThat(far.leftNs()).isPositive().isLessThanOrEqualTo(TimeUnit.HOURS.toNanos(1));
        Deadline past = new Deadline(System.nanoTime() - 1, Duration.ofSeconds(1));
        assertThat(past.hasPassed()).isTrue();
        assertThat(past.leftNs()).isZero();
    }

    @Test
    void whatIsLeftSuitsClientsThatTakeZeroForNoLimit() {
        Deadline past = new Deadline(System.nanoTime() - 1, Duration.ofSeconds(1));
        assertThat(past.leftMs()).isEqualTo(1);
        assertThat(past.leftMs(Duration.ZERO)).isEqualTo(1);
    }

    @Test
    void whatIsLeftFitsAnInt() {
        assertThat(Deadline.in(Duration.ofDays(1000)).leftMs()).isEqualTo(Integer.MAX_VALUE);
        assertThat(Deadline.in(Duration.ofDays(1000)).leftMs(Duration.ofSeconds(5)))
                .isEqualTo(5000);
    }

    @Test
    void aPauseEndsWithTheDeadline() throws InterruptedException {
        // Would take a day.
        new Deadline(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5), Duration.ofMillis(5))
                .pause(Duration.ofDays(1));
    }
}
