package io.openmessaging.benchmark.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.coordinator.Requests;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Progress of runs with a warm-up of 10 s and, unless the test says otherwise, a measurement of 60 s. */
class LoadProgressTest {

    private LoadProgress progress = of();
    private long atMs;

    private static LoadProgress of(String... workload) {
        return new LoadProgress(Requests.request(workload).workload().workload());
    }

    /** Lets a time pass in the phase until now, and returns the progress at the start of the next state. */
    private @Nullable Double after(long ms, RunPhase phase, long messages) {
        atMs += ms;
        Totals totals = new Totals(messages, messages, 0, List.of(messages), 0);
        progress.state(new RunState(phase, Optional.empty(), 1000, totals, null, Map.of(), List.of()), atMs);
        return progress.done();
    }

    private @Nullable Double after(long ms, RunPhase phase) {
        return after(ms, phase, 0);
    }

    @Test
    void theTimeOfWarmUpAndMeasurementIsTheWhole() {
        assertThat(progress.done()).isZero();
        assertThat(after(0, RunPhase.PROVISION)).isZero();
        assertThat(after(5_000, RunPhase.WARM_UP)).isZero();
        assertThat(after(7_000, RunPhase.WARM_UP)).isEqualTo(0.1);
        assertThat(after(3_000, RunPhase.SETTLE)).isEqualTo(10 / 70.0);
        assertThat(after(2_000, RunPhase.MEASURE)).isEqualTo(10 / 70.0);
        assertThat(after(30_000, RunPhase.MEASURE)).isEqualTo(40 / 70.0);
        assertThat(after(40_000, RunPhase.MEASURE)).isEqualTo(1);
        assertThat(after(0, RunPhase.DRAIN)).isEqualTo(1);
    }

    @Test
    void aWarmUpThatEndsEarlyIsOver() {
        after(0, RunPhase.WARM_UP);
        assertThat(after(1_000, RunPhase.MEASURE)).isEqualTo(10 / 70.0);
    }

    @Test
    void aRunThatIsCutShortIsOver() {
        after(0, RunPhase.WARM_UP);
        assertThat(after(1_000, RunPhase.DRAIN)).isEqualTo(1);
        assertThat(after(1_000, RunPhase.AUDIT)).isEqualTo(1);
    }

    @Test
    void theNumberOfMessagesCountsFromTheStartOfTheMeasurement() {
        progress = of("messageCount: 200", "testDuration:");
        assertThat(after(0, RunPhase.WARM_UP, 0)).isZero();
        assertThat(after(5_000, RunPhase.WARM_UP, 900)).isZero();
        assertThat(after(5_000, RunPhase.MEASURE, 1_000)).isZero();
        assertThat(after(60_000, RunPhase.MEASURE, 1_050)).isEqualTo(0.25);
        assertThat(after(1_000, RunPhase.MEASURE, 1_200)).isEqualTo(1);
    }

    @Test
    void aSearchTakesAsLongAsItTakesAndMayMeasureSeveralTimes() {
        progress = of("producerRate: 0");
        after(0, RunPhase.WARM_UP);
        assertThat(after(10_000, RunPhase.SEARCH)).isEqualTo(10 / 70.0);
        assertThat(after(90_000, RunPhase.MEASURE)).isEqualTo(10 / 70.0);
        assertThat(after(60_000, RunPhase.MEASURE)).isEqualTo(1);
        assertThat(after(0, RunPhase.SEARCH)).isEqualTo(10 / 70.0);
    }

    @Test
    void theRatesOfASweepAddUpEachWithItsTimeToSettle() {
        progress = of(
                "warmupDuration: 8s",
                "testDuration:",
                "producerRate:",
                "rateSweep: {from: 1000, to: 4000, factor: 2, each: 10s}");
        after(0, RunPhase.WARM_UP);
        assertThat(after(8_000, RunPhase.SETTLE)).isEqualTo(8 / 50.0);
        assertThat(after(4_000, RunPhase.MEASURE)).isEqualTo(12 / 50.0);
        assertThat(after(10_000, RunPhase.SETTLE)).isEqualTo(22 / 50.0);
        assertThat(after(4_000, RunPhase.MEASURE)).isEqualTo(26 / 50.0);
    }

    @Test
    void messagesToConsumeCountWhereTheyArrive() {
        progress = of("producersPerTopic: 0", "testDuration:", "warmupDuration:", "messageCount: 10");
        after(0, RunPhase.MEASURE, 0);
        assertThat(after(1_000, RunPhase.MEASURE, 5)).isEqualTo(0.5);
    }

    @Test
    void ofAllExistingMessagesNobodyKnowsTheNumber() {
        progress = of("producersPerTopic: 0", "testDuration:", "warmupDuration:");
        assertThat(after(0, RunPhase.MEASURE)).isNull();
    }
}
