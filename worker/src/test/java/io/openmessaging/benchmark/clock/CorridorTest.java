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

    private static Envelope envelope(List<Probe> probes) {
        Envelope envelope = new Envelope(Drift.ANY);
        for (Probe probe : probes) {
            envelope.addMost(probe.sentNs(), probe.mostAheadNs());
            envelope.addLeast(probe.arrivedNs(), probe.leastAheadNs());
        }
        return envelope;
    }

    /** By the definition: of every lower and every later upper bound, the mean drift between them at most. */
    private static double most(List<Probe> probes) {
        double most = Drift.MAX;
        for (Probe lower : probes) {
            for (Probe upper : probes) {
                long passed = upper.sentNs() - lower.arrivedNs();
                if (passed > 0) {
                    most = Math.min(most, (double) (upper.mostAheadNs() - lower.leastAheadNs()) / passed);
                }
            }
        }
        return most;
    }

    private static double least(List<Probe> probes) {
        double least = -Drift.MAX;
        for (Probe lower : probes) {
            for (Probe upper : probes) {
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
            double drift = (random.nextDouble() - 0.5) * 2 * Drift.MAX;
            SimulatedWorker worker = new SimulatedWorker(random, random.nextInt(), drift, drift, 130)
                    .way(random.nextInt(200_000), random.nextInt(200_000), random.nextInt(50_000) + 1, 1.5);
            List<Probe> probes = worker.probes(0, 2 + random.nextInt(110), 1 + random.nextInt(5), 0.2);
            Drift found = Corridor.drift(envelope(probes));
            double least = least(probes);
            double most = most(probes);
            assertThat(found.slowest())
                    .as("seed %d", seed)
                    .isCloseTo(Math.max(-Drift.MAX, least - Drift.MAX_CHANGE), within(NEARLY));
            assertThat(found.fastest())
                    .as("seed %d", seed)
                    .isCloseTo(Math.min(Drift.MAX, most + Drift.MAX_CHANGE), within(NEARLY));
            assertThat(drift).isBetween(least, most);
            narrowed += most - least < Drift.MAX_CHANGE ? 1 : 0;
        }
        assertThat(narrowed).as("runs in which the drift is known well").isGreaterThan(50);
    }

    /** No line fits in: the limits are those of one line, and at least as wide as what every pair of bounds proves. */
    @Test
    void aDriftThatChangesIsWithinTheLimits() {
        int uneven = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            double slowest = (random.nextDouble() - 0.6) * Drift.MAX;
            SimulatedWorker worker = new SimulatedWorker(random, 0, slowest, slowest + Drift.MAX_CHANGE, 130)
                    .way(10_000, 20_000, 3_000, 1.5);
            List<Probe> probes = worker.probes(0, 119, 5, 0);
            Drift found = Corridor.drift(envelope(probes));
            assertThat(found.slowest()).isLessThanOrEqualTo(slowest + NEARLY);
            assertThat(found.fastest()).isGreaterThanOrEqualTo(slowest + Drift.MAX_CHANGE - NEARLY);
            if (least(probes) > most(probes)) {
                uneven++;
                assertThat(found.fastest() - found.slowest()).isLessThanOrEqualTo(2 * Drift.MAX_CHANGE + NEARLY);
            }
        }
        assertThat(uneven).as("runs in which no line fits in").isGreaterThan(50);
    }

    @Test
    void oneProbeProvesNothingOfTheDrift() {
        Probe probe = new Probe(START_NS, START_NS + SECOND_NS, START_NS + SECOND_NS, START_NS);
        assertThat(Corridor.drift(envelope(List.of(probe)))).isEqualTo(Drift.ANY);
    }
}
