package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs on a system that stops for a while, in virtual time. */
class StalledRunTest extends VirtualRun {

    private static List<Finding> stalls(RunResult result) {
        return result.findings().stream()
                .filter(finding -> finding.kind().equals("LoadStalled"))
                .toList();
    }

    /** Counts seconds of the measurement: the load starts at 0 s, the measurement at 10 s. */
    private void stallsBetween(int fromSeconds, int toSeconds) {
        worker.setCapacity(1000);
        time.at(Duration.ofSeconds(10 + fromSeconds), () -> worker.setCapacity(0));
        time.at(Duration.ofSeconds(10 + toSeconds), () -> worker.setCapacity(1000));
    }

    @Test
    void withoutALimitOfTheRateAStallInTheMiddleMakesTheResultInvalid() {
        stallsBetween(90, 210);
        RunResult result = run("producerRate: unlimited", "testDuration: 300s", "messageSize: 10");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.findings())
                .extracting(Finding::kind)
                .containsExactlyInAnyOrder("LoadStalled", "SmallMessages");
        assertThat(stalls(result)).containsExactly(Finding.loadStalled(12, 30, 120, 90));
    }

    @Test
    void atAFixedRateThatIsMadeUpForItDoesAsWell() {
        stallsBetween(20, 31);
        time.at(Duration.ofSeconds(41), () -> worker.setCapacity(100_000));
        RunResult result = run("producerRate: 900");
        assertThat(stalls(result)).containsExactly(Finding.loadStalled(1, 6, 10, 20));
    }

    @Test
    void aPauseOfAScheduleIsNoStallButAStallInItIs() {
        String schedule = "producerRateSchedule: [{duration: 20s, rate: 500}, {duration: 30s, rate: 0}, {duration: 20s,"
                + " rate: 500}]";
        assertThat(stalls(run("producerRate:", "testDuration:", schedule))).isEmpty();
    }

    @Test
    void aScheduleThatStallsIsFound() {
        stallsBetween(10, 30);
        RunResult result = run(
                "producerRate:",
                "testDuration:",
                "producerRateSchedule: [{duration: 20s, rate: 500}, {duration: 30s, rate: 0}]");
        assertThat(stalls(result)).containsExactly(Finding.loadStalled(1, 5, 10, 10));
    }

    @Test
    void aNumberOfMessagesIsWaitedForWithoutAStall() {
        worker.setDelivery(0, 100);
        RunResult result = run("messageCount: 3000", "testDuration:", "samplePeriod: 1s");
        assertThat(result.measured()).hasSizeGreaterThan(25);
        assertThat(stalls(result)).isEmpty();
    }

    @Test
    void aStepThatEndsAGrowingLoadMayStall() {
        time.at(Duration.ofSeconds(10 + 30), () -> worker.setCapacity(0));
        RunResult result = run(
                "testDuration:",
                "samplePeriod: 5s",
                "producersPerTopic:",
                "producerSteps: {from: 1, to: 4, by: 1, every: 20s}",
                "abortWhen: {throughputDrop: 0.5}");
        assertThat(result.saturation()).isNotNull();
        assertThat(stalls(result)).isEmpty();
    }

    @Test
    void aStepThatIsMadeUpForIsFound() {
        time.at(Duration.ofSeconds(10 + 20), () -> worker.setCapacity(0));
        time.at(Duration.ofSeconds(10 + 26), () -> worker.setCapacity(1e9));
        RunResult result = run(
                "testDuration:",
                "samplePeriod: 5s",
                "producersPerTopic:",
                "producerSteps: {from: 1, to: 2, by: 1, every: 40s}");
        assertThat(stalls(result)).hasSize(1);
    }
}
