package io.openmessaging.benchmark.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.coordinator.RecordingRunListener;
import io.openmessaging.benchmark.coordinator.Requests;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RecordingTest {

    private static final double FULL_SECONDS = 10;

    private final AtomicLong clock = new AtomicLong(5_000_000_000L);
    private final RecordingRunListener recorded = new RecordingRunListener();
    private final Recording recording =
            new Recording(clock::get, StatePublisherTest.publisher(recorded, Requests.request()), ResourceMonitor.NONE);
    private long periodEndNs = clock.get();

    /** The next period, with one message a second. */
    private Worker.Period period(double seconds) {
        long startNs = periodEndNs;
        periodEndNs += (long) (seconds * 1e9);
        long messages = (long) seconds;
        Totals counts = new Totals(messages, messages, 0, List.of(messages), 0);
        return new Worker.Period(
                1,
                new PeriodSnapshot(startNs, periodEndNs, counts, counts, Map.of()),
                List.of(LatencySnapshot.empty()),
                ResourcePeriod.NONE);
    }

    @Test
    void beginsWithProvisioning() {
        assertThat(recorded.phases).containsExactly(RunPhase.PROVISION);
        assertThat(recording.phases()).isEmpty();
    }

    @Test
    void phasesFollowEachOtherWithoutAGap() {
        clock.addAndGet(1);
        recording.begin(RunPhase.READY);
        clock.addAndGet(20);
        recording.begin(RunPhase.MEASURE);
        clock.addAndGet(300);
        recording.endPhase();

        assertThat(recording.phases())
                .containsExactly(
                        new RunResult.Phase("provision", 5_000_000_000L, 5_000_000_001L),
                        new RunResult.Phase("ready", 5_000_000_001L, 5_000_000_021L),
                        new RunResult.Phase("measure", 5_000_000_021L, 5_000_000_321L));
        assertThat(recorded.phases).containsExactly(RunPhase.PROVISION, RunPhase.READY, RunPhase.MEASURE);
    }

    @Test
    void aWarmUpIsKeptApartFromTheMeasurement() {
        recording.begin(RunPhase.WARM_UP);
        Worker.Period warmUp = period(10);
        recording.add(warmUp);
        recording.begin(RunPhase.MEASURE);
        Worker.Period measured = period(10);
        recording.add(measured);

        assertThat(recording.warmup()).containsExactly(warmUp.seen());
        assertThat(recording.measured()).containsExactly(measured.seen());
    }

    @ParameterizedTest
    @EnumSource(
            value = RunPhase.class,
            names = {"BACKLOG_BUILD", "BACKLOG_DRAIN", "MEASURE"})
    void allKindsOfMeasuringAreMeasured(RunPhase phase) {
        recording.begin(phase);
        recording.add(period(10));
        assertThat(recording.measured()).hasSize(1);
        assertThat(recording.warmup()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = RunPhase.class,
            names = {"PROVISION", "READY", "SEARCH", "DRAIN", "AUDIT"})
    void theRestIsNotKept(RunPhase phase) {
        recording.begin(phase);
        recording.add(period(10));
        recording.addLast(period(10), FULL_SECONDS, true);
        assertThat(recording.measured()).isEmpty();
        assertThat(recording.warmup()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0.001,1", "4.999,1", "5,2", "9.5,2", "10,2"})
    void aLastPeriodShorterThanHalfIsAddedToTheOneBeforeIt(double lastSeconds, int periods) {
        recording.begin(RunPhase.MEASURE);
        recording.add(period(10));
        recording.addLast(period(lastSeconds), FULL_SECONDS, false);

        assertThat(recording.measured()).hasSize(periods);
        assertThat(recording.measured().stream()
                        .mapToDouble(PeriodSnapshot::seconds)
                        .sum())
                .isCloseTo(10 + lastSeconds, within(1e-9));
        assertThat(recording.measured().stream()
                        .mapToLong(period -> period.counts().acknowledged())
                        .sum())
                .isEqualTo(10 + (long) lastSeconds);
    }

    @Test
    void aShortPeriodThatIsTheOnlyOneOfItsPhaseStaysByItself() {
        recording.begin(RunPhase.BACKLOG_BUILD);
        recording.add(period(10));
        recording.begin(RunPhase.BACKLOG_DRAIN);
        recording.addLast(period(1), FULL_SECONDS, true);

        assertThat(recording.measured()).hasSize(2);
    }

    @Test
    void aPeriodWithoutLengthIsNoPeriod() {
        recording.begin(RunPhase.MEASURE);
        recording.addLast(period(0), FULL_SECONDS, true);
        assertThat(recording.measured()).isEmpty();
    }

    @Test
    void whatWorkersUseStandsBesideWhatTheirCoordinatorUses() {
        Map<Figure, FigureUse> cpu = Map.of(Figure.CPU_CORE_PERCENT, new FigureUse(1, 1, 1));
        ResourceUse ofWorker = new ResourceUse("worker 1 (b)", Role.HARNESS, cpu);
        ResourceMonitor watched = new ResourceMonitor() {
            @Override
            public ResourcePeriod sample() {
                return new ResourcePeriod(List.of(new ResourceUse("harness", Role.HARNESS, cpu)));
            }

            @Override
            public void close() {}
        };
        Recording ofWorkers =
                new Recording(clock::get, StatePublisherTest.publisher(recorded, Requests.request()), watched);
        ofWorkers.begin(RunPhase.MEASURE);
        ofWorkers.add(new Worker.Period(
                1, period(10).seen(), List.of(LatencySnapshot.empty()), new ResourcePeriod(List.of(ofWorker))));
        ofWorkers.add(period(10));
        assertThat(ofWorkers.periods().get(0).used().uses())
                .containsExactly(new ResourceUse("coordinator", Role.COORDINATOR, cpu), ofWorker);
        assertThat(ofWorkers.periods().get(1).used()).isEqualTo(watched.sample());
    }
}
