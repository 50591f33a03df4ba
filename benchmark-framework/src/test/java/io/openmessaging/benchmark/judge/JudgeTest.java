package io.openmessaging.benchmark.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.AuditFixture;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.coordinator.Requests;
import io.openmessaging.benchmark.judge.worker.WorkerSeen;
import io.openmessaging.benchmark.limits.Enforcement;
import io.openmessaging.benchmark.limits.Mechanism;
import io.openmessaging.benchmark.limits.ProcessLimit;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.DiskSpace;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Finding.Severity;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class JudgeTest {

    private final Judge judge = new Judge();

    /** A measurement of one period. */
    private static List<PeriodSnapshot> measured(double seconds, Totals counts, Totals totals) {
        return List.of(new PeriodSnapshot(0, (long) (seconds * 1e9), counts, totals, Map.of()));
    }

    private static Totals published(long messages) {
        return new Totals(messages, messages, 0, List.of(messages), 0);
    }

    private static List<PeriodSnapshot> measured(double seconds, long published) {
        return measured(seconds, published(published), published(published));
    }

    private static List<PeriodSnapshot> withLatency(Latency latency, LatencySnapshot snapshot) {
        return List.of(new PeriodSnapshot(
                0, TimeUnit.SECONDS.toNanos(10), published(10_000), published(10_000), Map.of(latency, snapshot)));
    }

    private static LatencySnapshot latencies(long valueNs, long count, long otherNs, long otherCount) {
        Histogram histogram = new Histogram(3);
        histogram.setAutoResize(true);
        histogram.recordValueWithCount(valueNs, count);
        histogram.recordValueWithCount(otherNs, otherCount);
        return new LatencySnapshot(histogram, valueNs * count + otherNs * otherCount, 0, 0);
    }

    private List<String> kinds() {
        return judge.findings().stream().map(Finding::kind).toList();
    }

    private void assertFinds(boolean expected, String kind) {
        assertThat(kinds()).isEqualTo(expected ? List.of(kind) : List.of());
    }

    @Test
    void nothingMeasuredIsNothingToComplainAbout() {
        judge.judgeLoad(List.of(), ExpectedLoad.even(OptionalDouble.of(1000), false));
        judge.judgeConsumers(List.of(), List.of(trend(0, 0.5, 1)));
        judge.judgeLatencies(List.of());
        judge.judgeRefused(Totals.none(2), Map.of(), Severity.INVALIDATES);
        judge.judgeInFlight(Totals.none(2));
        judgeHarness(new HarnessUsage(0, 0, 0, 0, 2), Double.POSITIVE_INFINITY);
        judge.judgeLayout(MessageHeader.Layout.FULL, 1024);
        assertThat(judge.findings()).isEmpty();
    }

    /** 1 % may be missing; in a slow or short load, one message plus those of 20 ms may be. */
    @ParameterizedTest
    @CsvSource({
        "1000, 30, 29700, false",
        "1000, 30, 29699, true",
        "1000, 1, 979, false",
        "1000, 1, 978, true",
        "5000000, 10, 49500000, false",
        "5000000, 10, 49499999, true",
        "10, 5, 49, false",
        "10, 5, 48, true",
        "0.5, 10, 4, false",
        "0.5, 10, 3, true",
        "1000, 30, 30300, false",
    })
    void theTargetRateIsMissedByMoreThanOnePercent(double target, double seconds, long published, boolean missed) {
        judge.judgeLoad(measured(seconds, published), ExpectedLoad.even(OptionalDouble.of(target), false));
        assertFinds(missed, "TargetRateMissed");
    }

    @Test
    void aMissedTargetIsNamedWithWhatWasAchieved() {
        judge.judgeLoad(measured(10, 5_000), ExpectedLoad.even(OptionalDouble.of(1000), false));
        assertThat(judge.findings()).containsExactly(Finding.targetRateMissed(1000, 500));
    }

    /** Each worker sent its share within its own second; the time from the first start to the last end is longer. */
    @Test
    void theTargetIsComparedWithTheTimeOfEachWorker() {
        judge.judgeLoad(ofTwoWorkers(0, 1_000_000_000L), ExpectedLoad.even(OptionalDouble.of(1000), false));
        assertThat(judge.findings()).isEmpty();
    }

    /** Periods of two workers that start a quarter of a second apart, with 500 messages each. */
    private static List<PeriodSnapshot> ofTwoWorkers(long fromNs, long toNs) {
        Totals half = published(500);
        return List.of(PeriodSnapshot.merged(List.of(
                new PeriodSnapshot(fromNs, toNs, half, half, Map.of()),
                new PeriodSnapshot(fromNs + 250_000_000L, toNs + 250_000_000L, half, half, Map.of()))));
    }

    @Test
    void theTargetIsComparedWithTheTimeThatSendingTook() {
        // A thousand messages are sent in a second, but the measurement lasts until the last one arrives, a second
        // later.
        judge.judgeLoad(measured(2, 1000), messagesSentWithin(1));
        assertThat(judge.findings()).isEmpty();

        judge.judgeLoad(measured(2, 1000), messagesSentWithin(2));
        assertThat(judge.findings()).containsExactly(Finding.targetRateMissed(1000, 500));
    }

    @Test
    void withoutATargetNothingIsMissedOrLate() {
        judge.judgeLoad(
                withLatency(Latency.SEND_DELAY, latencies(1, 1, 10_000_000_000L, 99)),
                ExpectedLoad.even(OptionalDouble.empty(), false));
        assertThat(judge.findings()).isEmpty();
    }

    /** Sends are late by the given time, this many of a thousand; the rest is in time. */
    @ParameterizedTest
    @CsvSource({"9.9, 20,", "10.1, 9,", "10.1, 11, NOTE", "99, 11, NOTE", "101, 11, INVALIDATES", "101, 9,"})
    void sendsAreLateByTheirNinetyNinthPercentile(double delayMs, long lateOfThousand, Severity severity) {
        judge.judgeLoad(
                withLatency(
                        Latency.SEND_DELAY,
                        latencies(1000, 1000 - lateOfThousand, (long) (delayMs * 1e6), lateOfThousand)),
                ExpectedLoad.even(OptionalDouble.of(1000), false));
        assertFinds(severity != null, "SendsLate");
        assertThat(judge.findings().stream().map(Finding::severity))
                .isEqualTo(severity == null ? List.of() : List.of(severity));
    }

    private static List<PeriodSnapshot> rates(String messagesPerPeriod) {
        List<PeriodSnapshot> periods = new ArrayList<>();
        Totals totals = Totals.none(1);
        for (String messages : messagesPerPeriod.split(" ")) {
            Totals counts = published(Long.parseLong(messages));
            totals = totals.plus(counts);
            long startNs = TimeUnit.SECONDS.toNanos(periods.size());
            periods.add(new PeriodSnapshot(startNs, startNs + TimeUnit.SECONDS.toNanos(1), counts, totals, Map.of()));
        }
        return periods;
    }

    @ParameterizedTest
    @CsvSource({
        "1000 1000 1000 800 800 800, false",
        "1000 1000 1000 800 800 798, false",
        "1000 1000 1000 800 800 797, true",
        "797 800 800 1000 1000 1000, true",
        "800 800 800 1000 1000 1000, false",
        "100 1 100 1 100 1 100, true",
        "100 100 100 100 0 100 100 100 100 100 100 100, false",
        "1000 1000 1, false",
        "0 0 0 0 0 0, false",
        "0 0 0 0 0 1, false",
        "0 0 0 1 1 1, true",
    })
    void aRateThatChangesBetweenTheHalvesIsNotSteady(String messagesPerPeriod, boolean found) {
        judge.judgeLoad(rates(messagesPerPeriod), ExpectedLoad.even(OptionalDouble.empty(), false));
        assertFinds(found, "NotSteady");
    }

    private static ExpectedLoad messagesSentWithin(double seconds) {
        return new ExpectedLoad(
                OptionalDouble.of(1000),
                OptionalDouble.of(seconds),
                false,
                true,
                OptionalDouble.empty(),
                Optional.empty());
    }

    /** Ten seconds in which the arrivals are a function of the sent messages. */
    private static BacklogTrend trend(long before, double arriving, double others) {
        BacklogTrend trend = new BacklogTrend(false, true);
        for (long i = 0; i <= 100; i++) {
            long sent = before + 100 * i;
            List<Long> received = List.of(Math.round(others * sent), Math.min(sent, Math.round(100 * arriving * i)));
            trend.look(i * 100_000_000, new Totals(sent, sent, 0, received, 0));
        }
        return trend;
    }

    @Test
    void aSubscriptionWhoseBacklogGrowsIsBehindWhateverTheOthersAre() {
        List<PeriodSnapshot> measured = measured(10, Totals.none(2), Totals.none(2));
        judge.judgeConsumers(measured, List.of(trend(0, 1, 1), trend(0, 0.95, 1)));
        assertThat(judge.findings()).hasSize(1);
        assertThat(judge.findings().get(0).kind()).isEqualTo("ConsumersBehind");
        assertThat(judge.findings().get(0).text())
                .matches("consumers behind: 500 messages had not arrived at subscription 1 when the load ended, and its"
                        + " backlog grew by 3\\d\\d during the measurement");
    }

    @Test
    void moreReceivedThanPublishedIsJudgedLikeLess() {
        judge.judgeConsumers(measured(10, Totals.none(2), Totals.none(2)), List.of(trend(500, 1.1, 1)));
        assertThat(judge.findings()).containsExactly(Finding.backlogDrained(1, 500));
        assertThat(judge.findings().get(0).text())
                .as("quick has no warmupDuration")
                .endsWith("use a longer warm-up (warmupDuration; with quick, --minutes)");
    }

    @ParameterizedTest
    @CsvSource({"10, 17.9, 0, ", "10, 18.1, 0, HarnessCpuBound", "0.9, 1.8, 0, ", "1, 1.8, 0, HarnessCpuBound"})
    @CsvSource({"10, 0, 1.0, ", "10, 0, 1.01, HarnessCollectsGarbage", "0.9, 0, 0.5,"})
    void theHarnessIsJudgedByItsShareOfTwoProcessors(
            double seconds, double cpuSeconds, double collectionSeconds, String kind) {
        judgeHarness(
                new HarnessUsage(
                        (long) (seconds * 1e9), (long) (cpuSeconds * 1e9), 3, (long) (collectionSeconds * 1e3), 2),
                Double.POSITIVE_INFINITY);
        assertThat(kinds()).isEqualTo(kind == null ? List.of() : List.of(kind));
    }

    @ParameterizedTest
    @EnumSource(Latency.class)
    void latenciesThatAreNotWhatTheySeemAreNamed(Latency latency) {
        Histogram histogram = new Histogram(3);
        judge.judgeLatencies(withLatency(latency, new LatencySnapshot(histogram, 0, 2, 3)));
        assertThat(judge.findings())
                .containsExactly(Finding.negativeLatencies(latency, 2), Finding.saturatedLatencies(latency, 3));
    }

    @Test
    void goodLatenciesAreNot() {
        judge.judgeLatencies(withLatency(Latency.END_TO_END, latencies(0, 5, 1_000_000, 5)));
        assertThat(judge.findings()).isEmpty();
    }

    @Test
    void everyErrorIsNamed() {
        judge.judgeRefused(
                new Totals(10, 7, 3, List.of(7L), 2),
                Map.of("consumer poll: TimeoutException", 4L),
                Severity.INVALIDATES);
        assertThat(judge.findings())
                .containsExactlyInAnyOrder(
                        Finding.sendErrors(3),
                        Finding.unknownMessages(2),
                        Finding.errors("consumer poll: TimeoutException", 4));
    }

    @Test
    void aDriverThatForgetsOrRepeatsAnAnswerIsFoundOut() {
        judge.judgeInFlight(new Totals(10, 6, 1, List.of(), 0));
        judge.judgeInFlight(new Totals(10, 12, 0, List.of(), 0));
        assertThat(judge.findings())
                .contains(
                        Finding.errors("a send was neither confirmed nor refused", 3),
                        Finding.errors("a send was answered more than once", 2));
    }

    private static AuditReport report(long lost, long duplicated, long outOfOrder, long unexpected) {
        AuditReport.SubscriptionReport good = AuditFixture.subscription(0, 100, 100, 0, 0, 0, 0, 0, List.of());
        AuditReport.SubscriptionReport other = AuditFixture.subscription(
                1, 100, 100 - lost, lost, duplicated, outOfOrder, 0, unexpected, List.of("producer 0: 17"));
        return new AuditReport(1, 100, 0, List.of(good, other));
    }

    @ParameterizedTest
    @CsvSource({"1000, 60600, 0", "1000, 60601, 1", "1, 61, 0", "1, 62, 1"})
    void moreThanTheTargetIsJudgedLikeLess(double target, long published, int findings) {
        Totals counts = new Totals(published, published, 0, List.of(), 0);
        judge.judgeLoad(
                List.of(new PeriodSnapshot(0, 60_000_000_000L, counts, counts, Map.of())),
                ExpectedLoad.even(OptionalDouble.of(target), false));
        assertThat(judge.findings()).hasSize(findings);
        assertThat(judge.findings()).allMatch(finding -> finding.kind().equals("TargetRateExceeded"));
    }

    @ParameterizedTest
    @CsvSource({"600, 20, 0", "600, -6, 0", "600, -7, 1", "607, 20, 1"})
    void messagesInFlightMayVaryWhileTheSendsAreOnSchedule(long sent, long moreInFlight, int findings) {
        Totals first = new Totals(sent / 2, sent / 2 - moreInFlight, 0, List.of(), 0);
        Totals second = new Totals(sent - sent / 2, 640 - first.acknowledged(), 0, List.of(), 0);
        judge.judgeLoad(
                List.of(
                        new PeriodSnapshot(0, 30_000_000_000L, first, first, Map.of()),
                        new PeriodSnapshot(30_000_000_000L, 60_000_000_000L, second, second, Map.of())),
                ExpectedLoad.even(OptionalDouble.of(10), false));
        assertThat(kinds()).hasSize(findings).allMatch(kind -> kind.equals("TargetRateExceeded"));
    }

    @Test
    void aRateThatWasSentButNotConfirmedIsNotExceeded() {
        Totals counts = new Totals(607, 600, 0, List.of(), 0);
        judge.judgeLoad(
                List.of(new PeriodSnapshot(0, 60_000_000_000L, counts, counts, Map.of())),
                ExpectedLoad.even(OptionalDouble.of(10), false));
        assertThat(kinds()).isEmpty();
    }

    @Test
    void anAuditWithoutFaultsSaysNothing() {
        judge.judgeAudit(report(0, 0, 0, 0));
        assertThat(judge.findings()).isEmpty();
    }

    @Test
    void theAuditNamesTheSubscription() {
        judge.judgeAudit(report(1, 2, 3, 4));
        assertThat(judge.findings())
                .containsExactlyInAnyOrder(
                        Finding.messagesLost("1", 1, 100, List.of("producer 0: 17")),
                        Finding.unknownMessages(4),
                        Finding.messagesDuplicated("1", 2),
                        Finding.messagesOutOfOrder("1", 3));
    }

    @Test
    void aFullMachineIsTheFirstNoteAfterWhatInvalidates() {
        judge.judgeAudit(report(1, 2, 0, 0));
        judgeHost(spare(10, 0.7, 0), true);

        assertThat(kinds()).containsExactly("MessagesLost", "HostSaturated", "MessagesDuplicated");
    }

    @Test
    void whatBrokeTheRunComesBeforeAFullMachineAndBothBeforeTheirLike() {
        Finding missed = Finding.targetRateMissed(1000, 900);
        Finding full = Finding.hostSaturated("host of worker 1 (b:8080)", 1, false, Severity.INVALIDATES);
        Finding lost = Finding.workerLost("worker 2 (c:8080) was lost: its process was restarted");
        Finding duplicated = Finding.messagesDuplicated("0", 1);
        Finding moved = Finding.clockMoved("worker 1 (b:8080)", List.of(), Severity.NOTE, false);

        assertThat(Finding.inOrder(List.of(duplicated, missed, full, moved, lost)))
                .containsExactly(lost, full, missed, moved, duplicated);
    }

    @Test
    void whatInvalidatesComesFirstAndTheOrderIsKeptOtherwise() {
        judge.judgeAudit(report(0, 2, 3, 0));
        judge.judgeRefused(new Totals(3, 0, 3, List.of(), 0), Map.of(), Severity.INVALIDATES);
        judge.judgeAudit(report(1, 0, 0, 0));

        assertThat(kinds()).containsExactly("SendErrors", "MessagesLost", "MessagesDuplicated", "MessagesOutOfOrder");
        assertThat(judge.findings().stream().map(Finding::severity))
                .containsExactly(Severity.INVALIDATES, Severity.INVALIDATES, Severity.NOTE, Severity.NOTE);
    }

    @ParameterizedTest
    @CsvSource({"FULL, 32, 0", "COMPACT, 31, 1", "NUMBERED, 9, 1", "NONE, 4, 1"})
    void smallMessagesAreNoted(MessageHeader.Layout layout, int bytes, int findings) {
        judge.judgeLayout(layout, bytes);
        assertThat(judge.findings()).hasSize(findings).allMatch(f -> f.severity() == Severity.NOTE);
        assertThat(judge.findings())
                .allMatch(f -> f.text().contains("audit is off") == (layout == MessageHeader.Layout.NONE));
    }

    @ParameterizedTest
    @CsvSource({
        "100, 0, 100, true, ",
        "100, 0, 97, true, MessagesLost",
        "100, 0, 97, false, MessagesUndelivered",
        "100, 0, 103, true, MoreThanSent",
        "100, 5, 95, true, ",
        "100, 5, 94, true, MessagesLost",
        // A refused message may have arrived nevertheless.
        "100, 5, 100, true, ",
        "100, 5, 101, true, MoreThanSent"
    })
    void withoutAnAuditCountsTellWhatTheyCan(long sent, long failed, long received, boolean settled, String kind) {
        judge.judgeCounts(new Totals(sent, sent - failed, failed, List.of(received), 0), settled, false);
        assertThat(kinds()).isEqualTo(kind == null ? List.of() : List.of(kind));
        assertThat(judge.findings()).allMatch(f -> f.severity() == Severity.INVALIDATES);
    }

    @Test
    void countsOfASearchAreANote() {
        judge.judgeCountsOfSearch(new Totals(100, 90, 10, List.of(90L, 80L), 0));
        assertThat(judge.findings()).containsExactly(Finding.lostInSearch("1", 10, 90));
    }

    @Test
    void countsOfASweepBeyondItsKneeAreANote() {
        judge.judgeCounts(new Totals(100, 100, 0, List.of(100L, 90L), 0), true, true);
        assertThat(kinds()).containsExactly("LostBeyondKnee");
    }

    @ParameterizedTest
    @CsvSource({"messageSize: 100, 0.5, false", "messageSize: 100, 0.68, false", "messageSize: 1024, 1, true"})
    void aHeaderInPlaceOfRandomBytesIsNoted(String size, double ratio, boolean noted) {
        Workload workload = Requests.request(
                        size,
                        "useRandomizedPayloads: true",
                        "randomizedPayloadPoolSize: 1",
                        "randomBytesRatio: " + ratio)
                .workload()
                .workload();
        judge.judgeRandomness(workload);
        assertFinds(noted, "FewerRandomBytes");
    }

    @Test
    void howManyRandomBytesThereAreIsToldOverAllSizes() {
        Workload workload = Requests.request(
                        "messageSize:",
                        "messageSizeDistribution: [{size: 40, weight: 1}, {size: 160, weight: 1}]",
                        "useRandomizedPayloads: true",
                        "randomizedPayloadPoolSize: 1",
                        "randomBytesRatio: 0.5")
                .workload()
                .workload();
        judge.judgeRandomness(workload);
        // Random bytes are 8 of 40 and 80 of 160.
        assertThat(judge.findings()).containsExactly(Finding.fewerRandomBytes(0.5, 0.44, 32));
        assertThat(judge.findings().get(0).text())
                .isEqualTo("fewer random bytes: 44.0 % of the payloads' bytes are random, not 50.0 %, since the header"
                        + " takes 32 bytes of each");
    }

    /** The harness in this process. */
    private static WorkerSeen harness(@Nullable HarnessUsage usage, int sendingThreads, boolean besideBroker) {
        return new WorkerSeen(
                "harness", 1, 1, new WorkerSeen.Equipment(sendingThreads, null, "host", besideBroker), usage, null);
    }

    private void judgeHarness(HarnessUsage usage, double allowedCores) {
        judge.judgeHarness(harness(usage, 1, false), allowedCores);
    }

    private void judgeHost(ResourcePeriod used, boolean besideBroker) {
        judge.judgeHosts(used, List.of(harness(null, 1, besideBroker)));
    }

    private void judgeResources(
            List<PeriodSnapshot> measured, ResourcePeriod used, int sendingThreads, List<String> problems) {
        judge.judgeResources(
                measured,
                used,
                List.of(harness(null, sendingThreads, false)),
                Double.POSITIVE_INFINITY,
                problems,
                null);
    }

    private static ResourcePeriod used(Role role, Figure figure, double mean, double max) {
        return new ResourcePeriod(List.of(new ResourceUse(
                role == Role.HOST ? "host" : "harness", role, Map.of(figure, new FigureUse(10, 10 * mean, max)))));
    }

    /** The limit is 90 % of the processors that the sending threads may use. */
    @ParameterizedTest
    @CsvSource({"89, 1, false", "90, 1, true", "179, 2, false", "180, 2, true"})
    void sendingThreadsThatHaveNoTimeLeftAreWorthANote(double percent, int usableCores, boolean expected) {
        judgeResources(
                measured(10, 10_000),
                used(Role.HARNESS, Figure.LOAD_THREADS_CORE_PERCENT, percent, percent),
                usableCores,
                List.of());
        assertFinds(expected, "SendingThreadsBusy");
    }

    @ParameterizedTest
    @CsvSource({"5, false", "5.1, true"})
    void aMachineThatOthersUseIsWorthANote(double percent, boolean expected) {
        judgeResources(measured(10, 10_000), used(Role.HOST, Figure.HOST_STEAL_PERCENT, percent, 99), 1, List.of());
        assertFinds(expected, "ProcessorsStolen");
    }

    private static ResourcePeriod spare(double seconds, double idlePercent, double ioWaitPercent) {
        return new ResourcePeriod(List.of(
                new ResourceUse("disk", Role.HOST, Map.of(Figure.DISK_FREE_BYTES, new FigureUse(10, 10, 1))),
                new ResourceUse(
                        "host",
                        Role.HOST,
                        Map.of(
                                Figure.HOST_IDLE_PERCENT, new FigureUse(seconds, seconds * idlePercent, 100),
                                Figure.HOST_IO_WAIT_PERCENT, new FigureUse(seconds, seconds * ioWaitPercent, 100)))));
    }

    @ParameterizedTest
    @CsvSource({
        "10, 10, 0, false, ",
        "10, 9.9, 0, false, NOTE",
        "10, 5, 0, false, NOTE",
        "10, 4.9, 0, false, INVALIDATES",
        "10, 0.7, 0, false, INVALIDATES",
        "10, 0.7, 0, true, NOTE",
        // Processors that wait for a disk have time to spare.
        "10, 0.7, 5, false, NOTE",
        "10, 0.7, 20, false, ",
        // A single moment proves nothing.
        "0.9, 0.7, 0, false, ",
    })
    void aMachineThatHasNothingToSpareIsWhatIsMeasured(
            double seconds, double idlePercent, double ioWaitPercent, boolean brokerIsLocal, Severity severity) {
        judgeHost(spare(seconds, idlePercent, ioWaitPercent), brokerIsLocal);
        assertFinds(severity != null, "HostSaturated");
        assertThat(judge.findings().stream().map(Finding::severity))
                .isEqualTo(severity == null ? List.of() : List.of(severity));
    }

    @Test
    void aSaturatedMachineSaysWhatThatMeans() {
        judgeHost(spare(10, 0.7, 0), true);
        assertThat(judge.findings())
                .extracting(Finding::text)
                .containsExactly(
                        "machine saturated: its processors had 0.7 % of their time to spare; the machine, which"
                                + " broker and clients share, may have been measured rather than the system under test");
    }

    @Test
    void aHostThatIsNotWatchedIsNotSaturated() {
        judgeHost(ResourcePeriod.NONE, false);
        judgeHost(used(Role.HOST, Figure.HOST_STEAL_PERCENT, 1, 1), false);
        assertThat(judge.findings()).isEmpty();
    }

    @Test
    void aMachineThatTheHarnessHasTakenIsNotToldTwice() {
        judgeHarness(new HarnessUsage(10_000_000_000L, 19_000_000_000L, 0, 0, 2), Double.POSITIVE_INFINITY);
        judgeHost(spare(10, 1, 0), false);
        assertFinds(true, "HarnessCpuBound");
    }

    @ParameterizedTest
    @CsvSource({"10, false", "11, true"})
    void aPauseThatIsLongerThanWhatIsMeasuredIsWorthANote(double pauseMs, boolean expected) {
        long p99Ns = TimeUnit.MILLISECONDS.toNanos(10);
        judgeResources(
                withLatency(Latency.PUBLISH, latencies(p99Ns, 100, p99Ns, 1)),
                used(Role.HARNESS, Figure.LONGEST_PAUSE_MS, 0, pauseMs),
                1,
                List.of());
        assertFinds(expected, "HarnessPaused");
    }

    /**
     * In ten seconds, stalls of 10 ms count: 0.1 % of all moments. If there are fewer, the longest stall counts if it
     * lasted at least 10 ms and either the same share of the time, or half as long as the longest latency.
     */
    @ParameterizedTest
    @CsvSource({
        "10, 9, 1000, 11, 10000, ''",
        "10, 11, 1000, 11, 10000, HarnessPaused",
        "10, 11, 1000, 10, 11010, ''",
        "10, 11, 1000, 10, 10990, HarnessPaused",
        "10, 3000, 1000, 0, 10000, ''",
        "1, 85, 1000, 1, 9000, HarnessPaused",
        "1, 85, 1000, 1, 86000, ''",
        "1, 85, 171, 1, 86000, ''",
        "1, 85, 169, 1, 86000, HarnessPaused",
        "1, 9, 1, 1, 1000, ''",
        "86, 85, 1000, 1, 9000, ''"
    })
    void stallsThatAreLongerThanWhatIsMeasuredAreWorthANote(
            long p99Ms, long stallMs, long longestMs, long stalled, long moments, String kind) {
        long p99Ns = TimeUnit.MILLISECONDS.toNanos(p99Ms);
        LatencySnapshot stalls = latencies(0, moments - stalled, TimeUnit.MILLISECONDS.toNanos(stallMs), stalled);
        judgeResources(
                List.of(new PeriodSnapshot(
                                0,
                                10_000_000_000L,
                                Totals.none(1),
                                Totals.none(1),
                                Map.of(
                                        Latency.PUBLISH,
                                        latencies(p99Ns, 100, p99Ns, 1),
                                        Latency.SCHEDULED_PUBLISH,
                                        latencies(p99Ns, 100, TimeUnit.MILLISECONDS.toNanos(longestMs), 1)))
                        .withStalls(stalls)),
                ResourcePeriod.NONE,
                1,
                List.of());
        assertFinds(!kind.isEmpty(), "HarnessPaused");
    }

    @Test
    void pausesAreToldOnceWhateverTheyAreSeenBy() {
        long p99Ns = TimeUnit.MILLISECONDS.toNanos(10);
        LatencySnapshot stalls = latencies(0, 5_000, 40_000_000, 5_000);
        judgeResources(
                List.of(withLatency(Latency.PUBLISH, latencies(p99Ns, 100, p99Ns, 1))
                        .get(0)
                        .withStalls(stalls)),
                used(Role.HARNESS, Figure.LONGEST_PAUSE_MS, 0, 25),
                1,
                List.of());
        assertThat(judge.findings())
                .extracting(Finding::text)
                .containsExactly("harness paused: 0.1 % of the time work had to wait for 40.0 ms or more, up"
                        + " to 40.0 ms (longest garbage collection 25.0 ms); the p99 of the publish latency is 10.0 ms,"
                        + " and latencies beyond that may come from the harness itself");
    }

    /** A fault causes latencies beside which no stall of the harness is long. */
    @Test
    void inARunWithFaultsPausesAreComparedWithWhatWasUsualBefore() {
        long faultNs = TimeUnit.SECONDS.toNanos(3);
        List<PeriodSnapshot> measured = List.of(withLatency(Latency.PUBLISH, latencies(faultNs, 100, faultNs, 1))
                .get(0)
                .withStalls(latencies(0, 5_000, 800_000_000, 5_000)));
        List<WorkerSeen> workers = List.of(harness(null, 1, false));
        judge.judgeResources(measured, ResourcePeriod.NONE, workers, Double.POSITIVE_INFINITY, List.of(), null);
        assertThat(kinds()).isEmpty();
        FaultOutcome.FaultReport faults = new FaultOutcome.FaultReport(
                List.of(),
                List.of(),
                new FaultOutcome.Messages(0, 0, 0, 0, null, 0, 0, 0L, 0),
                TimeUnit.MILLISECONDS.toNanos(5));
        judge.judgeResources(measured, ResourcePeriod.NONE, workers, Double.POSITIVE_INFINITY, List.of(), faults);
        assertThat(kinds()).containsExactly("HarnessPaused");
        assertThat(judge.findings().get(0).text())
                .contains("the p99 of the publish latency before the first fault was 5.00 ms");
    }

    private static ResourceLimits limits(ProcessLimit broker, ProcessLimit clients) {
        return new ResourceLimits(
                new Enforcement(broker, Mechanism.CGROUP_V2, Mechanism.CGROUP_V2, List.of()),
                new Enforcement(clients, Mechanism.CGROUP_V2, Mechanism.CGROUP_V2, List.of()),
                Enforcement.NONE);
    }

    private static ResourceUse throttled(String worker, double percent) {
        return new ResourceUse(
                worker, Role.HARNESS, Map.of(Figure.CPU_THROTTLED_PERCENT, new FigureUse(10, 10 * percent, percent)));
    }

    private static final ResourceLimits EACH_CLIENT = new ResourceLimits(
            Enforcement.NONE,
            Enforcement.NONE,
            new Enforcement(new ProcessLimit(0.5, null), Mechanism.CGROUP_V2, null, List.of()));

    /** Its memory and processors are part of the test, and its collector has to do with them. */
    @Test
    void collectionsOfALimitedClientAreWorthANote() {
        HarnessUsage usage = new HarnessUsage(10_000_000_000L, 5_000_000_000L, 100, 2_000, 2);
        WorkerSeen.Equipment equipment = new WorkerSeen.Equipment(1, null, "host", true);
        List<WorkerSeen> workers = List.of(new WorkerSeen("worker 1", 1, 0, equipment, usage, null));
        assertThat(Judge.machinesSoFar(ResourcePeriod.NONE, workers, EACH_CLIENT))
                .containsExactly(Finding.harnessCollectsGarbage("worker 1", 0.2, Severity.NOTE));
        assertThat(Finding.harnessCollectsGarbage("worker 1", 0.2, Severity.NOTE)
                        .text())
                .isEqualTo("worker 1 saturated: 20.0 % of the time went into garbage collection, with the memory that"
                        + " limits.eachClient leaves it");
    }

    @Test
    void ofManyLimitedClientsTheOneThatWaitedMostIsWorthANote() {
        judge.judgeLimits(
                new ResourcePeriod(
                        List.of(throttled("worker 1", 20), throttled("worker 2", 60), throttled("worker 3", 30))),
                EACH_CLIENT);
        assertThat(judge.findings())
                .extracting(Finding::text)
                .containsExactly(
                        "clients throttled: in 60 % of the 100 ms slices, worker 2 had used up its limit of 0.500"
                                + " processors and had to wait, more often than any other client; the latencies include that");
        assertThat(judge.findings()).allMatch(finding -> finding.severity() == Severity.NOTE);
    }

    @ParameterizedTest
    @CsvSource({
        "BROKER, 4.9, ",
        "BROKER, 5, BrokerThrottled",
        "HARNESS, 4.9, ",
        "HARNESS, 5, ClientsThrottled",
        "HOST, 90,"
    })
    void waitingForALimitIsWorthANote(Role role, double percent, @Nullable String kind) {
        judge.judgeLimits(
                used(role, Figure.CPU_THROTTLED_PERCENT, percent, 100),
                limits(new ProcessLimit(0.5, null), new ProcessLimit(0.5, null)));
        assertThat(kinds()).isEqualTo(kind == null ? List.of() : List.of(kind));
        assertThat(judge.findings()).allMatch(finding -> finding.severity() == Severity.NOTE);
    }

    @ParameterizedTest
    @CsvSource({
        "OUT_OF_MEMORY_KILLS, 1, KilledForMemory",
        "HELD_MEMORY_BYTES, 949, ",
        "HELD_MEMORY_BYTES, 950, MemoryLimitReached",
        "LIMITED_MEMORY_BYTES, 989, ",
        "LIMITED_MEMORY_BYTES, 990, FileCacheLimited",
        "MEMORY_LIMIT_HITS_PER_SEC, 0, ",
        "MEMORY_LIMIT_HITS_PER_SEC, 0.1, FileCacheLimited",
    })
    void memoryAtItsLimitIsToldFromAFullFileCache(Figure figure, double max, @Nullable String kind) {
        judge.judgeLimits(
                used(Role.BROKER, figure, max / 2, max), limits(new ProcessLimit(null, 1000L), ProcessLimit.NONE));
        assertThat(kinds()).isEqualTo(kind == null ? List.of() : List.of(kind));
        assertThat(judge.findings())
                .allMatch(finding ->
                        (finding.severity() == Severity.INVALIDATES) == "KilledForMemory".equals(finding.kind()));
    }

    @Test
    void limitsThatNobodyKeepsAreNotReached() {
        ResourceLimits notKept = new ResourceLimits(
                new Enforcement(new ProcessLimit(0.5, 1000L), null, null, List.of("not here")),
                Enforcement.NONE,
                Enforcement.NONE);
        judge.judgeLimits(used(Role.BROKER, Figure.HELD_MEMORY_BYTES, 2000, 2000), notKept);
        judge.judgeLimits(used(Role.BROKER, Figure.CPU_THROTTLED_PERCENT, 50, 50), notKept);
        assertThat(judge.findings()).isEmpty();
    }

    @Test
    void clientsThatUseMoreMemoryThanTheyAreToAreWorthANoteEvenIfNobodyKeepsThemFromIt() {
        ResourceLimits notKept = new ResourceLimits(
                Enforcement.NONE,
                new Enforcement(new ProcessLimit(null, 256L << 20), null, null, List.of("the heap is too large")),
                Enforcement.NONE);
        judge.judgeLimits(used(Role.HARNESS, Figure.RESIDENT_BYTES, 1, 300L << 20), notKept);
        assertThat(judge.findings())
                .extracting(Finding::text)
                .containsExactly(
                        "clients over their memory limit: this process held up to 300 MiB in memory, the limit is 256"
                                + " MiB");
    }

    @ParameterizedTest
    @CsvSource({"0.44, false", "0.46, true"})
    void theHarnessIsJudgedByItsLimitIfThatIsLessThanThereAreProcessors(double cores, boolean bound) {
        judgeHarness(new HarnessUsage(10_000_000_000L, (long) (cores * 1e10), 0, 0, 2), 0.5);
        assertFinds(bound, "HarnessCpuBound");
    }

    @Test
    void aDiskThatIsNearlyFullInvalidates() {
        judge.judgeDisk(new DiskSpace("/data", 900L << 20, 1L << 30));
        assertThat(judge.findings())
                .containsExactly(Finding.diskNearlyFull("/data", 900L << 20, 1L << 30))
                .allMatch(finding -> finding.severity() == Severity.INVALIDATES)
                .extracting(Finding::text)
                .containsExactly(
                        "disk nearly full: 900 MiB are left on the disk of /data, less than 1024 MiB, so the run"
                                + " was ended early; free some space or shorten the run");
    }

    @Test
    void figuresThatCouldNotBeReadAreWorthANoteEach() {
        judgeResources(List.of(), ResourcePeriod.NONE, 1, List.of("http://a: no", "http://b: no"));
        assertThat(judge.findings())
                .extracting(Finding::text)
                .containsExactly("metrics not read: http://a: no", "metrics not read: http://b: no");
        assertThat(judge.findings()).allMatch(finding -> finding.severity() == Severity.NOTE);
    }

    /** One message plus those of 20 ms may be cut off. */
    @ParameterizedTest
    @CsvSource({"2000, 41, 3000, ", "2000, 42, 3000, INVALIDATES", "2000, 42, 100, INVALIDATES", "2000, 42, 99, NOTE"})
    void theEndOfTheScheduleIsPartOfTheLoad(double target, long unsent, long waitMs, @Nullable Severity severity) {
        RunResult.Censored censored = new RunResult.Censored(unsent, 0, 0, TimeUnit.MILLISECONDS.toNanos(waitMs));
        judge.judgeUnsent(censored, OptionalDouble.of(target));
        assertThat(judge.findings().stream().map(Finding::severity))
                .isEqualTo(severity == null ? List.of() : List.of(severity));
    }

    @Test
    void withoutATargetNothingIsDue() {
        judge.judgeUnsent(new RunResult.Censored(1_000, 0, 0, 1_000_000_000), OptionalDouble.empty());
        assertThat(judge.findings()).isEmpty();
    }
}
