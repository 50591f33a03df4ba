package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that look for the highest sustainable rate, in virtual time. Their messages are too small for an audit. */
class SearchRunTest {

    private final VirtualTime time = new VirtualTime();
    private final ModelWorker worker = new ModelWorker(time);
    private final StopSignal stop = new StopSignal();
    private final Told told = new Told();

    private RunResult run(String... workload) {
        List<String> lines = new ArrayList<>(List.of("producerRate: 0", "messageSize: 5"));
        lines.addAll(Arrays.asList(workload));
        return new Run(Requests.request(lines.toArray(new String[0])), worker, stop, told, time, time).execute();
    }

    private static RunResult.Search search(RunResult result) {
        return Objects.requireNonNull(result.search());
    }

    private static double found(RunResult result) {
        return Objects.requireNonNull(search(result).sustainableRateMsgPerSec());
    }

    @ParameterizedTest
    @ValueSource(doubles = {150, 4_321, 10_000, 25_000, 1_234_567})
    void findsWhatTheSystemSustainsAndMeasuresThere(double capacity) {
        worker.setCapacity(capacity);
        RunResult result = run();

        // A rate counts as sustained when 99 % of it is achieved.
        assertThat(found(result)).isBetween(capacity / RateSearch.PRECISION, capacity / Judge.REACHED);
        assertThat(result.targetRateMsgPerSec()).isEqualTo(found(result));
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        double measured = Objects.requireNonNull(result.total()).publishRate();
        assertThat(measured).isCloseTo(Math.min(found(result), capacity), within(1.0));
    }

    @Test
    void measuresInAPhaseOfItsOwnAfterTheSearch() {
        worker.setCapacity(25_000);
        RunResult result = run("testDuration: 60s");

        assertThat(result.phases().stream().map(RunResult.Phase::name))
                .containsExactly("provision", "ready", "warm-up", "search", "measure", "drain", "audit");
        RunResult.Phase measure = result.phases().get(4);
        assertThat(measure.seconds()).isEqualTo(60);
        assertThat(result.measured()).hasSize(6);
        assertThat(result.measured().get(0).startNs()).isEqualTo(measure.startNs());
        assertThat(worker.loads().get(worker.loads().size() - 1).rates().firstMsgPerSec())
                .isEqualTo(found(result));
    }

    @Test
    void eachRateSettlesAndIsJudgedForAsLongAsTheWorkloadSays() {
        worker.setCapacity(25_000);
        RunResult result = run("searchStep: 50s");

        double searchSeconds = result.phases().get(3).seconds();
        // The last 20 s are those in which the rate that was found settles before it is measured.
        assertThat(searchSeconds).isCloseTo(search(result).steps().size() * 70.0 + 20, within(1.0));
    }

    @Test
    void whatIsRefusedWhileSearchingIsWorthANote() {
        worker.setCapacity(25_000);
        time.at(Duration.ofSeconds(20), () -> worker.refuse(7));
        RunResult result = run();

        assertThat(result.phases().get(3).name()).isEqualTo("search");
        assertThat(result.findings()).contains(new Finding.ErrorsInSearch(7, Map.of("send: refused", 7L)));
        assertThat(new Finding.ErrorsInSearch(7, Map.of("send: refused", 7L)).text())
                .isEqualTo("errors while the rate was searched for: 7 messages could not be published (send: refused, 7"
                        + " times)");
        assertThat(result.verdict()).isEqualTo(Verdict.OK);
        assertThat(result.errors()).isEqualTo(Map.of("send: refused", 7L));
    }

    @Test
    void whatIsRefusedAfterTheSearchInvalidates() {
        worker.setCapacity(25_000);
        time.at(Duration.ofSeconds(20), () -> worker.refuse(7));
        time.at(Duration.ofMinutes(3), () -> worker.refuse(2));
        RunResult result = run("testDuration: 5m");

        assertThat(result.findings())
                .contains(new Finding.SendErrors(2), new Finding.Errors("send: refused", 2))
                .contains(new Finding.ErrorsInSearch(7, Map.of("send: refused", 7L)));
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
    }

