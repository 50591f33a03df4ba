package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.RunResult.SloOutcome;
import io.openmessaging.benchmark.result.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs whose latencies have bounds, in virtual time. Their messages are too small for an audit. */
class SloRunTest extends VirtualRun {

    SloRunTest() {
        super("messageSize: 5");
    }

    private static List<String> texts(RunResult result) {
        return result.findings().stream()
                .filter(finding -> finding.kind().equals("SloMissed"))
                .map(Finding::text)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "producerRate: 1000",
                "producerRateSchedule: [{duration: 10s, rate: 500}, {duration: 10s, rate: 1000}]",
                "messageCount: 5000",
                "producerSteps: {from: 1, to: 2, every: 20s}"
            })
    void aMeasurementWithinItsBoundsIsOkWhateverItsLoad(String load) {
        worker.setEndToEndMs(rate -> 20);
        RunResult result = run(
                load.startsWith("producerRateSchedule") ? "producerRate:" : "producerRate: 1000",
                load.startsWith("producerRate:") ? "testDuration: 60s" : "testDuration:",
                load.startsWith("producerSteps") ? "producersPerTopic:" : "producersPerTopic: 1",
                load,
                "slo: {endToEndLatency99pct: 30ms}");
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        assertThat(result.course().slo()).singleElement().satisfies(outcome -> {
            assertThat(outcome.passed()).isTrue();
            assertThat(outcome.key()).isEqualTo("endToEndLatency99pct");
            assertThat(outcome.limitNs()).isEqualTo(30_000_000);
            assertThat(outcome.valueNs()).isBetween(19.9e6, 20.1e6);
            assertThat(outcome.samples()).isGreaterThan(4_900);
        });
    }

    @Test
    void aLatencyBeyondItsBoundIsAVerdictOfItsOwn() {
        worker.setEndToEndMs(rate -> 40);
        RunResult result = run("slo: {endToEndLatencyAvg: 50ms, endToEndLatency99pct: 30ms}");
        assertThat(result.verdict()).isEqualTo(Verdict.SLO_MISSED);
        assertThat(result.course().slo()).extracting(SloOutcome::passed).containsExactly(true, false);
        assertThat(texts(result)).containsExactly("SLO missed: endToEndLatency99pct was 40.0 ms, more than 30.0 ms");
    }

    /** Half a percent of the messages is answered after the load had ended, two seconds late. */
    @Test
    void messagesThatAreAnsweredAfterTheLoadCount() {
        worker.timeMessages();
        time.at(Duration.ofMillis(69_700), () -> worker.setCapacity(0));
        time.at(Duration.ofMillis(71_700), () -> worker.setCapacity(1e6));
        RunResult result = run("producerRate: 1000", "testDuration: 60s", "slo: {scheduledPublishLatency999pct: 50ms}");
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.SLO_MISSED);
        assertThat(result.course().slo())
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.valueNs()).isGreaterThan(1.6e9));
    }

    @Test
    void aPercentileWithTooFewSamplesIsNotShownToBeKept() {
        worker.setEndToEndMs(rate -> 20);
        RunResult result = run("producerRate: 10", "slo: {endToEndLatency999pct: 30ms}");
        assertThat(result.verdict()).isEqualTo(Verdict.SLO_MISSED);
        assertThat(texts(result))
                .singleElement()
                .asString()
                .matches("SLO not proven: endToEndLatency999pct was 20\\.0 ms, but (599|60\\d) samples are too"
                        + " few: 1,000 are needed");
    }

    @Test
    void whatWasNotMeasuredIsNotKept() {
        RunResult result = run("slo: {publishLatency99pct: 30ms}");
        assertThat(result.verdict()).isEqualTo(Verdict.SLO_MISSED);
        assertThat(texts(result)).containsExactly("SLO missed: publishLatency99pct was not measured");
    }

    @Test
    void aRunThatIsInvalidIsSoWhateverItsSlo() {
        worker.setEndToEndMs(rate -> 40);
        worker.setCapacity(500);
        RunResult result = run("slo: {endToEndLatency99pct: 30ms}");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(texts(result)).hasSize(1);
    }

    @Test
    void theMeasurementAfterASearchIsHeldToTheBoundsAsWell() {
        worker.setCapacity(20_000);
        worker.setEndToEndMs(rate -> 20);
        time.at(Duration.ofMinutes(3), () -> worker.setEndToEndMs(rate -> 40));
        RunResult result = run("producerRate: 0", "testDuration: 5m", "slo: {endToEndLatency99pct: 30ms}");
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.SLO_MISSED);
    }

    @Test
    void aRunWithoutAnSloHasNone() {
        worker.setEndToEndMs(rate -> 40);
        assertThat(run().course().slo()).isEmpty();
    }
}
