package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {

    private static final long START_NS = 1_700_000_000_123_456_789L;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final double UNLIMITED = Double.POSITIVE_INFINITY;

    /** {@code start + ⌈10⁹·i/rate⌉} without any rounding. */
    private static long exactNs(long i, double rateMsgPerSec) {
        BigDecimal waitNs = BigDecimal.valueOf(SECOND_NS)
                .multiply(BigDecimal.valueOf(i))
                .divide(new BigDecimal(rateMsgPerSec), new MathContext(60, RoundingMode.CEILING));
        return START_NS + waitNs.setScale(0, RoundingMode.CEILING).longValueExact();
    }

    private static void advance(Schedule schedule, long messages) {
        for (long i = 0; i < messages; i++) {
            schedule.advance();
        }
    }

    /** Takes the next messages off the schedule and returns their times. */
    private static List<Long> takeNext(Schedule schedule, int messages) {
        List<Long> dueNs = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            dueNs.add(schedule.next());
            schedule.advance();
        }
        return dueNs;
    }

    private static long takeDueBy(Schedule schedule, long ns) {
        long messages = 0;
        while (schedule.next() <= ns) {
            schedule.advance();
            messages++;
        }
        return messages;
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 2, 3, 7, 11, 1_000, 1_024, 12_345, 100_000, 999_983, 1_000_000, 1e9})
    void atAWholeRateEveryMessageIsDueAtTheExactTime(double rateMsgPerSec) {
        Schedule schedule = Schedule.even(START_NS, rateMsgPerSec);
        for (int i = 0; i < 20_000; i++) {
            long dueNs = schedule.next();
            if (dueNs != exactNs(i, rateMsgPerSec)) {
                assertThat(dueNs).as("message %d", i).isEqualTo(exactNs(i, rateMsgPerSec));
            }
            schedule.advance();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.001, 0.3, 1e6 / 3, 1e5 / 7, 123_456.789, Math.PI, 1e9 / 3})
    void atAnyRateEveryMessageIsDueWithinANanosecond(double rateMsgPerSec) {
        Schedule schedule = Schedule.even(START_NS, rateMsgPerSec);
        for (int i = 0; i < 2_000; i++) {
            assertThat(schedule.next() - exactNs(i, rateMsgPerSec))
                    .as("message %d", i)
                    .isBetween(-1L, 1L);
            schedule.advance();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {1_000, 3_000.3, 1e6 / 3, 1e6, 1e9})
    void nothingAddsUpOverABillionMessages(double rateMsgPerSec) {
        long billion = 1_000_000_000;
        // Enough for rounding gaps to whole nanoseconds to add up: at 3,000.3 messages a second, to 67 µs.
        long sent = 20_000_000;
        Schedule schedule = Schedule.even(START_NS, rateMsgPerSec);
        advance(schedule, sent);
        schedule.skip(billion - sent);
        for (long i = billion; i < billion + 5; i++) {
            assertThat(schedule.next() - exactNs(i, rateMsgPerSec))
                    .as("message %d", i)
                    .isBetween(-1L, 1L);
            schedule.advance();
        }
    }

    @Test
    void nextDoesNotAdvance() {
        Schedule schedule = Schedule.even(START_NS, 10);
        assertThat(schedule.next()).isEqualTo(START_NS).isEqualTo(schedule.next());
    }

    @Test
    void withoutALimitEveryMessageIsDueAtOnce() {
        assertThat(takeNext(Schedule.even(START_NS, UNLIMITED), 3)).containsOnly(Schedule.AT_ONCE);
    }

    @Test
    void atRateZeroNoMessageIsDue() {
        assertThat(Schedule.even(START_NS, 0).next()).isEqualTo(Schedule.NEVER);
    }

    @Test
    void aChangeKeepsWhatWasDueBefore() {
        Schedule schedule = Schedule.even(START_NS, 10);
        schedule.changeRate(START_NS + SECOND_NS, 2);
        List<Long> dueNs = takeNext(schedule, 12);
        for (int i = 0; i < 10; i++) {
            assertThat(dueNs.get(i)).isEqualTo(START_NS + i * SECOND_NS / 10);
        }
        assertThat(dueNs.get(10)).isEqualTo(START_NS + SECOND_NS);
        assertThat(dueNs.get(11)).isEqualTo(START_NS + SECOND_NS * 3 / 2);
    }

    @Test
    void aFractionOfAMessageIsKept() {
        Schedule schedule = Schedule.even(START_NS, 1);
        schedule.changeRate(START_NS + SECOND_NS / 4, 10);
        assertThat(takeNext(schedule, 3)).containsExactly(START_NS, START_NS + 325_000_000, START_NS + 425_000_000);
    }

    @ParameterizedTest
    @ValueSource(doubles = {3, 7, 999_983, 1e6 / 3})
    void aMessageThatIsDueAtTheMomentOfAChangeIsDueThen(double rateMsgPerSec) {
        for (int i = 1; i < 100; i++) {
            Schedule unchanged = Schedule.even(START_NS, rateMsgPerSec);
            advance(unchanged, i);
            long changeNs = unchanged.next();
            Schedule schedule = Schedule.even(START_NS, rateMsgPerSec);
            schedule.changeRate(changeNs, 1);
            assertThat(takeDueBy(schedule, changeNs - 1)).isEqualTo(i);
            assertThat(schedule.next() - changeNs).as("message %d", i).isBetween(0L, 1L);
        }
    }

    @Test
    void aChangeBeforeTheFirstMessageOfTheRateBeforeMakesNoMessage() {
        Schedule schedule = Schedule.even(START_NS, 0.1);
        schedule.changeRate(START_NS + SECOND_NS, 0.2);
        schedule.changeRate(START_NS + 2 * SECOND_NS, 0.1);
        // A tenth of a message accumulates in the first second, two in the next, and the other seven in seven seconds.
        assertThat(takeNext(schedule, 2)).containsExactly(START_NS, START_NS + 9 * SECOND_NS);
    }

    @Test
    void aChangeBeforeTheStartKeepsTheDistanceInMessages() {
        Schedule schedule = Schedule.even(START_NS + 10 * SECOND_NS, 0.1);
        schedule.changeRate(START_NS + 5 * SECOND_NS, 1);
        assertThat(takeNext(schedule, 2))
                .containsExactly(START_NS + 5 * SECOND_NS + SECOND_NS / 2, START_NS + 6 * SECOND_NS + SECOND_NS / 2);
    }

    @Test
    void aPauseKeepsTheDebtAndTheFraction() {
        Schedule schedule = Schedule.even(START_NS, 2);
        schedule.changeRate(START_NS + SECOND_NS * 5 / 4, 0);
        assertThat(takeNext(schedule, 3)).containsExactly(START_NS, START_NS + SECOND_NS / 2, START_NS + SECOND_NS);
        assertThat(schedule.next()).isEqualTo(Schedule.NEVER);
        long resumedNs = START_NS + 60 * SECOND_NS;
        schedule.changeRate(resumedNs, 4);
        assertThat(takeNext(schedule, 2)).containsExactly(resumedNs + SECOND_NS / 8, resumedNs + SECOND_NS * 3 / 8);
    }

    @Test
    void afterAStartAtZeroTheFirstMessageIsDueWithTheChange() {
        Schedule schedule = Schedule.even(START_NS, 0);
        schedule.changeRate(START_NS + SECOND_NS, 10);
        assertThat(takeNext(schedule, 2)).containsExactly(START_NS + SECOND_NS, START_NS + SECOND_NS * 11 / 10);
    }

    @Test
    void theDebtComesBeforeAStretchWithoutALimit() {
        Schedule schedule = Schedule.even(START_NS, 10);
        schedule.changeRate(START_NS + SECOND_NS / 5, UNLIMITED);
        assertThat(takeNext(schedule, 4))
                .containsExactly(START_NS, START_NS + SECOND_NS / 10, Schedule.AT_ONCE, Schedule.AT_ONCE);
    }

    @ParameterizedTest
    @CsvSource({"10, 100000000", "0.5, 2000000000"})
    void aLimitAfterAStretchWithoutOneCountsFromTheChange(double rateMsgPerSec, long gapNs) {
        Schedule schedule = Schedule.even(START_NS, UNLIMITED);
        takeNext(schedule, 1_000);
        schedule.changeRate(START_NS + SECOND_NS, rateMsgPerSec);
        assertThat(takeNext(schedule, 2)).containsExactly(START_NS + SECOND_NS, START_NS + SECOND_NS + gapNs);
    }

    @Test
    void changesFromNoLimitToZeroAndBack() {
        Schedule schedule = Schedule.even(START_NS, UNLIMITED);
        schedule.changeRate(START_NS + 1, 0);
        assertThat(schedule.next()).isEqualTo(Schedule.NEVER);
        schedule.changeRate(START_NS + 2, UNLIMITED);
        assertThat(schedule.next()).isEqualTo(Schedule.AT_ONCE);
        schedule.changeRate(START_NS + 3, 0);
        assertThat(schedule.next()).isEqualTo(Schedule.NEVER);
    }

    @Test
    void severalChangesBeforeAnybodyAsksAreAllKept() {
        Schedule schedule = Schedule.even(START_NS, 1);
        schedule.changeRate(START_NS + 2 * SECOND_NS, 100);
        schedule.changeRate(START_NS + 5 * SECOND_NS, 0);
        schedule.changeRate(START_NS + 6 * SECOND_NS, UNLIMITED);
        schedule.changeRate(START_NS + 6 * SECOND_NS, 10);
        assertThat(takeDueBy(schedule, START_NS + 2 * SECOND_NS - 1)).isEqualTo(2);
        assertThat(takeDueBy(schedule, START_NS + 6 * SECOND_NS - 1)).isEqualTo(300);
        assertThat(takeDueBy(schedule, START_NS + 10 * SECOND_NS - 1)).isEqualTo(40);
    }

    @Test
    void aSenderThatLearnsLateOfAChangeDoesNotSendMoreForIt() {
        Schedule schedule = Schedule.even(START_NS, 1_000);
        advance(schedule, 1_000);
        // The change was half a second ago. The 500 messages sent since then at the old rate count at the new one.
        schedule.changeRate(START_NS + SECOND_NS / 2, 100);
        assertThat(takeNext(schedule, 2))
                .containsExactly(
                        START_NS + SECOND_NS / 2 + 5 * SECOND_NS,
                        START_NS + SECOND_NS / 2 + 5 * SECOND_NS + SECOND_NS / 100);
    }
}
