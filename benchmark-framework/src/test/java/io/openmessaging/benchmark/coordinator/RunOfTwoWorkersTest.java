package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.HdrLog;
import io.openmessaging.benchmark.result.file.HdrLogs;
import io.openmessaging.benchmark.run.FaultMeans;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import io.openmessaging.benchmark.worker.group.Group;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.group.TestMember;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of two workers whose clocks are twenty seconds apart. */
class RunOfTwoWorkersTest {

    private static final RunTimeouts TIMEOUTS = WaitedTime.timeouts(Duration.ofSeconds(30));

    /** Histograms keep three digits. */
    private static final double HISTOGRAM_PRECISION = 1.001;

    private final FakeSystem system = new FakeSystem();
    private final EpochClock clock = new EpochClock();
    private final AtomicLong sentUntilKill = new AtomicLong();
    private RunListener listener = RunListener.silent();
    private List<TestMember> members = TestMember.of(2, system, clock, UnaryOperator.identity());

    private static ClockReport exactly(TestMember member) {
        return new ClockReport(
                new ClockReport.Offsets(member.clock(), 0, 0, 0, 0),
                new ClockReport.Probes(0, Map.of(), 0, 0),
                List.of());
    }

    private RunResult run(Roles roles, String... workload) {
        return run(roles, false, RunOfTwoWorkersTest::exactly, workload);
    }

    private RunResult run(
            Roles roles, boolean keepsEach, Function<TestMember, ClockReport> clocks, String... workload) {
        List<String> lines = new ArrayList<>(List.of(
                "topics: 2", "producerRate: unlimited", "messageCount: 500", "testDuration:", "warmupDuration: 0s"));
        lines.addAll(Arrays.asList(workload));
        Group group = new Group(members, roles, keepsEach, clock, TestMember.TIMING, progress -> {});
        RunRequest request = Requests.request(TIMEOUTS, lines.toArray(new String[0]));
        return Requests.run(
                Requests.withClocks(
                        request,
                        (startNs, endNs) -> members.stream().map(clocks).toList()),
                group,
                TestDrivers.control(system),
                new StopSignal(),
                listener,
                clock);
    }

    private static double lengthNs(RunResult result) {
        return (double) result.endNs() - result.beginNs();
    }

    private static PeriodSnapshot total(RunResult result) {
        return Objects.requireNonNull(result.total());
    }

    private static AuditReport audit(RunResult result) {
        return Objects.requireNonNull(result.audit());
    }

    private void assertNothingIsLeft() {
        assertThat(system.count(Call.CONNECT)).as("workers and coordinator").isEqualTo(3);
        assertAllIsClosed();
    }

    private void assertAllIsClosed() {
        assertThat(system.topics()).isEmpty();
        assertThat(system.count(Call.CLOSE)).isEqualTo(system.count(Call.CONNECT));
    }

    @ParameterizedTest
    @EnumSource
    void everyMessageIsSentConfirmedReceivedAndAudited(Roles roles) {
        RunResult result =
                run(roles, "partitionsPerTopic: 3", "subscriptionsPerTopic: 2", "keyDistributor: RANDOM_NANO");
        assertThat(result.failure()).isNull();
        assertThat(total(result).counts()).isEqualTo(new Totals(500, 500, 0, List.of(500L, 500L), 0));
        assertThat(total(result).shares()).hasSize(2);
        assertThat(audit(result).sent()).isEqualTo(500);
        assertThat(audit(result).subscriptions()).allMatch(s -> s.received() == 500 && s.lost() == 0);
        assertThat(Objects.requireNonNull(result.course().transfer()).receiveSeconds())
                .as("by one clock, whoever sends and receives")
                .isBetween(0.0, lengthNs(result) / 1e9);
        assertThat(VirtualRun.kinds(result)).doesNotContain("NegativeLatencies");
        LatencySnapshot endToEnd = total(result).latency(Latency.END_TO_END);
        assertThat(endToEnd.count()).isEqualTo(1000);
        assertThat((double) endToEnd.summary().maxNs())
                .as("clocks are 20 s apart, and nothing takes longer than the run")
                .isLessThanOrEqualTo(lengthNs(result) * HISTOGRAM_PRECISION);
        assertNothingIsLeft();
        assertThat(system.count(Call.CLOSE_PRODUCER)).isEqualTo(2);
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(4);
    }

