package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunPhase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Runs that build a backlog and drain it: 16,384 messages, which are 1 GiB in pieces of 64 KiB. */
class BacklogRunTest extends VirtualRun {

    BacklogRunTest() {
        super("consumerBacklogSizeGB: 1", "messageSize: 65536");
    }

    @Test
    void buildingAndDrainingArePhases() {
        worker.setDelivery(0, 5_000);
        RunResult result = run("testDuration: 20s");

        assertThat(result.findings()).isEmpty();
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(recorded.phases)
                .containsSubsequence(
                        RunPhase.WARM_UP, RunPhase.BACKLOG_BUILD, RunPhase.BACKLOG_DRAIN, RunPhase.MEASURE);
        // The build adds 1,000 msg/s. The drain removes 4,000 msg/s more than are sent, until 1,000 messages are left.
        assertThat(phase(result, "backlog-build").seconds()).isCloseTo(16.4, within(0.2));
        assertThat(phase(result, "backlog-drain").seconds()).isCloseTo(15.4 / 4, within(0.2));
        assertThat(phase(result, "measure").seconds()).isEqualTo(20);
        assertThat(worker.calls()).containsSubsequence("start", "pause", "resume", "stop", "finish");
    }

    @Test
    void consumersThatFallBehindAfterTheDrainMakeItInvalid() {
        worker.setDelivery(0, 5_000);
        time.at(Duration.ofSeconds(32), () -> worker.setDelivery(0, 970));
        RunResult result = run("testDuration: 60s");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(kinds(result)).containsExactly("ConsumersBehind");
    }

    @Test
    void allOfItIsMeasuredWithoutAGap() {
        worker.setDelivery(0, 5_000);
        RunResult result = run("testDuration: 20s");
        assertThat(result.measured().get(0).startNs())
                .isEqualTo(phase(result, "backlog-build").startNs());
        for (int i = 1; i < result.measured().size(); i++) {
            assertThat(result.measured().get(i).startNs())
                    .isEqualTo(result.measured().get(i - 1).endNs());
        }
    }

    @Test
    void theBacklogCountsEverySubscription() {
        RunResult result = run("subscriptionsPerTopic: 2");
        assertThat(phase(result, "backlog-build").seconds()).isCloseTo(8.2, within(0.2));
    }

    @Test
    void aPartOfTheBacklogIsEnoughIfTheWorkloadSaysSo() {
        worker.setDelivery(0, 2_000);
        RunResult result = run("backlogDrainRatio: 0.5");
        assertThat(phase(result, "backlog-drain").seconds()).isCloseTo(8.2, within(0.2));
    }

    @Test
    void aBacklogThatDoesNotGrowFailsTheRunWithASentence() {
        time.at(Duration.ofSeconds(15), () -> worker.setCapacity(0));
        RunResult result = run();

        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.failure()).matches("the backlog has not grown for 300 s and is at \\d+ of 16384 messages");
        assertThat(worker.calls()).containsSubsequence("pause", "resume", "deleteTopics", "close", "disconnect");
        assertThat(result.measured()).isNotEmpty();
    }

    @Test
    void aBacklogThatIsNotDrainedEndsTheRun() {
        worker.setDelivery(0, 900);
        RunResult result = run();

        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.findings().stream().map(Finding::kind)).contains("BacklogNotDrained");
        // The backlog grows all the time, which is no progress.
        assertThat(phase(result, "backlog-drain").seconds()).isCloseTo(300, within(1.0));
        assertThat(recorded.phases).doesNotContain(RunPhase.MEASURE);
    }

    @Test
    void aBacklogThatShrinksSlowlyIsGivenTheTimeItTakes() {
        worker.setDelivery(0, 1_010);
        RunResult result = run("testDuration: 10s");
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(phase(result, "backlog-drain").seconds()).isCloseTo(1538, within(5.0));
    }

    @Test
    void stoppingWhileItIsBuiltResumesTheConsumers() {
        time.at(Duration.ofSeconds(15), stop::request);
        RunResult result = run();

        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(worker.calls()).containsSubsequence("pause", "resume", "finish");
        assertThat(recorded.phases).doesNotContain(RunPhase.BACKLOG_DRAIN);
        assertThat(result.measured()).isNotEmpty();
        assertThat(result.findings()).isEmpty();
    }

    @Test
    void stoppingWhileItIsDrainedIsNoFindingButThatMessagesHadNotArrived() {
        worker.setDelivery(0, 1_500);
        time.at(Duration.ofSeconds(30), stop::request);
        RunResult result = run();

        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(recorded.phases).contains(RunPhase.BACKLOG_DRAIN).doesNotContain(RunPhase.MEASURE);
        assertThat(kinds(result)).containsExactly("MessagesUndelivered");
    }
}
