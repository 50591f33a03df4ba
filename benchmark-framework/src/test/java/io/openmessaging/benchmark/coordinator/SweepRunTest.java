package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Finding.Severity;
import io.openmessaging.benchmark.result.RateSweep;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.RunResult.Breach;
import io.openmessaging.benchmark.result.RunResult.LoadStep;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunPhase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs that sweep through rates, in virtual time. Their messages are too small for an audit, unless a test is about
 * it.
 */
class SweepRunTest extends VirtualRun {

    SweepRunTest() {
        super(
                "testDuration:",
                "producerRate:",
                "messageSize: 5",
                "rateSweep: {from: 1000, to: 64000, factor: 2, each: 30s}");
    }

    private static RateSweep sweep(RunResult result) {
        return Objects.requireNonNull(result.course().rateSweep());
    }

    private static List<Double> rates(RunResult result) {
        return sweep(result).steps().stream().map(LoadStep::targetMsgPerSec).toList();
    }

    /**
     * The time this many seconds into the measurement of a rate: after 10 s of warm-up, each rate settles for 12 s.
     */
    private static Duration inStep(int step, int seconds) {
        return Duration.ofSeconds(10 + 42L * step + 12 + seconds);
    }

    /** Makes latencies those of a queue: 2 ms when idle, more and more towards 20,000 msg/s. */
    private void queueUpTo20000() {
        worker.setCapacity(20_000);
        worker.setEndToEndMs(rate -> 2 / (1 - Math.min(rate / 20_000, 0.999)));
    }

    @Test
    void endsAtTheFirstRateThatIsNotSustainedEvenWhenItIsTriedAgain() {
        queueUpTo20000();
        RunResult result = run();
        assertThat(rates(result)).containsExactly(1000.0, 2000.0, 4000.0, 8000.0, 16_000.0, 32_000.0, 32_000.0);
        assertThat(sweep(result).steps())
                .extracting(LoadStep::clean)
                .containsExactly(true, true, true, true, true, false, false);
        assertThat(sweep(result).steps()).allSatisfy(step -> {
            assertThat(step.seen().seconds()).isCloseTo(30, within(1e-6));
            double target = Objects.requireNonNull(step.targetMsgPerSec());
            assertThat(step.seen().publishRate()).isCloseTo(Math.min(20_000, target), within(target * 0.001));
        });
        assertThat(recorded.sweep)
                .containsExactly(
                        "1000 sustained",
                        "2000 sustained",
                        "4000 sustained",
                        "8000 sustained",
                        "16000 sustained",
                        "32000 TargetRateMissed",
                        "32000 TargetRateMissed");
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
    }

    /** The power of such a queue is highest at half of its capacity, as Kleinrock shows. */
    @Test
    void theKneeIsWhereThePowerIsHighestAndItsFiguresAreThoseOfTheRun() {
        queueUpTo20000();
        RunResult result = run();
        LoadStep knee = sweep(result).knee().orElseThrow();
        assertThat(knee.targetMsgPerSec()).isEqualTo(8000.0);
        assertThat(sweep(result).highestSustained().orElseThrow().targetMsgPerSec())
                .isEqualTo(16_000.0);

        assertThat(result.targetRateMsgPerSec()).isEqualTo(8000.0);
        PeriodSnapshot total = Objects.requireNonNull(result.total());
        assertThat(total.publishRate()).isCloseTo(8000, within(8.0));
        assertThat(total.startNs()).isEqualTo(knee.seen().startNs());
        assertThat(total.endNs()).isEqualTo(knee.seen().endNs());
        assertThat(result.periods()).hasSize(3);
        assertThat(Objects.requireNonNull(result.usage()).atNs())
                .isEqualTo(Duration.ofSeconds(30).toNanos());
    }

