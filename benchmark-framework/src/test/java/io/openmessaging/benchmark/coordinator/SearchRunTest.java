package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.HostProbe;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.search.RateSearch;
import io.openmessaging.benchmark.suite.LongSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that search for the highest sustainable rate, in virtual time. Their messages are too small for an audit. */
class SearchRunTest extends VirtualRun {

    SearchRunTest() {
        super("producerRate: 0", "messageSize: 5");
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
        // A confirming try lasts six times as long, and a try at a rate that is nearly too high up to twice that.
        long confirming = search(result).steps().stream()
                .filter(RunResult.SearchStep::confirming)
                .count();
        long others = search(result).steps().size() - confirming;
        // In the last 20 s, the found rate settles before it is measured. The bursts before take some 10 s.
        double least = others * 70.0 + confirming * 320 + 20;
        assertThat(confirming).isPositive();
        assertThat(searchSeconds).isBetween(least - 1, least + confirming * 300 + 11);
    }

    @Test
    void aSearchWithoutTimeForALongerTryMeasuresWhatAShortOneSustained() {
        worker.setCapacity(25_000);
        RunResult result = run("searchDuration: 1m");

        assertThat(search(result).steps())
                .extracting(RunResult.SearchStep::targetMsgPerSec)
                .containsExactly(10_000.0, 20_000.0, 40_000.0, 40_000.0);
        assertThat(found(result)).isEqualTo(20_000);
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        RunResult.RateRange limit = Objects.requireNonNull(search(result).range());
        assertThat(limit.inWords(false)).isEqualTo("above 19,800 msg/s: not narrowed down");
    }

    /** At such rates, a try takes up to a minute otherwise. */
    @ParameterizedTest
    @ValueSource(doubles = {3, 30, 3_000})
    void noTryGoesOnWhenTheTimeOfTheSearchIsUp(double capacity) {
        worker.setCapacity(capacity);
        RunResult result = run("searchDuration: 20s");

        assertThat(found(result)).isPositive();
        // The last step of a try, the wait for its messages, and the start of the measurement come on top.
        assertThat(phase(result, "search").seconds()).isLessThan(20 + 5 + 5 + 5);
    }

