package io.openmessaging.benchmark.clock;

import static io.openmessaging.benchmark.clock.SimulatedWorker.SECOND_NS;
import static io.openmessaging.benchmark.clock.SimulatedWorker.START_NS;
import static io.openmessaging.benchmark.clock.SimulatedWorker.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.clock.ProvenOffset.ProbeResult;
import io.openmessaging.benchmark.suite.LongSuite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProvenOffsetTest {

    private static final double PPM = 1e-6;

    /** Counts of reported offsets, compared with the truth. */
    private static final class Tally {
        long probes;
        long outside;
        long breaks;
        double sharpest;

        void compare(SimulatedWorker worker, Offset told, long timeNs) {
            double wrongNs = Math.abs(worker.aheadNs(timeNs) - told.aheadNs());
            outside += wrongNs > told.boundNs() ? 1 : 0;
            sharpest = Math.max(sharpest, wrongNs / told.boundNs());
        }
    }

    /**
     * Returns a worker with a path of 10 µs to 50 ms, split in any way between the directions, with waits of any size.
     */
    private static SimulatedWorker anyWorker(Random random, int seconds) {
        double slowest = (random.nextDouble() * 90 - 50) * PPM;
        long aheadNs = (long) ((random.nextDouble() - 0.5) * 20 * SECOND_NS);
        double wayNs = 1e4 * Math.pow(5_000, random.nextDouble());
        double asymmetry = random.nextInt(4) == 0 ? random.nextInt(2) : random.nextDouble();
        double queueNs = wayNs * Math.pow(10, random.nextDouble() * 3 - 2);
        return new SimulatedWorker(random, aheadNs, slowest, slowest + ClockDrift.MAX_CHANGE, seconds)
                .way(wayNs * asymmetry, wayNs * (1 - asymmetry), queueNs, 0.8 + random.nextDouble());
    }

    /**
     * Compares after each answer, at that moment, at one within the next second, and at one within the last second.
     */
    @Test
    void theTruthIsWithinTheBoundInAHundredThousandCases() {
        assertTruthIsWithinTheBound(100_000);
    }

    @LongSuite("takes a million cases")
    @Test
    void theTruthIsWithinTheBoundInAMillionCases() {
        assertTruthIsWithinTheBound(1_000_000);
    }

    private static void assertTruthIsWithinTheBound(int cases) {
        Tally tally = new Tally();
        for (int seed = 0; tally.probes < cases; seed++) {
            Random random = new Random(seed);
            int seconds = seed % 20 == 0 ? 400 : 30;
            SimulatedWorker worker = anyWorker(random, seconds + 5);
            ProvenOffset offset = new ProvenOffset();
            for (OffsetProbe probe : worker.probes(0, seconds, seed % 5 == 0 ? 1 : 10, random.nextDouble() / 2)) {
                tally.probes++;
                tally.breaks += offset.add(probe) == ProbeResult.BREAK ? 1 : 0;
                long nowNs = probe.arrivedNs();
                tally.compare(worker, offset.at(nowNs).orElseThrow(), nowNs);
                long laterNs = nowNs + random.nextInt(1_000_000_000);
                tally.compare(
                        worker,
                        offset.during(nowNs, laterNs).orElseThrow(),
                        laterNs - random.nextInt(1 + (int) (laterNs - nowNs)));
                long pastNs = nowNs - random.nextInt(1_000_000_000);
                offset.at(pastNs).ifPresent(told -> tally.compare(worker, told, pastNs));
            }
        }
        assertThat(tally.outside)
                .as("of what was told after %d probes", tally.probes)
                .isZero();
        assertThat(tally.breaks).as("breaks of clocks that go as they should").isZero();
        assertThat(tally.sharpest).as("the truth comes close to the bound").isGreaterThan(0.95);
    }

    /** Compares queries after the newest probe with the bounds from all probes and the current limits of drift. */
    @Test
    void keepingLittleLoosensNothing() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            SimulatedWorker worker = anyWorker(random, 125);
            ProvenOffset offset = new ProvenOffset();
            List<OffsetProbe> probes = worker.probes(0, 115, 10, 0.2);
            int i = 0;
            for (OffsetProbe probe : probes) {
                offset.add(probe);
                if (++i % 100 == 0) {
                    long firstNs = probes.get(0).sentNs();
                    List<OffsetProbe> all = probes.subList(0, i).stream()
                            .filter(p -> p.sentNs() >= firstNs)
                            .toList();
                    assertSameAsAll(offset, all, probe.arrivedNs() + random.nextInt(1_000_000_000));
                }
            }
        }
    }

    private static void assertSameAsAll(ProvenOffset offset, List<OffsetProbe> probes, long timeNs) {
        ClockDrift drift = offset.drift();
        long most = Long.MAX_VALUE;
        long least = Long.MIN_VALUE;
        for (OffsetProbe probe : probes) {
            double sinceSent = timeNs - probe.sentNs();
            double sinceArrived = timeNs - probe.arrivedNs();
            most = Math.min(most, probe.mostAheadNs() + (long) Math.ceil(drift.fastest() * sinceSent));
            least = Math.max(least, probe.leastAheadNs() + (long) Math.floor(drift.slowest() * sinceArrived));
        }
        Offset told = offset.at(timeNs).orElseThrow();
        assertThat(told.aheadNs() + told.boundNs()).isCloseTo(most, within(2L));
        assertThat(told.aheadNs() - told.boundNs()).isCloseTo(least, within(2L));
    }

    @Test
    void theDriftIsTakenOut() {
        SimulatedWorker worker = new SimulatedWorker(new Random(1), 5 * SECOND_NS, 30 * PPM, 30 * PPM, 400)
                .way(40_000, 40_000, 100_000, 1.2);
        ProvenOffset offset = new ProvenOffset();
        worker.probes(0, 300, 10, 0).forEach(offset::add);
        assertThat(offset.drift().slowest()).isBetween(19 * PPM, 20 * PPM);
        assertThat(offset.drift().fastest()).isBetween(40 * PPM, 41 * PPM);
        long nowNs = at(300);
        long boundNs = offset.at(nowNs).orElseThrow().boundNs();
        Offset inTenSeconds = offset.at(nowNs + 10 * SECOND_NS).orElseThrow();
        assertThat(inTenSeconds.boundNs() - boundNs).isBetween(99_000L, 110_000L);
        assertThat((double) inTenSeconds.aheadNs()).isCloseTo(worker.aheadNs(nowNs + 10 * SECOND_NS), within(60_000.0));
    }

    @Test
    void aDriftOf100PpmIsFoundInsteadOfTrusted() {
        SimulatedWorker worker =
                new SimulatedWorker(new Random(2), 0, 100 * PPM, 100 * PPM, 100).way(40_000, 40_000, 10_000, 1.5);
        ProvenOffset offset = new ProvenOffset();
        List<ClockBreak> breaks = new ArrayList<>();
        for (OffsetProbe probe : worker.probes(0, 60, 10, 0)) {
            if (offset.add(probe) == ProbeResult.BREAK) {
                breaks.add(offset.lastBreak().orElseThrow());
            }
        }
        assertThat(breaks).hasSizeGreaterThan(5);
        assertThat(breaks).allSatisfy(found -> assertThat(found.movedNs()).isPositive());
        assertThat(breaks.get(0).untilNs()).as("found within three seconds").isLessThan(at(3));
        ClockBreak first = breaks.get(0);
        assertThat((double) first.movedNs() / (first.untilNs() - first.sinceNs()))
                .as("what it moves beyond 50 ppm")
                .isLessThanOrEqualTo(50 * PPM);
    }

    @Test
    void aDriftThatChangesTooFastIsFound() {
        SimulatedWorker even = new SimulatedWorker(new Random(3), 0, 0, 0, 200).way(40_000, 40_000, 10_000, 1.5);
        SimulatedWorker faster = new SimulatedWorker(
                        new Random(3), (long) (-40e-6 * 60 * SECOND_NS), 40 * PPM, 40 * PPM, 200)
                .way(40_000, 40_000, 10_000, 1.5);
        ProvenOffset offset = new ProvenOffset();
        even.probes(0, 60, 10, 0).forEach(offset::add);
        assertThat(offset.lastBreak()).isEmpty();
        int breaks = 0;
        for (OffsetProbe probe : faster.probes(60, 180, 10, 0)) {
            breaks += offset.add(probe) == ProbeResult.BREAK ? 1 : 0;
        }
        assertThat(breaks).isOne();
        assertThat(offset.lastBreak().orElseThrow().untilNs()).isBetween(at(60), at(68));
        assertThat(offset.drift().slowest()).isBetween(29 * PPM, 30 * PPM);
    }

    /**
     * The drift changes within the first ten seconds, in which any drift up to 50 ppm is allowed. The first drift does
     * not explain the later probes.
     */
    @Test
    void aDriftThatChangesBeforeItIsKnownIsFound() {
        ProvenOffset offset = new ProvenOffset();
        SimulatedWorker even = new SimulatedWorker(new Random(8), 0, 0, 0, 20).way(500, 500, 100, 3);
        SimulatedWorker faster = new SimulatedWorker(
                        new Random(8), (long) (-45e-6 * 5 * SECOND_NS), 45 * PPM, 45 * PPM, 20)
                .way(500, 500, 100, 3);
        even.probes(0, 5, 10, 0).forEach(offset::add);
        List<ProbeResult> outcomes =
                faster.probes(5, 10.2, 10, 0).stream().map(offset::add).toList();
        assertThat(outcomes).filteredOn(ProbeResult.BREAK::equals).hasSize(1);
        assertThat(offset.lastBreak().orElseThrow().untilNs()).isBetween(at(0), at(10));
        assertThat(outcomes.get(outcomes.size() - 1)).isEqualTo(ProbeResult.TAKEN);
    }

    /** A clock is set while probes arrive: the next probe detects it, and later offsets are right again. */
    @Test
    void aClockThatIsSetIsFoundAtOnce() {
        Tally tally = new Tally();
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            long byNs = (random.nextBoolean() ? 1 : -1) * (300_000L + (long) (random.nextDouble() * 20 * SECOND_NS));
            double setAt = 5 + random.nextDouble() * 30;
            SimulatedWorker worker = new SimulatedWorker(random, 0, 10 * PPM, 10 * PPM, 50)
                    .way(20_000, 60_000, 10_000, 3)
                    .step(setAt, byNs);
            ProvenOffset offset = new ProvenOffset();
            List<ClockBreak> breaks = new ArrayList<>();
            for (OffsetProbe probe : worker.probes(0, 45, 10, 0)) {
                if (offset.add(probe) == ProbeResult.BREAK) {
                    breaks.add(offset.lastBreak().orElseThrow());
                }
                if (probe.arrivedNs() < at(setAt) || probe.sentNs() > at(setAt)) {
                    tally.compare(worker, offset.at(probe.arrivedNs()).orElseThrow(), probe.arrivedNs());
                }
            }
            assertThat(breaks).as("seed %d", seed).hasSize(1);
            ClockBreak found = breaks.get(0);
            assertThat(found.sinceNs()).isLessThanOrEqualTo(at(setAt));
            assertThat(found.untilNs()).isBetween(at(setAt), at(setAt + 0.3));
            assertThat((double) found.movedNs()).isCloseTo(byNs, within(250_000.0));
        }
        assertThat(tally.outside)
                .as("wrong before the clock was set or after that was found")
                .isZero();
    }

    /** A step by less than the time of an answer looks like a faster answer: the error is less than that time. */
    @Test
    void aStepThatNoProbeShowsIsSmallerThanTheWay() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            long byNs = random.nextInt(300_000) - 150_000L;
            SimulatedWorker worker = new SimulatedWorker(random, 0, 0, 0, 20)
                    .way(50_000, 50_000, 1_000, 3)
                    .step(5, byNs);
            ProvenOffset offset = new ProvenOffset();
            for (OffsetProbe probe : worker.probes(0, 10, 10, 0)) {
                offset.add(probe);
            }
            Offset told = offset.at(at(10.1)).orElseThrow();
            assertThat(Math.abs(worker.aheadNs(at(10.1)) - told.aheadNs()) - told.boundNs())
                    .isLessThan(50_000);
        }
    }

    @Test
    void aProcessThatStandsStillOnlyWidensTheBound() {
        SimulatedWorker worker =
                new SimulatedWorker(new Random(4), 0, 5 * PPM, 5 * PPM, 200).way(50_000, 50_000, 1_000, 3);
        ProvenOffset offset = new ProvenOffset();
        worker.probes(0, 30, 10, 0).forEach(offset::add);
        OffsetProbe probe = worker.probe(31);
        OffsetProbe late = new OffsetProbe(
                probe.sentNs(), probe.receivedNs(), probe.answeredNs(), probe.arrivedNs() + 100 * SECOND_NS);
        Offset before = offset.at(late.arrivedNs()).orElseThrow();
        assertThat(before.boundNs()).isGreaterThan(40 * 50_000L);
        assertThat(offset.add(late)).isEqualTo(ProbeResult.TAKEN);
        Offset told = offset.at(late.arrivedNs()).orElseThrow();
        assertThat((double) told.aheadNs())
                .isCloseTo(worker.aheadNs(late.arrivedNs()), within((double) told.boundNs()));
    }

    @Test
    void aDriftIsNotReliedOnForLong() {
        SimulatedWorker worker = new SimulatedWorker(new Random(5), 0, 0, 0, 1000).way(50_000, 50_000, 1_000, 3);
        ProvenOffset offset = new ProvenOffset();
        worker.probes(0, 60, 10, 0).forEach(offset::add);
        long boundNs = offset.at(at(60)).orElseThrow().boundNs();
        assertThat(offset.at(at(100)).orElseThrow().boundNs() - boundNs).isBetween(400_000L, 600_000L);
        assertThat(offset.at(at(320)).orElseThrow().boundNs() - boundNs)
                .as("a minute with a drift that is known and 200 s without, give or take 10 s")
                .isBetween(9_500_000L, 12_000_000L);
        offset.add(worker.probe(400));
        assertThat(offset.drift().fastest() - offset.drift().slowest()).isGreaterThan(60 * PPM);
        assertThat(offset.lastBreak()).isEmpty();
    }

    @Test
    void aWorkersClockThatGoesBackWhileItAnswersIsFound() {
        ProvenOffset offset = new ProvenOffset();
        offset.add(new OffsetProbe(START_NS, START_NS + 500, START_NS + 600, START_NS + 1_000));
        OffsetProbe back = new OffsetProbe(START_NS + 10_000, START_NS + 10_500, START_NS + 10_400, START_NS + 11_000);
        assertThat(offset.add(back)).isEqualTo(ProbeResult.BREAK);
        assertThat(offset.lastBreak()).contains(new ClockBreak(START_NS + 10_000, START_NS + 11_000, -100));
        assertThat(offset.at(START_NS + 11_000))
                .as("nothing is left that is proven")
                .isEmpty();
        offset.add(new OffsetProbe(START_NS + 20_000, START_NS + 20_500, START_NS + 20_600, START_NS + 21_000));
        assertThat(offset.at(START_NS + 21_000)).isPresent();
    }

    /** By its own clock, the worker took longer to answer than the request and the answer took together. */
    @Test
    void aProbeThatContradictsItselfIsABreak() {
        ProvenOffset offset = new ProvenOffset();
        OffsetProbe probe = new OffsetProbe(START_NS, START_NS, START_NS + 1_000_000, START_NS + 500_000);
        assertThat(offset.add(probe)).isEqualTo(ProbeResult.BREAK);
        assertThat(offset.lastBreak().orElseThrow().movedNs()).isBetween(499_000L, 500_000L);
        assertThat(offset.at(START_NS + SECOND_NS)).isEmpty();
    }

    @Test
    void probesThatAreNoneAreIgnored() {
        ProvenOffset offset = new ProvenOffset();
        long far = Long.MAX_VALUE;
        for (OffsetProbe none : List.of(
                new OffsetProbe(START_NS + 1, START_NS, START_NS, START_NS),
                new OffsetProbe(far, far, far, far),
                new OffsetProbe(START_NS, far, far, START_NS),
                new OffsetProbe(START_NS, Long.MIN_VALUE, START_NS, START_NS),
                new OffsetProbe(-1, START_NS, START_NS, START_NS),
                new OffsetProbe(START_NS, START_NS, -1, START_NS))) {
            assertThat(offset.add(none)).as("%s", none).isEqualTo(ProbeResult.IGNORED);
        }
        assertThat(offset.at(START_NS)).isEmpty();
    }

    @Test
    void theWidestDifferencesDoNotOverflow() {
        long last = OffsetProbe.MAX_STAMP_NS;
        ProvenOffset ahead = new ProvenOffset();
        assertThat(ahead.add(new OffsetProbe(0, last, last, 0))).isEqualTo(ProbeResult.TAKEN);
        assertThat(ahead.at(0)).contains(new Offset(last, OffsetProbe.READING_ERROR_NS));
        assertThat(ahead.at(last).orElseThrow().boundNs())
                .isBetween((long) (0.9 * 50e-6 * last), (long) (51e-6 * last));
        assertThat(ahead.add(new OffsetProbe(1, 0, 0, 1))).isEqualTo(ProbeResult.BREAK);
        assertThat(ahead.lastBreak().orElseThrow().movedNs()).isBetween(-last, -last + 1_000);
        ProvenOffset wide = new ProvenOffset();
        assertThat(wide.add(new OffsetProbe(0, last, last, last))).isEqualTo(ProbeResult.TAKEN);
        assertThat(wide.at(last).orElseThrow().boundNs()).isPositive();
        assertThat(wide.add(new OffsetProbe(last, 0, 0, last))).isEqualTo(ProbeResult.BREAK);
        assertThat(wide.at(last)).contains(new Offset(-last, OffsetProbe.READING_ERROR_NS));
    }

    @Test
    void equalStampsAreAnOffsetOfNothing() {
        ProvenOffset offset = new ProvenOffset();
        for (int i = 0; i < 1_000; i++) {
            assertThat(offset.add(new OffsetProbe(START_NS, START_NS, START_NS, START_NS)))
                    .isEqualTo(ProbeResult.TAKEN);
        }
        assertThat(offset.at(START_NS)).contains(new Offset(0, OffsetProbe.READING_ERROR_NS));
        assertThat(offset.points()).isOne();
    }

    @Test
    void probesOutOfOrderSayTheSame() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            SimulatedWorker worker = anyWorker(random, 20);
            List<OffsetProbe> probes = new ArrayList<>(worker.probes(0, 0.9, 110, 0));
            probes.sort(Comparator.comparingLong(OffsetProbe::sentNs));
            ProvenOffset inOrder = new ProvenOffset();
            probes.forEach(inOrder::add);
            ProvenOffset shuffled = new ProvenOffset();
            shuffled.add(probes.remove(0));
            Collections.shuffle(probes, random);
            probes.forEach(shuffled::add);
            for (double second = 0; second < 15; second += 0.37) {
                assertThat(shuffled.at(at(second))).as("seed %d", seed).isEqualTo(inOrder.at(at(second)));
            }
        }
    }

    @Test
    void twoDaysTakeLittleMemory() {
        Random random = new Random(6);
        SimulatedWorker worker = new SimulatedWorker(random, 0, -3 * PPM, 3 * PPM, 172_805).way(30_000, 40_000, 1, 3);
        ProvenOffset offset = new ProvenOffset();
        int most = 0;
        for (int second = 0; second < 172_800; second++) {
            offset.add(worker.probe(second));
            most = Math.max(most, offset.points());
        }
        assertThat(most).isLessThan(150);
        assertThat(offset.lastBreak()).isEmpty();
        Offset told = offset.at(at(172_800)).orElseThrow();
        assertThat((double) told.aheadNs()).isCloseTo(worker.aheadNs(at(172_800)), within((double) told.boundNs()));
    }

    @Test
    void probesByTheThousandsAreThinned() {
        SimulatedWorker worker = new SimulatedWorker(new Random(7), 0, 0, 10 * PPM, 100).way(30_000, 40_000, 1, 3);
        ProvenOffset offset = new ProvenOffset();
        for (int i = 0; i < 50_000; i++) {
            offset.add(worker.probe(i / 500.0));
            assertThat(offset.points()).isLessThanOrEqualTo(ProvenOffset.MAX_POINTS + 1);
        }
        Offset told = offset.at(at(100)).orElseThrow();
        assertThat((double) told.aheadNs()).isCloseTo(worker.aheadNs(at(100)), within((double) told.boundNs()));
    }

    @Test
    void itRefusesWhatIsNoTime() {
        ProvenOffset offset = new ProvenOffset();
        assertThatThrownBy(() -> offset.during(START_NS, START_NS - 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> offset.at(Long.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Offset(0, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