    @Test
    void eachRateBeginsOnADrainedSystemThatHasSettled() {
        queueUpTo20000();
        RunResult result = run();
        assertThat(result.phases().subList(2, 8).stream().map(RunResult.Phase::name))
                .containsExactly("warm-up", "settle", "measure", "settle", "measure", "settle");
        assertThat(result.phases().get(5).seconds()).isCloseTo(12, within(0.2));
        assertThat(worker.loads())
                .extracting(load -> load.rates().firstMsgPerSec())
                .startsWith(1000.0, 1000.0, 2000.0);
        assertThat(worker.calls()).containsSubsequence("start", "stop", "start", "stop", "start");
        assertThat(recorded.phases).contains(RunPhase.SETTLE);
    }

    @Test
    void oneHiccupDoesNotEndIt() {
        queueUpTo20000();
        time.at(inStep(1, 20), () -> worker.setCapacity(100));
        time.at(inStep(1, 31), () -> worker.setCapacity(20_000));
        RunResult result = run();
        assertThat(rates(result))
                .startsWith(1000.0, 2000.0, 2000.0, 2000.0, 4000.0)
                .contains(16_000.0);
        assertThat(sweep(result).steps()).extracting(LoadStep::clean).startsWith(true, false, true, true, true);
        assertThat(sweep(result).knee().orElseThrow().targetMsgPerSec()).isEqualTo(8000.0);
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
    }

