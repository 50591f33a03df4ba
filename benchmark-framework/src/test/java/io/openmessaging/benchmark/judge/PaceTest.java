package io.openmessaging.benchmark.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.measure.Totals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {

    private static final Duration STEP = Duration.ofSeconds(5);
    private static final double STEP_S = 5;

    /** Longest step as a multiple of the usual one, as a search limits it. */
    private static final int MOST_STEPS = 12;

    /** Seconds of sending at the rate before the first look. */
    private static final double SETTLED_S = 2;

    /** Looks until there is an answer. Functions map the seconds since sending started to counts. */
    private static Pace watch(double rate, DoubleUnaryOperator confirmed, DoubleUnaryOperator... arrived) {
        Pace pace = new Pace(rate, false, STEP);
        double lookS = Pace.LOOK.toNanos() / 1e9;
        for (int look = 0; look * lookS <= MOST_STEPS * STEP_S; look++) {
            double seconds = SETTLED_S + look * lookS;
            List<Long> received = new ArrayList<>();
            for (DoubleUnaryOperator count : arrived) {
                received.add(whole(count.applyAsDouble(seconds)));
            }
            long sent = whole(rate * seconds);
            pace.look(
                    Math.round(seconds * 1e9),
                    new Totals(sent, whole(confirmed.applyAsDouble(seconds)), 0, received, 0));
            boolean stepEnds = look > 0 && look % Math.round(STEP_S / lookS) == 0;
            if (stepEnds && pace.state() != Pace.PaceState.OPEN) {
                return pace;
            }
        }
        return pace;
    }

    private static long whole(double messages) {
        return (long) Math.floor(Math.max(0, messages) + 1e-6);
    }

    private static DoubleUnaryOperator at(double rate) {
        return late(rate, 0);
    }

    private static DoubleUnaryOperator late(double rate, double latencyS) {
        return seconds -> rate * (seconds - latencyS);
    }

    @ParameterizedTest
    @ValueSource(doubles = {3, 30, 300, 3_000, 1_000_000})
    void aSystemThatKeepsPaceIsSeenToDoSo(double rate) {
        assertThat(watch(rate, at(rate), at(rate)).keptUp()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {3, 30, 300, 3_000, 1_000_000})
    void fiveInAHundredTooFewAreSeen(double rate) {
        Pace consumers = watch(rate, at(rate), at(rate), at(0.95 * rate));
        assertThat(consumers.state()).isEqualTo(Pace.PaceState.LOST);
        assertThat(consumers.backlogGrowth()).isPositive();
        Pace broker = watch(rate, at(0.95 * rate), at(0.95 * rate));
        assertThat(broker.state()).isEqualTo(Pace.PaceState.LOST);
    }

    @ParameterizedTest
    @CsvSource({"1000, 0.5", "1000, 2", "100000, 1.5"})
    void aConstantLagIsNoGrowth(double rate, double latencyS) {
        Pace pace = watch(rate, late(rate, latencyS / 2), late(rate, latencyS));
        assertThat(pace.state()).isEqualTo(Pace.PaceState.KEPT);
        assertThat(pace.backlogGrowth()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1000, 500", "200, 500", "100000, 10000", "333, 100"})
    void batchesAreNoGrowth(double rate, double batch) {
        DoubleUnaryOperator inBatches = seconds -> batch * Math.floor(rate * seconds / batch);
        assertThat(watch(rate, at(rate), inBatches).state()).isEqualTo(Pace.PaceState.KEPT);
    }

    @ParameterizedTest
    @CsvSource({"1000, 500", "300, 500", "100000, 10000", "333, 100"})
    void aSlowConsumerIsSeenThoughItTakesBatches(double rate, double batch) {
        DoubleUnaryOperator inBatches = seconds -> batch * Math.floor(0.95 * rate * seconds / batch);
        assertThat(watch(rate, at(rate), inBatches).keptUp()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void noisyLatenciesAreNoGrowth(long seed) {
        Random random = new Random(seed);
        double rate = 10_000;
        DoubleUnaryOperator noisy = seconds -> rate * (seconds - 0.001 - 0.15 * random.nextDouble());
        assertThat(watch(rate, noisy, noisy).state()).isEqualTo(Pace.PaceState.KEPT);
    }

    @ParameterizedTest
    @ValueSource(doubles = {2.5, 4, 5.5, 6.9})
    void aPauseThatIsMadeUpForIsNoGrowth(double beginS) {
        double rate = 10_000;
        DoubleUnaryOperator pausing = seconds -> {
            double makingUp = beginS + 0.5 + (seconds - beginS - 0.5) * 2;
            return rate * (seconds < beginS ? seconds : Math.min(seconds, Math.max(beginS, makingUp - 0.5)));
        };
        assertThat(watch(rate, pausing, pausing).state()).isEqualTo(Pace.PaceState.KEPT);
    }

    /** The pace after one step of a system that does only a part of its work from some time on. */
    private static Pace stalled(double rate, double fromS, double part) {
        Pace pace = new Pace(rate, false, STEP);
        for (int look = 0; look <= 500; look++) {
            double seconds = look / 100.0;
            long done = whole(rate * (Math.min(seconds, fromS) + part * Math.max(0, seconds - fromS)));
            pace.look(look * 10_000_000L, new Totals(whole(rate * seconds), done, 0, List.of(done), 0));
        }
        return pace;
    }

    @ParameterizedTest
    @CsvSource({"3.5, 0.4", "4, 0.4", "4.5, 0.4", "4.8, 0.4", "4.9, 0", "4.5, 0", "4, 0"})
    void aStallLateInATryIsSeen(double fromS, double part) {
        Pace pace = stalled(10_000, fromS, part);
        // The system may still make up for it.
        assertThat(pace.state()).isEqualTo(Pace.PaceState.OPEN);
        assertThat(pace.behindMessages()).isCloseTo(10_000 * (5 - fromS) * (1 - part), within(1.0));
    }

    @Test
    void aStallLateInATryOfAFixedLengthIsSeen() {
        assertThat(stalled(10_000, 4.0, 0.4).keptUp()).isFalse();
        assertThat(stalled(10_000, 4.0, 1).keptUp()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {2.5, 6, 9})
    void aStallThatIsNotMadeUpForIsBehindInTheEnd(double fromS) {
        double rate = 10_000;
        DoubleUnaryOperator stalling = seconds -> rate * Math.min(seconds, fromS + 0.4 * Math.max(0, seconds - fromS));
        assertThat(watch(rate, stalling, stalling).state())
                .isEqualTo(fromS > 7 ? Pace.PaceState.KEPT : Pace.PaceState.LOST);
    }

    @Test
    void whatWasAchievedIsThatOfTheSlowest() {
        Pace pace = watch(1_000, at(1_000), at(1_000), at(700));
        assertThat(pace.achievedMsgPerSec()).isCloseTo(700, within(10.0));
        assertThat(pace.behindMessages()).isPositive();
    }

    @Test
    void whatIsNeverSeenToMoveIsNotWaitedFor() {
        Pace pace = watch(1_000, at(1_000), at(0));
        assertThat(pace.state()).isEqualTo(Pace.PaceState.LOST);
        // This is the growth of one step, not of twelve.
        assertThat(pace.backlogGrowth()).isBetween(4_600L, 5_000L);
    }

    @Test
    void refusedMessagesNeedNotArriveButAreNotConfirmed() {
        Pace pace = new Pace(1_000, false, STEP);
        for (int i = 0; i <= 500; i++) {
            pace.look(i * 10_000_000L, new Totals(10L * i, 9L * i, i, List.of(9L * i), 0));
        }
        assertThat(pace.state()).isEqualTo(Pace.PaceState.LOST);
        assertThat(pace.backlogGrowth()).isLessThan(0);
    }

    @Test
    void ofFewMessagesNothingCanBeSaidSoon() {
        Pace pace = new Pace(3, false, STEP);
        for (int i = 0; i <= 500; i++) {
            long messages = whole(3 * i / 100.0);
            pace.look(i * 10_000_000L, new Totals(messages, messages, 0, List.of(messages), 0));
        }
        assertThat(pace.state()).isEqualTo(Pace.PaceState.OPEN);
        assertThat(pace.keptUp()).isTrue();
    }

    @Test
    void theScatterOfRandomArrivalsIsTolerated() {
        Random random = new Random(7);
        Pace pace = new Pace(1_000, true, STEP);
        long sent = 0;
        for (int i = 0; i <= 6_000; i++) {
            pace.look(i * 10_000_000L, new Totals(sent, sent, 0, List.of(sent), 0));
            for (int j = 0; j < 1_000; j++) {
                sent += random.nextDouble() < 0.01 ? 1 : 0;
            }
        }
        assertThat(pace.keptUp()).isTrue();
    }

    @Test
    void withoutLooksNothingWasSeen() {
        Pace pace = new Pace(1_000, false, STEP);
        assertThat(pace.state()).isEqualTo(Pace.PaceState.OPEN);
        assertThat(pace.keptUp()).isFalse();
        assertThat(pace.backlogGrowth()).isZero();
    }
}
