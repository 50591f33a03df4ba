package io.openmessaging.benchmark.judge;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Findings about each of several workers, by its name, and about each of their machines. */
class WorkersJudgementTest {

    private static final String FIRST = "worker 1 (b)";
    private static final String SECOND = "worker 2 (c)";
    private static final String HOST_OF_FIRST = "host of worker 1 (b)";
    private static final String HOST_OF_SECOND = "host of worker 2 (c)";
    private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

    private final Judge judge = new Judge();

    private static WorkerSeen worker(String name, int threads, @Nullable Double ceiling, String host) {
        return worker(name, null, new WorkerSeen.Equipment(threads, ceiling, host, false));
    }

    private static WorkerSeen worker(String name, @Nullable HarnessUsage usage, WorkerSeen.Equipment equipment) {
        return new WorkerSeen(name, 1, 1, equipment, usage, null);
    }

    private static final List<WorkerSeen> TWO =
            List.of(worker(FIRST, 1, null, HOST_OF_FIRST), worker(SECOND, 2, null, HOST_OF_SECOND));

    private static ResourceUse use(String name, Role role, Figure figure, double value) {
        return new ResourceUse(name, role, Map.of(figure, new FigureUse(10, 10 * value, value)));
    }

    private static PeriodSnapshot seen(long sent, LatencySnapshot stalls) {
        Totals counts = new Totals(sent, sent, 0, List.of(sent), 0);
        return new PeriodSnapshot(
                        0,
                        TimeUnit.SECONDS.toNanos(10),
                        counts,
                        counts,
                        Map.of(Latency.PUBLISH, LatencySnapshot.of(10_000_000, 100)))
                .withStalls(stalls);
    }

    private static List<PeriodSnapshot> measured(LatencySnapshot stallsOfFirst, LatencySnapshot stallsOfSecond) {
        return List.of(PeriodSnapshot.merged(List.of(seen(1000, stallsOfFirst), seen(1000, stallsOfSecond))));
    }

    private static List<PeriodSnapshot> measured() {
        return measured(LatencySnapshot.empty(), LatencySnapshot.empty());
    }

    private List<String> texts() {
        return judge.findings().stream().map(Finding::text).toList();
    }

    @Test
    void theSendingThreadsOfEachWorkerAreComparedWithItsOwnProcessors() {
        ResourcePeriod used = new ResourcePeriod(List.of(
                use("coordinator", Role.COORDINATOR, Figure.LOAD_THREADS_CORE_PERCENT, 500),
                use(FIRST, Role.HARNESS, Figure.LOAD_THREADS_CORE_PERCENT, 95),
                use(SECOND, Role.HARNESS, Figure.LOAD_THREADS_CORE_PERCENT, 95)));
        judge.judgeResources(measured(), used, TWO, NO_LIMIT, List.of(), null);
        assertThat(judge.findings()).containsExactly(Finding.sendingThreadsBusy(FIRST, 0.95, 1));
        assertThat(texts()).allSatisfy(text -> assertThat(text).startsWith("sending threads of worker 1 (b) busy: "));
    }

    @Test
    void aWorkerThatOnlyReceivesHasNoSendingThreadsThatCouldBeBusy() {
        ResourcePeriod used =
                new ResourcePeriod(List.of(use(FIRST, Role.HARNESS, Figure.LOAD_THREADS_CORE_PERCENT, 0)));
        judge.judgeResources(
                measured(), used, List.of(worker(FIRST, 0, null, HOST_OF_FIRST)), NO_LIMIT, List.of(), null);
        assertThat(judge.findings()).isEmpty();
    }

    @Test
    void theStallsOfAWorkerDoNotVanishAmongThoseOfTheOthers() {
        LatencySnapshot calm = LatencySnapshot.of(0, 10_000);
        LatencySnapshot stalled = LatencySnapshot.of(0, 9_985).plus(LatencySnapshot.of(50_000_000, 15));
        judge.judgeResources(measured(calm, stalled), ResourcePeriod.NONE, TWO, NO_LIMIT, List.of(), null);
        assertThat(texts())
                .singleElement()
                .satisfies(text ->
                        assertThat(text).startsWith("worker 2 (c) paused: 0.1 % of the time work had to wait for 50."));
    }

