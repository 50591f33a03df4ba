package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunPhase;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs in virtual time that must not measure what their warm-up left behind. */
class SettlingRunTest extends VirtualRun {

    private static final int SETTLE = 3;

    private static RunResult.Phase settle(RunResult result) {
        RunResult.Phase phase = result.phases().get(SETTLE);
        assertThat(phase.name()).isEqualTo("settle");
        return phase;
    }

    private static PeriodSnapshot total(RunResult result) {
        return Objects.requireNonNull(result.total());
    }

    private static double p99Ms(RunResult result, Latency latency) {
        return total(result).latency(latency).histogram().getValueAtPercentile(99) / 1e6;
    }

    /** Makes the broker stall when the load starts, and then handle 1.5 times the requested rate. */
    private void coldStart(Duration stall) {
        worker.timeMessages();
        worker.setCapacity(0);
        time.at(stall, () -> worker.setCapacity(1_500));
    }

    @Test
    void theDebtOfAColdStartIsNotMeasured() {
        coldStart(Duration.ofSeconds(5));
        RunResult result = run();

        // The debt is 5,000 messages at 5 s and shrinks by 500 a second.
        assertThat(settle(result).seconds()).isCloseTo(5, within(0.2));
        assertThat(p99Ms(result, Latency.SCHEDULED_PUBLISH)).isLessThan(50);
        assertThat(p99Ms(result, Latency.SCHEDULED_END_TO_END)).isLessThan(50);
        assertThat(total(result).publishRate()).isCloseTo(1000, within(1.0));
        assertThat(result.findings()).isEmpty();
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(recorded.phases).containsSubsequence(RunPhase.WARM_UP, RunPhase.SETTLE, RunPhase.MEASURE);
        assertThat(recorded.ticks).anyMatch(tick -> tick.phase() == RunPhase.SETTLE);
    }

    @Test
    void theBacklogOfConsumersThatAreColdIsNotMeasuredEither() {
        worker.timeMessages();
        worker.setDelivery(0, 0);
        time.at(Duration.ofSeconds(5), () -> {
            // Messages that arrived until now arrived at the old rate.
            worker.totals();
            worker.setDelivery(0, 1_500);
        });
        RunResult result = run();

        assertThat(settle(result).seconds()).isCloseTo(5, within(0.2));
        assertThat(p99Ms(result, Latency.SCHEDULED_END_TO_END)).isLessThan(50);
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
    }

    /**
     * The backlog stays at the messages of 0.9 s, as if they were always in flight, until the measurement has started.
     */
    @Test
    void aBacklogThatIsDrainedWithinTheMeasurementInvalidates() {
        worker.setDelivery(0, 0);
        time.at(Duration.ofMillis(900), () -> {
            worker.totals();
            worker.setDelivery(0, 1_000);
        });
        time.at(Duration.ofSeconds(20), () -> worker.setDelivery(0, 1_500));
        RunResult result = run();

        assertThat(kinds(result)).containsExactly("BacklogDrained");
        assertThat(total(result).consumeRate()).isGreaterThan(total(result).publishRate());
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
    }

    @ParameterizedTest
    @CsvSource({"10s, 10", "3s, 3", "5m, 60"})
    void whatIsNotMadeUpForInAsLongAsTheWarmUpInvalidates(String warmup, double longestSeconds) {
        worker.setCapacity(0);
        time.at(Duration.ofSeconds(2), () -> worker.setCapacity(1_002));
        RunResult result = run("warmupDuration: " + warmup);

        assertThat(settle(result).seconds()).isCloseTo(longestSeconds, within(0.01));
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.findings().get(0).kind()).isEqualTo("NotSettled");
        assertThat(result.findings().get(0).text())
                .startsWith("not settled: " + Math.round(longestSeconds) + " s after the warm-up, the longest wait,")
                .contains(" messages that were due had not been sent")
                .doesNotContain(" 0 messages");
        assertThat(total(result).seconds()).isEqualTo(60);
    }

    @Test
    void aRunThatIsAsItShouldBeGoesOnAtOnce() {
        RunResult result = run();
        assertThat(settle(result).seconds()).isZero();
        assertThat(result.warmup()).extracting(PeriodSnapshot::seconds).containsExactly(10.0);
        assertThat(total(result).seconds()).isEqualTo(60);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 700, 900})
    void whatIsAlwaysOnItsWayIsNotWaitedFor(int latencyMs) {
        // The model reports no latencies, so it takes a while to see that they do not change.
        worker.setLatencyNs(Duration.ofMillis(latencyMs).toNanos());
        RunResult result = run();
        assertThat(settle(result).seconds()).isBetween(5.0, 7.0);
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void aLatencyThatIsKnownToBeLongIsNotWaitedFor() {
        // Arrivals follow confirmations at once, so both have the same latency.
        worker.setLatencyNs(Duration.ofMillis(10).toNanos());
        worker.setBatchNs(0, Duration.ofMillis(900).toNanos());
        worker.setEndToEndMs(rate -> 10);
        RunResult result = run();
        // Just after a batch, only the messages of 10 ms are left.
        assertThat(settle(result).seconds()).isLessThan(1);
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void independentArrivalsMayBeBehindByChance() {
        RunResult result = run("arrivals: POISSON");
        assertThat(settle(result).seconds()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"warmupDuration: 0s", "producerRate: unlimited"})
    void withoutAWarmUpOrARateThereIsNothingToWaitFor(String line) {
        assertThat(run(line).phases()).extracting(RunResult.Phase::name).doesNotContain("settle");
        assertThat(recorded.phases).doesNotContain(RunPhase.SETTLE);
    }

    @Test
    void aNumberOfMessagesIsMeasuredFromACalmSystemAnyway() {
        RunResult result = run("messageCount: 1000", "testDuration:");
        assertThat(result.phases()).extracting(RunResult.Phase::name).doesNotContain("settle");
    }

    @Test
    void stoppingEndsTheWait() {
        coldStart(Duration.ofSeconds(5));
        time.at(Duration.ofSeconds(12), stop::request);
        RunResult result = run();
        assertThat(settle(result).seconds()).isCloseTo(2, within(0.1));
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.measured()).isEmpty();
    }
}
