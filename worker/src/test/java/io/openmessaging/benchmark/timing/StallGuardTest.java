package io.openmessaging.benchmark.timing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class StallGuardTest {

    private static final long MS = 1_000_000;
    private static final Throwable FAILURE = new AssertionError("took 140 ms");

    @Test
    void aFailureOnAMachineThatRanStaysOne() {
        assertThat(StallGuard.abortedBy(25 * MS, 100, FAILURE)).isSameAs(FAILURE);
    }

    @Test
    void aFailureDuringALongStallAbortsTheTestWithTheFigure() {
        assertThat(StallGuard.abortedBy(26 * MS, 100, FAILURE))
                .isInstanceOf(TestAbortedException.class)
                .hasMessage("the machine let this process stand still for 26 ms,"
                        + " more than a quarter of the tolerance of 100 ms")
                .hasCause(FAILURE);
    }
}
