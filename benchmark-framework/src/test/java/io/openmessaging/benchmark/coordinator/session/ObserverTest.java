package io.openmessaging.benchmark.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.coordinator.ModelWorker;
import io.openmessaging.benchmark.coordinator.RecordingRunListener;
import io.openmessaging.benchmark.coordinator.Requests;
import io.openmessaging.benchmark.coordinator.VirtualTime;
import io.openmessaging.benchmark.coordinator.session.Observer.End;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ObserverTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Predicate<Totals> NEVER = totals -> false;

    private final VirtualTime time = new VirtualTime();
    private final ModelWorker worker = new ModelWorker(time);
    private final StopSignal stop = new StopSignal();
    private final RecordingRunListener recorded = new RecordingRunListener();
    private final AtomicReference<Optional<String>> brokerFailure = new AtomicReference<>(Optional.empty());
    private final RunSession session = new RunSession(
            Requests.request(
                    RunTimeouts.standard(), () -> Objects.requireNonNull(brokerFailure.get()), "samplePeriod: 10s"),
            worker,
            stop,
            recorded,
            time,
            time);
    private final Recording recording = session.recording;
    private final Observer observer = session.observer;

    @BeforeEach
    void measureAtAThousandMessagesASecond() throws Exception {
        worker.prepare(new Worker.Prepare(session.description, 1, 1));
        recording.begin(RunPhase.MEASURE);
        session.load.start(RateProfile.steady(1000));
    }

    private End sample(Duration duration) throws Exception {
        return observer.sampleUntil(Optional.of(duration), SECOND, Optional.empty(), NEVER);
    }

    private List<Double> measuredSeconds() {
        return recording.measured().stream().map(PeriodSnapshot::seconds).toList();
    }

    @Test
    void takesASampleEveryPeriodUntilTheTimeIsUp() throws Exception {
        assertThat(sample(Duration.ofSeconds(30))).isEqualTo(End.TIME_UP);

        assertThat(time.passed()).isEqualTo(Duration.ofSeconds(30));
        assertThat(measuredSeconds()).containsExactly(10.0, 10.0, 10.0);
        assertThat(recording.measured()).allMatch(period -> period.publishRate() == 1000);
        assertThat(recorded.periods)
                .extracting(RunState::left)
                .containsExactly(
                        Optional.of(Duration.ofSeconds(20)),
                        Optional.of(Duration.ofSeconds(10)),
                        Optional.of(Duration.ZERO));
    }

    @Test
    void aRestOfAPeriodIsASampleOfItsOwnOrPartOfTheLast() throws Exception {
        assertThat(sample(Duration.ofSeconds(26))).isEqualTo(End.TIME_UP);
        assertThat(measuredSeconds()).containsExactly(10.0, 10.0, 6.0);

        recording.periods().clear();
        assertThat(sample(Duration.ofSeconds(14))).isEqualTo(End.TIME_UP);
        assertThat(measuredSeconds()).containsExactly(14.0);
    }

    @Test
    void aPhaseShorterThanAPeriodHasOneSample() throws Exception {
        sample(Duration.ofMillis(300));
        assertThat(measuredSeconds()).containsExactly(0.3);
        assertThat(recording.measured().get(0).counts().acknowledged()).isEqualTo(300);
    }

    @Test
    void tellsTheTimeEverySecond() throws Exception {
        sample(Duration.ofSeconds(5));
        assertThat(recorded.ticks)
                .extracting(tick -> tick.left().orElseThrow().toSeconds())
                .containsExactly(5L, 4L, 3L, 2L, 1L);
        assertThat(recorded.ticks).extracting(RunState::phase).containsOnly(RunPhase.MEASURE);
    }

    @Test
    void endsAsSoonAsTheConditionHolds() throws Exception {
        End end = observer.sampleUntil(
                Optional.empty(), Duration.ofMillis(1), Optional.empty(), totals -> totals.acknowledged() >= 12_345);

        assertThat(end).isEqualTo(End.DONE);
        assertThat(time.passed()).isEqualTo(Duration.ofMillis(12_345));
        assertThat(measuredSeconds()).containsExactly(12.345);
        assertThat(recorded.periods).extracting(RunState::left).containsOnly(Optional.empty());
    }

    @Test
    void whatIsDoneAlreadyIsNotWaitedFor() throws Exception {
        assertThat(observer.waitUntil(Duration.ofDays(1), SECOND, Optional.empty(), totals -> true))
                .isEqualTo(End.DONE);
        assertThat(time.passed()).isZero();
    }

    @Test
    void isStalledWhenNothingMovesAnyMore() throws Exception {
        time.at(Duration.ofSeconds(7), () -> worker.setCapacity(0));

        End end = observer.sampleUntil(
                Optional.of(Duration.ofHours(1)), Duration.ofMillis(100), Optional.of(Duration.ofSeconds(3)), NEVER);

        assertThat(end).isEqualTo(End.STALLED);
        assertThat(time.passed()).isBetween(Duration.ofSeconds(10), Duration.ofMillis(10_300));
    }

    @Test
    void anythingThatMovesIsNotStalled() throws Exception {
        worker.setCapacity(0);
        // An occasional refusal is movement, too.
        for (int second = 2; second <= 18; second += 2) {
            time.at(Duration.ofSeconds(second), () -> worker.refuse(1));
        }
        End end = observer.waitUntil(
                Duration.ofHours(1), Duration.ofMillis(100), Optional.of(Duration.ofSeconds(3)), NEVER);

        assertThat(end).isEqualTo(End.STALLED);
        assertThat(time.passed()).isGreaterThan(Duration.ofSeconds(21));
    }

    @Test
    void stopsWhenTheUserWantsToAndKeepsWhatWasMeasured() throws Exception {
        time.at(Duration.ofMillis(17_250), stop::request);

        assertThat(sample(Duration.ofHours(1))).isEqualTo(End.STOPPED);

        assertThat(time.passed()).isEqualTo(Duration.ofMillis(17_250));
        assertThat(measuredSeconds()).containsExactly(10.0, 7.25);
    }

    @Test
    void whoWantsToStopWaitsForArrivalsOnlyShortlyAndIsToldSo() throws Exception {
        worker.setCapacity(1);
        observer.pass(SECOND);
        session.load.stop();
        time.at(Duration.ofSeconds(4), stop::request);

        End end =
                observer.waitForArrivals(Duration.ofSeconds(120), Duration.ofMillis(10), Duration.ofSeconds(60), NEVER);

        assertThat(end).isEqualTo(End.STOPPED);
        assertThat(time.passed()).isBetween(Duration.ofSeconds(9), Duration.ofMillis(9_020));
        assertThat(recorded.waits).hasSize(1);
        assertThat(recorded.waits.get(0)).contains("still on the way; the run waits 5 s more at most");
    }

    @Test
    void aStopThatCameBeforeIsNoReasonNotToWaitAtAll() throws Exception {
        stop.request();
        End end = observer.waitForArrivals(
                Duration.ofSeconds(1), Duration.ofMillis(10), Duration.ofSeconds(60), totals -> false);
        assertThat(end).isEqualTo(End.TIME_UP);
        assertThat(time.passed()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aLongWaitSaysSoWithoutMessagesOnTheWayToo() throws Exception {
        session.load.stop();
        observer.waitUntil(Duration.ofSeconds(35), SECOND, Optional.empty(), NEVER);

        assertThat(recorded.waits).hasSize(3);
        assertThat(recorded.waits.get(0)).isEqualTo("the run waits 25 s more at most");
    }

    @Test
    void aSystemThatRefusesEveryMessageIsNotSentToForTheWholeTime() {
        worker.setCapacity(0);
        for (int second = 1; second < 60; second++) {
            time.at(Duration.ofSeconds(second), () -> worker.refuse(5));
        }

        assertThatThrownBy(() -> sample(Duration.ofMinutes(30)))
                .isInstanceOf(RunFailedException.class)
                .hasMessageMatching("every message was refused for 1[0-2] s, [0-9]+ in all, so the run ends early:"
                        + " send: refused");

        assertThat(time.passed()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(12));
        assertThat(measuredSeconds()).as("what was measured is kept").isNotEmpty();
    }

    @Test
    void anErrorOfTheClientEndsTheWaitAndWhatWasMeasuredIsKept() {
        time.at(Duration.ofSeconds(13), () -> worker.failNow("the connection is gone"));

        assertThatThrownBy(() -> sample(Duration.ofHours(1)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("the client cannot continue: the connection is gone");

        assertThat(measuredSeconds()).containsExactly(13.0);
    }

    @Test
    void aDeadBrokerEndsTheWaitWithItsOwnSentence() {
        time.at(Duration.ofSeconds(3), () -> {
            brokerFailure.set(Optional.of("node 1 has ended: out of memory"));
            worker.failNow("only a consequence");
        });
        assertThatThrownBy(() -> sample(Duration.ofHours(1)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("node 1 has ended: out of memory");
    }

    @Test
    void nothingIsSampledWhileNothingIsMeasured() throws Exception {
        observer.waitUntil(Duration.ofSeconds(30), SECOND, Optional.empty(), NEVER);
        assertThat(recorded.periods).isEmpty();
        assertThat(recording.measured()).isEmpty();
    }
}
