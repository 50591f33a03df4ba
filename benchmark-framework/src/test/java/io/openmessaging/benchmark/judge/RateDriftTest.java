package io.openmessaging.benchmark.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RateDriftTest {

    private static final double[] X = {0, 1, 2, 3, 4};

    @Test
    void aLineIsFoundExactly() {
        assertThat(RateDrift.relativeChange(X, new double[] {90, 95, 100, 105, 110}))
                .isCloseTo(0.2, within(1e-12));
        assertThat(RateDrift.relativeChange(X, new double[] {110, 105, 100, 95, 90}))
                .isCloseTo(-0.2, within(1e-12));
    }

    @Test
    void whatDoesNotChangeHasNoSlope() {
        assertThat(RateDrift.relativeChange(X, new double[] {7, 7, 7, 7, 7})).isZero();
        assertThat(RateDrift.relativeChange(X, new double[] {0, 0, 0, 0, 0})).isZero();
        assertThat(RateDrift.relativeChange(new double[] {1}, new double[] {5})).isZero();
        assertThat(RateDrift.relativeChange(new double[0], new double[0])).isZero();
    }

    @Test
    void onePeriodOutOfLineInTheMiddleSaysNothing() {
        assertThat(RateDrift.relativeChange(X, new double[] {100, 100, 50, 100, 100}))
                .isCloseTo(0, within(1e-12));
    }

    @Test
    void unevenDistancesCount() {
        assertThat(RateDrift.relativeChange(new double[] {0, 1, 10}, new double[] {100, 101, 110}))
                .isCloseTo(10 / (311 / 3.0), within(1e-12));
    }
}