    /** This happens on a busy machine or over a slow network. */
    @Test
    void whatIsSentBeforeTheFirstPeriodCouldBeginIsMeasured() {
        CountDownLatch sent = new CountDownLatch(100);
        system.onSend(number -> sent.countDown());
        AtomicBoolean started = new AtomicBoolean();
        members = TestMember.of(2, system, clock, worker -> {
            Worker noting = WatchedWorker.before(worker, "start", () -> started.set(true));
            return WatchedWorker.before(noting, "period", () -> {
                if (started.get()) {
                    Patience.await("100 messages", sent);
                }
            });
        });
        RunResult result = run(Roles.MIXED, "subscriptionsPerTopic: 2");
        assertThat(result.failure()).isNull();
        assertThat(total(result).counts()).isEqualTo(new Totals(500, 500, 0, List.of(500L, 500L), 0));
        assertThat(total(result).latency(Latency.PUBLISH).count()).isEqualTo(500);
        RunResult.Transfer transfer = Objects.requireNonNull(result.course().transfer());
        assertThat(total(result).seconds()).as("all that was sent").isGreaterThanOrEqualTo(transfer.sendSeconds());
        assertThat(total(result).startNs())
                .as("from the begin of the load on, whenever workers were told of it")
                .isEqualTo(VirtualRun.phase(result, "measure").startNs());
        assertNothingIsLeft();
    }

    /** Neither worker takes more than its share: each sends half of the messages, and both need the whole time. */
    @Test
    void theRateIsThatOfBothTogether() {
        RunResult result = run(Roles.MIXED, "producerRate: 2000", "messageCount: 600", "warmupDuration: 500ms");
        assertThat(result.failure()).isNull();
        assertThat(total(result).shares())
                .extracting(share -> share.counts().sent())
                .containsExactly(300L, 300L);
        // The last of 300 messages is due 299 ms after the first, which may be late.
        double latestSeconds =
                total(result).latency(Latency.SEND_DELAY).summary().maxNs() / 1e9;
        assertThat(Objects.requireNonNull(result.course().transfer()).sendSeconds())
                .isGreaterThan(0.298 - latestSeconds * HISTOGRAM_PRECISION);
        assertThat(VirtualRun.kinds(result)).doesNotContain("MessagesLost");
    }

    private void awaitMoreMessages() {
        long before = system.sent();
        Patience.until("more messages", () -> system.sent() > before);
    }

    /** Runs two workers that both receive messages of both. */
    private RunResult runOfWorkerLogs(Function<TestMember, ClockReport> clocks) {
        // Some messages belong to the warm-up, and some arrive after the last period, however busy the machine is.
        listener = state -> {
            if (state.phase() == RunPhase.WARM_UP && state.left().isPresent()) {
                awaitMoreMessages();
            }
        };
        members = TestMember.of(2, system, clock, worker -> {
            AtomicBoolean stopped = new AtomicBoolean();
            return WatchedWorker.before(worker, "stop", () -> {
                if (stopped.compareAndSet(false, true)) {
                    awaitMoreMessages();
                }
            });
        });
        return run(
                Roles.MIXED,
                true,
                clocks,
                "topics: 1",
                "partitionsPerTopic: 2",
                "producersPerTopic: 2",
                "consumerPerSubscription: 2",
                "producerRate: 2000",
                "messageCount:",
                "testDuration: 1s",
                "samplePeriod: 300ms",
                "warmupDuration: 500ms");
    }

    private static void assertWorkersAddUpToAll(RunResult result) {
        List<Histogram> all = HdrLogs.intervals(HdrLog.render(result));
        List<Histogram> first = HdrLogs.intervals(HdrLog.render(result, 0));
        List<Histogram> second = HdrLogs.intervals(HdrLog.render(result, 1));
        assertThat(first).extracting(Histogram::getTag).isEqualTo(tags(all));
        assertThat(second).extracting(Histogram::getTag).isEqualTo(tags(all));
        for (int i = 0; i < all.size(); i++) {
            Histogram both = first.get(i).copy();
            both.add(second.get(i));
            assertThat(both).as(tags(all).get(i)).isEqualTo(all.get(i));
            assertThat(all.get(i).getStartTimeStamp())
                    .isEqualTo(Math.min(
                            first.get(i).getStartTimeStamp(), second.get(i).getStartTimeStamp()));
        }
    }

    private static List<String> tags(List<Histogram> log) {
        return log.stream().map(Histogram::getTag).toList();
    }

    private static long samples(RunResult result, int worker, String tag) {
        return HdrLogs.added(HdrLogs.intervals(HdrLog.render(result, worker)), tag);
    }

    @Test
    void theLogsOfWorkersAddUpToThatOfAll() {
        RunResult result = runOfWorkerLogs(RunOfTwoWorkersTest::exactly);
        assertThat(Objects.requireNonNull(result.course().tail()).censored())
                .satisfies(censored -> assertThat(censored.unanswered() + censored.undelivered())
                        .as("which would be in none of the workers' logs")
                        .isZero());
        assertWorkersAddUpToAll(result);
        assertThat(tags(HdrLogs.intervals(HdrLog.render(result, 0))))
                .contains("warmup-publish", "measure-sendDelay", "measure-endToEnd", "tail-scheduledPublish");
        assertThat(HdrLog.render(result, 1)).startsWith("#[Run run1, worker 2 (test) alone. Values are nanoseconds.");
        assertThat(samples(result, 0, "measure-publish")).isPositive();
        assertThat(samples(result, 1, "measure-publish")).isPositive();
    }

