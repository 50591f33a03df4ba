package io.openmessaging.benchmark.clock;

import static io.openmessaging.benchmark.clock.SimulatedWorker.SECOND_NS;
import static io.openmessaging.benchmark.clock.SimulatedWorker.START_NS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CorridorTest {

    private static final double NEARLY = 1e-12;

    private static Envelope envelope(List<OffsetProbe> probes) {
        Envelope envelope = new Envelope(ClockDrift.ANY);
        for (OffsetProbe probe : probes) {
            envelope.addMost(probe.sentNs(), probe.mostAheadNs());
            envelope.addLeast(probe.arrivedNs(), probe.leastAheadNs());
        }
        return envelope;
    }

    /**
     * Returns the largest possible drift by definition: the smallest mean drift from any lower bound to any later
     * upper bound.
     */
    private static double most(List<OffsetProbe> probes) {
        double most = ClockDrift.MAX;
        for (OffsetProbe lower : probes) {
            for (OffsetProbe upper : probes) {
                long passed = upper.sentNs() - lower.arrivedNs();
                if (passed > 0) {
                    most = Math.min(most, (double) (upper.mostAheadNs() - lower.leastAheadNs()) / passed);
                }
            }
        }
        return most;
    }

    private static double least(List<OffsetProbe> probes) {
        double least = -ClockDrift.MAX;
        for (OffsetProbe lower : probes) {
            for (OffsetProbe upper : probes) {
                long passed = lower.arrivedNs() - upper.sentNs();
                if (passed > 0) {
                    least = Math.max(least, (double) (lower.leastAheadNs() - upper.mostAheadNs()) / passed);
                }
            }
        }
        return least;
    }

    @Test
    void itFindsAllEvenDrifts() {
        int narrowed = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            double drift = (random.nextDouble() - 0.5) * 2 * ClockDrift.MAX;
            SimulatedWorker worker = new SimulatedWorker(random, random.nextInt(), drift, drift, 130)
                    .way(random.nextInt(200_000), random.nextInt(200_000), random.nextInt(50_000) + 1, 1.5);
            List<OffsetProbe> probes = worker.probes(0, 2 + random.nextInt(110), 1 + random.nextInt(5), 0.2);
            ClockDrift found = Corridor.drift(envelope(probes));
            double least = least(probes);
            double most = most(probes);
            assertThat(found.slowest())
                    .as("seed %d", seed)
                    .isCloseTo(Math.max(-ClockDrift.MAX, least - ClockDrift.MAX_CHANGE), within(NEARLY));
            assertThat(found.fastest())
                    .as("seed %d", seed)
                    .isCloseTo(Math.min(ClockDrift.MAX, most + ClockDrift.MAX_CHANGE), within(NEARLY));
            assertThat(drift).isBetween(least, most);
            narrowed += most - least < ClockDrift.MAX_CHANGE ? 1 : 0;
        }
        assertThat(narrowed).as("runs in which the drift is known well").isGreaterThan(50);
    }

    /**
     * The limits contain the true drifts. Where no straight line fits between the bounds, the limits are no wider than
     * those of one line.
     */
    @Test
    void aDriftThatChangesIsWithinTheLimits() {
        int uneven = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            double slowest = (random.nextDouble() - 0.6) * ClockDrift.MAX;
            SimulatedWorker worker = new SimulatedWorker(random, 0, slowest, slowest + ClockDrift.MAX_CHANGE, 130)
                    .way(10_000, 20_000, 3_000, 1.5);
            List<OffsetProbe> probes = worker.probes(0, 119, 5, 0);
            ClockDrift found = Corridor.drift(envelope(probes));
            assertThat(found.slowest()).isLessThanOrEqualTo(slowest + NEARLY);
            assertThat(found.fastest()).isGreaterThanOrEqualTo(slowest + ClockDrift.MAX_CHANGE - NEARLY);
            if (least(probes) > most(probes)) {
                uneven++;
                assertThat(found.fastest() - found.slowest()).isLessThanOrEqualTo(2 * ClockDrift.MAX_CHANGE + NEARLY);
            }
        }
        assertThat(uneven).as("runs in which no line fits in").isGreaterThan(50);
    }

    @Test
    void oneProbeProvesNothingOfTheDrift() {
        OffsetProbe probe = new OffsetProbe(START_NS, START_NS + SECOND_NS, START_NS + SECOND_NS, START_NS);
        assertThat(Corridor.drift(envelope(List.of(probe)))).isEqualTo(ClockDrift.ANY);
    }
}