    @Test
    void whatIsRefusedWhileSearchingIsWorthANote() {
        worker.setCapacity(25_000);
        time.at(Duration.ofSeconds(20), () -> worker.refuse(7));
        RunResult result = run();

        assertThat(result.phases().get(3).name()).isEqualTo("search");
        assertThat(result.findings()).contains(Finding.errorsInSearch(7, Map.of("send: refused", 7L)));
        assertThat(Finding.errorsInSearch(7, Map.of("send: refused", 7L)).text())
                .isEqualTo("errors during the rate search: 7 messages could not be published (send: refused, 7"
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
                .contains(Finding.sendErrors(2), Finding.errors("send: refused", 2))
                .contains(Finding.errorsInSearch(7, Map.of("send: refused", 7L)));
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
    }

    @Test
    void everyStepIsInTheResult() {
        worker.setCapacity(25_000);
        RunResult result = run();

        List<RunResult.SearchStep> steps = search(result).steps();
        assertThat(steps.subList(0, 3))
                .extracting(RunResult.SearchStep::targetMsgPerSec)
                .containsExactly(10_000.0, 20_000.0, 40_000.0);
        assertThat(steps.subList(0, 3))
                .extracting(RunResult.SearchStep::sustained)
                .containsExactly(true, true, false);
        assertThat(steps).allSatisfy(step -> {
            double expected = Math.min(25_000, step.targetMsgPerSec());
            assertThat(step.achievedMsgPerSec()).isCloseTo(expected, within(1.0));
            assertThat(step.sustained()).isEqualTo(expected >= 0.99 * step.targetMsgPerSec());
        });
        assertThat(recorded.steps).hasSameSizeAs(steps).startsWith("10000 sustained", "20000 sustained");
    }

    @Test
    void theLoadIsOffBetweenTwoSteps() {
        worker.setCapacity(12_000);
        run();
        // The model refuses to start a load while another one is on.
        assertThat(worker.calls()).containsSubsequence("start", "stop", "start", "stop", "start");
        assertThat(worker.loadIsOn()).isFalse();
    }

    /** The slowest part of the system. */
    enum Bottleneck {
        ONE_OF_TWO_SUBSCRIPTIONS {
            @Override
            void set(ModelWorker worker, double capacity) {
                worker.setDelivery(1, capacity);
            }
        },
        BROKER {
            @Override
            void set(ModelWorker worker, double capacity) {
                worker.setCapacity(capacity);
            }
        },
        CONSUMERS_AND_LONG_LATENCIES {
            @Override
            void set(ModelWorker worker, double capacity) {
                worker.setLatencyNs(Duration.ofMillis(700).toNanos());
                worker.setDelivery(0, capacity);
            }
        },
        CONSUMERS_THAT_GET_MESSAGES_TEN_TIMES_A_SECOND {
            @Override
            void set(ModelWorker worker, double capacity) {
                worker.setBatchNs(0, Duration.ofMillis(100).toNanos());
                worker.setDelivery(0, capacity);
            }
        },
        CONSUMERS_AND_NOISY_CONFIRMATIONS {
            @Override
            void set(ModelWorker worker, double capacity) {
                worker.setNoise(new Random(1), Duration.ofMillis(80).toNanos());
                worker.setDelivery(0, capacity);
            }
        };

        abstract void set(ModelWorker worker, double capacity);
    }

    /** Capacities from 3 to 1,000,000 msg/s, each with a short and with the usual step. */
    private static Stream<Arguments> capacities(double factor) {
        List<Arguments> capacities = new ArrayList<>();
        for (Bottleneck bottleneck : Bottleneck.values()) {
            for (double capacity = 3; capacity < 1.5e6; capacity *= factor) {
                capacities.add(Arguments.of(bottleneck, capacity, "1s"));
                capacities.add(Arguments.of(bottleneck, capacity, "5s"));
            }
        }
        return capacities.stream();
    }

    static Stream<Arguments> fewCapacities() {
        return capacities(120);
    }

    static Stream<Arguments> manyCapacities() {
        return capacities(3.3);
    }

    @ParameterizedTest
    @MethodSource("fewCapacities")
    void whatTheSlowestIsCapableOfIsFound(Bottleneck slowest, double capacity, String step) {
        slowest.set(worker, capacity);
        int subscriptions = slowest == Bottleneck.ONE_OF_TWO_SUBSCRIPTIONS ? 2 : 1;
        assertFound(run("subscriptionsPerTopic: " + subscriptions, "searchStep: " + step), capacity);
    }

    @ParameterizedTest
    @MethodSource("manyCapacities")
    @LongSuite("110 searches: some capacities lie badly between two steps")
    void whatTheSlowestIsCapableOfIsFoundWhateverItIs(Bottleneck slowest, double capacity, String step) {
        whatTheSlowestIsCapableOfIsFound(slowest, capacity, step);
    }

    private static void assertFound(RunResult result, double capacity) {
        assertThat(found(result)).as("%s", search(result).steps()).isBetween(capacity / 1.05, capacity * 1.05);
        assertThat(result.findings().stream().map(Finding::kind)).doesNotContain("SearchNotDrained");
    }

    @ParameterizedTest
    @CsvSource({"1000, 5s", "3300, 1s", "3300, 5s", "50000, 1s", "50000, 5s", "1000000, 1s", "1000000, 5s"})
    void whatConsumersAreCapableOfIsFoundWhenTheyGetLargeBatches(double capacity, String step) {
        worker.setBatchMessages(0, 500);
        worker.setDelivery(0, capacity);
        assertFound(run("searchStep: " + step), capacity);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1s", "5s"})
    void aSubscriptionThatGetsNothingIsSustainedAtNoRate(String step) {
        worker.setDelivery(1, 0);
        RunResult result = run("subscriptionsPerTopic: 2", "searchStep: " + step);
        assertThat(search(result).sustainableRateMsgPerSec())
                .as("%s", recorded.steps)
                .isNull();
        assertThat(result.findings().get(0).kind()).isEqualTo("NoSustainableRate");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.measured()).isEmpty();
    }

    @Test
    void aSubscriptionThatDiesInTheMiddleIsSustainedAtNoRateEither() {
        worker.setCapacity(50_000);
        time.at(Duration.ofSeconds(40), () -> worker.setDelivery(1, 0));
        RunResult result = run("subscriptionsPerTopic: 2");
        assertThat(result.phases().get(3).name()).isEqualTo("search");
        assertThat(search(result).steps().subList(0, 1)).allMatch(RunResult.SearchStep::sustained);
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
    }

    @Test
    void aRateThatIsRefusedOnceIsTriedAgainAndBothTriesAreTold() {
        worker.setCapacity(100_000);
        // This is in the first step, some time after the approach, the warm-up and the bursts.
        time.at(Duration.ofSeconds(27), () -> worker.setCapacity(1_000));
        time.at(Duration.ofSeconds(30), () -> worker.setCapacity(100_000));
        RunResult result = run();
        List<RunResult.SearchStep> steps = search(result).steps();
        assertThat(steps.subList(0, 3))
                .extracting(RunResult.SearchStep::sustained)
                .containsExactly(false, true, true);
        double first = steps.get(0).targetMsgPerSec();
        assertThat(steps.subList(0, 3))
                .extracting(RunResult.SearchStep::targetMsgPerSec)
                .containsExactly(first, first, 2 * first);
        assertFound(result, 100_000);
    }

    @ParameterizedTest
    @CsvSource({"3000, 1000", "700, 1000", "400, 100", "60000, 15000"})
    void theFirstRateIsNearWhatTheSystemIsCapableOf(double capacity, double first) {
        // A client that blocks sends 4,000 of 10,000 messages while 3,000 are confirmed.
        worker.setCapacity(capacity);
        RunResult result = run();
        assertThat(search(result).steps().get(0).targetMsgPerSec()).isCloseTo(first, withinPercentage(10));
        assertFound(result, capacity);
    }

    /** Systems that are slow while they are cold; they reach 640 msg/s. */
    enum Cold {
        /** As a system that fills its caches. */
        GETS_FASTER_FOR_A_MINUTE {
            @Override
            double capacity(double seconds, long messages) {
                return 20 * Math.pow(32, seconds / 60);
            }
        },
        GETS_FASTER_WITH_EACH_MESSAGE {
            @Override
            double capacity(double seconds, long messages) {
                return 20 + messages / 20.0;
            }
        },
        /** As a JVM that compiles what is called often. */
        IS_FAST_AFTER_A_THOUSAND_MESSAGES {
            @Override
            double capacity(double seconds, long messages) {
                return messages < 1000 ? 20 : 640;
            }
        },
        /** As on a machine whose processors are full until all brokers have started. */
        IS_FAST_AFTER_A_MINUTE {
            @Override
            double capacity(double seconds, long messages) {
                return seconds < 60 ? 20 : 640;
            }
        };

        abstract double capacity(double seconds, long messages);
    }

    /** The second workload is that of {@code bin/benchmark quick}. */
    static Stream<Arguments> coldSystems() {
        String quick = "warmupDuration: 6s\nsearchStep: 3s\nsearchDuration: 126s\ntestDuration: 9s";
        return Stream.of(Cold.values())
                .flatMap(system -> Stream.of(Arguments.of(system, ""), Arguments.of(system, quick)));
    }

    @ParameterizedTest
    @MethodSource("coldSystems")
    void aSystemIsWarmBeforeTheFirstRateIsJudged(Cold system, String times) {
        double limit = 640;
        worker.setCapacity(seconds ->
                Math.min(limit, system.capacity(seconds, worker.totals().acknowledged())));
        RunResult result = run(times.lines().toArray(String[]::new));

        assertThat(found(result)).as("%s", search(result).steps()).isBetween(limit / 1.3, limit * 1.05);
        RunResult.RateRange range = Objects.requireNonNull(search(result).range());
        assertThat(range.isFound()).isTrue();
        assertThat(limit).isBetween(range.lowMsgPerSec(), Objects.requireNonNull(range.highMsgPerSec()));
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
    }

    /** A search without bursts takes these times; a short try takes 7 s, and its messages some time to arrive. */
    @ParameterizedTest
    @CsvSource({"150, 93", "4321, 81", "25000, 94", "198000, 115", "1000000, 129"})
    void burstsTakeNoLongerThanATryIfTheSystemIsWarm(double capacity, double secondsWithout) {
        worker.setCapacity(capacity);
        assertThat(phase(run(), "search").seconds()).isLessThan(secondsWithout + 8);
    }

    @Test
    void aSystemThatGetsFasterAllTheTimeIsTriedAfterHalfOfTheTime() {
        worker.setCapacity(seconds -> 10 * Math.pow(1.2, seconds));
        assertThat(search(run("searchDuration: 40s")).steps()).hasSizeGreaterThan(1);
    }

    @Test
    void aStepBeginsWhenEverythingOfTheOneBeforeHasArrived() {
        worker.setDelivery(0, 11_000);
        List<Long> left = new ArrayList<>();
        worker.onStart(() -> left.add(worker.totals().largestBacklog()));
        assertFound(run(), 11_000);
        // The last load is measured, and the warm-up follows its approach.
        assertThat(left).hasSizeGreaterThan(10).containsOnly(0L);
    }

    @Test
    void aSearchEndsWhereTheSystemDoesNotGetRidOfWhatIsLeft() {
        worker.setCapacity(12_000);
        time.at(Duration.ofSeconds(26), () -> worker.setDelivery(0, 10));
        RunResult result = run();
        assertThat(result.phases().get(3).name()).isEqualTo("search");
        assertThat(search(result).steps()).hasSize(1);
        assertThat(result.measured()).isEmpty();
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.findings().get(0).kind()).isEqualTo("SearchNotDrained");
        assertThat(result.findings().get(0).text())
                .startsWith("search ended: ")
                .contains(" messages that were sent at 10,000.0 msg/s had not arrived 120 s later");
    }

