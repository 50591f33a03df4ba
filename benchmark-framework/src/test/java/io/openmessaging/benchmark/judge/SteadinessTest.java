package io.openmessaging.benchmark.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SteadinessTest {

    private static final double UNLIMITED = Double.POSITIVE_INFINITY;

    /** Confirmed messages of each period: {@code 100x3 0 50} is three times 100, nothing, and 50. */
    private static List<PeriodSnapshot> periods(double seconds, String messages) {
        List<PeriodSnapshot> periods = new ArrayList<>();
        Totals totals = Totals.none(0);
        for (String part : messages.split(" ")) {
            String[] times = part.split("x");
            for (int i = 0; i < (times.length == 1 ? 1 : Integer.parseInt(times[1])); i++) {
                long acknowledged = Long.parseLong(times[0]);
                Totals counts = new Totals(acknowledged, acknowledged, 0, List.of(), 0);
                totals = totals.plus(counts);
                long startNs = Math.round(periods.size() * seconds * 1e9);
                periods.add(new PeriodSnapshot(startNs, startNs + Math.round(seconds * 1e9), counts, totals, Map.of()));
            }
        }
        return periods;
    }

    private static ExpectedLoad load(double rate, OptionalDouble seconds, boolean random) {
        return new ExpectedLoad(
                OptionalDouble.empty(),
                seconds,
                random,
                true,
                OptionalDouble.empty(),
                Optional.of(RateProfile.steady(rate)));
    }

    private static ExpectedLoad load(RateProfile schedule) {
        return new ExpectedLoad(
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                false,
                false,
                OptionalDouble.empty(),
                Optional.of(schedule));
    }

    private static ExpectedLoad load(double rate) {
        return load(rate, OptionalDouble.empty(), false);
    }

    @Test
    void periodsInWhichNothingIsConfirmedAreAStallThoughTheHalvesAreAlike() {
        Judge judge = new Judge();
        judge.judgeLoad(periods(10, "1000x9 0x12 1000x9"), load(UNLIMITED));
        assertThat(judge.findings()).containsExactly(Finding.loadStalled(12, 30, 120, 90));
        assertThat(judge.findings().get(0).severity()).isEqualTo(Finding.Severity.INVALIDATES);
        assertThat(judge.findings().get(0).text())
                .isEqualTo("load stalled: no message was confirmed for 120.0 s, in 12 of 30 periods, first 90.0 s after"
                        + " the start of the measurement");
    }

    @ParameterizedTest
    @CsvSource({
        "10, 1000x15 0 1000x14, Infinity, 1",
        "10, 1000x15 0 1000x14, 100, 1",
        "10, 1000x30, 100, 0",
        // A message every ten seconds may fall on either side, but one every five may not.
        "10, 1 1 0 2 1 1, 0.1, 0",
        "10, 2 2 0 4 2 2, 0.2, 1",
        // Periods of a quarter of a second are judged per second.
        "0.25, 100x20 0x4 100x20, Infinity, 1",
        "0.25, 100x21 0x4 100x19, Infinity, 0",
        "0.25, 100x20 0x3 100x21, Infinity, 0",
        "0.25, 100x3, Infinity, 0",
    })
    void oneEmptyPeriodIsEnoughIfMessagesWereDue(double seconds, String messages, double rate, int stalls) {
        Optional<Finding> found = Steadiness.stalls(periods(seconds, messages), load(rate));
        assertThat(found.map(finding -> finding.text().replaceAll(".*, in (\\d+) of .*", "$1")))
                .isEqualTo(stalls == 0 ? Optional.empty() : Optional.of(Integer.toString(stalls)));
    }

    @Test
    void afterTheLastMessageNothingIsDue() {
        List<PeriodSnapshot> periods = periods(10, "1000x3 0x3");
        assertThat(Steadiness.stalls(periods, load(UNLIMITED, OptionalDouble.of(29.9), false)))
                .isEmpty();
        assertThat(Steadiness.stalls(periods, load(UNLIMITED, OptionalDouble.of(40), false)))
                .contains(Finding.loadStalled(1, 6, 10, 30));
    }

    /** The chance that none of 20 independent messages falls into a period is 2 in 10⁹; of 10 it is 5 in 100,000. */
    @ParameterizedTest
    @CsvSource({"1, false", "1.9, false", "2, true"})
    void independentMessagesLeavePeriodsEmptyByChance(double rate, boolean found) {
        assertThat(Steadiness.stalls(periods(10, "20x3 0 20x3"), load(rate, OptionalDouble.empty(), true)))
                .matches(stall -> stall.isPresent() == found);
    }

    @Test
    void aScheduleMayPause() {
        RateProfile pausing = new RateProfile(List.of(
                new RateProfile.Segment(20_000_000_000L, 100, 100), new RateProfile.Segment(30_000_000_000L, 0, 0)));
        ExpectedLoad expected = load(pausing);
        assertThat(Steadiness.stalls(periods(10, "1000x2 0x3"), expected)).isEmpty();
        assertThat(Steadiness.stalls(periods(10, "1000 0x4"), expected)).contains(Finding.loadStalled(1, 5, 10, 10));
    }

    /**
     * At 1,000 msg/s for ten seconds, then paused for twenty, then on again. The measurement starts some milliseconds
     * before its load, and the load may resume before the end of a period.
     */
    @ParameterizedTest
    @CsvSource({
        "10.034, 0, false",
        "10.034, 1, false",
        "9.998, 0, false",
        "10.2, 0, false",
        "10.4, 0, true",
    })
    void whatIsNotConfirmedYetAfterAPauseIsNoStall(double seconds, long confirmedInPause, boolean stalled) {
        RateProfile pausing = new RateProfile(List.of(
                new RateProfile.Segment(10_000_000_000L, 1000, 1000),
                new RateProfile.Segment(20_000_000_000L, 0, 0),
                new RateProfile.Segment(10_000_000_000L, 1000, 1000)));
        ExpectedLoad expected = load(pausing);
        assertThat(Steadiness.stalls(periods(seconds, "10000 " + confirmedInPause + " 0 10000"), expected)
                        .isPresent())
                .isEqualTo(stalled);
    }

    @ParameterizedTest
    @CsvSource({
        // A third may be off by any amount.
        "10, 1000x20 100x10, false",
        "10, 1000x19 100x11, true",
        "10, 1000x7 1 1000x7 1 1000x7 9000 1000x6, false",
        "10, 1000x9 490x6 1000x9 490x6, true",
        "10, 1000x9 1510x6 1000x9 1510x6, true",
        "10, 1000x9 510x6 1000x9 510x6, false",
        // At least four periods are needed.
        "10, 1000 1000 100, false",
        "10, 1000 100 1000 1000, false",
        "10, 1000 100 1000 100, true",
        // Shorter periods are judged in stretches of five seconds; a period cut short by a late one counts as
        // complete.
        "1, 1000x9 1x3 1000x9, false",
        "1, 1000x5 1x5 1000x5 1x4, false",
        "1, 1000x5 1x5 1000x5 1x5, true",
        "4.6, 1000 100 1000 100, true",
        // One message more or less does not count.
        "10, 1 2 1 3 2 1 2 1, false",
    })
    void halfOffTheMedianIsNoMoreThanAThirdOfThePeriods(double seconds, String messages, boolean found) {
        assertThat(Steadiness.unevenness(periods(seconds, messages), load(UNLIMITED))
                        .isPresent())
                .isEqualTo(found);
    }

    @Test
    void unevennessIsToldWithItsNumbers() {
        assertThat(Steadiness.unevenness(periods(10, "1000x3 200x3 3000"), load(UNLIMITED))
                        .map(Finding::text))
                .contains("not steady: in 4 of 7 periods the publish rate differed by more than half from its median of"
                        + " 100 msg/s, between 20 and 300 msg/s");
    }

    @Test
    void whatIsToldAsAStallIsNotToldAgain() {
        Judge judge = new Judge();
        judge.judgeLoad(periods(10, "1000x2 0x2 1000x2 0x2"), load(UNLIMITED));
        assertThat(judge.findings()).extracting(Finding::kind).containsExactly("LoadStalled");
    }

    @Test
    void halvesThatDifferAreNotToldAgainByTheirPeriods() {
        Judge judge = new Judge();
        judge.judgeLoad(periods(10, "1000x10 100x10"), load(UNLIMITED));
        assertThat(judge.findings()).extracting(Finding::kind).containsExactly("NotSteady");
    }

    /** Healthy brokers scatter like this on a machine that others use: see {@link Steadiness#OUTLIER}. */
    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.2, 0.3, 0.35})
    void ordinaryScatterIsNotFound(double variation) {
        Random random = new Random(7);
        for (int run = 0; run < 200; run++) {
            StringBuilder messages = new StringBuilder();
            for (int period = 0; period < 60; period++) {
                messages.append(Math.round(Math.max(1, 100_000 * (1 + variation * random.nextGaussian()))))
                        .append(' ');
            }
            assertThat(Steadiness.unevenness(periods(10, messages.toString().trim()), load(UNLIMITED)))
                    .isEmpty();
        }
    }

    @Test
    void nothingMeasuredIsNothingToJudge() {
        assertThat(Steadiness.stalls(List.of(), load(UNLIMITED))).isEmpty();
        assertThat(Steadiness.unevenness(List.of(), load(UNLIMITED))).isEmpty();
    }
}
