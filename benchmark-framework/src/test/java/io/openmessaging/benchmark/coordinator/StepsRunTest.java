package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Runs with a growing number of clients, in virtual time. Their messages are too small for an audit, unless consumers
 * grow.
 */
class StepsRunTest extends VirtualRun {

    StepsRunTest() {
        super(
                "testDuration:",
                "producersPerTopic:",
                "messageSize: 5",
                "samplePeriod: 10s",
                "producerSteps: {from: 2, to: 8, by: 2, every: 60s}");
    }

    private static List<Integer> producers(RunResult result) {
        return result.course().steps().stream()
                .map(RunResult.LoadStep::producers)
                .toList();
    }

    private static RunResult.LoadStep last(RunResult result) {
        List<RunResult.LoadStep> steps = result.course().steps();
        return steps.get(steps.size() - 1);
    }

    private static RunResult.Breach breach(RunResult result) {
        return Objects.requireNonNull(last(result).breach());
    }

    /** The time this many seconds into a step, after 10 s of warm-up. */
    private static Duration inStep(int step, int seconds) {
        return Duration.ofSeconds(10 + 60L * step + seconds);
    }

    @Test
    void withoutARuleEveryStepIsGoneThrough() {
        RunResult result = run();
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        assertThat(producers(result)).containsExactly(2, 4, 6, 8);
        assertThat(result.course().steps()).allMatch(RunResult.LoadStep::clean).allSatisfy(step -> {
            assertThat(step.consumers()).isEqualTo(1);
            assertThat(step.seen().seconds()).isCloseTo(60, within(1e-6));
            assertThat(step.seen().publishRate()).isCloseTo(1000, within(1.0));
        });
        assertThat(Objects.requireNonNull(result.saturation()).producers()).isEqualTo(8);
        assertThat(worker.producers()).isEqualTo(8);
        assertThat(recorded.loadSteps).containsExactly("2 clean", "4 clean", "6 clean", "8 clean");
    }

    /** Several workers take a moment to start the load of each step. */
    @Test
    void nothingIsDueBetweenSteps() {
        worker.setOrderTime(Duration.ofMillis(600));
        RunResult result = run("producerSteps: {from: 1, to: 32, by: 1, every: 20s}");
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        assertThat(result.course().steps()).hasSize(32);
        assertThat(result.targetRateMsgPerSec()).isEqualTo(1000.0);
    }

    @Test
    void aRunBeginsWithTheClientsOfItsFirstStep() {
        time.at(inStep(0, 30), () -> assertThat(worker.producers()).isEqualTo(2));
        time.at(inStep(1, 30), () -> assertThat(worker.producers()).isEqualTo(4));
        assertThat(run().failure()).isNull();
    }

    @Test
    void thePeriodsHaveNoGap() {
        RunResult result = run();
        for (int i = 1; i < result.measured().size(); i++) {
            assertThat(result.measured().get(i).startNs())
                    .isEqualTo(result.measured().get(i - 1).endNs());
        }
    }

    @Test
    void consumersJoin() {
        RunResult result = run(
                "producerSteps:",
                "producersPerTopic: 1",
                "messageSize: 100",
                "consumerPerSubscription:",
                "consumerSteps: {from: 1, to: 3, every: 20s}");
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        assertThat(result.course().steps())
                .extracting(RunResult.LoadStep::consumers)
                .containsExactly(1, 2, 3);
        assertThat(result.course().steps())
                .extracting(RunResult.LoadStep::producers)
                .containsOnly(1);
        assertThat(worker.consumers()).isEqualTo(3);
    }

    @Test
    void aLatencyBeyondItsBoundEndsIt() {
        time.at(inStep(2, 1), () -> worker.setEndToEndMs(rate -> 12_000));
        RunResult result = run("abortWhen: {endToEndLatency99pct: 10s}");
        assertThat(producers(result)).containsExactly(2, 4, 6);
        assertThat(breach(result).rule()).isEqualTo("endToEndLatency99pct");
        assertThat(breach(result).text()).isEqualTo("endToEndLatency99pct was 12.0 s, more than 10.0 s");
        assertThat(last(result).seen().seconds()).as("two periods of six").isCloseTo(20, within(1.1));
        assertThat(Objects.requireNonNull(result.saturation()).producers()).isEqualTo(4);
        assertThat(result.findings())
                .contains(Finding.stepsEnded(6, 1, breach(result).text()));
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        assertThat(recorded.loadSteps).containsExactly("2 clean", "4 clean", "6 endToEndLatency99pct");
    }