    @Test
    void whatClocksKeepOutOfTheLogIsInNoneOfTheWorkersLogs() {
        ClockReport.Probes none = new ClockReport.Probes(0, Map.of(), 0, 0);
        RunResult result = runOfWorkerLogs(member -> new ClockReport(null, none, List.of()));
        assertThat(VirtualRun.kinds(result)).contains("EndToEndWithheld");
        assertWorkersAddUpToAll(result);
        long stayed = result.measured().stream()
                .mapToLong(period -> period.control(Latency.END_TO_END).count())
                .sum();
        long arrived = result.measured().stream()
                .mapToLong(period -> period.counts().receivedByAll())
                .sum();
        assertThat(samples(result, 0, "measure-endToEnd") + samples(result, 1, "measure-endToEnd"))
                .isEqualTo(stayed)
                .isBetween(1L, arrived - 1);
    }

    @Test
    void producersBecomeMoreAtBothWorkers() {
        RunResult result = run(
                Roles.MIXED,
                "topics: 1",
                "producerRate: 2000",
                "messageCount:",
                "samplePeriod: 500ms",
                "producerSteps: {from: 1, to: 3, every: 1s}",
                "producersPerTopic:");
        assertThat(result.failure()).isNull();
        assertThat(result.course().steps()).hasSize(3);
        assertThat(audit(result).producers()).isEqualTo(3);
        assertThat(audit(result).lost()).isZero();
        assertNothingIsLeft();
    }

    @Test
    void anErrorIsThatOfTheWorkerThatHadIt() {
        system.on(Call.CREATE_PRODUCERS, () -> {
            throw new DriverException("no quota");
        });
        RunResult result = run(Roles.SPLIT);
        assertThat(result.failure()).isEqualTo("worker 1 (test): no quota");
        // The run may have cancelled the other worker before it connected.
        assertAllIsClosed();
    }

    /** Messages that the second worker published in the last reported period. */
    private static long publishedBySecond(RunState state) {
        return Objects.requireNonNull(state.lastPeriod())
                .seen()
                .shares()
                .get(1)
                .counts()
                .acknowledged();
    }

    /** A worker that is lost earlier leaves nothing to judge, so the run would fail. */
    private void loseTheSecondOnceItWasMeasured() {
        listener = state -> {
            if (state.phase() == RunPhase.MEASURE && state.lastPeriod() != null && publishedBySecond(state) > 0) {
                members.get(1).lose("its process was restarted");
            }
        };
    }

    /** Returns the result of a load that would not end by itself, with the periods of each worker. */
    private RunResult runUntilTheSecondIsLost() {
        return run(
                Roles.MIXED,
                true,
                RunOfTwoWorkersTest::exactly,
                "producerRate: 2000",
                "messageCount:",
                "testDuration: 1h",
                "samplePeriod: 500ms");
    }