    @Test
    void whatIsLostInAStepIsNotChargedToTheNextOne() {
        worker.setDelivery(0, 25_000);
        time.at(Duration.ofSeconds(30), () -> worker.lose(0, 5_000));
        assertFound(run(), 25_000);
    }

    @Test
    void whatIsLostWhileSearchingIsWorthANote() {
        worker.setDelivery(0, 400);
        time.at(Duration.ofSeconds(20), () -> worker.lose(0, 50));
        RunResult result = run("messageSize: 100");

        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        AuditReport searched = Objects.requireNonNull(search(result).audit());
        AuditReport measured = Objects.requireNonNull(result.audit());
        assertThat(searched.lost()).isEqualTo(50);
        assertThat(measured.lost()).isZero();
        assertThat(result.findings())
                .containsExactly(Finding.lostInSearch(
                        "0", 50, searched.subscriptions().get(0).expected()));
        assertThat(result.findings().get(0).text())
                .matches("messages lost during the rate search: 50 of [0-9,]+ never arrived at subscription 0");
        // Counts from the first load at the found rate: it settles for 2 s before it is measured for 60 s.
        assertThat((double) measured.sent()).isCloseTo(62 * found(result), within(2.0));
        assertThat(worker.calls()).containsSubsequence("stop", "stopSearch", "start", "stop", "finish");
    }