    /**
     * A run of its own at that rate would count them, whenever they come. Messages take 3 s: the second rate settles
     * from 58 s on, and drains from 100 s to 103 s.
     */
    @ParameterizedTest
    @ValueSource(ints = {60_000, 101_500})
    void messagesRefusedWhileARateSettlesOrDrainsCount(int atMs) {
        worker.setLatencyNs(3_000_000_000L);
        worker.setWindow(1e6);
        worker.setEndToEndMs(rate -> 3000);
        time.at(Duration.ofMillis(atMs), () -> worker.refuse(20));
        run();
        assertThat(recorded.sweep).startsWith("1000 sustained", "2000 SendErrors", "2000 sustained", "2000 sustained");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void goesOnForAsManyRatesAsItIsAskedTo(int beyond) {
        worker.setEndToEndMs(rate -> 5);
        worker.setCapacity(3000);
        RunResult result = run("rateSweep: {from: 1000, to: 64000, factor: 2, each: 30s, beyond: " + beyond + "}");
        assertThat(rates(result)).hasSize(4 + beyond).startsWith(1000.0, 2000.0, 4000.0, 4000.0);
        assertThat(rates(result).get(3 + beyond)).isEqualTo(4000.0 * (1 << beyond));
        assertThat(sweep(result).knee().orElseThrow().targetMsgPerSec()).isEqualTo(2000.0);
    }

    @Test
    void aFurtherRateThatIsSustainedLetsItGoOn() {
        queueUpTo20000();
        for (int step = 1; step <= 2; step++) {
            time.at(inStep(step, 20), () -> worker.setCapacity(100));
            time.at(inStep(step, 31), () -> worker.setCapacity(20_000));
        }
        RunResult result = run("rateSweep: {from: 1000, to: 64000, factor: 2, each: 30s, beyond: 1}");
        assertThat(rates(result))
                .containsExactly(1000.0, 2000.0, 2000.0, 4000.0, 8000.0, 16_000.0, 32_000.0, 32_000.0, 64_000.0);
        assertThat(sweep(result).knee().orElseThrow().targetMsgPerSec()).isEqualTo(8000.0);
    }

    @Test
    void aSloIsKeptByARateThatIsSustained() {
        queueUpTo20000();
        RunResult result = run("slo: {endToEndLatency99pct: 3ms}");
        assertThat(rates(result)).containsExactly(1000.0, 2000.0, 4000.0, 8000.0, 8000.0);
        Breach breach = Objects.requireNonNull(sweep(result).steps().get(3).breach());
        assertThat(breach.rule()).isEqualTo("SloMissed");
        assertThat(breach.text()).isEqualTo("SLO missed: endToEndLatency99pct was 3.33 ms, more than 3.00 ms");
        assertThat(result.course().slo()).allMatch(RunResult.SloOutcome::passed);
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
    }

    @Test
    void consumersThatFallBehindEndIt() {
        worker.setEndToEndMs(rate -> 5);
        worker.setDelivery(0, 5000);
        RunResult result = run();
        assertThat(rates(result)).containsExactly(1000.0, 2000.0, 4000.0, 8000.0, 8000.0);
        assertThat(Objects.requireNonNull(sweep(result).steps().get(3).breach()).rule())
                .isEqualTo("ConsumersBehind");
        assertThat(sweep(result).knee().orElseThrow().targetMsgPerSec()).isEqualTo(4000.0);
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
    }

    @Test
    void consumersThatFallBehindSlowlyEndItAsWell() {
        worker.setEndToEndMs(rate -> 5);
        worker.setDelivery(0, 970);
        RunResult result = run("rateSweep: {from: 900, to: 1000, steps: 2, each: 30s}");
        assertThat(Objects.requireNonNull(sweep(result).steps().get(1).breach()).rule())
                .isEqualTo("ConsumersBehind");
        assertThat(Objects.requireNonNull(sweep(result).steps().get(1).breach()).text())
                .contains("at subscription 0 when the load ended, and its backlog grew by ");
    }

    @Test
    void whatIsRefusedEndsItAndIsWorthANote() {
        queueUpTo20000();
        time.at(inStep(2, 5), () -> worker.refuse(3));
        time.at(inStep(3, 5), () -> worker.refuse(3));
        RunResult result = run();
        assertThat(rates(result)).containsExactly(1000.0, 2000.0, 4000.0, 4000.0);
        assertThat(Objects.requireNonNull(sweep(result).steps().get(2).breach()).rule())
                .isEqualTo("SendErrors");
        assertThat(kinds(result)).contains("SendErrors");
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
    }

    @Test
    void whatIsLostEndsItAndIsWorthANote() {
        queueUpTo20000();
        time.at(inStep(2, 5), () -> worker.lose(0, 4));
        // This loss comes after the 10 s in which nothing moved.
        time.at(inStep(3, 15), () -> worker.lose(0, 8));
        RunResult result = run("messageSize: 100", "rateSweep: {from: 100, to: 1600, factor: 2, each: 30s}");
        assertThat(rates(result)).containsExactly(100.0, 200.0, 400.0, 400.0);
        assertThat(Objects.requireNonNull(sweep(result).steps().get(2).breach()).text())
                .isEqualTo("4 messages had not arrived at the end");
        assertThat(result.findings()).contains(Finding.lostBeyondKnee("0", 8));
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
    }

    @Test
    void whatIsLostBeforeTheFirstRateInvalidates() {
        queueUpTo20000();
        worker.lose(0, 4);
        RunResult result = run("messageSize: 100", "rateSweep: {from: 100, to: 400, factor: 2, each: 30s}");
        assertThat(rates(result)).containsExactly(100.0, 200.0, 400.0);
        assertThat(kinds(result)).contains("MessagesLost");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
    }

    @Test
    void aSystemThatSustainsNoRateOfItHasNoKnee() {
        worker.setCapacity(500);
        RunResult result = run();
        assertThat(rates(result)).containsExactly(1000.0, 1000.0);
        assertThat(sweep(result).knee()).isEmpty();
        assertThat(result.findings())
                .contains(Finding.noSustainableRate(
                        1000, sweep(result).steps().get(0).breach()));
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.measured()).as("of the first rate").hasSize(3);
    }

