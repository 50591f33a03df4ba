package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PacerTest {

    private static final long SECOND_NS = 1_000_000_000L;
    private static final long START_NS = 1_700_000_000L * SECOND_NS;
    private static final long WAKE_UP_LATENESS_NS = 50_000;
    private static final long SPIN_NS = 40;

    /** A simulation in which time passes only by waiting and sending. */
    private static final class Simulation implements Pacer.Idle {

        final Pacer pacer = new Pacer(this);
        final Schedule schedule;
        final long sendNs;
        long nowNs = START_NS;
        long spunNs;
        long parks;
        long longestParkNs;
        long messages;
        long waited;
        long waitedPrecisely;
        long latestAfterWaitNs;

        Simulation(double rateMsgPerSec, long sendNs) {
            this.schedule = Schedule.even(START_NS, rateMsgPerSec);
            this.sendNs = sendNs;
        }

        @Override
        public void park(long durationNs) {
            assertThat(durationNs).isPositive();
            parks++;
            longestParkNs = Math.max(longestParkNs, durationNs);
            nowNs += durationNs + WAKE_UP_LATENESS_NS;
        }

        @Override
        public void spin() {
            nowNs += SPIN_NS;
            spunNs += SPIN_NS;
        }

        void runUntil(long endNs) {
            while (nowNs < endNs) {
                long dueNs = schedule.next();
                waitFor(dueNs);
                nowNs += sendNs;
                schedule.advance();
                messages++;
            }
        }

        void waitFor(long dueNs) {
            if (dueNs <= nowNs) {
                return;
            }
            while (dueNs > nowNs) {
                pacer.pause(nowNs, dueNs);
            }
            waited++;
            if (nowNs - dueNs <= SPIN_NS) {
                waitedPrecisely++;
            }
            latestAfterWaitNs = Math.max(latestAfterWaitNs, nowNs - dueNs);
        }

        double spinShare() {
            return (double) spunNs / (nowNs - START_NS);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 100, 1_000, 10_000, 100_000, 1_000_000})
    void aWaitEndsInTimeButForTheLatenessOfAWakeUpAndSpinsALimitedShare(double rateMsgPerSec) {
        Simulation simulation = new Simulation(rateMsgPerSec, 500);
        simulation.runUntil(START_NS + 20 * SECOND_NS);
        assertThat(simulation.latestAfterWaitNs).isLessThanOrEqualTo(WAKE_UP_LATENESS_NS + SPIN_NS);
        // The last spin of a wait is charged only up to the due time, so the share may be a fiftieth higher.
        assertThat(simulation.spinShare()).isLessThanOrEqualTo(Pacer.MAX_SPIN_SHARE * 1.02);
        assertThat((double) simulation.messages)
                .as("messages sent in 20 s")
                .isBetween(20 * rateMsgPerSec * 0.999, 20 * rateMsgPerSec + 2);
    }

    @ParameterizedTest
    @CsvSource({"1, 500", "100, 500", "1000, 500", "1000, 100000", "1000, 800000"})
    void whereTheShareSufficesWaitsEndPrecisely(double rateMsgPerSec, long sendNs) {
        Simulation simulation = new Simulation(rateMsgPerSec, sendNs);
        simulation.runUntil(START_NS + 20 * SECOND_NS);
        assertThat((double) simulation.waitedPrecisely / simulation.waited)
                .as("share of the waits that ended precisely")
                .isGreaterThan(0.9);
    }

    @Test
    void aSendThatBlocksIsNotTakenForSpinning() {
        Simulation simulation = new Simulation(1_000, 500);
        simulation.runUntil(START_NS + SECOND_NS);
        simulation.waitFor(simulation.nowNs + 200_000);
        simulation.nowNs += 10 * SECOND_NS;
        for (int i = 0; i < 100; i++) {
            long dueNs = simulation.nowNs + 1_000_000;
            simulation.waitFor(dueNs);
            assertThat(simulation.nowNs - dueNs).as("lateness of wait %d", i).isLessThanOrEqualTo(SPIN_NS);
        }
    }

    @Test
    void noParkIsLongerThanTheLimit() {
        Simulation simulation = new Simulation(0.01, 500);
        simulation.runUntil(START_NS + 1_000 * SECOND_NS);
        assertThat(simulation.longestParkNs).isEqualTo(Pacer.MAX_PARK_NS);
        assertThat(simulation.messages).isEqualTo(11);
    }

    @Test
    void whatIsNeverDueIsWaitedForInParks() {
        Simulation simulation = new Simulation(1, 0);
        for (int i = 0; i < 100; i++) {
            simulation.pacer.pause(simulation.nowNs, Schedule.NEVER);
        }
        assertThat(simulation.parks).isEqualTo(100);
        assertThat(simulation.longestParkNs).isEqualTo(Pacer.MAX_PARK_NS);
        assertThat(simulation.spunNs).isZero();
    }

    @Test
    void theThreadItselfWaits() {
        Pacer pacer = new Pacer();
        long dueNs = System.nanoTime() + 20_000_000;
        for (long nowNs = System.nanoTime(); nowNs < dueNs; nowNs = System.nanoTime()) {
            pacer.pause(nowNs, dueNs);
        }
        assertThat(System.nanoTime() - dueNs).as("lateness of a real wait, ns").isGreaterThanOrEqualTo(0);
    }
}