    /** Runs a search on a system that changes to the next of these capacities at each measurement. */
    private RunResult slowerOnceMeasured(double... capacities) {
        worker.setCapacity(25_000);
        AtomicInteger measurements = new AtomicInteger();
        recorded.onPhase(RunPhase.MEASURE, () -> {
            int next = measurements.getAndIncrement();
            if (next < capacities.length) {
                worker.setCapacity(capacities[next]);
            }
        });
        return run("messageSize: 100");
    }

    @Test
    void aRateThatTheMeasurementDoesNotHoldIsMeasuredAgainAtALowerOne() {
        RunResult result = slowerOnceMeasured(20_000);

        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        assertThat(found(result)).isBetween(20_000 / RateSearch.PRECISION, 20_000.0);
        assertThat(result.confirmedRateMsgPerSec()).isCloseTo(found(result), within(1.0));
        List<RunResult.SearchStep> steps = search(result).steps();
        RunResult.SearchStep missed = steps.get(steps.size() - 1);
        assertThat(missed.sustained()).isFalse();
        assertThat(missed.confirming()).isTrue();
        assertThat(missed.targetMsgPerSec()).isBetween(25_000 / RateSearch.PRECISION, 25_300.0);
        assertThat(missed.achievedMsgPerSec()).isCloseTo(20_000, within(100.0));
        assertThat(recorded.steps).hasSameSizeAs(steps);
        assertThat(Objects.requireNonNull(search(result).range()).highMsgPerSec())
                .isEqualTo(missed.targetMsgPerSec());

        assertThat(result.phases().stream().map(RunResult.Phase::name))
                .containsExactly("provision", "ready", "warm-up", "search", "search", "measure", "drain", "audit");
        RunResult.Phase measure = result.phases().get(5);
        assertThat(measure.seconds()).isEqualTo(60);
        assertThat(result.measured().get(0).startNs()).isEqualTo(measure.startNs());
        assertThat((double) Objects.requireNonNull(result.audit()).sent()).isCloseTo(62 * found(result), within(2.0));
        assertThat(recorded.periods.get(recorded.periods.size() - 1).findings()).isEmpty();
    }

