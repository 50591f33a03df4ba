package io.openmessaging.benchmark.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.clock.ClockBreak;
import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.judge.worker.ClockFindings;
import io.openmessaging.benchmark.judge.worker.WorkerSeen;
import io.openmessaging.benchmark.judge.worker.WorkerSeen.Equipment;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.ClockBound;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Finding.Severity;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockFindingsTest {

    private static final long US = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final ClockReport.Probes PROBES = new ClockReport.Probes(10, Map.of("UDP", 10L), 290 * US, 310 * US);

    private static ClockReport known(long largestBoundNs, ClockBreak... breaks) {
        return new ClockReport(
                new ClockReport.Offsets(new Offset(5, 1), largestBoundNs, 1, 0, 1), PROBES, List.of(breaks));
    }

    private static ClockReport unknown() {
        return new ClockReport(null, PROBES, List.of());
    }

    private static WorkerSeen worker(int number, int producers, int consumers, @Nullable ClockReport clock) {
        return new WorkerSeen(
                "worker " + number, producers, consumers, new Equipment(producers, null, "host", false), null, clock);
    }

    /** A period of two workers: messages that went from one to the other, and messages that stayed on one. */
    private static PeriodSnapshot seen(long medianNs, long across, long stayed, long impossible) {
        Totals counts =
                new Totals(across + stayed, across + stayed, 0, List.of(across + stayed), 0, List.of(0L), impossible);
        Totals none = Totals.none(1);
        return new PeriodSnapshot(
                List.of(new PeriodSnapshot.Share(0, SECOND_NS, counts), new PeriodSnapshot.Share(0, SECOND_NS, none)),
                counts,
                Map.of(Latency.END_TO_END, LatencySnapshot.of(medianNs, across + stayed)),
                Map.of(Latency.END_TO_END, LatencySnapshot.of(medianNs, stayed)));
    }

    private static List<Finding> findings(List<WorkerSeen> workers, PeriodSnapshot seen) {
        ClockBound bound = ClockFindings.bound(workers, seen).orElse(null);
        boolean given = bound == null || bound.isEndToEndGiven();
        return ClockFindings.findings(workers, bound, given ? seen : seen.withinWorkers());
    }

    private static List<String> texts(List<Finding> findings) {
        return findings.stream().map(Finding::text).toList();
    }

    @Test
    void theBoundIsThatOfTheWorstPairOfASenderAndAReceiver() {
        PeriodSnapshot seen = seen(MS, 10, 0, 0);
        List<WorkerSeen> mixed =
                List.of(worker(1, 1, 1, known(10)), worker(2, 1, 1, known(30)), worker(3, 1, 1, known(20)));
        List<WorkerSeen> split =
                List.of(worker(1, 1, 0, known(10)), worker(2, 0, 1, known(30)), worker(3, 0, 1, known(20)));
        List<WorkerSeen> idle =
                List.of(worker(1, 1, 1, known(10)), worker(2, 1, 1, known(30)), worker(3, 0, 0, unknown()));

        assertThat(ClockFindings.bound(mixed, seen))
                .contains(
                        new ClockBound(50, LatencySnapshot.of(MS, 1).histogram().getValueAtPercentile(50)));
        assertThat(ClockFindings.bound(split, seen)).map(ClockBound::apartNs).contains(40L);
        assertThat(ClockFindings.bound(idle, seen)).map(ClockBound::apartNs).contains(40L);
    }

    @Test
    void withoutTwoWorkersThatTalkThereIsNone() {
        PeriodSnapshot seen = seen(MS, 10, 0, 0);
        assertThat(ClockFindings.bound(List.of(worker(1, 1, 1, known(10))), seen))
                .isEmpty();
        assertThat(ClockFindings.bound(List.of(worker(1, 1, 0, known(10)), worker(2, 1, 0, known(10))), seen))
                .isEmpty();
    }

    @Test
    void aClockOfWhichNothingIsKnownMayBeApartByAnyTime() {
        for (ClockReport nothing :
                Stream.<@Nullable ClockReport>of(unknown(), null).toList()) {
            List<WorkerSeen> workers = List.of(worker(1, 1, 0, known(10)), worker(2, 0, 1, nothing));
            ClockBound bound = ClockFindings.bound(workers, seen(MS, 10, 0, 0)).orElseThrow();
            assertThat(bound.isKnown()).isFalse();
            assertThat(bound.isEndToEndGiven()).isFalse();
            assertThat(texts(findings(workers, seen(MS, 10, 0, 0))))
                    .containsExactly(
                            "end-to-end latencies between workers are withheld: it is not known how far the clock"
                                    + " of worker 2 is from the others; no message stayed on one worker");
        }
    }

    @ParameterizedTest
    @CsvSource({"100, ''", "101, ClocksLoose", "1000, ClocksLoose", "1001, EndToEndWithheld"})
    void aBoundIsJudgedByTheMedian(long boundUs, String kind) {
        // The two bounds of a pair add up; a histogram's value is exact if it has at most three digits.
        List<WorkerSeen> workers = List.of(worker(1, 1, 0, known(boundUs * US - 1)), worker(2, 0, 1, known(1)));
        PeriodSnapshot seen = seen(1_000 * US, 10, 0, 0);
        long medianNs = seen.latency(Latency.END_TO_END).histogram().getValueAtPercentile(50);
        List<Finding> found = findings(workers, seen);
        assertThat(medianNs).isBetween(1_000 * US, 1_001 * US - 1);
        assertThat(found.stream().map(Finding::kind))
                .containsExactlyElementsOf(kind.isEmpty() ? List.of() : List.of(kind));
        assertThat(found).allMatch(finding -> finding.severity() == Severity.NOTE);
    }

    @Test
    void findingsSayHowMuchAndWhatIsGivenInstead() {
        List<WorkerSeen> loose = List.of(worker(1, 1, 1, known(150 * US)), worker(2, 1, 1, known(50 * US)));
        List<WorkerSeen> looser = List.of(worker(1, 1, 1, known(MS)), worker(2, 1, 1, known(4 * MS)));

        assertThat(texts(findings(loose, seen(MS, 10, 20, 0))))
                .containsExactly(
                        "clocks of workers known only to ± 200 µs of one another, 20 % of the median end-to-end"
                                + " latency (1.00 ms): latencies of messages between workers may be wrong by that; the"
                                + " slowest path from here is that to worker 1, ± 150 µs with a shortest round trip of"
                                + " 290 µs");
        assertThat(texts(findings(looser, seen(MS, 10, 20, 0))))
                .containsExactly(
                        "end-to-end latencies between workers are withheld: the workers' clocks are known only to ± 5.00 ms of"
                                + " one another, and the median would be 1.00 ms; the slowest path from here is that to"
                                + " worker 2, ± 4.00 ms with a shortest round trip of 290 µs; those given are for the 20"
                                + " messages that stayed on one worker");
    }

    @Test
    void whereNoMessageGoesToAnotherWorkerClocksDoNotMatter() {
        List<WorkerSeen> workers = List.of(worker(1, 1, 1, unknown()), worker(2, 1, 1, unknown()));
        PeriodSnapshot seen = seen(MS, 0, 10, 0);
        assertThat(ClockFindings.bound(workers, seen).orElseThrow().isEndToEndGiven())
                .isTrue();
        assertThat(findings(workers, seen)).isEmpty();
    }

    @Test
    void aClockThatMovesOnceIsANoteAndASecondTimeNoClock() {
        ClockBreak first = new ClockBreak(1, 2, -3 * MS);
        ClockBreak second = new ClockBreak(5, 6, MS);
        List<WorkerSeen> workers = List.of(worker(1, 1, 0, known(1)), worker(2, 0, 1, known(1, first)));
        List<Finding> once = ClockFindings.moved(workers, false);
        List<Finding> twice = ClockFindings.moved(
                List.of(worker(1, 1, 0, known(1)), worker(2, 0, 1, known(1, first, second))), false);
        List<Finding> oneEach = ClockFindings.moved(
                List.of(worker(1, 1, 0, known(1, first)), worker(2, 0, 1, known(1, second))), false);

        assertThat(once).extracting(Finding::severity).containsExactly(Severity.NOTE);
        assertThat(texts(once).get(0))
                .startsWith("clock of worker 2 moved during the measurement, once, by at least 3.00 ms");
        assertThat(twice).extracting(Finding::severity).containsExactly(Severity.INVALIDATES);
        assertThat(texts(twice).get(0)).contains("2 times, by at least 3.00 ms");
        assertThat(oneEach).extracting(Finding::severity).containsExactly(Severity.NOTE, Severity.NOTE);
        assertThat(ClockFindings.haveMoved(workers)).isTrue();
        assertThat(ClockFindings.moved(workers, true)).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).as("with its consequences").isEqualTo(Severity.INVALIDATES);
            assertThat(finding.text()).contains("this explains why it was not the one asked for");
        });
        assertThat(ClockFindings.haveMoved(List.of(worker(1, 1, 0, known(1)), worker(2, 0, 1, null))))
                .isFalse();
    }

    @Test
    void aWorkerWithoutProducersAndConsumersIsNamed() {
        List<WorkerSeen> workers = List.of(worker(1, 1, 1, known(1)), worker(2, 0, 0, known(1)));
        assertThat(texts(findings(workers, seen(MS, 0, 10, 0))))
                .containsExactly("worker 2 had nothing to do: there are fewer producers and consumers than workers");
        assertThat(findings(List.of(worker(1, 0, 0, null)), seen(MS, 0, 10, 0))).isEmpty();
    }

    @Test
    void aMessageThatArrivesBeforeItCanHaveBeenSentIsProofOfAWrongClock() {
        Judge judge = new Judge();
        judge.judgeLatencies(List.of(seen(MS, 10, 0, 3)));
        assertThat(judge.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo("ImpossibleLatencies");
            assertThat(finding.severity()).isEqualTo(Severity.INVALIDATES);
            assertThat(finding.text()).startsWith("3 messages arrived before they were sent");
        });
    }

    @Test
    void belowZeroByLessThanClocksCanBeApartIsNoError() {
        LatencySnapshot below = new LatencySnapshot(LatencySnapshot.of(0, 5).histogram(), 0, 5, 0);
        PeriodSnapshot one = new PeriodSnapshot(
                0,
                SECOND_NS,
                Totals.none(1),
                Totals.none(1),
                Map.of(Latency.END_TO_END, below, Latency.PUBLISH, below));
        Judge ofTwo = new Judge();
        Judge alone = new Judge();
        ofTwo.judgeLatencies(List.of(PeriodSnapshot.merged(List.of(one, one))));
        alone.judgeLatencies(List.of(one));

        assertThat(texts(ofTwo.findings())).singleElement().asString().contains("10 samples of publish");
        assertThat(alone.findings()).hasSize(2);
        assertThat(Collections.frequency(
                        alone.findings().stream().map(Finding::kind).toList(), "NegativeLatencies"))
                .isEqualTo(2);
    }
}
