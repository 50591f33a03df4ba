package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.resources.DiskSpace;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.console.ConsoleSummary;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that complete, in virtual time. */
class RunTest extends VirtualRun {

    private static List<String> phases(RunResult result) {
        return result.phases().stream().map(RunResult.Phase::name).toList();
    }

    /** A monitor that reports a nearly full disk after this many looks. */
    private static ResourceMonitor diskFullAfter(int looks) {
        AtomicInteger asked = new AtomicInteger();
        return new ResourceMonitor() {
            @Override
            public ResourcePeriod sample() {
                return ResourcePeriod.NONE;
            }

            @Override
            public Optional<DiskSpace> diskNearlyFull() {
                return asked.incrementAndGet() > looks
                        ? Optional.of(new DiskSpace("/data", 10, 1000))
                        : Optional.empty();
            }

            @Override
            public void close() {}
        };
    }

    /** A harness that uses 0.1 processors until the measurement starts, and 0.955 from then on. */
    private final class HarnessCores implements ResourceMonitor {

        private long measureNs = Long.MAX_VALUE;
        private long lastNs = time.nowNs();

        private double coreNsAt(long atNs) {
            return 0.1 * Math.min(atNs, measureNs) + 0.955 * Math.max(0, atNs - measureNs);
        }

        @Override
        public ResourcePeriod sample() {
            long nowNs = time.nowNs();
            double seconds = (nowNs - lastNs) / 1e9;
            double corePercentSeconds = (coreNsAt(nowNs) - coreNsAt(lastNs)) / 1e7;
            lastNs = nowNs;
            FigureUse cpu = new FigureUse(seconds, corePercentSeconds, 0);
            return new ResourcePeriod(
                    List.of(new ResourceUse("harness", Role.HARNESS, Map.of(Figure.CPU_CORE_PERCENT, cpu))));
        }

        @Override
        public void close() {}
    }

    @Test
    void placementCountsThePartitionsThatEachNodeLeads() {
        worker.setLeaders(List.of(List.of("a:1", "b:1", "a:1"), List.of("", "b:1", "a:1")));
        RunResult result = run(Requests.request());

        assertThat(Objects.requireNonNull(result.broker()).placement())
                .isEqualTo(Map.of("a:1", 3, "b:1", 2, "none", 1));
    }

    @Test
    void whatWasUsedBeforeTheMeasurementIsNotPartOfIt() {
        HarnessCores monitor = new HarnessCores();
        recorded.onPhase(RunPhase.MEASURE, () -> monitor.measureNs = time.nowNs());
        worker.setDelivery(0, 900);
        RunResult result = run(Requests.watchedBy(
                monitor, Requests.request("messageCount: 9000", "testDuration:", "warmupDuration: 20s")));

        double corePercent = result.resourceTotal()
                .uses()
                .get(0)
                .figure(Figure.CPU_CORE_PERCENT)
                .orElseThrow()
                .mean();
        assertThat(corePercent).isCloseTo(95.5, within(0.01));
        // The warm-up of 20 s leaves 2,000 messages, which take 2.2 s to arrive; the measurement starts after that.
        assertThat(Objects.requireNonNull(result.usage()).atNs() / 1e9).isCloseTo(seconds(result), within(0.01));
    }

