package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.search.RateSearch;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rates over time, bursts, searches with bounds, and warm-ups that end by themselves, in virtual time. */
class ShapedRunTest extends VirtualRun {

    ShapedRunTest() {
        super("messageSize: 5");
    }

    /** Kinds of findings other than small messages, which all of these runs have. */
    private static List<String> otherKinds(RunResult result) {
        return kinds(result).stream()
                .filter(kind -> !kind.equals("SmallMessages"))
                .toList();
    }

    @Test
    void theRateOfEachSecondIsTheSchedules() {
        RunResult result = run(
                "producerRate:",
                "testDuration:",
                "samplePeriod: 1s",
                "producerRateSchedule: [{duration: 10s, rate: 1000}, {duration: 20s, rate: 20000, ramp: linear},"
                        + " {duration: 5s, rate: 0}, {duration: 5s, rate: 500 B/s}]");

        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        List<Double> rates =
                result.measured().stream().map(PeriodSnapshot::publishRate).toList();
        assertThat(rates).hasSize(40);
        for (int second = 0; second < 40; second++) {
            double expected =
                    second < 10 ? 1000 : second < 30 ? 1000 + 19_000 * (second - 10 + 0.5) / 20 : second < 35 ? 0 : 100;
            assertThat(rates.get(second)).as("second %d", second).isCloseTo(expected, within(0.01 * expected + 1));
        }
        assertThat(Objects.requireNonNull(result.targetRateMsgPerSec()))
                .isCloseTo((10_000 + 210_000 + 0 + 500) / 40.0, within(1e-6));
        assertThat(worker.calls()).containsSubsequence("start", "change", "stop");
    }

    /** Several workers change their rates some time after the measurement could start. */
    @Test
    void theMeasurementOfAScheduleStartsWithItsFirstRate() {
        worker.setOrderTime(Duration.ofMillis(600));
        RunResult result = run(
                "producerRate:",
                "testDuration:",
                "samplePeriod: 1s",
                "producerRateSchedule: [{duration: 10s, rate: 20000}, {duration: 10s, rate: 1000}]");

        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        assertThat(Objects.requireNonNull(result.targetRateMsgPerSec())).isCloseTo(10_500, within(1e-6));
        assertThat(Objects.requireNonNull(result.total()).publishRate()).isCloseTo(10_500, within(10.0));
        assertThat(phase(result, "settle").seconds()).isCloseTo(0.6, within(1e-6));
    }

    @Test
    void everyLoadOfARunHasAPartOfItsSeed() {
        RunResult result = run("testDuration:", "messageCount: 1000", "seed: 42");
        assertThat(result.course().seed()).isEqualTo(42);
        assertThat(worker.loads()).extracting(Worker.Start::number).containsExactly(1, 2);
        assertThat(worker.run().seed()).isEqualTo(new Seed(42));
    }

    @Test
    void withoutAWarmUpTheScheduleBeginsWithTheLoad() {
        RunResult result = run(
                "producerRate:",
                "testDuration:",
                "warmupDuration: 0s",
                "producerRateSchedule: [{duration: 10s, rate: 100, ramp: linear}]");
        assertThat(Objects.requireNonNull(result.total()).counts().sent()).isBetween(499L, 501L);
        assertThat(worker.calls()).doesNotContain("change");
    }

    @Test
    void aScheduleThatIsNotKeptIsMissed() {
        worker.setCapacity(5000);
        RunResult result = run(
                "producerRate:",
                "testDuration:",
                "producerRateSchedule: [{duration: 10s, rate: 1000}, {duration: 20s, rate: 20000}]");
        assertThat(kinds(result)).contains("TargetRateMissed").doesNotContain("NotSteady");
    }

    @Test
    void arrivalsAreHandedOn() {
        RunResult result = run("arrivals: POISSON", "producerRate: 100");
        assertThat(worker.run().messages().arrivals()).isEqualTo(ArrivalProcess.POISSON);
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
    }

    private RunResult unlimited(String messageCount, String warmup) {
        return run(
                "producerRate: unlimited",
                "testDuration:",
                messageCount,
                "samplePeriod: 1s",
                "warmupDuration: " + warmup);
    }

    /** Capacity halves at 4 s: a run with a warm-up is not steady then, but from a cold start only the time counts. */
    @ParameterizedTest
    @CsvSource({"0s, false", "1s, true"})
    void aNumberOfMessagesFromAColdStartNeedNotBeSteady(String warmup, boolean found) {
        worker.setCapacity(1000);
        time.at(Duration.ofSeconds(4), () -> worker.setCapacity(500));
        RunResult result = unlimited("messageCount: 6000", warmup);
        assertThat(kinds(result).contains("NotSteady")).isEqualTo(found);
        assertThat(kinds(result)).doesNotContain("ColdStart");
    }

    /** Capacity doubles at 6 s. */
    @ParameterizedTest
    @CsvSource({"0s, ColdStart, OK", "1s, NotSteady, INVALID"})
    void aNumberOfMessagesFromAColdStartTellsThatItWarmedUp(String warmup, String found, Verdict verdict) {
        worker.setCapacity(500);
        time.at(Duration.ofSeconds(6), () -> worker.setCapacity(1000));
        RunResult result = unlimited("messageCount: 7000", warmup);
        assertThat(kinds(result)).contains(found);
        assertThat(result.verdict()).isEqualTo(verdict);
    }

