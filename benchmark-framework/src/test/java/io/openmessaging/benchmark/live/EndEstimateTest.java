package io.openmessaging.benchmark.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EndEstimateTest {

    private static EndEstimate of(@Nullable String... earlier) {
        return new EndEstimate(new Agenda(
                "plan",
                Arrays.stream(earlier)
                        .map(outcome -> new Agenda.Item("run", Duration.ofSeconds(60), outcome))
                        .toList()));
    }

    @Test
    void withoutExperienceItIsTheTimeThatRunsTakeAtLeast() {
        EndEstimate estimate = of(null, "OK", null);
        assertThat(estimate.endMs(1_000)).hasValue(121_000);
        estimate.preparing(1, 1_000);
        assertThat(estimate.endMs(31_000)).as("half of the first is over").hasValue(121_000);
    }

    @Test
    void whatRunsTookLongerIsExpectedOfTheOthers() {
        EndEstimate estimate = of(null, null, null);
        estimate.preparing(1, 0);
        estimate.finished(1, true, 80_000);
        assertThat(estimate.endMs(80_000)).hasValue(240_000);
        estimate.preparing(2, 80_000);
        estimate.preparing(2, 90_000);
        assertThat(estimate.endMs(100_000)).as("waiting again is no new begin").hasValue(240_000);
    }

    @Test
    void aRunThatTakesForeverMovesTheEndOn() {
        EndEstimate estimate = of(null, null);
        estimate.preparing(1, 0);
        assertThat(estimate.endMs(500_000)).hasValue(560_000);
    }

    @Test
    void runsThatFailSayNothingAboutTheOthers() {
        EndEstimate estimate = of(null, null);
        estimate.preparing(1, 0);
        estimate.finished(1, false, 600_000);
        estimate.finished(1, true, 700_000);
        assertThat(estimate.endMs(600_000)).hasValue(660_000);
    }

    @Test
    void nothingToComeHasNoEnd() {
        assertThat(of().endMs(1)).isEmpty();
        assertThat(new EndEstimate(Agenda.NONE).endMs(1)).isEmpty();
        EndEstimate estimate = new EndEstimate(new Agenda("", List.of()));
        estimate.preparing(1, 0);
        estimate.finished(1, true, 1);
        assertThat(estimate.endMs(1)).isEmpty();
    }
}
