package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.worker.protocol.Wire;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PeriodSnapshotTest {

    private static final long SECOND_NS = 1_000_000_000L;

    private static PeriodSnapshot period(long startNs, long endNs, Totals counts, Totals totals, long publishNs) {
        LatencyRecorder recorder = new LatencyRecorder();
        recorder.record(publishNs);
        LatencyCounts read = new LatencyCounts();
        recorder.addTo(read);
        Map<Latency, LatencySnapshot> latencies = new EnumMap<>(Latency.class);
        latencies.put(Latency.PUBLISH, read.since(new LatencyCounts()));
        return new PeriodSnapshot(startNs, endNs, counts, totals, latencies);
    }

    @Test
    void ratesArePerSecond() {
        Totals counts = new Totals(1_000, 900, 50, List.of(800L, 400L), 7);
        PeriodSnapshot period = period(5, 5 + 4 * SECOND_NS, counts, counts, 1);
        assertThat(period.seconds()).isEqualTo(4);
        assertThat(period.sendRate()).isEqualTo(250);
        assertThat(period.publishRate()).isEqualTo(225);
        assertThat(period.publishErrorRate()).isEqualTo(12.5);
        assertThat(period.consumeRate()).isEqualTo(300);
    }

    @Test
    void anEmptySpanHasNoRates() {
        Totals counts = new Totals(1, 1, 1, List.of(1L), 0);
        PeriodSnapshot period = period(5, 5, counts, counts, 1);
        assertThat(period.sendRate()).isZero();
        assertThat(period.publishRate()).isZero();
        assertThat(period.consumeRate()).isZero();
    }

    @Test
    void aLatencyThatWasNotMeasuredIsEmpty() {
        PeriodSnapshot period = period(0, 1, Totals.none(1), Totals.none(1), 1);
        assertThat(period.latency(Latency.END_TO_END)).isEqualTo(LatencySnapshot.empty());
    }

    @Test
    void aPeriodFollowedByTheNextIsBothSpansWithTheLastTotals() {
        Totals firstCounts = new Totals(10, 8, 1, List.of(7L), 0);
        Totals secondCounts = new Totals(20, 22, 0, List.of(21L), 1);
        Totals end = new Totals(130, 130, 1, List.of(128L), 1);
        PeriodSnapshot first = period(0, 10, firstCounts, new Totals(110, 108, 1, List.of(107L), 0), 100);
        PeriodSnapshot both = first.followedBy(period(10, 25, secondCounts, end, 300));
        assertThat(both.startNs()).isZero();
        assertThat(both.endNs()).isEqualTo(25);
        assertThat(both.counts()).isEqualTo(new Totals(30, 30, 1, List.of(28L), 1));
        assertThat(both.totals()).isEqualTo(end);
        assertThat(both.latency(Latency.PUBLISH).count()).isEqualTo(2);
        assertThat(both.latency(Latency.PUBLISH).summary().meanNs()).isEqualTo(200);
    }

    @Test
    void workersAreMerged() {
        Totals counts = new Totals(10, 8, 1, List.of(7L, 6L), 0);
        Totals totals = new Totals(100, 80, 10, List.of(70L, 60L), 1);
        PeriodSnapshot one = period(2, 10, counts, totals, 100);
        PeriodSnapshot merged = PeriodSnapshot.merged(List.of(
                one.withStalls(LatencySnapshot.of(500, 2)),
                period(0, 9, counts, totals, 200).withStalls(LatencySnapshot.of(700, 1))));
        assertThat(merged.startNs()).isZero();
        assertThat(merged.endNs()).isEqualTo(10);
        assertThat(merged.counts()).isEqualTo(counts.plus(counts));
        assertThat(merged.totals()).isEqualTo(totals.plus(totals));
        assertThat(merged.latency(Latency.PUBLISH).summary().meanNs()).isEqualTo(150);
        assertThat(merged.stalls().count()).isEqualTo(3);
        assertThat(one.latency(Latency.PUBLISH).count())
                .as("a summand, afterwards")
                .isEqualTo(1);
    }

    /** With a hundred workers for an hour, the data kept for each must be small. */
    @Test
    void theStallsOfEachOfManyWorkersAreKeptAsTheyAreAndTakeLittleRoom() {
        LatencySnapshot stalls = LatencySnapshot.of(0, 9_900)
                .plus(LatencySnapshot.of(53_700_000, 90))
                .plus(LatencySnapshot.of(1_100_000, 10));
        PeriodSnapshot one = period(0, 10, Totals.none(1), Totals.none(1), 1);
        PeriodSnapshot merged = PeriodSnapshot.merged(List.of(one, one.withStalls(stalls)));
        PeriodSnapshot.Share twice = merged.followedBy(merged).shares().get(1);
        assertThat(twice.stalls()).isEqualTo(stalls.plus(stalls));
        assertThat(twice.keptStalls().bytes().remaining())
                .isLessThan(200)
                .isLessThan(stalls.histogram().getEstimatedFootprintInBytes() / 50);
        assertThat(merged.stalls()).isEqualTo(stalls);
    }

    @Test
    void theRateOfSeveralWorkersIsTheSumOfTheirsWhateverTheirPeriods() {
        // Each worker sends 1000 and confirms 900 messages a second. The other one starts half a second later, and its
        // period is a second longer.
        Totals ofOne = new Totals(10_000, 9_000, 500, List.of(8_000L, 8_000L), 0);
        Totals ofOther = new Totals(11_000, 9_900, 550, List.of(8_800L, 8_800L), 0);
        PeriodSnapshot one = period(0, 10 * SECOND_NS, ofOne, ofOne, 1);
        PeriodSnapshot other = period(SECOND_NS / 2, SECOND_NS / 2 + 11 * SECOND_NS, ofOther, ofOther, 1);
        PeriodSnapshot merged = PeriodSnapshot.merged(List.of(one, other));
        assertThat(merged.seconds()).isEqualTo(11.5);
        assertThat(merged.sendRate()).isEqualTo(2_000);
        assertThat(merged.publishRate()).isEqualTo(1_800);
        assertThat(merged.publishErrorRate()).isEqualTo(100);
        assertThat(merged.consumeRate()).isEqualTo(3_200);
    }

    @Test
    void withinWorkersOnlyTheControlSampleIsLeftFromEndToEnd() {
        Map<Latency, LatencySnapshot> latencies = new EnumMap<>(Latency.class);
        latencies.put(Latency.PUBLISH, LatencySnapshot.of(3, 7));
        latencies.put(Latency.END_TO_END, LatencySnapshot.of(5, 3).plus(LatencySnapshot.of(9, 4)));
        latencies.put(Latency.SCHEDULED_END_TO_END, LatencySnapshot.of(6, 7));
        Map<Latency, LatencySnapshot> control = Map.of(Latency.END_TO_END, LatencySnapshot.of(5, 3));
        PeriodSnapshot.Share share = new PeriodSnapshot.Share(0, SECOND_NS, Totals.none(1));
        PeriodSnapshot both = new PeriodSnapshot(List.of(share, share), Totals.none(1), latencies, control);

        PeriodSnapshot within = both.withinWorkers();

        assertThat(both.hasAcrossWorkers()).isTrue();
        assertThat(within.hasAcrossWorkers()).isFalse();
        assertThat(within.latency(Latency.END_TO_END)).isEqualTo(LatencySnapshot.of(5, 3));
        assertThat(within.latency(Latency.SCHEDULED_END_TO_END).count()).isZero();
        assertThat(within.latency(Latency.PUBLISH)).isEqualTo(LatencySnapshot.of(3, 7));
        assertThat(within.latency(Latency.SEND_DELAY).count()).isZero();
    }

    @Test
    void nothingGoesToAnotherWorkerWhereThereIsNone() {
        PeriodSnapshot alone = new PeriodSnapshot(
                0, 1, Totals.none(1), Totals.none(1), Map.of(Latency.END_TO_END, LatencySnapshot.of(5, 3)));
        assertThat(alone.hasAcrossWorkers()).isFalse();
    }

    @Test
    void periodsOfSeveralWorkersFollowEachOtherForEachOfThem() {
        Totals counts = new Totals(1_000, 1_000, 0, List.of(1_000L), 0);
        PeriodSnapshot first = PeriodSnapshot.merged(
                List.of(period(0, SECOND_NS, counts, counts, 1), period(5, 5 + 2 * SECOND_NS, counts, counts, 1)));
        PeriodSnapshot second = PeriodSnapshot.merged(List.of(
                period(SECOND_NS, 4 * SECOND_NS, counts, counts, 1),
                period(5 + 2 * SECOND_NS, 5 + 4 * SECOND_NS, counts, counts, 1)));
        assertThat(first.followedBy(second).publishRate()).isEqualTo(2_000 / 4.0 + 2_000 / 4.0);
        assertThatThrownBy(() -> first.followedBy(period(0, 1, counts, counts, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a period of 1 workers cannot follow one of 2");
    }

    private static PeriodSnapshot opened(PeriodSnapshot period, int worker) {
        return period.ofWorkers().get(worker).open();
    }

    private static void assertAddsUp(PeriodSnapshot all) {
        PeriodSnapshot added = PeriodSnapshot.merged(
                all.ofWorkers().stream().map(CompressedPeriod::open).toList());
        for (Latency latency : Latency.values()) {
            assertThat(added.latency(latency)).isEqualTo(all.latency(latency));
            assertThat(added.control(latency)).isEqualTo(all.control(latency));
        }
        assertThat(List.of(added.startNs(), added.endNs())).containsExactly(all.startNs(), all.endNs());
        assertThat(added.counts()).isEqualTo(all.counts());
    }

    @Test
    void whatEachWorkerSawIsKeptThroughAllThatIsDoneWithPeriods() {
        PeriodSnapshot one = withControl(Map.of(Latency.END_TO_END, LatencySnapshot.of(7, 4)))
                .withStalls(LatencySnapshot.of(500_000, 2));
        PeriodSnapshot other = period(3, 12, Totals.none(1), Totals.none(1), 200);
        PeriodSnapshot both = PeriodSnapshot.mergedWithEach(List.of(one, other));
        assertThat(opened(both, 0).latencies()).isEqualTo(one.latencies());
        assertThat(opened(both, 1).latencies()).isEqualTo(other.latencies());
        assertThat(List.of(opened(both, 1).startNs(), opened(both, 1).endNs())).containsExactly(3L, 12L);
        assertAddsUp(both);
        assertAddsUp(both.withinWorkers());
        assertThat(opened(both.withinWorkers(), 0).latency(Latency.END_TO_END)).isEqualTo(LatencySnapshot.of(7, 4));
        PeriodSnapshot twice = both.followedBy(both);
        assertThat(opened(twice, 1).latency(Latency.PUBLISH)).isEqualTo(LatencySnapshot.of(200, 2));
        assertAddsUp(twice);
    }

    @Test
    void ofPeriodsTogetherItIsNotKeptWhatEachWorkerSaw() {
        PeriodSnapshot one = period(0, 10, Totals.none(1), Totals.none(1), 100);
        PeriodSnapshot each = PeriodSnapshot.mergedWithEach(List.of(one, one));
        PeriodSnapshot merged = PeriodSnapshot.merged(List.of(one, one));
        assertThat(merged.ofWorkers()).isEmpty();
        assertThat(PeriodSnapshot.together(List.of(each, each))).contains(merged.followedBy(merged));
        assertThat(each.ofAll().followedBy(each)).isEqualTo(merged.followedBy(merged));
        assertThat(each.withLatenciesOf(one).ofWorkers()).isEmpty();
        assertThat(PeriodSnapshot.together(List.of())).isEmpty();
    }

    /** With ten workers for an hour, the data kept for each must fit beside the coordinator's own. */
    @Test
    void whatIsKeptOfEachWorkerTakesLittleRoom() {
        LatencySnapshot spread = LatencySnapshot.empty();
        for (long ns = 1_000_000; ns < 10_000_000; ns += 4_000) {
            spread.histogram().recordValue(ns);
        }
        Map<Latency, LatencySnapshot> latencies = new EnumMap<>(Latency.class);
        for (Latency latency : Latency.values()) {
            latencies.put(latency, spread);
        }
        CompressedPeriod kept =
                CompressedPeriod.of(new PeriodSnapshot(0, 10, Totals.none(1), Totals.none(1), latencies));
        int bytes = kept.latencies().values().stream()
                .mapToInt(compressed -> compressed.bytes().remaining())
                .sum();
        assertThat(bytes)
                .isLessThan(Latency.values().length * spread.histogram().getEstimatedFootprintInBytes() / 50);
    }

    private static PeriodSnapshot withControl(Map<Latency, LatencySnapshot> control) {
        return new PeriodSnapshot(
                List.of(new PeriodSnapshot.Share(0, 10, Totals.none(1))),
                Totals.none(1),
                Map.of(Latency.END_TO_END, LatencySnapshot.of(7, 9)),
                control);
    }

    @Test
    void theControlSampleIsAddedAsTheOthersAre() {
        PeriodSnapshot one = withControl(Map.of(
                Latency.END_TO_END, LatencySnapshot.of(3, 2), Latency.SCHEDULED_END_TO_END, LatencySnapshot.of(4, 1)));
        PeriodSnapshot other = withControl(Map.of(Latency.END_TO_END, LatencySnapshot.of(5, 1)));
        LatencySnapshot sum = LatencySnapshot.of(3, 2).plus(LatencySnapshot.of(5, 1));
        for (PeriodSnapshot both : List.of(
                PeriodSnapshot.merged(List.of(one, other)), one.followedBy(other), one.withLatenciesOf(other))) {
            assertThat(both.control(Latency.END_TO_END)).isEqualTo(sum);
            assertThat(both.control(Latency.SCHEDULED_END_TO_END)).isEqualTo(LatencySnapshot.of(4, 1));
            assertThat(both.control()).hasSize(2);
            assertThat(both.latency(Latency.END_TO_END)).isEqualTo(LatencySnapshot.of(7, 18));
        }
        assertThat(one.withStalls(LatencySnapshot.of(1, 1)).control()).isEqualTo(one.control());
        assertThat(one.control(Latency.PUBLISH)).isEqualTo(LatencySnapshot.empty());
        assertThat(withControl(Map.of()).followedBy(withControl(Map.of())).control())
                .isEmpty();
    }

    @Test
    void itIsTheSameAfterItsWayThroughBytes() {
        Totals counts = new Totals(10, 8, 1, List.of(7L, 6L), 3, List.of(1L, 0L), 0);
        PeriodSnapshot one = period(2, 10, counts, counts.plus(counts), 100).withStalls(LatencySnapshot.of(500_000, 2));
        PeriodSnapshot other = period(0, 9, counts, counts, Long.MAX_VALUE).withStalls(LatencySnapshot.of(700_000, 1));
        PeriodSnapshot merged = PeriodSnapshot.merged(List.of(one, other));
        for (PeriodSnapshot period :
                List.of(one, merged, withControl(Map.of(Latency.END_TO_END, LatencySnapshot.of(5, 3))))) {
            PeriodSnapshot read = Wire.read(Wire.write(period), PeriodSnapshot.class);
            assertThat(read).isEqualTo(period).hasSameHashCodeAs(period);
            assertThat(read.followedBy(read)).isEqualTo(period.followedBy(period));
        }
    }
}
