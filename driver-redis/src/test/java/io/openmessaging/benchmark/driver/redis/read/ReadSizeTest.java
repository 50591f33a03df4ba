package io.openmessaging.benchmark.driver.redis.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadSizeTest {

    private static final long MS = 1_000_000;

    private final ReadSize size = new ReadSize(256);

    @Test
    void aFastListenerGetsAllThatIsAllowedFromItsSecondReadOn() {
        assertThat(size.next()).isEqualTo(1);
        size.delivered(1, MS / 10);
        assertThat(size.next()).isEqualTo(256);
    }

    @Test
    void aSlowOneGetsWhatItTakesInHalfASecond() {
        size.delivered(1, 50 * MS);
        assertThat(size.next()).isEqualTo(10);
        size.delivered(10, 2_000 * MS);
        assertThat(size.next()).isEqualTo(2);
        size.delivered(2, 5_000 * MS);
        assertThat(size.next()).isEqualTo(1);
    }

    @Test
    void aReadWithoutMessagesSaysNothing() {
        size.delivered(1, 50 * MS);
        size.delivered(0, 200 * MS);
        assertThat(size.next()).isEqualTo(10);
    }

    @Test
    void aClockThatStandsStillIsNoDivisionByZero() {
        size.delivered(256, 0);
        assertThat(size.next()).isEqualTo(256);
    }
}