    @Test
    void errorsEndIt() {
        time.at(inStep(1, 12), () -> worker.refuse(600));
        RunResult result = run("abortWhen: {publishErrorRatio: 0.01}");
        assertThat(producers(result)).containsExactly(2, 4);
        assertThat(breach(result).rule()).isEqualTo("publishErrorRatio");
        assertThat(Objects.requireNonNull(result.saturation()).producers()).isEqualTo(2);
        assertThat(result.verdict())
                .as("errors were to end it: %s", result.findings())
                .isEqualTo(Verdict.OK);
    }

    @Test
    void fewErrorsDoNotEndIt() {
        time.at(inStep(1, 12), () -> worker.refuse(100));
        RunResult result = run("abortWhen: {publishErrorRatio: 0.01}");
        assertThat(producers(result)).containsExactly(2, 4, 6, 8);
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
    }

    @Test
    void consumersThatFallBehindEndIt() {
        time.at(inStep(2, 1), () -> worker.setDelivery(0, 400));
        time.at(inStep(2, 40), () -> worker.setDelivery(0, 1e9));
        RunResult result = run("abortWhen: {consumeToPublishRatio: 0.5}");
        assertThat(producers(result)).containsExactly(2, 4, 6);
        assertThat(breach(result).rule()).isEqualTo("consumeToPublishRatio");
        assertThat(breach(result).text()).isEqualTo("consumeToPublishRatio was 0.427, less than 0.500");
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
    }

    @Test
    void aThroughputThatDropsEndsIt() {
        worker.setCapacity(10_000);
        time.at(inStep(3, 1), () -> worker.setCapacity(7_000));
        RunResult result = run("producerRate: unlimited", "abortWhen: {throughputDrop: 0.2}");
        assertThat(producers(result)).containsExactly(2, 4, 6, 8);
        assertThat(breach(result).rule()).isEqualTo("throughputDrop");
        assertThat(Objects.requireNonNull(result.saturation()).producers()).isEqualTo(6);
        assertThat(Objects.requireNonNull(result.saturation()).seen().publishRate())
                .isCloseTo(10_000, within(100.0));
    }

    @Test
    void theFirstPeriodOfAStepAloneDoesNotEndIt() {
        time.at(inStep(1, 1), () -> worker.setDelivery(0, 100));
        time.at(inStep(1, 9), () -> worker.setDelivery(0, 1e9));
        RunResult result = run("abortWhen: {consumeToPublishRatio: 0.5}");
        assertThat(producers(result)).containsExactly(2, 4, 6, 8);
    }

    @Test
    void aStepOfOnePeriodIsJudgedAtItsEnd() {
        time.at(Duration.ofSeconds(21), () -> worker.setEndToEndMs(rate -> 50));
        RunResult result =
                run("producerSteps: {from: 2, to: 8, by: 2, every: 10s}", "abortWhen: {endToEndLatencyMax: 20ms}");
        assertThat(producers(result)).containsExactly(2, 4);
        assertThat(breach(result).rule()).isEqualTo("endToEndLatencyMax");
    }

    @Test
    void aFirstStepThatIsNotCleanLeavesNoSaturation() {
        worker.setEndToEndMs(rate -> 50);
        RunResult result = run("abortWhen: {endToEndLatency50pct: 20ms}");
        assertThat(producers(result)).containsExactly(2);
        assertThat(result.saturation()).isNull();
    }

    @Test
    void aStepThatIsStoppedDoesNotCount() {
        time.at(inStep(1, 30), stop::request);
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(producers(result)).containsExactly(2);
    }

    @Test
    void clientsThatCannotJoinEndTheRunAndKeepTheStepsBefore() {
        time.at(inStep(0, 30), () -> worker.failIn("prepare", new DriverException("too many connections")));
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.failure()).isEqualTo("too many connections");
        assertThat(producers(result)).containsExactly(2);
    }
}