    @Test
    void everyStepIsInTheResult() {
        worker.setCapacity(25_000);
        RunResult result = run();

        List<RunResult.Step> steps = search(result).steps();
        assertThat(steps.subList(0, 3))
                .extracting(RunResult.Step::targetMsgPerSec)
                .containsExactly(10_000.0, 20_000.0, 40_000.0);
        assertThat(steps.subList(0, 3)).extracting(RunResult.Step::sustained).containsExactly(true, true, false);
        assertThat(steps).allSatisfy(step -> {
            double expected = Math.min(25_000, step.targetMsgPerSec());
            assertThat(step.achievedMsgPerSec()).isCloseTo(expected, within(1.0));
            assertThat(step.sustained()).isEqualTo(expected >= 0.99 * step.targetMsgPerSec());
        });
        assertThat(told.steps).hasSameSizeAs(steps).startsWith("10000 sustained", "20000 sustained");
    }

    @Test
    void theLoadIsOffBetweenTwoSteps() {
        worker.setCapacity(12_000);
        run();
        // The model refuses to start a load while another one is on.
        assertThat(worker.calls()).containsSubsequence("startLoad", "stopLoad", "startLoad", "stopLoad", "startLoad");
        assertThat(worker.loadIsOn()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"50000, 30000", "100000, 900", "2000, 100"})
    void aRateAtWhichOneOfTwoSubscriptionsFallsBehindIsNotSustained(double capacity, double slowest) {
        worker.setCapacity(capacity);
        worker.setDelivery(1, slowest);
        RunResult result = run("subscriptionsPerTopic: 2", "testDuration: 5m");

        // Below 500 msg/s, what comes in 2 s of the 5 observed is taken for noise.
        double noise = slowest < 500 ? 1 / (1 - 2.0 / 5) : 1 + 1000 / (5 * slowest);
        assertThat(found(result)).isLessThanOrEqualTo(slowest * noise);
        assertThat(found(result)).isGreaterThanOrEqualTo(slowest / RateSearch.PRECISION);
        assertThat(search(result).steps())
                .filteredOn(step -> step.targetMsgPerSec() > slowest * noise)
                .isNotEmpty()
                .allMatch(step -> !step.sustained());
    }

    @Test
    void aSubscriptionThatGetsNothingIsSustainedAtNoRate() {
        worker.setDelivery(1, 0);
        RunResult result = run("subscriptionsPerTopic: 2");
        assertThat(search(result).sustainableRateMsgPerSec())
                .as("%s", told.steps)
                .satisfiesAnyOf(
                        rate -> assertThat(rate).isNull(),
                        // Ten messages are never too many to be on their way.
                        rate -> assertThat(rate).isLessThanOrEqualTo(2.5));
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
    }

    @Test
    void aSystemThatTakesNothingHasNoSustainableRate() {
        worker.setCapacity(0);
        RunResult result = run();

        assertThat(search(result).sustainableRateMsgPerSec()).isNull();
        assertThat(search(result).steps()).isNotEmpty().noneMatch(RunResult.Step::sustained);
        assertThat(result.targetRateMsgPerSec()).isNull();
        assertThat(result.measured()).isEmpty();
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.findings().get(0)).isInstanceOf(Finding.NoSustainableRate.class);
        assertThat(time.passed()).isLessThan(Duration.ofHours(1));
    }

    @Test
    void aStepThatIsStoppedDoesNotCount() {
        worker.setCapacity(25_000);
        // The second step is observed from 10 s of warm-up, a first step of 7 s, and 2 s on.
        time.at(Duration.ofMillis(20_500), stop::request);
        RunResult result = run();

        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(told.steps).containsExactly("10000 sustained");
        assertThat(search(result).steps()).hasSize(1);
        assertThat(found(result)).isEqualTo(10_000);
        assertThat(result.measured()).isEmpty();
        assertThat(result.findings().stream().map(Finding::kind)).containsExactly("SmallMessages");
    }

    @Test
    void aSearchThatIsStoppedBeforeItsFirstStepEndsHasFoundNothingOut() {
        time.at(Duration.ofMillis(11_000), stop::request);
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.search()).isNull();
        assertThat(result.targetRateMsgPerSec()).isNull();
        assertThat(result.findings().stream().map(Finding::kind)).containsExactly("SmallMessages");
    }

    @Test
    void aSearchThatIsStoppedInTheWarmUpHasNoTargetEither() {
        time.at(Duration.ofSeconds(5), stop::request);
        RunResult result = run();
        assertThat(result.targetRateMsgPerSec()).isNull();
        assertThat(result.search()).isNull();
    }

    @Test
    void anErrorDuringTheSearchKeepsTheStepsBeforeIt() {
        worker.setCapacity(25_000);
        time.at(Duration.ofMillis(20_500), () -> worker.failNow(new IllegalStateException("broken")));
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.failure()).isEqualTo("the client cannot go on: broken");
        assertThat(search(result).steps()).hasSize(1);
    }
}