    @Test
    void theCollectionsOfAWorkerAreItsOwn() {
        ResourcePeriod used = new ResourcePeriod(List.of(use(FIRST, Role.HARNESS, Figure.LONGEST_PAUSE_MS, 30)));
        judge.judgeResources(measured(), used, TWO, NO_LIMIT, List.of(), null);
        assertThat(texts())
                .singleElement()
                .satisfies(text -> assertThat(text)
                        .startsWith("worker 1 (b) paused: ")
                        .contains("longest garbage collection 30.0 ms"));
    }

    @Test
    void eachMachineIsJudgedOnceAndByItsName() {
        ResourcePeriod used = new ResourcePeriod(List.of(
                use("host", Role.HOST, Figure.HOST_IDLE_PERCENT, 0),
                use(HOST_OF_FIRST, Role.HOST, Figure.HOST_IDLE_PERCENT, 80),
                use(HOST_OF_SECOND, Role.HOST, Figure.HOST_IDLE_PERCENT, 3)));
        List<WorkerSeen> three = List.of(
                worker(FIRST, 1, null, HOST_OF_FIRST),
                worker(SECOND, 1, null, HOST_OF_SECOND),
                worker("worker 3 (c)", 1, null, HOST_OF_SECOND));
        judge.judgeHosts(used, three);
        assertThat(judge.findings())
                .as("nobody sends or receives on the coordinator's")
                .containsExactly(Finding.hostSaturated(HOST_OF_SECOND, 3, false, Severity.INVALIDATES));
        assertThat(texts())
                .containsExactly("host of worker 2 (c) saturated: its processors had 3.0 % of their time to spare; the"
                        + " machine may have been measured rather than the system under test");
    }

    @Test
    void aMachineThatABrokerIsOnAsWellIsWorthANote() {
        ResourcePeriod used = new ResourcePeriod(List.of(use(HOST_OF_FIRST, Role.HOST, Figure.HOST_IDLE_PERCENT, 3)));
        judge.judgeHosts(used, List.of(worker(FIRST, null, new WorkerSeen.Equipment(1, null, HOST_OF_FIRST, true))));
        assertThat(judge.findings()).containsExactly(Finding.hostSaturated(HOST_OF_FIRST, 3, true, Severity.NOTE));
    }

    private List<Finding> sharedWith(double brokersPercent, String host) {
        ResourcePeriod used = new ResourcePeriod(List.of(
                new ResourceUse(
                        HostProbe.NAME,
                        Role.HOST,
                        Map.of(
                                Figure.HOST_USER_PERCENT, new FigureUse(10, 600, 60),
                                Figure.HOST_SYSTEM_PERCENT, new FigureUse(10, 200, 20),
                                Figure.HOST_IDLE_PERCENT, new FigureUse(10, 200, 20))),
                use("harness", Role.HARNESS, Figure.CPU_CORE_PERCENT, 40),
                use("kafka-1", Role.BROKER, Figure.CPU_CORE_PERCENT, brokersPercent)));
        HarnessUsage usage = new HarnessUsage(10_000_000_000L, 4_000_000_000L, 0, 0, 2);
        judge.judgeOthers(used, List.of(worker(FIRST, usage, new WorkerSeen.Equipment(1, null, host, true))));
        return judge.findings();
    }

    @Test
    void whatOtherProgramsTakeIsTheMachinesTimeWithoutThatOfHarnessAndBrokers() {
        assertThat(sharedWith(80, HostProbe.NAME)).containsExactly(Finding.machineShared(20));
        assertThat(texts().get(0)).startsWith("machine shared: programs other than harness and brokers used 20 % of ");
    }

