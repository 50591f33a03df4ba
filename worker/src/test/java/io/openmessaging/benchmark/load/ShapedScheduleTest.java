package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.load.RateProfile.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules with rates that change over time, and with arrivals that are independent of each other. */
class ShapedScheduleTest {

    private static final long START_NS = 1_700_000_000_123_456_789L;
    private static final long SECOND_NS = 1_000_000_000L;

    /** Steps, ramps up and down, and a pause. */
    private static final RateProfile COURSE = new RateProfile(List.of(
            new Segment(5 * SECOND_NS, 20_000, 20_000),
            new Segment(5 * SECOND_NS, 60_000, 60_000),
            new Segment(20 * SECOND_NS, 60_000, 180_000),
            new Segment(3 * SECOND_NS, 0, 0),
            new Segment(10 * SECOND_NS, 180_000, 20_000)));

    private static final int COURSE_SECONDS = 43;

    private static List<Long> timesBefore(Schedule schedule, long endNs) {
        List<Long> times = new ArrayList<>();
        for (long dueNs = schedule.next(); dueNs < endNs; dueNs = schedule.next()) {
            times.add(dueNs);
            schedule.advance();
        }
        return times;
    }

    private static double expectedIn(RateProfile profile, int second) {
        return profile.messagesIn(second + 1) - profile.messagesIn(second);
    }

    private static long[] countsBySecond(List<Long> times, int seconds) {
        long[] counts = new long[seconds];
        times.forEach(ns -> counts[(int) ((ns - START_NS) / SECOND_NS)]++);
        return counts;
    }

    @ParameterizedTest
    @CsvSource({"0, 1000, 10", "1000, 0, 10", "1, 1000000, 1", "1000000, 1, 1", "0.5, 3.7, 100", "999, 1001, 60"})
    void messageNOfARampIsDueWhenNHaveComeTogether(double from, double to, int seconds) {
        RateProfile ramp = new RateProfile(List.of(new Segment(seconds * SECOND_NS, from, to)));
        Schedule schedule = Schedule.even(START_NS, ramp);
        long messages = (long) Math.floor(ramp.messagesIn(seconds));
        for (long n = 0; n < messages; n++) {
            double seen = ramp.messagesIn((schedule.next() - START_NS) / 1e9);
            // The time is rounded up to a nanosecond, in which this fraction of a message accumulates at this rate.
            double rounding = 2e-9 * Math.max(from, to) + 1e-9 * n;
            if (Math.abs(seen - n) > rounding) {
                assertThat(seen).as("message %d", n).isCloseTo(n, within(rounding));
            }
            schedule.advance();
        }
    }

    @Test
    void afterARampItsLastRateGoesOn() {
        Schedule schedule = Schedule.even(START_NS, new RateProfile(List.of(new Segment(10 * SECOND_NS, 0, 100))));
        List<Long> times = timesBefore(schedule, START_NS + 12 * SECOND_NS);
        assertThat(times).hasSize(700);
        assertThat(times.get(600) - times.get(599)).isEqualTo(SECOND_NS / 100);
    }

    @Test
    void aRampToNothingEnds() {
        Schedule schedule = Schedule.even(START_NS, new RateProfile(List.of(new Segment(10 * SECOND_NS, 100, 0))));
        assertThat(timesBefore(schedule, Schedule.NEVER)).hasSizeBetween(500, 501);
        assertThat(schedule.next()).isEqualTo(Schedule.NEVER);
    }

    @Test
    void theRateOfEverySecondIsTheProfiles() {
        long endNs = START_NS + COURSE_SECONDS * SECOND_NS;
        List<Long> times = timesBefore(Schedule.even(START_NS, COURSE), endNs);
        long[] counts = countsBySecond(times, COURSE_SECONDS);
        for (int second = 0; second < COURSE_SECONDS; second++) {
            double expected = expectedIn(COURSE, second);
            assertThat((double) counts[second])
                    .as("second %d", second)
                    .isCloseTo(expected, within(1 + 1e-6 * expected));
        }
        assertThat((double) times.size()).isCloseTo(COURSE.messagesIn(COURSE_SECONDS), within(1.0));
        assertThat(times).isSorted();
    }

