package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.config.LatencyBound;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.run.RunPhase;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class FindingsSoFarTest {

    private final FindingsSoFar findings = new FindingsSoFar(true, List.of());
    private long nowS;
    private Totals totals = Totals.none(1);

    private static Totals messages(long published, long received) {
        return new Totals(published, published, 0, List.of(received), 0);
    }

    private void tenSeconds(RunPhase phase, long published, long received) {
        Totals counts = messages(published, received);
        totals = totals.plus(counts);
        findings.period(
                phase, new PeriodSnapshot(nowS * 1_000_000_000, (nowS + 10) * 1_000_000_000, counts, totals, Map.of()));
        nowS += 10;
    }

    private List<String> kinds() {
        return findings.findings(Map.of()).stream().map(Finding::kind).toList();
    }

    private void begin(RunPhase phase) {
        findings.phase(phase, totals, Map.of());
    }

    @Test
    void nothingIsFoundBeforeTheMeasurement() {
        findings.load(1000);
        begin(RunPhase.WARM_UP);
        tenSeconds(RunPhase.WARM_UP, 1, 0);
        assertThat(findings.findings(Map.of("send: x", 1L))).isEmpty();
    }

    @Test
    void aTargetIsMissedUntilTheWholeMeasurementHasReachedIt() {
        findings.load(1000);
        begin(RunPhase.MEASURE);
        tenSeconds(RunPhase.MEASURE, 9_000, 9_000);
        assertThat(kinds()).containsExactly("TargetRateMissed");

        tenSeconds(RunPhase.MEASURE, 11_000, 11_000);
        assertThat(kinds()).isEmpty();
    }

    @Test
    void theEndOfTheLoadChangesNothing() {
        findings.load(1000);
        begin(RunPhase.MEASURE);
        tenSeconds(RunPhase.MEASURE, 9_000, 9_000);
        findings.load(0);
        assertThat(kinds()).containsExactly("TargetRateMissed");
    }

    @Test
    void aRateThatChangesIsNoTarget() {
        findings.load(1000);
        begin(RunPhase.MEASURE);
        tenSeconds(RunPhase.MEASURE, 9_000, 9_000);
        findings.load(2000);
        tenSeconds(RunPhase.MEASURE, 9_000, 9_000);
        assertThat(kinds()).isEmpty();
    }

    @Test
    void messagesThatAreCountedHaveNoTargetWhileTheLastOnesAreAwaited() {
        FindingsSoFar counted = new FindingsSoFar(false, List.of());
        counted.load(1000);
        counted.phase(RunPhase.MEASURE, null, Map.of());
        counted.period(
                RunPhase.MEASURE, new PeriodSnapshot(0, 10_000_000_000L, messages(5, 5), messages(5, 5), Map.of()));
        assertThat(counted.findings(Map.of())).isEmpty();
    }

    @Test
    void consumersFallBehindWhatWasThereBefore() {
        findings.load(1000);
        begin(RunPhase.WARM_UP);
        tenSeconds(RunPhase.WARM_UP, 10_000, 1_000);
        begin(RunPhase.MEASURE);
        tenSeconds(RunPhase.MEASURE, 10_000, 10_000);
        assertThat(kinds()).isEmpty();

        tenSeconds(RunPhase.MEASURE, 10_000, 1_000);
        assertThat(kinds()).containsExactly("ConsumersBehind");
    }

    @Test
    void aBacklogThatWasBuiltIsNoFinding() {
        findings.load(1000);
        begin(RunPhase.BACKLOG_BUILD);
        begin(RunPhase.BACKLOG_DRAIN);
        begin(RunPhase.MEASURE);
        tenSeconds(RunPhase.MEASURE, 10_000, 0);
        assertThat(kinds()).isEmpty();
    }

    @Test
    void errorsAreFoundAsTheyCome() {
        begin(RunPhase.MEASURE);
        findings.load(1);
        tenSeconds(RunPhase.MEASURE, 10, 10);
        assertThat(findings.findings(Map.of("send: x", 2L)).stream().map(Finding::kind))
                .containsExactly("Errors");
    }

    @Test
    void whatWasRefusedDuringASearchDoesNotInvalidate() {
        Map<String, Long> errors = Map.of("send: refused", 7L);
        begin(RunPhase.SEARCH);
        totals = new Totals(107, 100, 7, List.of(100L), 0);
        findings.phase(RunPhase.MEASURE, totals, errors);
        findings.load(1000);
        tenSeconds(RunPhase.MEASURE, 10_000, 10_000);
        assertThat(findings.findings(errors)).containsExactly(Finding.errorsInSearch(7, errors));
        assertThat(findings.findings(Map.of("send: refused", 9L))).contains(Finding.errors("send: refused", 2));
    }

    @Test
    void anSloIsMissedOnceThereAreSamplesEnoughToSay() {
        LatencyBound bound = Requests.request("slo: {publishLatency99pct: 10ms}")
                .workload()
                .workload()
                .sloBounds()
                .get(0);
        FindingsSoFar bounded = new FindingsSoFar(true, List.of(bound));
        bounded.load(10);
        bounded.phase(RunPhase.MEASURE, null, Map.of());
        Histogram slow = new Histogram(3);
        slow.recordValueWithCount(20_000_000, 60);
        Map<Latency, LatencySnapshot> latencies = Map.of(Latency.PUBLISH, new LatencySnapshot(slow, 60 * 20e6, 0, 0));
        Totals counts = messages(100, 100);

        bounded.period(RunPhase.MEASURE, new PeriodSnapshot(0, 10_000_000_000L, counts, counts, latencies));
        assertThat(bounded.findings(Map.of())).isEmpty();

        bounded.period(
                RunPhase.MEASURE,
                new PeriodSnapshot(10_000_000_000L, 20_000_000_000L, counts, counts.plus(counts), latencies));
        assertThat(bounded.findings(Map.of())).extracting(Finding::kind).containsExactly("SloMissed");
    }
}