    @Test
    void aRunEndsInGoodOrderBeforeADiskIsFull() {
        RunResult result = run(
                Requests.watchedBy(diskFullAfter(100), Requests.request("warmupDuration: 10s", "testDuration: 600s")));

        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.failure()).isNull();
        assertThat(result.findings()).contains(Finding.diskNearlyFull("/data", 10, 1000));
        assertThat(seconds(result)).isBetween(5.0, 60.0);
        assertThat(phases(result)).endsWith("measure", "drain", "audit");
        assertThat(Objects.requireNonNull(result.audit()).lost()).isZero();
    }

    @Test
    void aDiskThatIsNearlyFullFromTheBeginLetsNothingBeMeasured() {
        RunResult result = run(Requests.watchedBy(diskFullAfter(0), Requests.request()));

        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.measured()).isEmpty();
        assertThat(result.findings()).contains(Finding.diskNearlyFull("/data", 10, 1000));
    }

    /** A machine with this much idle time in each second. */
    private static ResourceMonitor idle(double percent) {
        return new ResourceMonitor() {
            @Override
            public ResourcePeriod sample() {
                return new ResourcePeriod(List.of(new ResourceUse(
                        "host",
                        Role.HOST,
                        Map.of(Figure.HOST_IDLE_PERCENT, new FigureUse(10, 10 * percent, percent)))));
            }

            @Override
            public void close() {}
        };
    }

    /** A broker in this process has no address. */
    @ParameterizedTest
    @CsvSource({
        "broker.example:9092, INVALID",
        "192.0.2.1:9092, INVALID",
        "localhost.example:9092, INVALID",
        "localhost:9092, OK",
        "127.0.0.1:9092, OK",
        "[::1]:9092, OK",
        ", OK"
    })
    void aSaturatedMachineMakesTheResultInvalidUnlessTheBrokerIsOnIt(@Nullable String node, Verdict verdict) {
        worker.setNodes(node == null ? new String[0] : new String[] {node});
        RunResult result = run(Requests.watchedBy(idle(0.7), Requests.request("testDuration: 10s")));
        assertThat(kinds(result)).containsExactly("HostSaturated");
        assertThat(result.verdict()).isEqualTo(verdict);
    }

    private static double seconds(RunResult result) {
        return Objects.requireNonNull(result.total()).seconds();
    }

    private static long published(RunResult result) {
        return Objects.requireNonNull(result.total()).counts().acknowledged();
    }

    @Test
    void aSystemThatKeepsUpGivesAnOkResult() {
        worker.setLatencyNs(3_000_000);
        RunResult result = run("warmupDuration: 20s", "testDuration: 60s");

        assertThat(result.findings()).isEmpty();
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(result.failure()).isNull();
        assertThat(result.targetRateMsgPerSec()).isEqualTo(1000.0);
        assertThat(result.headerLayout()).isEqualTo("FULL");
        assertThat(result.search()).isNull();
        assertThat(result.errors()).isEmpty();
        assertThat(result.warmup()).hasSize(2);
        assertThat(result.measured()).hasSize(6);
        assertThat(result.measured())
                .allSatisfy(period -> assertThat(period.publishRate()).isCloseTo(1000, within(1.0)));
    }

    @Test
    void theLoadBeginsWhenNoProbeIsOnItsWay() {
        worker.setLateProbes(20, Duration.ofMillis(300));
        RunResult result = run("warmupDuration: 20s", "testDuration: 60s");
        assertThat(result.phases().get(1).name()).isEqualTo("ready");
        assertThat(result.phases().get(1).seconds()).isCloseTo(6, within(0.01));
    }

    @Test
    void probesThatNeverComeAreNotWaitedForLong() {
        worker.setLateProbes(1, Duration.ofDays(1));
        RunResult result = run("warmupDuration: 20s", "testDuration: 60s");
        assertThat(result.phases().get(1).seconds()).isCloseTo(1, within(0.01));
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void probesThatGoOnAndOnAreNotWaitedForLongerThanTheLimit() {
        worker.setLateProbes(1_000_000, Duration.ofMillis(300));
        RunResult result = run("warmupDuration: 20s", "testDuration: 60s");
        assertThat(result.phases().get(1).seconds()).isCloseTo(60, within(0.01));
    }

    @Test
    void goesThroughItsPhasesWithoutAGap() {
        worker.setSilentProbeRounds(5);
        RunResult result = run("warmupDuration: 20s", "testDuration: 60s");

        assertThat(phases(result))
                .containsExactly("provision", "ready", "warm-up", "settle", "measure", "drain", "audit");
        assertThat(recorded.phases)
                .containsExactly(
                        RunPhase.PROVISION,
                        RunPhase.READY,
                        RunPhase.WARM_UP,
                        RunPhase.SETTLE,
                        RunPhase.MEASURE,
                        RunPhase.DRAIN,
                        RunPhase.AUDIT);
        assertThat(result.phases().get(0).startNs()).isEqualTo(result.beginNs());
        assertThat(result.phases().get(6).endNs()).isEqualTo(result.endNs());
        for (int i = 1; i < result.phases().size(); i++) {
            assertThat(result.phases().get(i).startNs())
                    .isEqualTo(result.phases().get(i - 1).endNs());
        }
        assertThat(result.phases().get(2).seconds()).isEqualTo(20);
        assertThat(result.phases().get(3).seconds()).isZero();
        assertThat(result.phases().get(4).seconds()).isEqualTo(60);
    }

    @Test
    void aPeriodBelongsToItsPhaseFromBeginToEnd() {
        // Readiness takes a while, which must not appear in the figures of the warm-up.
        worker.setSilentProbeRounds(20);
        RunResult result = run("warmupDuration: 20s", "testDuration: 30s");

        assertThat(result.warmup()).extracting(PeriodSnapshot::seconds).containsExactly(10.0, 10.0);
        assertThat(result.warmup().get(0).publishRate()).isEqualTo(1000);
        RunResult.Phase measure = result.phases().get(4);
        assertThat(result.measured().get(0).startNs()).isEqualTo(measure.startNs());
        assertThat(result.measured().get(2).endNs()).isEqualTo(measure.endNs());
        for (int i = 1; i < result.measured().size(); i++) {
            assertThat(result.measured().get(i).startNs())
                    .isEqualTo(result.measured().get(i - 1).endNs());
        }
    }

    @Test
    void createsWhatItNeedsAndTakesEverythingBackInTheEnd() {
        run("warmupDuration: 1s", "testDuration: 2s");
        assertThat(worker.calls())
                .containsExactly(
                        "connect",
                        "createTopics",
                        "prepare",
                        "leaders",
                        "probe",
                        "start",
                        "stop",
                        "finish",
                        "deleteTopics",
                        "close",
                        "disconnect");
    }

    @Test
    void workersConnectBeforeTopicsAreCreatedIfThatMayRemoveTopics() {
        worker.setConnectingResets();
        run("warmupDuration: 1s", "testDuration: 2s");
        assertThat(worker.calls()).startsWith("connect", "prepare", "createTopics", "prepare", "leaders", "probe");
    }

    @Test
    void theAuditCoversTheWholeRun() {
        RunResult result = run("warmupDuration: 10s", "testDuration: 20s");
        var audit = Objects.requireNonNull(result.audit());
        assertThat(audit.sent()).isEqualTo(30_000);
        assertThat(audit.subscriptions().get(0).received()).isEqualTo(30_000);
        assertThat(audit.lost()).isZero();
        assertThat(published(result)).isEqualTo(20_000);
    }

    @Test
    void withoutAWarmUpAllOfTheLoadIsMeasured() {
        RunResult result = run("warmupDuration: 0s", "testDuration: 20s");
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(phases(result)).doesNotContain("warm-up");
        assertThat(result.warmup()).isEmpty();
        assertThat(published(result)).isEqualTo(20_000);
        assertThat(Objects.requireNonNull(result.audit()).sent()).isEqualTo(20_000);
    }

    @Test
    void withoutAWarmUpTheMeasurementStartsWithItsLoad() {
        worker.onStart(() -> time.pass(Duration.ofMillis(60)));
        RunResult result = run("warmupDuration: 0s", "testDuration: 2s", "samplePeriod: 1s");
        assertThat(result.measured()).extracting(PeriodSnapshot::publishRate).containsExactly(1000.0, 1000.0);
        assertThat(published(result)).isEqualTo(2000);
    }

    @Test
    void aLoadWithoutALimitTakesWhatTheSystemTakes() {
        worker.setCapacity(123_456);
        RunResult result = run("producerRate: unlimited");

        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(result.targetRateMsgPerSec()).isNull();
        assertThat(worker.loads())
                .extracting(load -> load.rates().firstMsgPerSec())
                .containsExactly(Double.POSITIVE_INFINITY);
        assertThat(Objects.requireNonNull(result.total()).publishRate()).isCloseTo(123_456, within(1.0));
    }

    @Test
    void aSystemThatIsTooSlowMissesTheTarget() {
        worker.setCapacity(985);
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        // The messages in flight grow by 15 a second, so the warm-up does not settle.
        assertThat(kinds(result)).containsExactly("NotSettled", "TargetRateMissed");
        assertThat(result.findings().get(1).text()).contains("1,000 msg/s").contains("985 msg/s");
    }

    @Test
    void whatTheWorkloadExpectsOfTheSystemDoesNotInvalidate() {
        worker.setDelivery(0, 900);
        RunResult behind = run();
        assertThat(behind.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(run("expect: [targetRateMissed]").verdict()).isEqualTo(Verdict.INVALID);
        RunResult expected = run("expect: [backlog]");
        assertThat(expected.verdict()).as("%s", expected.findings()).isEqualTo(Verdict.OK);
        assertThat(kinds(expected)).isEqualTo(kinds(behind)).contains("ConsumersBehind");
        assertThat(expected.findings())
                .filteredOn(finding -> finding.kind().equals("ConsumersBehind"))
                .extracting(Finding::severity)
                .containsExactly(Finding.Severity.EXPECTED);
        assertThat(ConsoleSummary.render(expected, Path.of("result.json")))
                .contains("OK, with what the workload expects: backlog\n", "\n  expected      ");
    }

    @Test
    void aMissedTargetRateCanBeExpected() {
        worker.setCapacity(985);
        RunResult result = run("expect: [targetRateMissed, backlog]");
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        assertThat(kinds(result)).containsExactly("NotSettled", "TargetRateMissed");
    }

    @Test
    void aSlowLoadDoesNotMissItsTargetByRounding() {
        worker.setLatencyNs(300_000_000);
        RunResult result = run("producerRate: 0.7", "warmupDuration: 10s", "testDuration: 20s");
        assertThat(result.findings()).isEmpty();
        assertThat(published(result)).isBetween(13L, 15L);
    }

    /** The fourth message would be due exactly at the end. */
    @Test
    void aSlowLoadSendsAsManyMessagesAsItsRateSays() {
        RunResult result = run("producerRate: 0.5", "warmupDuration: 0s", "testDuration: 6s");
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(worker.loads()).extracting(Worker.Start::messageCount).containsExactly(3L);
    }

    @Test
    void afterAWarmUpItIsMeasuredFromBetweenTwoMessages() {
        RunResult result = run("producerRate: 0.5", "warmupDuration: 10s", "testDuration: 6s");
        assertThat(result.phases().get(3).name()).isEqualTo("settle");
        assertThat(result.phases().get(3).seconds()).isCloseTo(1, within(0.001));
        assertThat(published(result)).isEqualTo(3);
        assertThat(worker.loads()).extracting(Worker.Start::messageCount).containsExactly(Long.MAX_VALUE);
    }

    @Test
    void aSubscriptionThatFallsBehindMakesTheResultInvalid() {
        worker.setDelivery(1, 900);
        RunResult result = run("subscriptionsPerTopic: 2", "testDuration: 60s", "warmupDuration: 1s");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        // The backlog grows all the time, so the warm-up does not settle in the second it may take. The subscription
        // catches up in the drain, so nothing is lost and the audit has no finding.
        assertThat(kinds(result)).containsExactly("NotSettled", "ConsumersBehind");
        assertThat(result.findings().get(1).text())
                .startsWith("consumers behind: 6,200 messages had not arrived at subscription 1 when the load ended");
        assertThat(Objects.requireNonNull(result.audit()).lost()).isZero();
    }

    @Test
    void aStallThatOutlastsTheMeasurementIsPartOfItsLatencies() {
        // The case of the issue: the system stops for 3 s, 0.45 s before the end; the client holds 65 messages.
        worker.setWindow(65);
        worker.setCapacity(1e6);
        time.at(Duration.ofMillis(69_550), () -> worker.setCapacity(0));
        time.at(Duration.ofMillis(72_550), () -> worker.setCapacity(1e6));
        RunResult result = run("producerRate: 2000", "testDuration: 60s", "warmupDuration: 10s", "samplePeriod: 1s");

        // Less than 1 % is missing.
        assertThat(published(result)).isBetween(118_900L, 119_200L);
        RunResult.Censored censored =
                Objects.requireNonNull(result.course().tail()).censored();
        assertThat(censored.unsent()).isBetween(830L, 840L);
        assertThat(censored.unanswered()).isZero();
        assertThat(censored.undelivered()).isZero();
        assertThat(result.findings())
                .containsExactly(Finding.dueMessagesUnsent(
                        censored.unsent(), censored.longestWaitNs(), Finding.Severity.INVALIDATES));
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(Objects.requireNonNull(result.total())
                        .latency(Latency.SCHEDULED_END_TO_END)
                        .count())
                .isEqualTo(censored.unsent());
        assertThat(Objects.requireNonNull(result.total())
                        .latency(Latency.PUBLISH)
                        .count())
                .isZero();
    }

    @Test
    void whatASearchLeftUnsentIsNotTheMeasurements() {
        worker.setCapacity(5_000);
        RunResult result = run("producerRate: 0");
        assertThat(Objects.requireNonNull(result.course().tail()).censored().unsent())
                .isZero();
    }

    @Test
    void atALowRateASubscriptionThatGetsNothingIsNoticedAsWell() {
        worker.setDelivery(1, 0);
        RunResult result = run("producerRate: 20", "subscriptionsPerTopic: 2", "testDuration: 30s");
        assertThat(kinds(result)).contains("ConsumersBehind", "MessagesUndelivered");
    }

    /** Missing messages may still be in the system, however long nothing has moved. */
    @Test
    void whatConsumersThatAreCutOffHaveNotReadIsNotLost() {
        time.at(Duration.ofSeconds(5), () -> worker.setDelivery(0, 0));
        RunResult result = run("warmupDuration: 0s", "testDuration: 10s");
        AuditReport audit = Objects.requireNonNull(result.audit());
        assertThat(audit.lost()).isZero();
        assertThat(audit.undelivered()).isBetween(4_000L, 6_000L);
        assertThat(kinds(result)).contains("MessagesUndelivered").doesNotContain("MessagesLost");
    }

    @Test
    void messagesThatNeverArriveAreWaitedForAndThenLost() {
        worker.lose(0, 3);
        RunResult result = run("warmupDuration: 1s", "testDuration: 10s");

        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.findings())
                .containsExactly(Finding.messagesLost("0", 3, 11_000, List.of("producer 0: 0..2")));
        RunResult.Phase drain = result.phases().get(5);
        assertThat(drain.name()).isEqualTo("drain");
        assertThat(drain.seconds()).isCloseTo(10, within(0.1));
    }

    @Test
    void messagesThatComeTwiceDoNotHideThatOthersAreStillOnTheirWay() {
        // When the load ends, 100 messages are in flight and 100 have arrived twice: the counts look complete.
        worker.setDelivery(0, 990);
        time.at(Duration.ofSeconds(5), () -> worker.repeat(0, 100));
        RunResult result = run("warmupDuration: 0s", "testDuration: 10s");

        assertThat(result.findings()).containsExactly(Finding.messagesDuplicated("0", 100));
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(Objects.requireNonNull(result.audit()).lost()).isZero();
    }

    /** With two consumers, 1 % of 10,000 messages may arrive twice unnoticed, since a backlog may grow by as much. */
    @ParameterizedTest
    @CsvSource({"90, false", "3000, true"})
    void whatComesTwiceToDifferentConsumersLeavesTheBacklogUnknown(int repeated, boolean unknown) {
        time.at(Duration.ofSeconds(5), () -> worker.repeat(0, repeated));
        RunResult result = run("consumerPerSubscription: 2", "warmupDuration: 0s", "testDuration: 10s");
        assertThat(kinds(result).contains("BacklogUnknown")).isEqualTo(unknown);
        assertThat(result.verdict()).isEqualTo(unknown ? Verdict.INVALID : Verdict.OK);
    }

    @Test
    void whenAllHaveArrivedIsNotKnownIfSomeCameTwice() {
        worker.repeat(0, 5);
        RunResult result = run("messageCount: 10000", "testDuration:", "warmupDuration: 0s");
        RunResult.Transfer transfer = Objects.requireNonNull(result.course().transfer());
        assertThat(transfer.receiveSeconds()).isNull();
        assertThat(Objects.requireNonNull(transfer.publishSeconds())).isPositive();
    }

    @Test
    void messagesThatComeTwiceDoNotHideThatConsumersFallBehind() {
        // The case of the issue: 400 msg/s, each delivered twice, while the consumer manages 469 deliveries a second.
        worker.deliverTwice(0);
        worker.setDelivery(0, 469);
        RunResult result = run("producerRate: 400", "warmupDuration: 0s", "testDuration: 60s");

        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        // The run sent 24,000 messages, and half of 28,140 deliveries were first ones.
        assertThat(result.findings())
                .anyMatch(finding -> finding.text()
                        .startsWith(
                                "consumers behind: 9,930 messages had not arrived at subscription 0 when the load"));
        // Rates count deliveries, as in OMB.
        assertThat(Objects.requireNonNull(result.total()).consumeRate()).isCloseTo(469, within(1.0));
    }

    @Test
    void consumersThatAreSlowInTheEndAreWaitedForNoLongerThanTheLimit() {
        worker.setDelivery(0, 100);
        RunResult result = run("warmupDuration: 0s", "testDuration: 60s");
        assertThat(result.phases().get(3).seconds()).isCloseTo(120, within(0.1));
        // The run sent 60,000 messages, and 100 a second arrived for three minutes: the rest would still arrive.
        assertThat(kinds(result)).contains("ConsumersBehind").doesNotContain("MessagesLost");
        AuditReport audit = Objects.requireNonNull(result.audit());
        assertThat(audit.lost()).isZero();
        assertThat(audit.undelivered()).isBetween(41_990L, 42_000L);
        assertThat(result.findings()).contains(Finding.messagesUndelivered("0", audit.undelivered(), 60_000));
        RunResult.Censored censored =
                Objects.requireNonNull(result.course().tail()).censored();
        assertThat(censored.undelivered()).isEqualTo(audit.undelivered());
        assertThat(censored.longestWaitNs() / 1e9).isCloseTo(120, within(0.1));
        assertThat(Objects.requireNonNull(result.total())
                        .latency(Latency.SCHEDULED_END_TO_END)
                        .count())
                .isEqualTo(audit.undelivered());
        assertThat(result.findings().stream().map(Finding::text))
                .anyMatch(text -> text.contains("120 s after the load had ended"));
    }

    @Test
    void withoutConsumersNobodyIsWaitedFor() {
        RunResult result = run("subscriptionsPerTopic: 0");
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(worker.calls()).doesNotContain("probe");
        assertThat(worker.consumers()).isZero();
        assertThat(Objects.requireNonNull(result.total()).counts().received()).isEmpty();
        assertThat(result.phases().get(1).seconds()).isZero();
    }

    @Test
    void aNumberOfMessagesIsMeasuredExactly() {
        worker.setLatencyNs(400_000_000);
        RunResult result = run("messageCount: 20000", "testDuration:");

        assertThat(result.findings()).isEmpty();
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(published(result)).isEqualTo(20_000);
        assertThat(Objects.requireNonNull(result.total()).counts().sent()).isEqualTo(20_000);
        assertThat(Objects.requireNonNull(result.total()).counts().received()).containsExactly(20_000L);
        // The measurement lasts until the last message arrives.
        assertThat(seconds(result)).isCloseTo(20.4, within(0.05));
    }

    @Test
    void aShortNumberOfMessagesDoesNotMissItsTargetBecauseOfTheLastOnesWay() {
        worker.setLatencyNs(500_000_000);
        RunResult result = run("messageCount: 300", "testDuration:");
        assertThat(result.findings()).isEmpty();
        assertThat(published(result)).isEqualTo(300);
    }

    @Test
    void aNumberOfMessagesThatTakesTooLongToSendMissesItsTarget() {
        worker.setCapacity(500);
        RunResult result = run("messageCount: 20000", "testDuration:");
        assertThat(kinds(result)).containsExactly("TargetRateMissed");
        assertThat(published(result)).isEqualTo(20_000);
    }

    @Test
    void aNumberOfMessagesIsPublishedInTheTimeThatPublishingTook() {
        // 10,000 messages at 20,000 msg/s are sent and confirmed in half a second; the consumer takes 12.5 s.
        worker.setDelivery(0, 800);
        worker.setLatencyNs(5_000_000);
        RunResult result = run("producerRate: 20000", "messageCount: 10000", "testDuration:", "warmupDuration: 0s");

        RunResult.Transfer transfer = Objects.requireNonNull(result.course().transfer());
        assertThat(transfer.sendSeconds()).isCloseTo(0.5, within(0.005));
        assertThat(Objects.requireNonNull(transfer.publishSeconds())).isCloseTo(0.5, within(0.005));
        assertThat(Objects.requireNonNull(transfer.receiveSeconds())).isCloseTo(12.5, within(0.02));
        RunResult.Rates rates = result.rates(Objects.requireNonNull(result.total()));
        assertThat(rates.send()).isCloseTo(20_000, within(200.0));
        assertThat(rates.publish()).isCloseTo(20_000, within(200.0));
        assertThat(rates.consume()).isCloseTo(800, within(2.0));
        assertThat(result.findings()).isEmpty();
    }

    @Test
    void aClientThatTakesMessagesFasterThanTheSystemDoesNotPublishThemFaster() {
        worker.setCapacity(2_000);
        RunResult result = run("producerRate: 20000", "messageCount: 1000", "testDuration:", "warmupDuration: 0s");

        // The model's client accepts 1,000 messages before it waits.
        assertThat(Objects.requireNonNull(result.course().transfer()).sendSeconds())
                .isCloseTo(0.05, within(0.005));
        assertThat(result.rates(Objects.requireNonNull(result.total())).publish())
                .isCloseTo(2_000, within(20.0));
        assertThat(kinds(result)).containsExactly("TargetRateMissed");
    }

    @Test
    void aPauseBetweenTwoMessagesIsNotTheEnd() {
        RunResult result = run("producerRate: 0.02", "messageCount: 5", "testDuration:", "warmupDuration: 0s");
        assertThat(result.findings()).isEmpty();
        assertThat(published(result)).isEqualTo(5);
        assertThat(seconds(result)).isCloseTo(250, within(1.0));
    }

    @Test
    void aNumberOfMessagesOfWhichSomeAreLostEndsAllTheSame() {
        worker.lose(0, 5);
        RunResult result = run("messageCount: 20000", "testDuration:", "warmupDuration: 0s");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(kinds(result)).containsExactly("MessagesLost");
        assertThat(seconds(result)).isCloseTo(30, within(0.1));
    }

    @Test
    void theTimeEndsANumberOfMessagesThatTakesLonger() {
        RunResult result = run("messageCount: 20000", "testDuration: 15s", "warmupDuration: 0s");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.findings()).containsExactly(Finding.messageCountMissed(20_000, 15_000));
        assertThat(seconds(result)).isEqualTo(15);
    }

    @Test
    void theWarmUpOfANumberOfMessagesHasArrivedBeforeTheMeasurementBegins() {
        worker.setDelivery(0, 1_000);
        worker.setCapacity(10_000);
        RunResult result = run("producerRate: unlimited", "messageCount: 100", "testDuration:", "warmupDuration: 1s");
        assertThat(Objects.requireNonNull(result.total()).counts().received()).containsExactly(100L);
        assertThat(seconds(result)).isCloseTo(0.1, within(0.01));
    }

    @Test
    void tenBytesAreTimedAndAudited() {
        RunResult result = run("messageSize: 10");
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(result.headerLayout()).isEqualTo("COMPACT");
        assertThat(kinds(result)).containsExactly("SmallMessages");
        assertThat(Objects.requireNonNull(result.audit()).lost()).isZero();
    }

    @Test
    void fiveBytesAreAuditedAndNotTimed() {
        worker.lose(0, 3);
        worker.repeat(0, 3);
        RunResult result = run("messageSize: 5");
        assertThat(result.headerLayout()).isEqualTo("NUMBERED");
        assertThat(kinds(result)).containsExactly("MessagesLost", "MessagesDuplicated", "SmallMessages");
    }

    @Test
    void fourBytesAreNotAuditedAndTheResultSaysSo() {
        RunResult result = run("messageSize: 4");
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(result.headerLayout()).isEqualTo("NONE");
        assertThat(kinds(result)).containsExactly("SmallMessages");
        assertThat(result.audit()).isNull();
    }

    @Test
    void whatIsNotAuditedIsAtLeastCounted() {
        worker.lose(0, 1);
        RunResult result = run("messageSize: 4", "testDuration: 10s");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(kinds(result)).containsExactly("MessagesLost", "SmallMessages");
        assertThat(result.findings().get(0).text()).contains("at least 1 of ");
    }

    @Test
    void whatIsNotAuditedAndComesTwiceIsCountedToo() {
        worker.repeat(0, 2);
        RunResult result = run("messageSize: 4", "testDuration: 10s");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(kinds(result)).containsExactly("MoreThanSent", "SmallMessages");
        assertThat(result.findings().get(0).text()).contains("2 or more are duplicates");
    }

    @Test
    void refusedMessagesMakeTheResultInvalid() {
        time.at(Duration.ofSeconds(30), () -> worker.refuse(7));
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(kinds(result)).containsExactlyInAnyOrder("SendErrors", "Errors");
        assertThat(result.errors()).isEqualTo(Map.of("send: refused", 7L));
        assertThat(Objects.requireNonNull(result.audit()).failed()).isEqualTo(7);
    }

    @Test
    void aRateThatDropsIsNotSteady() {
        worker.setCapacity(100_000);
        time.at(Duration.ofSeconds(40), () -> worker.setCapacity(50_000));
        RunResult result = run("producerRate: unlimited");
        assertThat(kinds(result)).containsExactly("NotSteady");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
    }

    @Test
    void aHarnessThatUsesAllProcessorsSaysSo() {
        worker.setUsedCores(1.9);
        RunResult result = run();
        assertThat(kinds(result)).containsExactly("HarnessCpuBound");
        assertThat(Objects.requireNonNull(result.usage()).cores()).isCloseTo(1.9, within(0.01));
    }

    @Test
    void aNodeOfTheBrokerThatEndsWhileOthersGoOnIsAFinding() {
        RunRequest request = Requests.request("warmupDuration: 0s", "testDuration: 10s");
        RunRequest.SystemUnderTest system = request.system();
        RunRequest.BrokerState state = new RunRequest.BrokerState() {
            @Override
            public Optional<String> failure() {
                return Optional.empty();
            }

            @Override
            public List<String> endedNodes() {
                return List.of("kafka-2 (pid 7) exited unexpectedly with exit code 137");
            }
        };
        RunResult result = run(Requests.of(
                request,
                new RunRequest.SystemUnderTest(
                        system.driver(), system.control(), system.shown(), system.localBroker(), state)));
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.findings())
                .containsExactly(Finding.brokerNodeEnded("kafka-2 (pid 7) exited unexpectedly with exit code 137"));
    }

    @Test
    void theResultCarriesWhatWasAskedForAndAgainstWhat() {
        RunRequest request = Requests.request("name: the workload");
        RunRequest.SystemUnderTest system = request.system();
        RunResult result = run(Requests.of(
                request,
                new RunRequest.SystemUnderTest(
                        system.driver(),
                        system.control(),
                        system.shown(),
                        Optional.of(Map.of("heap", "512m")),
                        system.broker())));
        assertThat(result.runId()).isEqualTo("run1");
        assertThat(result.workload().workload().name()).isEqualTo("the workload");
        RunResult.Broker broker = Objects.requireNonNull(result.broker());
        assertThat(broker.description().product()).isEqualTo("Model");
        assertThat(broker.managed()).isTrue();
        assertThat(broker.settings()).containsEntry("heap", "512m");
    }
}