    @Test
    void theRateOfEverySecondOfIndependentArrivalsIsTheProfilesToo() {
        RateProfile course = COURSE.times(2);
        long endNs = START_NS + COURSE_SECONDS * SECOND_NS;
        long[] counts = new long[COURSE_SECONDS];
        Schedule schedule = Schedule.poisson(START_NS, course, 1);
        for (long dueNs = schedule.next(); dueNs < endNs; dueNs = schedule.next()) {
            counts[(int) ((dueNs - START_NS) / SECOND_NS)]++;
            schedule.advance();
        }
        for (int second = 0; second < COURSE_SECONDS; second++) {
            double expected = expectedIn(course, second);
            assertThat((double) counts[second])
                    .as("second %d", second)
                    .isCloseTo(expected, within(Math.max(4 * Math.sqrt(expected), 0.5)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20_260_101, 20_260_102})
    void theGapsOfIndependentArrivalsAreExponential(long seed) {
        double rate = 1000;
        int count = 20_000;
        Schedule schedule = Schedule.poisson(START_NS, RateProfile.steady(rate), seed);
        double[] gapsS = new double[count];
        long beforeNs = START_NS;
        for (int i = 0; i < count; i++) {
            gapsS[i] = (schedule.next() - beforeNs) / 1e9;
            beforeNs = schedule.next();
            schedule.advance();
        }
        assertThat(kolmogorovSmirnov(gapsS, rate)).isLessThan(criticalDistance(count));
    }

    @Test
    void theGapsOfIndependentArrivalsOnARampAreExponentialWhereTheRampIsMadeEven() {
        // Stretched by the rate, the times of a process with any rate are those of a process with rate 1.
        RateProfile ramp = new RateProfile(List.of(new Segment(20 * SECOND_NS, 0, 2000)));
        List<Long> times = timesBefore(Schedule.poisson(START_NS, ramp, 7), START_NS + 20 * SECOND_NS);
        double[] gaps = new double[times.size()];
        double before = 0;
        for (int i = 0; i < gaps.length; i++) {
            double position = ramp.messagesIn((times.get(i) - START_NS) / 1e9);
            gaps[i] = position - before;
            before = position;
        }
        assertThat(kolmogorovSmirnov(gaps, 1)).isLessThan(criticalDistance(gaps.length));
    }

    @Test
    void evenGapsFailTheSameTest() {
        double[] gaps = new double[1000];
        Arrays.fill(gaps, 0.001);
        assertThat(kolmogorovSmirnov(gaps, 1000)).isGreaterThan(criticalDistance(gaps.length));
    }

    /** Returns the largest distance between the distribution of the samples and the exponential one. */
    private static double kolmogorovSmirnov(double[] samples, double rate) {
        double[] sorted = samples.clone();
        Arrays.sort(sorted);
        double distance = 0;
        for (int i = 0; i < sorted.length; i++) {
            double expected = 1 - Math.exp(-rate * sorted[i]);
            distance = Math.max(distance, Math.abs(expected - (double) i / sorted.length));
            distance = Math.max(distance, Math.abs(expected - (double) (i + 1) / sorted.length));
        }
        return distance;
    }

    /** Returns the distance that one percent of sample sets with that distribution exceed. */
    private static double criticalDistance(int samples) {
        return 1.628 / Math.sqrt(samples);
    }

    @Test
    void theSameSeedGivesTheSameTimesAndAnotherOneOthers() {
        long endNs = START_NS + SECOND_NS;
        List<Long> times = timesBefore(Schedule.poisson(START_NS, RateProfile.steady(1000), 1), endNs);
        assertThat(timesBefore(Schedule.poisson(START_NS, RateProfile.steady(1000), 1), endNs))
                .isEqualTo(times);
        assertThat(timesBefore(Schedule.poisson(START_NS, RateProfile.steady(1000), 2), endNs))
                .isNotEqualTo(times);
    }

    @Test
    void aChangeKeepsTheDebtOfIndependentArrivals() {
        Schedule late = Schedule.poisson(START_NS, RateProfile.steady(1000), 1);
        late.changeRate(START_NS + SECOND_NS, 10);
        List<Long> withChange = timesBefore(late, START_NS + SECOND_NS);
        assertThat(withChange)
                .isEqualTo(timesBefore(Schedule.poisson(START_NS, RateProfile.steady(1000), 1), START_NS + SECOND_NS));
        assertThat(timesBefore(late, START_NS + 101 * SECOND_NS)).hasSizeBetween(870, 1130);
    }

    @Test
    void aProfileReplacesWhatIsStillToComeOfTheOneBefore() {
        Schedule schedule = Schedule.even(START_NS, COURSE);
        schedule.change(START_NS + 2 * SECOND_NS, RateProfile.steady(10));
        assertThat(timesBefore(schedule, START_NS + 2 * SECOND_NS)).hasSize(40_000);
        assertThat(timesBefore(schedule, START_NS + 42 * SECOND_NS)).hasSize(400);
    }

    @Test
    void aShareOfAProfileIsThatShareOfItsMessages() {
        assertThat(COURSE.times(0.25).messagesIn(40)).isCloseTo(COURSE.messagesIn(40) / 4, within(1e-6));
        assertThat(RateProfile.steady(Double.POSITIVE_INFINITY).times(0.5).firstMsgPerSec())
                .isInfinite();
    }
}
