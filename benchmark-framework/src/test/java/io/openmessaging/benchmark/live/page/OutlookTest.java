package io.openmessaging.benchmark.live.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.live.Agenda;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OutlookTest {

    private static Outlook of(@Nullable String... earlier) {
        return new Outlook(new Agenda(
                "plan",
                Arrays.stream(earlier)
                        .map(outcome -> new Agenda.Item("run", Duration.ofSeconds(60), outcome))
                        .toList()));
    }

    @Test
    void withoutExperienceItIsTheTimeThatRunsTakeAtLeast() {
        Outlook outlook = of(null, "OK", null);
        assertThat(outlook.endMs(1_000)).hasValue(121_000);
        outlook.preparing(1, 1_000);
        assertThat(outlook.endMs(31_000)).as("half of the first is over").hasValue(121_000);
    }

    @Test
    void whatRunsTookLongerIsExpectedOfTheOthers() {
        Outlook outlook = of(null, null, null);
        outlook.preparing(1, 0);
        outlook.finished(1, true, 80_000);
        assertThat(outlook.endMs(80_000)).hasValue(240_000);
        outlook.preparing(2, 80_000);
        outlook.preparing(2, 90_000);
        assertThat(outlook.endMs(100_000)).as("waiting again is no new begin").hasValue(240_000);
    }

    @Test
    void aRunThatTakesForeverMovesTheEndOn() {
        Outlook outlook = of(null, null);
        outlook.preparing(1, 0);
        assertThat(outlook.endMs(500_000)).hasValue(560_000);
    }

    @Test
    void runsThatFailSayNothingAboutTheOthers() {
        Outlook outlook = of(null, null);
        outlook.preparing(1, 0);
        outlook.finished(1, false, 600_000);
        outlook.finished(1, true, 700_000);
        assertThat(outlook.endMs(600_000)).hasValue(660_000);
    }

    @Test
    void nothingToComeHasNoEnd() {
        assertThat(of().endMs(1)).isEmpty();
        assertThat(new Outlook(Agenda.NONE).endMs(1)).isEmpty();
        Outlook outlook = new Outlook(new Agenda("", List.of()));
        outlook.preparing(1, 0);
        outlook.finished(1, true, 1);
        assertThat(outlook.endMs(1)).isEmpty();
    }
}