    @Test
    void theKernelsOwnWorkIsNoOtherProgram() {
        assertThat(sharedWith(92, HostProbe.NAME)).isEmpty();
    }

    @Test
    void nothingIsSaidOfOtherProgramsIfABrokerIsNotWatchedOrAWorkerIsElsewhere() {
        assertThat(sharedWith(0, HostProbe.NAME)).isEmpty();
        assertThat(sharedWith(80, HOST_OF_FIRST)).isEmpty();
    }

    @Test
    void onlyTheMachineThatAWorkerHasTakenIsNotToldTwice() {
        judge.judgeHarness(
                worker(
                        FIRST,
                        new HarnessUsage(10_000_000_000L, 19_000_000_000L, 0, 0, 2),
                        new WorkerSeen.Equipment(1, null, HOST_OF_FIRST, false)),
                NO_LIMIT);
        ResourcePeriod used = new ResourcePeriod(List.of(
                use(HOST_OF_FIRST, Role.HOST, Figure.HOST_IDLE_PERCENT, 1),
                use(HOST_OF_SECOND, Role.HOST, Figure.HOST_IDLE_PERCENT, 1)));
        judge.judgeHosts(used, TWO);
        assertThat(judge.findings())
                .containsExactly(
                        Finding.harnessCpuBound(FIRST, 1.9, 2),
                        Finding.hostSaturated(HOST_OF_SECOND, 1, false, Severity.INVALIDATES));
    }

    @Test
    void processorsThatOthersTakeAreToldOfTheMachineTheyAreTakenFrom() {
        ResourcePeriod used = new ResourcePeriod(List.of(
                use(HOST_OF_FIRST, Role.HOST, Figure.HOST_STEAL_PERCENT, 1),
                use(HOST_OF_SECOND, Role.HOST, Figure.HOST_STEAL_PERCENT, 9)));
        judge.judgeResources(measured(), used, TWO, NO_LIMIT, List.of(), null);
        assertThat(judge.findings()).containsExactly(Finding.processorsStolen(HOST_OF_SECOND, 9));
        assertThat(texts())
                .allSatisfy(text -> assertThat(text).startsWith("processors stolen from host of worker 2 (c): "));
    }

    @Test
    void eachWorkerHasACeilingForItsPartOfTheRate() {
        List<PeriodSnapshot> threeToOne = List.of(PeriodSnapshot.merged(
                List.of(seen(6_000, LatencySnapshot.empty()), seen(2_000, LatencySnapshot.empty()))));
        judge.judgeCeilings(
                threeToOne,
                OptionalDouble.of(1_000),
                List.of(worker(FIRST, 1, 800.0, HOST_OF_FIRST), worker(SECOND, 1, 800.0, HOST_OF_SECOND)));
        // The workers send 750 and 250 msg/s.
        assertThat(judge.findings()).containsExactly(Finding.nearHarnessCeiling(FIRST, 750, 800, Severity.INVALIDATES));
        assertThat(texts())
                .allSatisfy(text -> assertThat(text).startsWith("near the limit of worker 1 (b): 750 msg/s is 94 %"));
    }

    @Test
    void aWorkerWithoutACalibrationHasNoCeiling() {
        judge.judgeCeilings(measured(), OptionalDouble.of(1e9), TWO);
        assertThat(judge.findings()).isEmpty();
    }

    @Test
    void aWorkerMayBeLimitedByWhoeverHasStartedIt() {
        ResourcePeriod used = new ResourcePeriod(List.of(
                use("coordinator", Role.COORDINATOR, Figure.CPU_THROTTLED_PERCENT, 50),
                use(FIRST, Role.HARNESS, Figure.CPU_THROTTLED_PERCENT, 4),
                use(SECOND, Role.HARNESS, Figure.CPU_THROTTLED_PERCENT, 30)));
        judge.judgeLimits(used, ResourceLimits.NONE);
        assertThat(judge.findings()).containsExactly(Finding.workerThrottled(SECOND, 30));
    }
}
