package io.openmessaging.benchmark.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.measure.Totals;
import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Checks of a system once a second, with a limit of ten seconds. */
class RefusalsTest {

    private static final int NEVER = -1;
    private static final int END = 300;

    private final Refusals refusals = new Refusals(Duration.ofSeconds(10));

    /** The seconds of load after which it is known that every message is refused for good. */
    private int endOf(LongUnaryOperator acknowledged, LongUnaryOperator failed) {
        for (int second = 0; second < END; second++) {
            long taken = acknowledged.applyAsLong(second);
            long refused = failed.applyAsLong(second);
            Totals totals = new Totals(taken + refused, taken, refused, List.of(taken), 0);
            if (refusals.look(second * 1_000_000_000L, true, totals) > 0) {
                return second;
            }
        }
        return NEVER;
    }

    @Test
    void aSystemThatHasTakenNothingHasTenSeconds() {
        assertThat(endOf(second -> 0, second -> 200 * second)).isEqualTo(10);
    }

    @Test
    void aSystemThatHasTakenSomethingHasAMinute() {
        assertThat(endOf(second -> Math.min(second, 30) * 200, second -> Math.max(0, second - 30) * 200))
                .isEqualTo(90);
    }

    @Test
    void whoTakesAMessageNowAndThenGoesOn() {
        assertThat(endOf(second -> 1 + second / 50, second -> 200 * second)).isEqualTo(NEVER);
    }

    @Test
    void aFewRefusalsAreNotEnough() {
        assertThat(endOf(second -> 0, second -> second / 4)).as("the tenth").isEqualTo(40);
    }

    @Test
    void whatIsNeitherTakenNorRefusedIsWaitedFor() {
        assertThat(endOf(second -> 0, second -> Math.min(100, 50 * second))).isEqualTo(NEVER);
    }

    @Test
    void whatIsGivenUpAfterALoadIsNoRefusalOfTheNext() {
        for (int second = 0; second < END; second++) {
            Totals totals = new Totals(10_000, 0, 20 * second, List.of(0L), 0);
            assertThat(refusals.look(second * 1_000_000_000L, false, totals)).isZero();
        }
    }
}
