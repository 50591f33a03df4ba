package io.openmessaging.benchmark.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class EstimateTest {

    private static final Offset<Double> EXACTLY = within(1e-9);

    /** The quantile of t with 9 degrees of freedom is 2.262157162740992. */
    @Test
    void theIntervalIsThatOfStudentsDistribution() {
        Estimate estimate = Estimate.of(2, 4, 4, 4, 5, 5, 7, 9, 6, 4);

        assertThat(estimate.n()).isEqualTo(10);
        assertThat(estimate.mean()).isEqualTo(5.0, EXACTLY);
        assertThat(estimate.sd()).isEqualTo(Math.sqrt(34.0 / 9), EXACTLY);
        double half = 2.262157162740992 * Math.sqrt(34.0 / 9 / 10);
        assertThat(estimate.ci95Low()).isEqualTo(5 - half, EXACTLY);
        assertThat(estimate.ci95High()).isEqualTo(5 + half, EXACTLY);
    }

    /** With one degree of freedom the quantile is tan(0.475 π). */
    @Test
    void twoRunsGiveAWideInterval() {
        Estimate estimate = Estimate.of(10, 12);

        assertThat(estimate.sd()).isEqualTo(Math.sqrt(2), EXACTLY);
        assertThat(estimate.ci95High()).isEqualTo(11 + Math.tan(0.475 * Math.PI), within(1e-6));
        assertThat(estimate.ci95Low()).isEqualTo(11 - Math.tan(0.475 * Math.PI), within(1e-6));
    }

    @Test
    void oneRunTellsNothingOfTheSpread() {
        assertThat(Estimate.of(7)).isEqualTo(new Estimate(1, 7, null, null, null));
    }

    @Test
    void equalRunsHaveAPoint() {
        assertThat(Estimate.of(3, 3, 3)).isEqualTo(new Estimate(3, 3, 0.0, 3.0, 3.0));
    }

    @Test
    void withoutRunsThereIsNone() {
        assertThatIllegalArgumentException().isThrownBy(Estimate::of);
    }
}