    @Test
    void aKneeAtTheEndOfTheSweepMayBeBeyondIt() {
        worker.setEndToEndMs(rate -> 2);
        RunResult result = run("rateSweep: {from: 1000, to: 8000, steps: 4, each: 30s}");
        assertThat(rates(result)).containsExactly(1000.0, 2000.0, 4000.0, 8000.0);
        assertThat(result.findings()).contains(Finding.kneeAtEdge(8000, true));
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void aKneeAtItsBeginMayBeBelowIt() {
        worker.setEndToEndMs(rate -> rate * rate / 1e6);
        RunResult result = run("rateSweep: {from: 1000, to: 8000, steps: 4, each: 30s}");
        assertThat(result.findings()).contains(Finding.kneeAtEdge(1000, false));
    }

    @Test
    void oneGoodTryOfThreeDoesNotSustainARate() {
        // The first load belongs to the warm-up; the third try at the lowest rate is refused like the first.
        int[] loads = {0};
        worker.onStart(() -> worker.setCapacity(++loads[0] == 3 ? 2000 : 500));
        RunResult result = run("rateSweep: {from: 1000, to: 8000, steps: 4, each: 30s}");
        assertThat(rates(result)).containsExactly(1000.0, 1000.0, 1000.0);
        assertThat(sweep(result).highestSustained()).isEmpty();
        assertThat(sweep(result).steps().get(1).breach())
                .isEqualTo(new RunResult.Breach("tries", "two of three tries at this rate were not sustained"));
    }

    @Test
    void aKneeAtItsBeginIsToldEvenIfThatWasTriedTwice() {
        worker.setEndToEndMs(rate -> rate * rate / 1e6);
        time.at(inStep(0, 5), () -> worker.refuse(1));
        RunResult result = run("rateSweep: {from: 1000, to: 8000, steps: 4, each: 30s}");
        assertThat(rates(result)).startsWith(1000.0, 1000.0, 1000.0, 2000.0);
        assertThat(result.findings()).contains(Finding.kneeAtEdge(1000, false));
    }

    @Test
    void aRateThatIsStoppedDoesNotCount() {
        queueUpTo20000();
        time.at(inStep(2, 5), stop::request);
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(rates(result)).containsExactly(1000.0, 2000.0);
        assertThat(result.targetRateMsgPerSec()).isEqualTo(2000.0);
        assertThat(Objects.requireNonNull(result.total()).publishRate()).isCloseTo(2000, within(2.0));
    }

    @Test
    void aSweepThatIsStoppedBeforeItsFirstRateEndsKeepsWhatItHas() {
        time.at(inStep(0, 15), stop::request);
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.course().rateSweep()).isNull();
        assertThat(result.targetRateMsgPerSec()).isNull();
        assertThat(Objects.requireNonNull(result.total()).seconds()).isCloseTo(15, within(0.1));
    }

    @Test
    void anErrorKeepsTheRatesBeforeIt() {
        queueUpTo20000();
        time.at(inStep(1, 5), () -> worker.failNow("broken"));
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(rates(result)).containsExactly(1000.0);
        assertThat(Objects.requireNonNull(result.total()).publishRate()).isCloseTo(1000, within(1.0));
    }

    /** Messages of a subscription keep arriving for hours, and nothing after them could be told apart from them. */
    @Test
    void aSystemThatDoesNotGetRidOfWhatARateHasLeftEndsIt() {
        worker.setEndToEndMs(rate -> 5);
        worker.setDelivery(0, 1500);
        RunResult result = run("rateSweep: {from: 1000, to: 64000, factor: 8, each: 30s, beyond: 2}");
        assertThat(rates(result)).containsExactly(1000.0, 8000.0);
        assertThat(kinds(result)).contains("SweepNotDrained").doesNotContain("ConsumersBehind");
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
    }

    /** A first rate that one try refused, and that the second did not get rid of, leaves no sustained rate. */
    @Test
    void aSweepThatEndsBeforeAnyRateWasSustainedIsInvalid() {
        time.at(inStep(0, 5), () -> worker.refuse(1));
        time.at(inStep(1, 5), () -> worker.setDelivery(0, 10));
        RunResult result = run();
        assertThat(rates(result)).containsExactly(1000.0, 1000.0);
        assertThat(sweep(result).knee()).isEmpty();
        assertThat(result.findings())
                .filteredOn(finding -> finding.kind().equals("SweepNotDrained"))
                .extracting(Finding::severity)
                .containsExactly(Severity.INVALIDATES);
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.INVALID);
    }
}
