package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.clock.ClockBreak;
import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.WorkerResult;
import io.openmessaging.benchmark.result.file.HdrLog;
import io.openmessaging.benchmark.result.file.ResultJson;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.WorkerClocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs of two workers, in virtual time: messages take 20 ms, or 5 ms if they stay on one worker. */
class TwoWorkersRunTest extends VirtualRun {

    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final ClockReport.Probes PROBES = new ClockReport.Probes(10, Map.of("UDP", 10L), 1, 2);

    private final List<Long> asked = new ArrayList<>();

    TwoWorkersRunTest() {
        super("messageSize: 5", "consumerPerSubscription: 2");
        worker.setEndToEndMs(rate -> 20);
    }

    private static ClockReport known(long largestBoundNs, ClockBreak... breaks) {
        return new ClockReport(
                new ClockReport.Offsets(new Offset(7, 3), largestBoundNs, 3, 0, 1), PROBES, List.of(breaks));
    }

    private RunResult run(List<ClockReport> reports, String... lines) {
        WorkerClocks clocks = (startNs, endNs) -> {
            asked.add(endNs - startNs);
            return reports;
        };
        List<String> all = new ArrayList<>(List.of("messageSize: 5", "consumerPerSubscription: 2"));
        all.addAll(List.of(lines));
        RunRequest request = Requests.withClocks(Requests.request(all.toArray(String[]::new)), clocks);
        return Requests.run(request, worker, one -> TwoWorkers.of(one, List.of(1_000L, 13_000L)), stop, recorded, time);
    }

    private static long medianNs(PeriodSnapshot seen) {
        return seen.latency(Latency.END_TO_END).histogram().getValueAtPercentile(50);
    }

    @Test
    void workersWithoutAKeyAreTold() throws Exception {
        RunRequest open = Requests.withWorkers(
                Requests.request("messageSize: 5", "consumerPerSubscription: 2"),
                (startNs, endNs) -> List.of(known(1), known(1)),
                List.of(Finding.workersOpen(List.of("http://w1:8080", "http://w2:8080"))));

        RunResult result = Requests.run(open, worker, one -> TwoWorkers.of(one, List.of(1L, 1L)), stop, recorded, time);

        assertThat(result.findings())
                .filteredOn(finding -> finding.kind().equals("WorkersOpen"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.text())
                        .startsWith("workers without a key: http://w1:8080, http://w2:8080 reached by plain HTTP"));
    }

    @Test
    void theResultHasAnEntryForEach() {
        RunResult result = run(List.of(known(40_000), known(60_000)));

        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        assertThat(result.workers()).hasSize(2);
        WorkerResult first = result.workers().get(0);
        WorkerResult second = result.workers().get(1);
        assertThat(first.machine().name()).isEqualTo("worker 1 (w1)");
        assertThat(List.of(first.producers(), first.consumers(), second.producers(), second.consumers()))
                .containsExactly(1, 1, 0, 1);
        assertThat(Objects.requireNonNull(first.rates()).publish()).isEqualTo(1000);
        assertThat(Objects.requireNonNull(second.rates()).publish()).isZero();
        assertThat(Objects.requireNonNull(second.rates()).consume()).isEqualTo(500);
        assertThat(Objects.requireNonNull(second.usage()).processors()).isEqualTo(4);
        assertThat(first.startedLaterNs()).isZero();
        assertThat(second.startedLaterNs()).isEqualTo(12_000);
        assertThat(second.clock()).isEqualTo(known(60_000));
        assertThat(Objects.requireNonNull(result.clocks()).apartNs()).isEqualTo(100_000);
        assertThat(result.environment().clock()).contains("each worker has its own clock");
        assertThat(medianNs(Objects.requireNonNull(result.total()))).isBetween(20 * MS, 21 * MS);
        assertThat(asked).as("the measurement").contains(TimeUnit.SECONDS.toNanos(60));
    }