    @Test
    void aBurstSaysHowLongItTook() {
        RunResult result = run("producerRate:", "testDuration:", "messageCount: 10000", "sendWithin: 10s");
        RunResult.Transfer transfer = Objects.requireNonNull(result.course().transfer());
        assertThat(transfer.sendSeconds()).isCloseTo(10, within(0.01));
        assertThat(Objects.requireNonNull(transfer.receiveSeconds())).isCloseTo(10, within(0.01));
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        assertThat(otherKinds(result)).isEmpty();
    }

    @Test
    void aBurstThatTakesLongerIsNoted() {
        worker.setCapacity(500);
        RunResult result = run("producerRate:", "testDuration:", "messageCount: 10000", "sendWithin: 10s");
        RunResult.Transfer transfer = Objects.requireNonNull(result.course().transfer());
        // The client accepts 1,000 messages before it waits for the first confirmation.
        assertThat(transfer.sendSeconds()).isCloseTo(18, within(0.1));
        assertThat(Objects.requireNonNull(transfer.receiveSeconds())).isCloseTo(20, within(0.1));
        assertThat(otherKinds(result)).containsExactly("BurstTookLonger");
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void messagesThatDoNotAllArriveHaveNoTimeOfArrival() {
        worker.lose(0, 3);
        RunResult result = run("testDuration:", "messageCount: 1000");
        RunResult.Transfer transfer = Objects.requireNonNull(result.course().transfer());
        assertThat(transfer.sendSeconds()).isCloseTo(1, within(0.1));
        assertThat(transfer.receiveSeconds()).isNull();
    }

    @Test
    void withoutANumberOfMessagesNoTimeIsKept() {
        assertThat(run().course().transfer()).isNull();
    }

    @Test
    void anSloBoundsTheSearch() {
        worker.setCapacity(50_000);
        // The latency reaches 100 ms at 25,000 msg/s.
        worker.setEndToEndMs(rate -> rate / 250);
        RunResult result = run("producerRate: 0", "slo: {endToEndLatency99pct: 100ms}");

        RunResult.Search search = Objects.requireNonNull(result.search());
        assertThat(Objects.requireNonNull(search.sustainableRateMsgPerSec()))
                .isBetween(25_000 / RateSearch.PRECISION, 25_000.0 + 100);
        assertThat(search.steps())
                .filteredOn(step -> step.targetMsgPerSec() > 25_200)
                .isNotEmpty()
                .allSatisfy(step -> {
                    assertThat(step.sustained()).isFalse();
                    assertThat(Objects.requireNonNull(step.breach()).rule()).isEqualTo("endToEndLatency99pct");
                });
        assertThat(search.steps()).filteredOn(RunResult.SearchStep::sustained).allMatch(step -> step.breach() == null);
    }

    @Test
    void aLowRateIsObservedUntilItsPercentileHasSamples() {
        worker.setCapacity(100);
        worker.setEndToEndMs(rate -> 1);
        run("producerRate: 0", "slo: {endToEndLatency999pct: 100ms}");
        double low = time.passed().toSeconds();

        VirtualTime otherTime = new VirtualTime();
        ModelWorker other = new ModelWorker(otherTime);
        other.setCapacity(100);
        Requests.run(
                Requests.request("messageSize: 5", "producerRate: 0"), other, new StopSignal(), recorded, otherTime);
        // For each sustained rate, a thousand samples take ten seconds at 100 msg/s instead of five.
        assertThat(low).isGreaterThanOrEqualTo(otherTime.passed().toSeconds() + 5);
    }

    @Test
    void aWarmUpEndsOnceItIsSteady() {
        time.at(Duration.ofSeconds(2), () -> worker.setCapacity(500));
        time.at(Duration.ofSeconds(20), () -> worker.setCapacity(1e9));
        RunResult result = run("warmupDuration: 5m", "warmupUntilSteady: 5%", "samplePeriod: 1s");
        // The client makes up for the debt of 18 s at once; then five consecutive periods have to be steady.
        double warmup =
                result.warmup().stream().mapToDouble(PeriodSnapshot::seconds).sum();
        assertThat(warmup).isBetween(6.0, 40.0);
        assertThat(otherKinds(result)).isEmpty();
    }

    @Test
    void aWarmUpThatDoesNotGetSteadyEndsByItsTime() {
        for (int second = 1; second < 30; second++) {
            double capacity = 100 + 30 * second;
            time.at(Duration.ofSeconds(second), () -> worker.setCapacity(capacity));
        }
        time.at(Duration.ofSeconds(30), () -> worker.setCapacity(1e9));
        RunResult result = run("warmupDuration: 20s", "warmupUntilSteady: 1%", "samplePeriod: 1s");
        assertThat(result.warmup().stream().mapToDouble(PeriodSnapshot::seconds).sum())
                .isCloseTo(20, within(0.1));
        assertThat(kinds(result)).contains("WarmUpNotSteady");
    }

    @Test
    void aMeasurementThatDriftsIsNotSteady() {
        worker.setCapacity(10_000);
        for (int second = 1; second < 60; second++) {
            double capacity = 10_000 - 20.0 * second;
            time.at(Duration.ofSeconds(10 + second), () -> worker.setCapacity(capacity));
        }
        RunResult result = run("producerRate: unlimited", "warmupUntilSteady: 5%");
        assertThat(kinds(result)).contains("RateDrifts").doesNotContain("NotSteady");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
    }
}
