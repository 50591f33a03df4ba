package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.OmbFieldList;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.LocalWorker;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs with the worker of this process and a driver that delivers at once. Tests that are not about time send a number
 * of messages as fast as they can and end by events.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class LocalRunTest {

    /** Limits of a run that waits during its load until no more messages arrive. */
    private static final RunTimeouts HASTY = WaitedTime.timeouts(Duration.ofSeconds(5));

    private static final RunTimeouts PATIENT = WaitedTime.timeouts(Duration.ofSeconds(30));

    private final FakeSystem system = new FakeSystem();
    private final StopSignal stop = new StopSignal();
    private final RecordingRunListener recorded = new RecordingRunListener();
    private RunListener listener = recorded;
    private final ClassLoader contextBefore = Thread.currentThread().getContextClassLoader();

    @BeforeEach
    @AfterEach
    void noInterruptIsLeftBehind() {
        assertThat(Thread.interrupted()).isFalse();
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(contextBefore);
    }

    private RunResult run(String... workload) {
        return run(PATIENT, workload);
    }

    private RunResult run(RunTimeouts timeouts, String... workload) {
        List<String> lines = new ArrayList<>(
                List.of("producerRate: unlimited", "messageCount: 500", "testDuration:", "warmupDuration: 0s"));
        lines.addAll(Arrays.asList(workload));
        EpochClock clock = new EpochClock();
        RunRequest request = Requests.request(timeouts, lines.toArray(new String[0]));
        return Requests.run(
                request, TestDrivers.worker(system, clock), TestDrivers.control(system), stop, listener, clock);
    }

    /** Lets a phase end only after this many messages were sent, however late the machine starts to send. */
    private void endPhaseOnceSent(RunPhase phase, long messages) {
        listener = state -> {
            if (state.phase() == phase && state.left().isPresent()) {
                Patience.until("messages", () -> system.sent() >= messages);
            }
        };
    }

    private static PeriodSnapshot total(RunResult result) {
        return Objects.requireNonNull(result.total());
    }

    private static AuditReport audit(RunResult result) {
        return Objects.requireNonNull(result.audit());
    }

    /** The findings that do not depend on the machine: these runs share their process with others. */
    static List<Finding> findings(RunResult result) {
        return result.findings().stream()
                .filter(finding -> !finding.kind().startsWith("Harness"))
                .toList();
    }

    private static Verdict verdict(RunResult result) {
        return result.verdict() == Verdict.INVALID ? Verdict.of(findings(result)) : result.verdict();
    }

    static List<String> kinds(RunResult result) {
        return findings(result).stream().map(Finding::kind).toList();
    }

    private void assertNothingIsLeft() {
        assertThat(system.topics()).isEmpty();
        assertThat(system.count(Call.DELETE_TOPICS)).isEqualTo(1);
        assertThat(system.count(Call.CONNECT)).isEqualTo(system.count(Call.CLOSE));
        assertThat(system.calls()).endsWith(Call.DELETE_TOPICS, Call.CLOSE, Call.CLOSE);
    }

    @ParameterizedTest
    @EnumSource(PayloadOwnership.class)
    void everyMessageIsSentConfirmedReceivedAndAudited(PayloadOwnership ownership) {
        system.setOwnership(ownership);
        RunResult result = run(
                "topics: 2",
                "partitionsPerTopic: 3",
                "producersPerTopic: 2",
                "subscriptionsPerTopic: 2",
                "consumerPerSubscription: 2",
                "keyDistributor: RANDOM_NANO");

        assertThat(findings(result)).isEmpty();
        // The readiness check sent probes, and none of them is counted.
        assertThat(total(result).counts()).isEqualTo(new Totals(500, 500, 0, List.of(500L, 500L), 0));
        assertThat(audit(result).sent()).isEqualTo(500);
        assertThat(audit(result).subscriptions()).allMatch(s -> s.received() == 500 && s.lost() == 0);
        for (Latency latency : List.of(Latency.PUBLISH, Latency.SCHEDULED_PUBLISH, Latency.SEND_DELAY)) {
            assertThat(total(result).latency(latency).count()).isEqualTo(500);
        }
        for (Latency latency : List.of(Latency.END_TO_END, Latency.SCHEDULED_END_TO_END)) {
            assertThat(total(result).latency(latency).count()).isEqualTo(1000);
        }
        assertNothingIsLeft();
        assertThat(system.count(Call.CLOSE_PRODUCER)).isEqualTo(4);
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(8);
    }

    /** This holds however late the machine is. */
    @Test
    void aMessageThatWouldBeDueAtTheEndIsNotSent() {
        RunResult result = run("producerRate: 5", "messageCount:", "testDuration: 1s");
        assertThat(audit(result).sent()).isBetween(1L, 5L);
    }

    @Test
    void theWarmUpIsSentButNotMeasured() {
        endPhaseOnceSent(RunPhase.WARM_UP, 1);
        RunResult result = run("producerRate: 1000", "warmupDuration: 1s", "messageCount: 100");
        assertThat(total(result).counts().sent()).isEqualTo(100);
        assertThat(total(result).counts().received()).containsExactly(100L);
        assertThat(result.warmup()).isNotEmpty();
        assertThat(audit(result).sent()).isGreaterThan(100).isEqualTo(system.sent());
        assertThat(audit(result).lost()).isZero();
        assertThat(audit(result).duplicated()).isZero();
    }

    @Test
    void aScheduleIsNeverAheadOfItsTime() {
        endPhaseOnceSent(RunPhase.MEASURE, 1);
        RunResult result = run("producerRate: 2000", "messageCount:", "testDuration: 1s");
        PeriodSnapshot total = total(result);
        assertThat((double) total.counts().sent()).isBetween(1.0, 2000 * total.seconds() + 2);
        assertThat(total.latency(Latency.SEND_DELAY).negativeCount()).isZero();
        assertThat(audit(result).lost()).isZero();
    }

    @Test
    void aStallAtTheEndIsInTheLatenciesFromTheIntendedSend() {
        // In the second half of its 0.5 s, the client accepts nothing until the load receives the order to stop.
        endPhaseOnceSent(RunPhase.MEASURE, 501);
        Thread run = Thread.currentThread();
        AtomicBoolean ends = new AtomicBoolean();
        system.onSend(number -> {
            if (number == 500) {
                Patience.until(
                        "the load has been told to end",
                        () -> ends.get() && run.getState() == Thread.State.TIMED_WAITING);
            }
        });
        EpochClock clock = new EpochClock();
        RunRequest request =
                Requests.request(PATIENT, "producerRate: 2000", "testDuration: 2500ms", "warmupDuration: 0s");
        Worker worker =
                WatchedWorker.before(new LocalWorker(TestDrivers.drivers(system), clock), "stop", () -> ends.set(true));
        RunResult result = Requests.run(request, worker, TestDrivers.control(system), stop, listener, clock);

        RunResult.Censored censored =
                Objects.requireNonNull(result.course().tail()).censored();
        PeriodSnapshot total = total(result);
        long due = system.sent() + censored.unsent();
        // Sent and unsent messages make up the whole schedule; a busy machine may start and end it late by any amount.
        double runS = (result.endNs() - result.beginNs()) / 1e9;
        assertThat((double) due).isBetween(900.0, 2_000 * runS);
        // The first unsent message was due 0.25 s before the end.
        assertThat(censored.longestWaitNs()).isGreaterThan(200_000_000L);
        // It is answered after the measurement, so it is in these latencies but in no others.
        assertThat(total.latency(Latency.SCHEDULED_PUBLISH).count()).isEqualTo(due);
        assertThat(total.latency(Latency.SCHEDULED_END_TO_END).count()).isEqualTo(due);
        assertThat(total.latency(Latency.SCHEDULED_PUBLISH).summary().atNs(95)).isGreaterThan(100_000_000L);
        assertThat(total.latency(Latency.PUBLISH).count()).isEqualTo(500);
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
    }

    @Test
    void tenBytesAreTimedAndAudited() {
        RunResult result = run("messageSize: 10", "producersPerTopic: 3");
        assertThat(verdict(result)).isEqualTo(Verdict.OK);
        assertThat(kinds(result)).containsExactly("SmallMessages");
        assertThat(total(result).latency(Latency.END_TO_END).count()).isEqualTo(500);
        assertThat(total(result).latency(Latency.SCHEDULED_END_TO_END).count()).isZero();
        assertThat(audit(result).subscriptions().get(0).received()).isEqualTo(500);
        assertThat(audit(result).lost()).isZero();
    }

    @Test
    void nineBytesOfWhichAsManyAreLostAsComeTwiceAreAudited() {
        system.deliver(copy -> copy.isProbe() ? 1 : copy.number() % 20 == 7 ? 0 : copy.number() % 20 == 8 ? 2 : 1);
        RunResult result = run(HASTY, "messageSize: 9");
        assertThat(verdict(result)).isEqualTo(Verdict.INVALID);
        assertThat(audit(result).lost()).isEqualTo(25);
        assertThat(audit(result).duplicated()).isEqualTo(25);
        assertThat(kinds(result)).containsExactly("MessagesLost", "MessagesDuplicated", "SmallMessages");
    }

    @Test
    void fourBytesAreCounted() {
        RunResult result = run("messageSize: 4");
        assertThat(verdict(result)).isEqualTo(Verdict.OK);
        assertThat(total(result).counts()).isEqualTo(new Totals(500, 500, 0, List.of(500L), 0));
        assertThat(total(result).latency(Latency.END_TO_END).count()).isZero();
        assertThat(result.audit()).isNull();
    }

    @Test
    void withoutConsumersMessagesAreOnlySent() {
        RunResult result = run("subscriptionsPerTopic: 0");
        assertThat(verdict(result)).isEqualTo(Verdict.OK);
        assertThat(system.calls()).doesNotContain(Call.CREATE_CONSUMERS);
        assertThat(total(result).counts()).isEqualTo(new Totals(500, 500, 0, List.of(), 0));
        assertThat(audit(result).subscriptions()).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    void aBacklogIsBuiltAndDrained() {
        // 16,384 messages, each counted as 64 KiB.
        RunResult result = run(
                "producerRate: 100000",
                "messageCount:",
                "testDuration: 1s",
                "consumerBacklogSizeGB: 1",
                "messageSize: 65536",
                "subscriptionsPerTopic: 2");
        assertThat(result.failure()).isNull();
        assertThat(recorded.phases)
                .containsSubsequence(RunPhase.BACKLOG_BUILD, RunPhase.BACKLOG_DRAIN, RunPhase.MEASURE, RunPhase.DRAIN);
        assertThat(system.count(Call.PAUSE)).isEqualTo(2);
        assertThat(system.count(Call.RESUME)).isEqualTo(2);
        assertThat(audit(result).lost()).isZero();
        assertThat(kinds(result)).doesNotContain("ConsumersBehind", "BacklogNotDrained");
        assertNothingIsLeft();
    }

    @Test
    void readinessTakesAsManyRoundsAsItTakes() {
        AtomicInteger probes = new AtomicInteger();
        system.deliver(copy -> copy.isProbe() && probes.incrementAndGet() <= 5 ? 0 : 1);
        RunResult result = run("subscriptionsPerTopic: 3");

        assertThat(verdict(result)).isEqualTo(Verdict.OK);
        assertThat(probes.get()).isGreaterThan(5);
        assertThat(total(result).counts().received()).containsExactly(500L, 500L, 500L);
    }

    @Test
    void aPartitionThatNeverDeliversIsNamed() {
        system.deliver(copy -> copy.partition() == 2 && copy.subscription().equals("sub-001") ? 0 : 1);
        RunResult result = run("partitionsPerTopic: 4", "subscriptionsPerTopic: 2");

        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.failure())
                .isEqualTo("not ready: waited 30 s for a message from every partition to every subscription, 1 of 8 are"
                        + " missing, the first is topic test-topic-run1-00000, partition 2 to subscription sub-001");
        assertThat(system.sent()).as("no load").isZero();
        assertNothingIsLeft();
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"DESCRIBE", "CREATE_TOPICS", "CREATE_CONSUMERS", "CREATE_PRODUCERS"})
    void aCallThatFailsWhileProvisioningIsTheCause(Call call) {
        system.on(call, () -> {
            throw new DriverException("the system refuses " + call);
        });
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.failure()).isEqualTo("the system refuses " + call);
        assertThat(system.topics()).isEmpty();
        assertThat(system.count(Call.CLOSE)).isEqualTo(system.count(Call.CONNECT));
    }

    @Test
    void whoCannotConnectHasNoConnectionToClose() {
        system.on(Call.CONNECT, () -> {
            throw new DriverException("localhost:1 does not answer");
        });
        RunResult result = run();
        assertThat(result.failure()).isEqualTo("localhost:1 does not answer");
        assertThat(system.calls()).containsExactly(Call.CONNECT);
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"CLOSE_PRODUCER", "CLOSE_CONSUMER"})
    void clientsThatCannotBeClosedFailTheRunButNothingIsLeft(Call call) {
        system.on(call, () -> {
            throw new DriverException("the system refuses " + call);
        });
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.failure()).isEqualTo("the system refuses " + call);
        assertThat(total(result).counts().acknowledged()).isEqualTo(500);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"DELETE_TOPICS", "CLOSE"})
    void cleaningUpThatFailsDoesNotSpoilTheResult(Call call) {
        system.on(call, () -> {
            throw new DriverException("the system refuses " + call);
        });
        assertThat(verdict(run())).isEqualTo(Verdict.OK);
        assertThat(system.calls()).endsWith(Call.DELETE_TOPICS, Call.CLOSE, Call.CLOSE);
    }

    @Test
    void messagesThatGetLostAreNamed() {
        system.deliver(copy -> copy.number() >= 100 && copy.number() < 103 ? 0 : 1);
        RunResult result = run(HASTY);
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(findings(result))
                .containsExactly(Finding.messagesLost("0", 3, 500, List.of("producer 0: 100..102")));
    }

    @ParameterizedTest
    @EnumSource
    void damagedMessagesAreFoundWhereTheyAreLookedFor(PayloadOwnership ownership) {
        system.setOwnership(ownership);
        // The numbers continue through both runs, of 500 messages each.
        system.damage(copy -> copy.number() % 500 >= 100 && copy.number() % 500 < 103);
        assertThat(findings(run())).isEmpty();
        RunResult result = run("verifyPayloads: true", "inFlightLimit: 10");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(findings(result)).containsExactly(Finding.messagesDamaged("0", 3));
        assertThat(audit(result).damaged()).isEqualTo(3);
        assertThat(audit(result).lost()).isZero();
        assertThat(total(result).latency(Latency.END_TO_END).count()).isEqualTo(500);
    }

    @Test
    void duplicatesAreNotedAndWaitedFor() {
        system.deliver(copy -> copy.number() == 8 ? 2 : 1);
        RunResult result = run();
        assertThat(findings(result)).containsExactly(Finding.messagesDuplicated("0", 1));
        assertThat(audit(result).subscriptions().get(0).received()).isEqualTo(501);
    }

    @Test
    void refusedMessagesAreNotLost() {
        system.refuse(number -> number % 100 == 0);
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(kinds(result)).containsExactly("SendErrors", "Errors");
        assertThat(audit(result).failed()).isEqualTo(5);
        assertThat(audit(result).lost()).isZero();
    }

    @Test
    void errorsThatTheClientSurvivesAreFindings() {
        system.onSend(number -> {
            if (number == 100) {
                system.events().clientError("consumer poll", new IOException("timeout"));
            }
        });
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(kinds(result)).containsExactly("Errors");
        assertThat(findings(result).get(0).text()).contains("consumer poll");
        assertThat(result.errors()).hasSize(1);
    }

    @Test
    void anErrorThatTheClientDoesNotSurviveEndsTheRunAtOnce() {
        system.onSend(number -> {
            if (number == 100) {
                system.events().fatal(new IOException("the producer is fenced"));
            }
        });
        RunResult result = run("producerRate: 1000", "messageCount:", "testDuration: 1h");
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.failure()).isEqualTo("the client cannot continue: the producer is fenced");
        assertThat(total(result).counts().sent()).isGreaterThanOrEqualTo(100);
        assertThat(audit(result).lost()).isZero();
        assertNothingIsLeft();
    }

    @Test
    void aSendThatThrowsEndsTheRunAtOnce() {
        system.onSend(number -> {
            if (number == 100) {
                throw new IllegalStateException("the client is closed");
            }
        });
        RunResult result = run("messageCount: 1000000");
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.failure()).isEqualTo("the client cannot continue: the client is closed");
        assertNothingIsLeft();
    }

    @Test
    void aSendThatBlocksForEverIsInterrupted() {
        system.onSend(number -> {
            if (number == 100) {
                new CountDownLatch(1).await();
            }
        });
        RunResult result = run(HASTY);
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(kinds(result)).contains("MessageCountMissed", "SendErrors");
        assertThat(audit(result).sent()).isEqualTo(101);
        assertThat(audit(result).failed()).isEqualTo(1);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"CONNECT", "DESCRIBE", "CREATE_TOPICS", "CREATE_CONSUMERS", "CREATE_PRODUCERS"})
    void aCallThatBlocksIsInterruptedWhenTheUserWantsToStop(Call call) {
        system.on(call, () -> {
            stop.request();
            new CountDownLatch(1).await();
        });
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.failure()).isNull();
        assertThat(result.measured()).isEmpty();
        assertThat(system.topics()).isEmpty();
        assertThat(system.count(Call.CLOSE)).isEqualTo(call == Call.CONNECT ? 0 : system.count(Call.CONNECT));
    }

    @Test
    void stoppingEndsTheWaitForReadiness() {
        system.deliver(copy -> 0);
        system.onSend(number -> stop.request());
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(system.sent()).isZero();
        assertNothingIsLeft();
    }

    @Test
    void stoppingEndsTheWarmUp() {
        stopAtMessage(100);
        RunResult result = run("warmupDuration: 1h");
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.warmup()).isNotEmpty();
        assertThat(result.measured()).isEmpty();
        assertThat(audit(result).sent()).isGreaterThan(100);
        assertThat(audit(result).lost()).isZero();
        assertNothingIsLeft();
    }

    @Test
    void stoppingEndsTheMeasurementAndKeepsIt() {
        stopAtMessage(100);
        RunResult result = run("messageCount:", "producerRate: 1000", "testDuration: 1h");
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(total(result).counts().sent()).isGreaterThanOrEqualTo(100);
        assertThat(audit(result).lost()).isZero();
        assertNothingIsLeft();
    }

    private void stopAtMessage(long wanted) {
        system.onSend(number -> {
            if (number == wanted) {
                stop.request();
            }
        });
    }

    @Test
    void aSecondRunOfTheSameDriverStartsFromNothing() {
        assertThat(verdict(run())).isEqualTo(Verdict.OK);
        RunResult second = run();
        assertThat(verdict(second)).isEqualTo(Verdict.OK);
        assertThat(audit(second).sent()).isEqualTo(500);
        assertThat(system.topics()).isEmpty();
    }

    @Test
    void aRealResultHasEveryFieldOfOmb() throws IOException {
        RunResult result = run("subscriptionsPerTopic: 2", "warmupDuration: 1s");
        assertThat(total(result).latency(Latency.PUBLISH).count()).isPositive();
        OmbFieldList.assertHasAll(result);
    }

    @Test
    void theTimeOfANumberOfMessagesIsKept() {
        RunResult result = run("producerRate: 2000");
        RunResult.Transfer transfer = Objects.requireNonNull(result.course().transfer());
        double receiveSeconds = Objects.requireNonNull(transfer.receiveSeconds());
        // The last of 500 messages is due 250 ms after the first; how late each of them is depends on the machine.
        assertThat(transfer.sendSeconds()).isPositive().isLessThan(total(result).seconds());
        assertThat(receiveSeconds)
                .isBetween(transfer.sendSeconds(), total(result).seconds());
    }

    @Test
    void producersAndThenTheirMessagesBecomeMore() {
        RunResult result = run(
                "messageCount:",
                "producersPerTopic:",
                "producerRate: 2000",
                "samplePeriod: 500ms",
                "producerSteps: {from: 1, to: 3, every: 1s}");
        assertThat(result.failure()).isNull();
        assertThat(result.course().steps())
                .extracting(RunResult.LoadStep::producers)
                .containsExactly(1, 2, 3);
        assertThat(audit(result).producers()).isEqualTo(3);
        assertThat(audit(result).lost()).isZero();
        assertThat(audit(result).sent()).isEqualTo(system.sent());
        assertThat(system.count(Call.CREATE_PRODUCERS)).isEqualTo(3);
        assertThat(system.count(Call.CLOSE_PRODUCER)).isEqualTo(3);
        assertNothingIsLeft();
    }

    @Test
    void consumersJoinWithoutALossForTheAudit() {
        RunResult result = run(
                "messageCount:",
                "subscriptionsPerTopic: 2",
                "partitionsPerTopic: 2",
                "consumerPerSubscription:",
                "producerRate: 2000",
                "samplePeriod: 500ms",
                "consumerSteps: {from: 1, to: 2, every: 1s}");
        assertThat(result.failure()).isNull();
        assertThat(result.course().steps())
                .extracting(RunResult.LoadStep::consumers)
                .containsExactly(2, 4);
        assertThat(audit(result).lost()).isZero();
        assertThat(audit(result).duplicated()).isZero();
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(4);
        assertNothingIsLeft();
    }

    @Test
    void slowConsumersAndAFewMessagesInFlightLoseNothing() {
        RunResult result = run(
                "messageCount: 100",
                "inFlightLimit: 1",
                "consumerDelay: 2ms",
                "keyDistributor: ZIPF",
                "producersPerTopic: 2");
        assertThat(findings(result)).isEmpty();
        assertThat(total(result).counts()).isEqualTo(new Totals(100, 100, 0, List.of(100L), 0));
        assertThat(audit(result).lost()).isZero();
    }

    @Test
    void independentArrivalsKeepTheirMeanRate() {
        RunResult result = run("arrivals: POISSON", "producerRate: 2000", "messageCount: 500");
        assertThat(result.failure()).isNull();
        assertThat(audit(result).lost()).isZero();
        RunResult.Transfer transfer = Objects.requireNonNull(result.course().transfer());
        // The mean is a quarter of a second, with a deviation of 4 %; a busy machine may start late and take longer.
        assertThat(transfer.sendSeconds()).isGreaterThan(0.1);
        assertThat(total(result).latency(Latency.SEND_DELAY).negativeCount()).isZero();
    }
}
