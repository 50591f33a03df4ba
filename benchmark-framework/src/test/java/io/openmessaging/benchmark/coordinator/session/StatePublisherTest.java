package io.openmessaging.benchmark.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.coordinator.Requests;
import io.openmessaging.benchmark.judge.BacklogTrend;
import io.openmessaging.benchmark.judge.LoadOutcome;
import io.openmessaging.benchmark.judge.worker.WorkerSeen;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.HostProbe;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Finding.Severity;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class StatePublisherTest {

    private RunState told = RunState.NONE;
    private StatePublisher publisher = of();
    private long nowS;
    private Totals totals = Totals.none(1);
    private ResourcePeriod used = ResourcePeriod.NONE;

    private StatePublisher of(String... workload) {
        return publisher(now -> told = now, Requests.request(workload));
    }

    /** A publisher for a run of this process. */
    static StatePublisher publisher(RunListener listener, RunRequest request) {
        return publisher(
                listener,
                request,
                new WorkersOfRun(
                        request.description().topology(), request.conditions().clocks()));
    }

    private static StatePublisher publisher(RunListener listener, RunRequest request, WorkersOfRun workers) {
        return new StatePublisher(listener, request.workload().workload(), workers, ResourceLimits.NONE);
    }

    private static Totals messages(long published, long received) {
        return new Totals(published, published, 0, List.of(received), 0);
    }

    private void tenSeconds(long published, long received) {
        tenSeconds(messages(published, received), Map.of());
    }

    private void tenSeconds(Totals counts, Map<Latency, LatencySnapshot> latencies) {
        totals = totals.plus(counts);
        PeriodSnapshot seen =
                new PeriodSnapshot(nowS * 1_000_000_000, (nowS + 10) * 1_000_000_000, counts, totals, latencies);
        publisher.period(new RunPeriod(seen, used), Optional.empty());
        nowS += 10;
    }

    private void counted(Map<String, Long> errors, HarnessUsage... usage) {
        publisher.counted(new Worker.Status(
                totals, new Worker.LatestLoad(false, null, Map.of()), errors, List.of(usage), List.of(), null));
    }

    private List<Finding> findings() {
        return Objects.requireNonNull(told.findings());
    }

    private List<String> kinds() {
        return findings().stream().map(Finding::kind).toList();
    }

    private void measureAt(double rateMsgPerSec) {
        publisher.phase(RunPhase.MEASURE);
        publisher.target(rateMsgPerSec);
    }

    @Test
    void tellsWhatIsKnownWheneverItChanges() {
        publisher.phase(RunPhase.WARM_UP);
        publisher.target(1000);
        totals = messages(5, 4);
        counted(Map.of("send: x", 1L));
        assertThat(told.totals()).as("told with what comes next").isNull();

        publisher.time(Optional.of(Duration.ofSeconds(3)));
        assertThat(told)
                .isEqualTo(new RunState(
                        RunPhase.WARM_UP,
                        Optional.of(Duration.ofSeconds(3)),
                        1000,
                        messages(5, 4),
                        null,
                        Map.of("send: x", 1L),
                        List.of()));

        tenSeconds(1, 1);
        assertThat(told.left()).isEmpty();
        assertThat(told.totals()).isEqualTo(messages(6, 5));
        assertThat(Objects.requireNonNull(told.lastPeriod()).seen().counts()).isEqualTo(messages(1, 1));

        publisher.phase(RunPhase.MEASURE);
        assertThat(told.phase()).isEqualTo(RunPhase.MEASURE);
        assertThat(told.lastPeriod()).isNotNull();
    }

    @Test
    void nothingIsFoundBeforeTheMeasurement() {
        publisher.target(1000);
        publisher.phase(RunPhase.WARM_UP);
        counted(Map.of("send: x", 1L));
        tenSeconds(1, 0);
        assertThat(findings()).isEmpty();
    }

    @Test
    void aTargetIsMissedUntilTheWholeMeasurementHasReachedIt() {
        measureAt(1000);
        tenSeconds(9_000, 9_000);
        assertThat(kinds()).containsExactly("TargetRateMissed");

        tenSeconds(11_000, 11_000);
        assertThat(kinds()).isEmpty();
    }

    /** A Poisson process with a mean of 10,000 messages has a standard deviation of 100. */
    @Test
    void randomArrivalsMayScatter() {
        publisher = of("arrivals: POISSON");
        measureAt(1000);
        tenSeconds(9_800, 9_800);
        assertThat(kinds()).isEmpty();

        tenSeconds(9_000, 9_000);
        assertThat(kinds()).containsExactly("TargetRateMissed");
    }

    @Test
    void theEndOfTheLoadChangesNothing() {
        measureAt(1000);
        tenSeconds(9_000, 9_000);
        publisher.target(0);
        assertThat(told.targetMsgPerSec()).isZero();
        assertThat(kinds()).containsExactly("TargetRateMissed");
        tenSeconds(9_000, 9_000);
        assertThat(kinds()).containsExactly("TargetRateMissed");
    }

    @Test
    void ratesThatChangeAreNoTarget() {
        measureAt(Double.POSITIVE_INFINITY);
        tenSeconds(9_000, 9_000);
        assertThat(kinds()).isEmpty();
    }

    @Test
    void messagesThatAreCountedHaveNoTargetWhileTheLastOnesAreAwaited() {
        publisher = of("messageCount: 10", "testDuration:");
        measureAt(1000);
        tenSeconds(5, 5);
        assertThat(findings()).isEmpty();
    }

    @Test
    void ofASweepNothingIsSaidBeforeItsEnd() {
        publisher = of("testDuration:", "producerRate:", "rateSweep: {from: 1000, to: 4000, factor: 2, each: 10s}");
        measureAt(1000);
        tenSeconds(5, 5);
        assertThat(told.phase()).isEqualTo(RunPhase.MEASURE);
        assertThat(told.findings()).isNull();
    }

    @Test
    void consumersFallBehindWhatWasThereBefore() {
        publisher.target(1000);
        publisher.phase(RunPhase.WARM_UP);
        tenSeconds(10_000, 1_000);
        publisher.phase(RunPhase.MEASURE);
        BacklogTrend trend = new BacklogTrend(false, true);
        publisher.watchBacklogs(List.of(trend));
        lookWhileTenSecondsPass(trend, 1000);
        assertThat(kinds()).isEmpty();

        lookWhileTenSecondsPass(trend, 100);
        assertThat(kinds()).containsExactly("ConsumersBehind");
    }

    private void lookWhileTenSecondsPass(BacklogTrend trend, long receivedPerSecond) {
        for (long i = 0; i <= 10; i++) {
            trend.look((nowS + i) * 1_000_000_000, totals.plus(messages(1000 * i, receivedPerSecond * i)));
        }
        tenSeconds(10_000, 10 * receivedPerSecond);
    }

    @Test
    void aBacklogThatWasBuiltIsNoFinding() {
        publisher = of("consumerBacklogSizeGB: 1");
        publisher.phase(RunPhase.BACKLOG_BUILD);
        publisher.phase(RunPhase.BACKLOG_DRAIN);
        measureAt(1000);
        BacklogTrend trend = new BacklogTrend(false, true);
        publisher.watchBacklogs(List.of(trend));
        lookWhileTenSecondsPass(trend, 0);
        assertThat(kinds()).isEmpty();
    }

    @Test
    void errorsAreFoundAsTheyCome() {
        measureAt(1);
        counted(Map.of("send: x", 2L));
        tenSeconds(10, 10);
        assertThat(kinds()).containsExactly("Errors");
    }

    @Test
    void whatWasRefusedDuringASearchDoesNotInvalidate() {
        Map<String, Long> errors = Map.of("send: refused", 7L);
        totals = new Totals(107, 100, 7, List.of(100L), 0);
        publisher.searched(new LoadOutcome.Refused(7, errors));
        counted(errors);
        measureAt(1000);
        tenSeconds(10_000, 10_000);
        assertThat(findings()).containsExactly(Finding.errorsInSearch(7, errors));

        counted(Map.of("send: refused", 9L));
        tenSeconds(10_000, 10_000);
        assertThat(findings()).contains(Finding.errors("send: refused", 2));
    }

    @Test
    void anSloIsMissedOnceThereAreSamplesEnoughToSay() {
        publisher = of("slo: {publishLatency99pct: 10ms}");
        measureAt(10);
        Histogram slow = new Histogram(3);
        slow.recordValueWithCount(20_000_000, 60);
        Map<Latency, LatencySnapshot> latencies = Map.of(Latency.PUBLISH, new LatencySnapshot(slow, 60 * 20e6, 0, 0));

        tenSeconds(messages(100, 100), latencies);
        assertThat(findings()).isEmpty();

        tenSeconds(messages(100, 100), latencies);
        assertThat(kinds()).containsExactly("SloMissed");
    }

    /** The worker shares its machine, which has two processors, with the broker. */
    private void measureOnOneMachine() {
        RunRequest request = Requests.request();
        WorkersOfRun workers = new WorkersOfRun(
                request.description().topology(), request.conditions().clocks());
        workers.prepared(
                new Worker.Prepared(List.of(WorkerMachine.here(0)), List.of(Placement.alone())),
                List.of(new WorkerSeen.Equipment(1, null, HostProbe.NAME, true)));
        publisher = publisher(now -> told = now, request, workers);
        counted(Map.of(), new HarnessUsage(0, 0, 0, 0, 2));
        measureAt(1000);
    }

    private static ResourcePeriod idle(double percent) {
        return new ResourcePeriod(List.of(new ResourceUse(
                HostProbe.NAME,
                Role.HOST,
                Map.of(Figure.HOST_IDLE_PERCENT, new FigureUse(10, 10 * percent, percent)))));
    }

    @Test
    void aFullMachineIsFoundAsSoonAsAPeriodShowsIt() {
        measureOnOneMachine();
        used = idle(1);
        tenSeconds(10_000, 10_000);
        assertThat(findings()).containsExactly(Finding.hostSaturated(HostProbe.NAME, 1, true, Severity.NOTE));

        tenSeconds(5_000, 5_000);
        assertThat(kinds()).as("what invalidates comes first").containsExactly("TargetRateMissed", "HostSaturated");

        used = idle(97);
        tenSeconds(15_000, 15_000);
        assertThat(kinds()).isEmpty();
    }

    @Test
    void soIsAHarnessThatUsesAllProcessors() {
        measureOnOneMachine();
        used = idle(1);
        counted(Map.of(), new HarnessUsage(10_000_000_000L, 19_500_000_000L, 0, 0, 2));
        tenSeconds(10_000, 10_000);
        assertThat(kinds()).containsExactly("HarnessCpuBound");
    }
}