    @Test
    void whereNoMeasurementHoldsItsRateTheLastOneIsReported() {
        RunResult result = slowerOnceMeasured(20_000, 16_000, 12_000, 9_000);

        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.confirmedRateMsgPerSec()).isNull();
        assertThat(result.targetRateMsgPerSec()).isCloseTo(12_000, within(100.0));
        assertThat(result.findings().stream().map(Finding::kind)).contains("TargetRateMissed");
        assertThat(search(result).steps().stream()
                        .skip(search(result).steps().size() - 4)
                        .map(step -> Math.round(step.achievedMsgPerSec() / 1000)))
                .containsExactly(20L, 16L, 12L, 9L);
        assertThat(found(result)).isCloseTo(9_000, within(100.0));
        assertThat(Objects.requireNonNull(search(result).range()).lowMsgPerSec())
                .isLessThanOrEqualTo(found(result));
    }

    /**
     * A system that stands still once a measurement: near its limit it takes long to catch up, and all messages
     * meanwhile are late. Far below its limit, few are.
     */
    @Test
    void whereAStallMakesSendsLateTheNextMeasurementsAreFurtherAndFurtherBelow() {
        worker.setCapacity(25_000);
        worker.timeMessages();
        recorded.onPhase(RunPhase.MEASURE, () -> {
            Duration stall = time.passed().plusSeconds(60);
            time.at(stall, () -> worker.setCapacity(0));
            time.at(stall.plusMillis(750), () -> worker.setCapacity(25_000));
        });
        RunResult result = run("testDuration: 5m");

        List<RunResult.SearchStep> missed = search(result).steps().stream()
                .filter(RunResult.SearchStep::measured)
                .toList();
        assertThat(missed)
                .hasSize(3)
                .allSatisfy(step ->
                        assertThat(Objects.requireNonNull(step.breach()).text()).contains("sends were late"));
        double first = missed.get(0).targetMsgPerSec();
        assertThat(missed.get(1).targetMsgPerSec()).isCloseTo(first / 1.05, within(1.0));
        assertThat(missed.get(2).targetMsgPerSec()).isCloseTo(first / 1.05 / 1.1025, within(1.0));
        assertThat(result.targetRateMsgPerSec()).isCloseTo(first / 1.05 / 1.1025 / 1.21550625, within(1.0));
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
        assertThat(search(result).corrected()).isTrue();
    }

    /** What is always in flight is no shortfall: the system confirms and delivers all, two seconds later. */
    @Test
    void aLatencyThatIsAlwaysTheSameDoesNotLowerTheLimit() {
        worker.setCapacity(25_000);
        worker.setWindow(100_000);
        worker.setLatencyNs(Duration.ofSeconds(2).toNanos());
        worker.timeMessages();
        AtomicInteger measurements = new AtomicInteger();
        recorded.onPhase(RunPhase.MEASURE, () -> {
            if (measurements.getAndIncrement() == 0) {
                worker.setLatencyNs(Duration.ofSeconds(3).toNanos());
                time.at(
                        time.passed().plusSeconds(20),
                        () -> worker.setLatencyNs(Duration.ofSeconds(2).toNanos()));
            }
        });
        RunResult result = run("testDuration: 30s", "slo: {scheduledPublishLatency99pct: 2500ms}");

        List<RunResult.SearchStep> steps = search(result).steps();
        RunResult.SearchStep missed = steps.get(steps.size() - 1);
        assertThat(missed.measured()).isTrue();
        assertThat(missed.achievedMsgPerSec()).isGreaterThan(missed.targetMsgPerSec() / RateSearch.PRECISION);
        assertThat(result.targetRateMsgPerSec())
                .isCloseTo(missed.targetMsgPerSec() / RateSearch.PRECISION, within(1.0));
        assertThat(found(result)).isEqualTo(missed.targetMsgPerSec());
    }

    @Test
    void aRateThatLosesMessagesIsNotSustained() {
        worker.setCapacity(25_000);
        worker.loseBeyond(12_000, 0.005);
        RunResult result = run();

        assertThat(found(result)).isBetween(12_000 / RateSearch.PRECISION, 12_000.0);
        assertThat(search(result).steps())
                .filteredOn(step -> step.targetMsgPerSec() > 12_000 && step.targetMsgPerSec() < 25_000)
                .isNotEmpty()
                .allSatisfy(step ->
                        assertThat(Objects.requireNonNull(step.breach()).rule()).isEqualTo("loss"));
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
    }

    /** A lower rate would be OK, but it would be the harness' limit, not that of the system. */
    @Test
    void whereTheHarnessIsFullNoLowerRateIsMeasured() {
        worker.setUsedCores(1.95);
        RunResult result = slowerOnceMeasured(20_000);

        assertThat(search(result).steps()).noneMatch(RunResult.SearchStep::measured);
        assertThat(result.targetRateMsgPerSec()).isEqualTo(found(result));
        assertThat(kinds(result)).contains("HarnessCpuBound", "TargetRateMissed");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
    }

    /** A machine on which other programs use more than half of two processors. */
    private static ResourceMonitor shared() {
        return new ResourceMonitor() {
            @Override
            public ResourcePeriod sample() {
                return new ResourcePeriod(List.of(
                        new ResourceUse(
                                HostProbe.NAME,
                                Role.HOST,
                                Map.of(
                                        Figure.HOST_USER_PERCENT, new FigureUse(30, 2_400, 80),
                                        Figure.HOST_IDLE_PERCENT, new FigureUse(30, 600, 20))),
                        new ResourceUse(
                                "broker", Role.BROKER, Map.of(Figure.CPU_CORE_PERCENT, new FigureUse(30, 1_200, 40)))));
            }

            @Override
            public void close() {}
        };
    }

    /** Together with the broker, it used all processors but 5 %. */
    @Test
    void whatAWorkerOnTheMachineUsesIsNotThatOfOthers() {
        worker.setCapacity(25_000);
        worker.setUsed(new ResourcePeriod(List.of(new ResourceUse(
                "worker 1", Role.HARNESS, Map.of(Figure.CPU_CORE_PERCENT, new FigureUse(30, 3_300, 110))))));
        RunResult result = run(Requests.watchedBy(shared(), Requests.request("producerRate: 0", "messageSize: 5")));
        assertThat(kinds(result)).doesNotContain("MachineShared");
    }

    @Test
    void whoElseUsedTheMachineWhileARateWasRefusedIsTold() {
        worker.setCapacity(25_000);
        RunResult result = run(Requests.watchedBy(shared(), Requests.request("producerRate: 0", "messageSize: 5")));

        double refused = search(result).steps().stream()
                .filter(step -> step.confirming() && !step.sustained())
                .mapToDouble(RunResult.SearchStep::targetMsgPerSec)
                .findFirst()
                .orElseThrow();
        assertThat(result.findings()).contains(Finding.machineSharedInSearch(60, refused));
        assertThat(Finding.machineSharedInSearch(60, 25_596.4).text())
                .isEqualTo("machine shared during the rate search: programs other than harness and brokers used 60 % of"
                        + " its processors' time while 25,596 msg/s was refused");
    }

    /** Right after a load has started, the system is slow; what waits by then is not the measurement's. */
    @Test
    void aMeasurementBeginsWhenWhatItsStartLeftIsGone() {
        worker.timeMessages();
        worker.setCapacity(25_000);
        worker.onStart(() -> {
            worker.setCapacity(10_000);
            time.at(time.passed().plusSeconds(3), () -> worker.setCapacity(25_000));
        });
        RunResult result = run("searchStep: 20s", "testDuration: 5m");

        assertThat(search(result).steps()).noneMatch(RunResult.SearchStep::measured);
        double target = Objects.requireNonNull(result.targetRateMsgPerSec());
        assertThat(result.measured().get(0).publishRate()).isCloseTo(target, within(0.01 * target));
        assertThat(result.verdict()).as("%s", result.findings()).isEqualTo(Verdict.OK);
    }

    @Test
    void aMeasurementThatIsStoppedIsNotDoneAgain() {
        worker.setCapacity(25_000);
        recorded.onPhase(RunPhase.MEASURE, () -> {
            worker.setCapacity(20_000);
            time.at(time.passed().plusSeconds(50), stop::request);
        });
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(search(result).steps()).filteredOn(step -> !step.sustained()).hasSizeGreaterThan(0);
        assertThat(result.measured()).isNotEmpty();
    }

    @Test
    void whatIsLostInARunWithoutASearchInvalidates() {
        worker.lose(0, 50);
        RunResult result = run("producerRate: 400", "messageSize: 100");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(worker.calls()).doesNotContain("stopSearch");
    }

    @Test
    void aSystemThatTakesNothingHasNoSustainableRate() {
        worker.setCapacity(0);
        RunResult result = run();

        assertThat(search(result).sustainableRateMsgPerSec()).isNull();
        assertThat(search(result).steps()).isNotEmpty().noneMatch(RunResult.SearchStep::sustained);
        assertThat(result.targetRateMsgPerSec()).isNull();
        assertThat(result.measured()).isEmpty();
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(result.findings().get(0).kind()).isEqualTo("NoSustainableRate");
        assertThat(result.findings().get(0).text())
                .containsPattern("since the confirmations fell behind the schedule by [0-9,]+ messages$");
        assertThat(time.passed()).isLessThan(Duration.ofHours(1));
    }

    @Test
    void aStepThatIsStoppedDoesNotCount() {
        worker.setCapacity(25_000);
        // Observation of the second step starts after 5 s of approach, 10 s of warm-up, 5.5 s of bursts, 7 s of the
        // first step, and 2 s.
        time.at(Duration.ofSeconds(32), stop::request);
        RunResult result = run();

        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(recorded.steps).containsExactly("10000 sustained");
        assertThat(search(result).steps()).hasSize(1);
        assertThat(search(result).sustainableRateMsgPerSec())
                .as("no try has confirmed it")
                .isNull();
        assertThat(result.measured()).isEmpty();
        assertThat(result.findings().stream().map(Finding::kind)).containsExactly("SmallMessages");
    }

    @Test
    void aSearchThatIsStoppedBeforeItsFirstStepEndsHasFoundNothingOut() {
        time.at(Duration.ofMillis(16_000), stop::request);
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.search()).isNull();
        assertThat(result.targetRateMsgPerSec()).isNull();
        assertThat(result.findings().stream().map(Finding::kind)).containsExactly("SmallMessages");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void aSearchThatIsStoppedInTheWarmUpHasNoTargetEither(int seconds) {
        time.at(Duration.ofSeconds(seconds), stop::request);
        RunResult result = run();
        assertThat(result.targetRateMsgPerSec()).isNull();
        assertThat(result.search()).isNull();
    }

    /** The first step is from 22.5 s to 27.5 s. */
    @Test
    void anErrorWhileAStepDrainsKeepsTheStep() {
        worker.setCapacity(25_000);
        time.at(Duration.ofSeconds(26), () -> worker.failIn("stop", new DriverException("broken")));
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(search(result).steps())
                .extracting(RunResult.SearchStep::targetMsgPerSec, RunResult.SearchStep::sustained)
                .containsExactly(tuple(10_000.0, true));
    }

    @Test
    void anErrorDuringTheSearchKeepsTheStepsBeforeIt() {
        worker.setCapacity(25_000);
        time.at(Duration.ofSeconds(32), () -> worker.failNow("broken"));
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.failure()).isEqualTo("the client cannot continue: broken");
        assertThat(search(result).steps()).hasSize(1);
    }
}
