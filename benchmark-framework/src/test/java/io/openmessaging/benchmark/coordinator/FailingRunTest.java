package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerLostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that an error or the user ends, in virtual time. */
class FailingRunTest {

    private final VirtualTime time = new VirtualTime();
    private final ModelWorker worker = new ModelWorker(time);
    private final StopSignal stop = new StopSignal();
    private final RecordingRunListener recorded = new RecordingRunListener();
    private final AtomicReference<Optional<String>> brokerFailure = new AtomicReference<>(Optional.empty());

    @AfterEach
    void noInterruptIsLeftBehind() {
        assertThat(Thread.interrupted()).isFalse();
    }

    private RunResult run(String... workload) {
        RunRequest request =
                Requests.request(RunTimeouts.standard(), () -> Objects.requireNonNull(brokerFailure.get()), workload);
        return Requests.run(request, worker, stop, recorded, time);
    }

    private static void assertFailed(RunResult result, String sentence) {
        assertThat(result.failure()).isEqualTo(sentence);
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.phases()).isNotEmpty();
    }

    @Test
    void whoCannotConnectHasNothingToCleanUp() {
        worker.failIn("connect", new DriverException("localhost:9092 does not answer"));
        RunResult result = run();
        assertFailed(result, "localhost:9092 does not answer");
        assertThat(worker.calls()).containsExactly("connect", "close", "disconnect");
        assertThat(result.broker()).isNull();
        assertThat(result.audit()).isNull();
        assertThat(result.measured()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"createTopics", "prepare"})
    void whatCannotBeCreatedIsTheDriversSentence(String method) {
        worker.failIn(method, new DriverException("no " + method + " today"));
        RunResult result = run();
        assertFailed(result, "no " + method + " today");
        // Clients close before topics are deleted: a client that requests its topic may create it again.
        assertThat(worker.calls()).endsWith(method, "finish", "deleteTopics", "close", "disconnect");
        assertThat(result.broker()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume"})
    void aFailureDuringTheLoadEndsItAndKeepsWhatWasMeasured(String method) {
        worker.failIn(method, new DriverException("no " + method + " today"));
        RunResult result = run("consumerBacklogSizeGB: 1", "messageSize: 65536");
        assertFailed(result, "no " + method + " today");
        assertThat(worker.calls()).endsWith(method, "stop", "finish", "deleteTopics", "close", "disconnect");
        assertThat(result.warmup()).hasSize(1);
        assertThat(result.audit()).isNotNull();
        assertThat(result.usage()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "finish"})
    void aFailureInTheEndIsAFailureButKeepsWhatWasMeasured(String method) {
        worker.failIn(method, new DriverException("no " + method + " today"));
        RunResult result = run();
        assertFailed(result, "no " + method + " today");
        assertThat(result.measured()).hasSize(6);
        assertThat(worker.calls()).endsWith("stop", "finish", "deleteTopics", "close", "disconnect");
    }

    @Test
    void aLoadThatDoesNotEndDoesNotKeepTheRestFromBeingCompared() {
        worker.failIn("stop", new DriverException("a send is still blocked"));
        RunResult result = run();
        assertThat(result.audit()).isNotNull();
        assertThat(recorded.phases).endsWith(RunPhase.DRAIN, RunPhase.AUDIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deleteTopics", "close"})
    void whatFailsWhileCleaningUpDoesNotSpoilTheResult(String method) {
        worker.failIn(method, new DriverException("no " + method + " today"));
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(worker.calls()).endsWith("deleteTopics", "close", "disconnect");
    }

    private static final Worker.Lost LOST = new Worker.Lost(2, "worker 3 (host)", 1, "its process was restarted", 0);

    @Test
    void aWorkerThatIsLostEndsTheLoadAndKeepsWhatWasMeasured() {
        time.at(Duration.ofSeconds(40), () -> {
            worker.loseNow(LOST);
            // This failure is at most a consequence of the loss.
            worker.failNow("the group has lost its leader");
        });
        RunResult result = run();
        assertThat(result.failure()).isNull();
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.findings())
                .first()
                .isEqualTo(Finding.workerLost("worker 3 (host) was lost: its process was restarted"));
        assertThat(result.measured()).hasSize(3);
        assertThat(result.audit()).isNotNull();
        assertThat(worker.calls()).endsWith("stop", "finish", "deleteTopics", "close", "disconnect");
    }

    /** Some of the messages on their way belong to the lost worker and never arrive. */
    @Test
    void aRunWithoutOneOfItsWorkersDoesNotWaitLongForMessagesOnTheirWay() {
        worker.setDelivery(0, 500);
        time.at(Duration.ofSeconds(40), () -> worker.loseNow(LOST));
        RunResult slow = run("warmupDuration: 0s");
        assertThat(VirtualRun.phase(slow, "drain").seconds()).isCloseTo(3, within(0.1));
        assertThat(Objects.requireNonNull(slow.audit()).lost()).isZero();
        assertThat(VirtualRun.kinds(slow)).contains("WorkerLost", "MessagesUndelivered");
    }

    @Test
    void messagesThatStayAwayAfterALossAreGivenUpAfterTwoSeconds() {
        worker.lose(0, 5);
        time.at(Duration.ofSeconds(40), () -> worker.loseNow(LOST));
        RunResult result = run();
        assertThat(VirtualRun.phase(result, "drain").seconds()).isCloseTo(2, within(0.1));
        assertThat(worker.calls())
                .as("no probes are sent")
                .endsWith("stop", "finish", "deleteTopics", "close", "disconnect");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "producerRate: 0"})
    void aWorkerThatIsLostBeforeAnythingWasMeasuredFailsTheRun(String search) {
        time.at(Duration.ofSeconds(5), () -> worker.loseNow(LOST));
        RunResult result = search.isEmpty() ? run() : run(search, "warmupDuration: 0s");
        assertFailed(result, "worker 3 (host) was lost: its process was restarted");
        assertThat(worker.calls()).endsWith("stop", "finish", "deleteTopics", "close", "disconnect");
    }

    @Test
    void aWorkerThatIsLostWhileClientsAreCreatedFailsTheRun() {
        worker.failIn("prepare", new WorkerLostException("worker 3 (host) was lost while clients were created"));
        assertFailed(run(), "worker 3 (host) was lost while clients were created");
    }

    @Test
    void aWorkerThatIsLostBetweenTwoLoadsLeavesWhatWasMeasured() {
        time.at(Duration.ofSeconds(55), () -> {
            worker.failIn("start", new WorkerLostException("worker 3 (host) was lost while the load was started"));
            worker.loseNow(LOST);
        });
        RunResult result = run(
                "testDuration:",
                "producerRate:",
                "messageSize: 5",
                "rateSweep: {from: 1000, to: 4000, factor: 2, each: 30s}");
        assertThat(result.failure()).isNull();
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.measured()).isNotEmpty();
    }

    @Test
    void theFirstErrorIsTheOneThatIsReported() {
        worker.failIn("prepare", new DriverException("the first"));
        worker.failIn("finish", new DriverException("the second"));
        worker.failIn("deleteTopics", new DriverException("the third"));
        worker.failIn("close", new DriverException("the fourth"));
        assertFailed(run(), "the first");
    }

    @Test
    void anUnexpectedErrorIsNamedAsThat() {
        worker.failIn("createTopics", new IllegalArgumentException("null"));
        assertFailed(run(), "unexpected error: java.lang.IllegalArgumentException: null");
        assertThat(worker.calls()).endsWith("finish", "deleteTopics", "close", "disconnect");
    }

    @Test
    void aClientWhoseClassesAreIncompleteEndsTheRunInGoodOrder() {
        worker.failIn("prepare", new NoClassDefFoundError("com/example/Compressor"));
        RunResult result = run();
        assertFailed(result, "unexpected error: java.lang.NoClassDefFoundError: com/example/Compressor");
        assertThat(worker.calls()).endsWith("finish", "deleteTopics", "close", "disconnect");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "finish", "deleteTopics", "close"})
    void notEvenAnErrorOfTheVirtualMachineKeepsTheResultBack(String method) {
        worker.failIn(method, new NoSuchMethodError("Client.flush"));
        RunResult result = run();
        assertThat(result.measured()).hasSize(6);
        assertThat(worker.calls()).endsWith("stop", "finish", "deleteTopics", "close", "disconnect");
    }

    @Test
    void partitionsThatDoNotDeliverAreNamedWhenTheTimeIsUp() {
        worker.setSilentProbeRounds(Integer.MAX_VALUE);
        RunResult result = run("topics: 2", "partitionsPerTopic: 3", "subscriptionsPerTopic: 2");
        assertFailed(
                result,
                "not ready: waited 60 s for a message from every partition to every subscription, 12 of 12 are"
                        + " missing, the first is topic test-topic-run1-00000, partition 0 to subscription sub-000");
        assertThat(time.passed()).isCloseTo(Duration.ofSeconds(60), Duration.ofSeconds(1));
        assertThat(worker.calls()).endsWith("probe", "finish", "deleteTopics", "close", "disconnect");
    }

    @Test
    void whyAProbeCouldNotBeSentIsPartOfTheSentence() {
        worker.setSilentProbeRounds(Integer.MAX_VALUE);
        worker.failProbes("no leader");
        assertThat(run().failure()).endsWith("sub-000; the last probe failed: no leader");
    }

    @Test
    void anErrorOfTheClientEndsTheRunAtOnce() {
        time.at(Duration.ofSeconds(25), () -> worker.failNow("the session has expired"));
        RunResult result = run("warmupDuration: 10s", "testDuration: 1h");

        assertFailed(result, "the client cannot continue: the session has expired");
        assertThat(time.passed()).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(27));
        assertThat(Objects.requireNonNull(result.total()).seconds()).isCloseTo(15, within(1.0));
        assertThat(result.audit()).isNotNull();
        assertThat(worker.calls()).endsWith("stop", "finish", "deleteTopics", "close", "disconnect");
    }

    @Test
    void anErrorWhileTheClientsAreCreatedIsNotedBeforeTheLoad() {
        worker.setSilentProbeRounds(Integer.MAX_VALUE);
        worker.failNow("fenced");
        assertFailed(run(), "the client cannot continue: fenced");
        assertThat(time.passed()).isLessThan(Duration.ofSeconds(1));
        assertThat(worker.loads()).isEmpty();
    }

    @Test
    void anErrorInTheDrainStillComparesWhatHasArrived() {
        recorded.onPhase(RunPhase.DRAIN, () -> worker.failNow("gone"));
        RunResult result = run();
        assertFailed(result, "the client cannot continue: gone");
        assertThat(result.audit()).isNotNull();
        assertThat(result.measured()).hasSize(6);
    }

    @Test
    void aBrokerThatDiesEndsTheRunWithItsOwnSentence() {
        time.at(Duration.ofSeconds(20), () -> brokerFailure.set(Optional.of("kafka-1 has ended: disk full")));
        RunResult result = run("testDuration: 1h");
        assertFailed(result, "kafka-1 has ended: disk full");
        assertThat(result.measured()).isNotEmpty();
    }

    @Test
    void anErrorOfTheClientIsNoCauseIfTheBrokerIsDead() {
        worker.failIn("finish", new DriverException("timeout"));
        recorded.onPhase(RunPhase.AUDIT, () -> brokerFailure.set(Optional.of("kafka-1 has ended: disk full")));
        assertFailed(run(), "kafka-1 has ended: disk full");
    }

    @Test
    void nothingIsTriedWithABrokerThatIsDeadAlready() {
        brokerFailure.set(Optional.of("kafka-1 has ended: disk full"));
        assertFailed(run(), "kafka-1 has ended: disk full");
        assertThat(worker.calls()).containsExactly("close", "disconnect");
    }

    @Test
    void whoWantsToStopBeforeAnythingHasBegunIsObeyed() {
        stop.request();
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(worker.calls()).containsExactly("close", "disconnect");
    }

    @Test
    void stoppingWhileItGetsReadyTakesEverythingBack() {
        worker.setSilentProbeRounds(Integer.MAX_VALUE);
        time.at(Duration.ofSeconds(5), stop::request);
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.failure()).isNull();
        assertThat(time.passed()).isEqualTo(Duration.ofSeconds(5));
        assertThat(worker.loads()).isEmpty();
        assertThat(worker.calls()).endsWith("finish", "deleteTopics", "close", "disconnect");
    }

    @ParameterizedTest
    @CsvSource({"4, 1, 0", "14, 1, 1", "33.5, 1, 2", "39, 1, 3"})
    void stoppingKeepsWhatWasMeasuredUntilThen(double afterSeconds, int warmUpPeriods, int measuredPeriods) {
        time.at(Duration.ofMillis((long) (afterSeconds * 1000)), stop::request);
        RunResult result = run("warmupDuration: 10s", "testDuration: 1h");

        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.warmup()).hasSize(warmUpPeriods);
        assertThat(result.measured()).hasSize(measuredPeriods);
        double measuredSeconds = result.measured().stream()
                .mapToDouble(period -> period.seconds())
                .sum();
        assertThat(measuredSeconds).isCloseTo(Math.max(0, afterSeconds - 10), within(0.01));
        assertThat(result.audit()).isNotNull();
        assertThat(result.findings()).isEmpty();
        assertThat(worker.calls()).endsWith("stop", "finish", "deleteTopics", "close", "disconnect");
        assertThat(time.passed().toMillis()).as("soon").isLessThan((long) (afterSeconds * 1000) + 500);
    }

    @Test
    void whoStopsDoesNotWaitLongForLostMessages() {
        worker.lose(0, 1);
        time.at(Duration.ofSeconds(20), stop::request);
        RunResult result = run("testDuration: 1h");
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(time.passed()).isBetween(Duration.ofSeconds(22), Duration.ofSeconds(23));
        assertThat(result.findings().stream().map(Finding::kind)).isEqualTo(List.of("MessagesLost"));
    }

    @Test
    void whoStopsWhileMessagesStillArriveIsObeyedSoon() {
        // The run sends 20,000 messages, of which 10 arrive per second: the drain would take half an hour.
        worker.setDelivery(0, 10);
        recorded.onPhase(RunPhase.DRAIN, () -> time.at(time.passed().plusSeconds(7), stop::request));
        RunResult result = run("warmupDuration: 0s", "testDuration: 20s");

        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(time.passed()).isBetween(Duration.ofSeconds(27), Duration.ofMillis(32_500));
        AuditReport audit = Objects.requireNonNull(result.audit());
        assertThat(audit.lost()).isZero();
        assertThat(audit.undelivered()).isPositive();
        assertThat(recorded.waits.toString()).contains("still on the way; the run waits 5 s more at most");
    }

    @Test
    void whoStopsWhileProbesTellLostFromLateIsObeyedAtOnce() {
        worker.setDelivery(0, 0);
        recorded.onPhase(RunPhase.DRAIN, () -> time.at(time.passed().plusSeconds(14), stop::request));
        RunResult result = run("warmupDuration: 0s", "testDuration: 20s");

        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(time.passed()).isBetween(Duration.ofSeconds(34), Duration.ofSeconds(35));
    }

    @Test
    void aSystemThatRefusesEverythingFailsTheRunWithTheReason() {
        worker.setCapacity(0);
        for (int second = 1; second < 100; second++) {
            time.at(Duration.ofSeconds(second), () -> worker.refuse(5));
        }
        RunResult result = run("warmupDuration: 1s", "testDuration: 30m");

        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.failure()).startsWith("every message was refused for").endsWith("send: refused");
        assertThat(time.passed()).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void whoStopsDoesNotKnowWhetherWhatIsMissingIsLost() {
        worker.setDelivery(0, 0);
        time.at(Duration.ofSeconds(20), stop::request);
        RunResult result = run("warmupDuration: 0s", "testDuration: 1h");
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        AuditReport audit = Objects.requireNonNull(result.audit());
        assertThat(audit.lost()).isZero();
        assertThat(audit.undelivered()).isEqualTo(audit.sent());
    }

    @Test
    void stoppingANumberOfMessagesIsNoFinding() {
        time.at(Duration.ofSeconds(13), stop::request);
        RunResult result = run("messageCount: 1000000", "testDuration:");
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.findings()).isEmpty();
    }

    @Test
    void stoppingBeforeANumberOfMessagesIsSentMeasuresNothing() {
        time.at(Duration.ofSeconds(10), stop::request);
        worker.setDelivery(0, 990);
        RunResult result = run("messageCount: 1000", "testDuration:");
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.measured()).isEmpty();
    }
}