    @Test
    void whereClocksSayTooLittleOnlyMessagesOnOneWorkerAreTimedFromEndToEnd() {
        RunResult result = run(List.of(known(20 * MS), known(20 * MS)), "slo: {endToEndLatency99pct: 10ms}");

        PeriodSnapshot total = Objects.requireNonNull(result.total());
        long stayed = total.control(Latency.END_TO_END).count();
        assertThat(kinds(result)).containsOnlyOnce("EndToEndWithheld").doesNotContain("SloMissed");
        assertThat(stayed).isPositive();
        assertThat(total.latency(Latency.END_TO_END)).isEqualTo(LatencySnapshot.of(5 * MS, stayed));
        assertThat(result.warmup())
                .isNotEmpty()
                .allSatisfy(period -> assertThat(medianNs(period)).isLessThan(6 * MS));
        assertThat(result.course().slo())
                .singleElement()
                .satisfies(bound -> assertThat(bound.passed()).isTrue());
        assertThat(recorded.periods.stream().map(RunState::lastPeriod))
                .isNotEmpty()
                .allSatisfy(period -> assertThat(
                                medianNs(Objects.requireNonNull(period).seen()))
                        .isLessThan(6 * MS));
        JsonNode json = JsonMapper.shared().readTree(ResultJson.render(result));
        assertThat(json.at("/aggregatedEndToEndLatencyMax").doubleValue()).isLessThan(6);
        assertThat(json.at("/endToEndLatencyMax").valueStream().map(JsonNode::doubleValue))
                .allMatch(max -> max < 6);
        assertThat(json.at("/clocks/endToEndBetweenWorkers").booleanValue()).isFalse();
        assertThat(HdrLog.render(result)).contains("measure-endToEnd");
    }

    @Test
    void ofAClockThatNobodyKnowsTheRunSaysWhose() {
        RunResult result = run(List.of(known(1), new ClockReport(null, PROBES, List.of())));
        assertThat(result.findings())
                .extracting(Finding::text)
                .anyMatch(text -> text.contains("how far the clock of worker 2 (w2) is from the others"));
        assertThat(run(List.of()).findings())
                .extracting(Finding::text)
                .anyMatch(text -> text.contains("the clock of worker 1 (w1), worker 2 (w2) is"));
    }

    @Test
    void aClockThatMovesTwiceMakesTheRunInvalid() {
        ClockBreak moved = new ClockBreak(1, 2, MS);
        assertThat(run(List.of(known(1, moved), known(1))).verdict()).isEqualTo(Verdict.OK);
        assertThat(run(List.of(known(1, moved, moved), known(1))).verdict()).isEqualTo(Verdict.INVALID);
    }

    /** A worker's schedule follows its clock: one that is set makes messages due too early or too late. */
    @Test
    void aClockThatMovedComesBeforeTheFindingsThatItExplains() {
        ClockBreak moved = new ClockBreak(1, 2, MS);
        worker.setCapacity(900);
        assertThat(kinds(run(List.of(known(1), known(1, moved)))))
                .startsWith("ClockMoved")
                .contains("TargetRateMissed");
        assertThat(Finding.targetRateExceeded(1000, 1200, true).text())
                .endsWith("since a clock moved and made messages due at the wrong time");
    }

    @Test
    void ratesOfASweepAreJudgedByWhatIsGiven() {
        RunResult result = run(
                List.of(known(20 * MS), known(20 * MS)),
                "producerRate:",
                "testDuration:",
                "rateSweep: {from: 1000, to: 2000, factor: 2, each: 30s}",
                "slo: {endToEndLatency99pct: 10ms}");
        assertThat(Objects.requireNonNull(result.course().rateSweep()).steps())
                .isNotEmpty()
                .allSatisfy(step -> assertThat(step.clean()).isTrue())
                .allSatisfy(step -> assertThat(medianNs(step.seen())).isLessThan(6 * MS));
    }
}