    @Test
    void aWorkerThatIsLostEndsTheLoadAndKeepsWhatWasMeasured() {
        loseTheSecondOnceItWasMeasured();
        RunResult result = runUntilTheSecondIsLost();
        assertThat(result.failure()).isNull();
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.findings())
                .first()
                .isEqualTo(Finding.workerLost("worker 2 (test) was lost: its process was restarted"));
        assertThat(total(result).counts().sent()).isPositive();
        assertThat(audit(result).producersInDoubt()).isEqualTo(1);
        List<Histogram> ofLost = HdrLogs.intervals(HdrLog.render(result, 1));
        assertThat(HdrLogs.added(ofLost, "measure-publish"))
                .as("what it told before")
                .isPositive()
                .isEqualTo(HdrLogs.added(HdrLogs.intervals(HdrLog.render(result)), "measure-publish")
                        - samples(result, 0, "measure-publish"));
        assertThat(tags(ofLost)).noneMatch(tag -> tag.startsWith("tail-"));
        assertThat(samples(result, 0, "tail-scheduledPublish")).isPositive();
        assertThat(audit(result).lost()).isZero();
        assertThat(system.topics()).isEmpty();
    }

    @Test
    void whatALostWorkerPublishedAfterItsLastPeriodIsNotUnanswered() {
        listener = state -> {
            if (state.phase() == RunPhase.MEASURE && state.lastPeriod() != null && publishedBySecond(state) > 0) {
                long now = Objects.requireNonNull(state.totals()).acknowledged();
                // The status is newer than the period.
                if (now > state.lastPeriod().seen().totals().acknowledged() + 100) {
                    members.get(1).lose("its process was restarted");
                }
            }
        };
        RunResult result = runUntilTheSecondIsLost();
        assertThat(VirtualRun.kinds(result)).contains("WorkerLost");
        assertThat(Objects.requireNonNull(result.course().tail()).censored().unanswered())
                .isZero();
    }

    /** Kills the worker that the workload's fault names, as far as a test can. */
    private FaultMeans.Begun killed(Fault fault, FaultMeans.Leader leader) {
        TestMember member = members.get(fault.worker().orElseThrow() - 1);
        Patience.until("messages", () -> system.sent() > 0);
        member.lose("a fault has killed it");
        sentUntilKill.set(system.sent());
        return new FaultMeans.Begun() {
            @Override
            public String what() {
                return "killed " + member.name();
            }

            @Override
            public void undo() {}
        };
    }

    private RunResult runWithFaults(String... workload) {
        List<String> lines = new ArrayList<>(List.of(
                "topics: 2", "producerRate: 2000", "messageSize: 100", "samplePeriod: 500ms", "warmupDuration: 0s"));
        lines.addAll(Arrays.asList(workload));
        RunRequest request =
                Requests.withFaults(Requests.request(TIMEOUTS, lines.toArray(new String[0])), this::killed);
        return Requests.run(
                Requests.withClocks(
                        request,
                        (startNs, endNs) -> members.stream()
                                .map(RunOfTwoWorkersTest::exactly)
                                .toList()),
                new Group(members, Roles.MIXED, false, clock, TestMember.TIMING, progress -> {}),
                TestDrivers.control(system),
                new StopSignal(),
                listener,
                clock);
    }

    @Test
    void theRunGoesOnWithoutAWorkerThatAFaultHasKilled() {
        Map<Thread, AtomicLong> sentByThread = new ConcurrentHashMap<>();
        system.onSend(number -> sentByThread
                .computeIfAbsent(Thread.currentThread(), thread -> new AtomicLong())
                .addAndGet(number < 0 ? 0 : 1));
        // Waits until the other worker has sent more than both had when one was killed, however late that was.
        listener = state -> {
            if (state.phase() == RunPhase.MEASURE && state.left().isPresent()) {
                Patience.until("a worker was killed", () -> sentUntilKill.get() > 0);
                Patience.until(
                        "both have sent more",
                        () -> sentByThread.values().stream()
                                        .filter(sent -> sent.get() > sentUntilKill.get())
                                        .count()
                                == 2);
            }
        };
        RunResult result = runWithFaults("testDuration: 1s", "faults: [{at: 100ms, kill: worker-2}]");
        assertThat(result.failure()).isNull();
        assertThat(VirtualRun.kinds(result)).doesNotContain("WorkerLost", "MessagesLost", "Unanswered");
        assertThat(LocalRunTest.findings(result))
                .noneMatch(finding -> finding.severity() == Finding.Severity.INVALIDATES);
        FaultOutcome fault =
                Objects.requireNonNull(result.course().faults()).faults().get(0);
        assertThat(fault.event().what()).isEqualTo("killed worker 2 (test)");
        assertThat(fault.event().problem()).isNull();
        assertThat(fault.messages().acknowledgedLost()).isZero();
        assertThat(total(result).seconds()).as("the whole time").isGreaterThan(0.99 / WaitedTime.SECONDS_EACH);
        assertThat(total(result).shares().get(0).counts().sent())
                .as("the other worker has gone on")
                .isGreaterThan(sentUntilKill.get());
        assertThat(total(result).publishRate())
                .as("by the whole time, also for the killed worker")
                .isCloseTo(total(result).counts().acknowledged() / total(result).seconds(), withinPercentage(5));
        assertThat(audit(result).producersInDoubt()).isEqualTo(1);
        assertThat(result.workers().get(1).lost()).isEqualTo("a fault has killed it");
        assertThat(system.topics()).isEmpty();
    }

    @Test
    void oneThatIsLostBeforeItsFaultEndsTheRun() {
        loseTheSecondOnceItWasMeasured();
        RunResult result = runWithFaults("testDuration: 1h", "faults: [{at: 30m, kill: worker-2}]");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(VirtualRun.kinds(result)).contains("WorkerLost");
    }

    @Test
    void aWorkerThatIsLostWhileClientsAreCreatedFailsTheRun() {
        system.on(Call.CREATE_CONSUMERS, () -> members.get(1).lose("its process was restarted"));
        RunResult result = run(Roles.MIXED);
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.failure())
                .isEqualTo("worker 2 (test) was lost while clients were created: its process was restarted");
        assertThat(system.topics()).isEmpty();
    }
}
