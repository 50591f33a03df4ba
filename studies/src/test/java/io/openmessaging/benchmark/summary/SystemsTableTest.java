package io.openmessaging.benchmark.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.summary.SystemsTable.Figures;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class SystemsTableTest {

    private static final String ONE_RUN =
            " One run of a system decides nothing: repeat them four times or more (--repetitions of quick and plan).";

    private final SystemsTable table = new SystemsTable();

    private static ObjectNode result(String... kinds) {
        ObjectNode result = JsonMapper.shared().createObjectNode();
        result.putObject("metrics");
        for (String kind : kinds) {
            result.withArray("findings")
                    .addObject()
                    .put("kind", kind.replace("note ", ""))
                    .put("severity", kind.startsWith("note ") ? "NOTE" : "INVALIDATES");
        }
        return result;
    }

    private static ObjectNode with(ObjectNode result, String metric, double value) {
        result.withObject("/metrics").put(metric, value);
        return result;
    }

    /** A run at a fixed rate. */
    private static ObjectNode fixed(double msgPerSec, double p99Ms, String... kinds) {
        return with(with(result(kinds), "publishRate", msgPerSec), "scheduledEndToEndLatency99pct", p99Ms);
    }

    private static ObjectNode search(double msgPerSec, String... kinds) {
        ObjectNode result = with(result(kinds), "sustainableRate", msgPerSec);
        result.putObject("search").put("foundRate", msgPerSec);
        return result;
    }

    /** A search that found the limit within a range, whose high end may be unknown. */
    private static ObjectNode search(double msgPerSec, double low, @Nullable Double high) {
        ObjectNode result = search(msgPerSec);
        result.withObject("/search/range").put("low", low).put("high", high);
        return result;
    }

    /** A run of ten messages. */
    private static ObjectNode counted(double sentMsgPerSec) {
        ObjectNode result = fixed(sentMsgPerSec, 3);
        result.putObject("workloadEffective")
                .put("messageCount", 10)
                .put("subscriptionsPerTopic", 1)
                .put("consumerPerSubscription", 1);
        return result;
    }

    private void add(String block, String system, Verdict verdict, JsonNode... results) {
        Stream.of(results).forEach(result -> table.add(block, system, Figures.ALL, verdict, null, result));
    }

    private void quick(String system, double msgPerSec, Verdict verdict, JsonNode latencies) {
        table.add("", system, Figures.HIGHEST_RATE, Verdict.OK, null, search(msgPerSec));
        table.add("", system, Figures.LATENCIES, verdict, null, latencies);
    }

    private String answer() {
        List<String> lines = table.lines();
        return lines.get(lines.size() - 1);
    }

    @Test
    void aSystemIsARowWithFiguresInSuitableUnits() {
        ObjectNode latencies = fixed(60_000, 1455.42, "RateUneven");
        with(latencies, "scheduledPublishLatency50pct", 0.0042);
        with(latencies, "brokerCpuMsPerMessage", 0.005);
        with(latencies, "messagesLost", 2);
        quick("Kafka-fast", 123_456.7, Verdict.INVALID, latencies);

        assertThat(table.lines())
                .startsWith(
                        "system        msg/s  publish p50  p99  end-to-end p50       p99  p99.9    CPU/msg  lost  verdict",
                        "Kafka-fast  123,457    (4.20 µs)    –               –  (1.46 s)      –  (5.00 µs)     2  "
                                + "rate OK; latencies INVALID: RateUneven")
                .endsWith("Figures in brackets are of runs that are not OK.");
        assertThat(table.comparesSystems()).isFalse();
    }

    @Test
    void theBestSystemIsFirstAndOneWithoutReliableFiguresLast() {
        add("", "Slow", Verdict.OK, search(1_000));
        add("", "Broken", Verdict.INVALID, search(9_000, "MessagesLost"));
        add("", "Fast", Verdict.OK, search(5_000));

        assertThat(table.lines().subList(1, 4))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("Fast ").endsWith(" OK"),
                        line -> assertThat(line).startsWith("Slow "),
                        line -> assertThat(line).startsWith("Broken ").endsWith(" INVALID: MessagesLost"));
        assertThat(answer()).startsWith("Fast sustains 5.00 × Slow's rate (1 run).");
    }

    @Test
    void oneRunOfEachDecidesNothing() {
        quick("Redis", 230_000, Verdict.OK, fixed(115_000, 1));
        quick("Kafka", 100_000, Verdict.OK, fixed(50_000, 3));

        assertThat(answer())
                .isEqualTo("Redis sustains 2.30 × Kafka's rate (1 run)"
                        + " at a lower p99, each at half of its rate (1 run)." + ONE_RUN);
    }

    @Test
    void latenciesOfUnreliableRunsAreNotCompared() {
        quick("Redis", 230_000, Verdict.OK, fixed(115_000, 1));
        quick("Kafka", 100_000, Verdict.INVALID, fixed(50_000, 3, "SendsLate"));

        assertThat(answer()).startsWith("Redis sustains 2.30 × Kafka's rate (1 run). One run");
    }

    @Test
    void repetitionsHaveIntervals() {
        add("", "Redis", Verdict.OK, search(230), search(231), search(232), search(229));
        add("", "Kafka", Verdict.OK, search(100), search(101), search(99), search(100));

        assertThat(answer()).isEqualTo("Redis sustains 2.31 × Kafka's rate (4 runs, intervals apart).");
        assertThat(table.lines().get(1)).startsWith("Redis").endsWith("4 OK");
    }

    @Test
    void repetitionsOfASearchAndOfItsLatenciesGiveBothIntervals() {
        for (int i = 0; i < 4; i++) {
            quick("Redis", 230_000 + i, Verdict.OK, fixed(115_000, 1 + i / 100.0));
            quick("Kafka", 100_000 + i, Verdict.OK, fixed(50_000, 3 + i / 100.0));
        }
        assertThat(answer())
                .isEqualTo(
                        "Redis sustains 2.30 × Kafka's rate (4 runs, intervals apart) at a lower p99, each at half of its rate"
                                + " (4 runs, intervals apart).");
        assertThat(table.lines().get(1)).matches("Redis +230,002 .* 1\\.02 ms .* 4 OK");
        assertThat(table.lines())
                .anyMatch(line -> line.endsWith("at half that rate, as the first run found it."))
                .contains("Figures are medians of the runs that are OK or SLO_MISSED;"
                        + " bin/benchmark report tests which differences are certain.");
    }

    @Test
    void intervalsThatOverlapDecideNothing() {
        add("", "Redis", Verdict.OK, search(130), search(70), search(110));
        add("", "Kafka", Verdict.OK, search(90), search(120), search(80));
        assertThat(answer()).isEqualTo("Redis sustains 1.22 × Kafka's rate (3 runs, intervals overlap).");
    }

    @Test
    void atEqualRatesLatenciesAreCompared() {
        add("", "Kafka", Verdict.OK, fixed(5_000, 3), fixed(4_999, 3.1));
        add("", "Redis", Verdict.OK, fixed(5_000, 1.2), fixed(5_000, 1.2));
        assertThat(table.lines().get(1)).startsWith("Redis");
        assertThat(answer())
                .isEqualTo("At 5,000 msg/s, Redis has the lower end-to-end p99: 1.20 ms, Kafka 3.05 ms (2 runs).");
    }

    @Test
    void aSystemThatMissedTheRateIsNamedWithTheCause() {
        add("", "Kafka", Verdict.OK, fixed(5_000, 3));
        add("", "Redis", Verdict.INVALID, fixed(3_000, 900, "TargetRateMissed"));
        assertThat(answer()).isEqualTo("Only Kafka has figures to rely on. Redis: INVALID: TargetRateMissed.");
    }

    @Test
    void aFullMachineComesFirstAndIsNotedApartFromWhatInvalidates() {
        add("", "Kafka", Verdict.INVALID, fixed(5_000, 3, "note HostSaturated", "SendsLate"));
        add("", "Redis", Verdict.INVALID, fixed(5_000, 1, "RateUneven", "A", "B", "C"));

        List<String> lines = table.lines();
        assertThat(lines.get(0)).startsWith("First of all: the machine was full (Kafka)");
        assertThat(lines)
                .anyMatch(line -> line.endsWith("INVALID: SendsLate (noted: HostSaturated)"))
                .anyMatch(line -> line.endsWith("INVALID: RateUneven, A, B, C"));
        assertThat(answer()).isEqualTo("No system has figures to rely on.");
    }

    @Test
    void onAFullMachineTheProgramsOfOthersAreEndedFirst() {
        add("", "Kafka", Verdict.INVALID, fixed(5_000, 3, "note MachineShared", "note HostSaturated", "SendsLate"));
        add("", "Redis", Verdict.OK, fixed(5_000, 1));
        assertThat(table.lines())
                .contains(
                        "First of all: the machine was full (Kafka), so it may have been measured instead of the system."
                                + " Others used it, too: end their programs first (bin/benchmark explain MachineShared), then use"
                                + " fewer nodes and clients, a lower rate, or more machines (bin/benchmark explain HostSaturated).");
    }

    @Test
    void othersOnTheMachineOfAnotherRunDidNotFillIt() {
        add("", "Kafka", Verdict.INVALID, fixed(5_000, 3, "note HostSaturated"));
        add("", "Kafka", Verdict.OK, fixed(5_000, 1, "note MachineShared"));
        assertThat(table.lines())
                .anyMatch(line -> line.contains("of the system. Use fewer nodes and clients, a lower"));
    }

    @Test
    void whatWasNotMeasuredIsADashAndAFailureHasItsReason() {
        table.add("", "Redis", Figures.ALL, Verdict.FAILED, "nothing listens\nat all", result());
        assertThat(table.lines().get(1)).matches("Redis( +–){8}  FAILED: nothing listens");
    }

    @Test
    void whyEndToEndLatenciesAreMissingIsToldOnce() {
        for (String system : List.of("A", "B")) {
            ObjectNode small = with(result(), "publishRate", 5_000);
            small.withArray("findings")
                    .addObject()
                    .put("kind", "SmallMessages")
                    .put("severity", "NOTE")
                    .put("text", "messages of 10 bytes carry no send time: end-to-end latency is not measured");
            add("", system, Verdict.OK, small);
        }
        String why = "–: messages of 10 bytes carry no send time: end-to-end latency is not measured.";
        assertThat(table.lines()).containsOnlyOnce(why);
        assertThat(table.lines().get(1)).endsWith("  OK");
    }

    @Test
    void aNoteOnLatenciesThatWereMeasuredAllTheSameIsNotTold() {
        add("", "A", Verdict.OK, fixed(5_000, 3, "note EndToEndWithheld"));
        assertThat(table.lines()).noneMatch(line -> line.startsWith("–"));
    }

    @Test
    void aRateThatTheMeasurementDoesNotConfirmIsNoFigure() {
        ObjectNode result = result("TargetRateMissed");
        result.putObject("search").put("foundRate", 293_441.3);
        table.add("", "Redis", Figures.HIGHEST_RATE, Verdict.INVALID, null, result);
        assertThat(table.lines().get(1)).startsWith("Redis   not confirmed ");
        assertThat(table.lines())
                .endsWith("Redis: not confirmed: the search found 293,441 msg/s, but the measurement is INVALID.");
    }

    @Test
    void aLimitThatIsHardlyNarrowedDownIsNoFigureToRelyOn() {
        String limit = "limit between 106 and 2,593 msg/s: not narrowed down";
        add("", "Kafka", Verdict.OK, search(9_000, 8_900, 9_450.0));
        add("", "Redis", Verdict.OK, search(1_286, 106, 2_593.0));

        assertThat(table.lines().get(2)).startsWith("Redis   (1,286)  ").endsWith("  " + limit);
        assertThat(table.lines())
                .contains(
                        "Figures in brackets are of runs that are not OK, did not find the limit, or shared the machine.");
        assertThat(answer()).isEqualTo("Only Kafka has figures to rely on. Redis: " + limit + ".");
    }

    @Test
    void aRateThatWasFoundWhileOthersUsedTheMachineIsNoFigureToRelyOn() {
        ObjectNode shared = search(640, 610, 672.0);
        shared.withArray("findings").addObject().put("kind", "MachineShared").put("severity", "NOTE");
        add("", "Kafka", Verdict.OK, shared);
        add("", "Redis", Verdict.OK, search(500, 495, 525.0));

        String limit = "limit between 610 and 672 msg/s: others used the machine";
        assertThat(table.lines().get(2)).startsWith("Kafka   (640)  ").endsWith("  " + limit);
        assertThat(answer()).isEqualTo("Only Redis has figures to rely on. Kafka: " + limit + ".");
    }

    @Test
    void othersThatUsedTheMachineAreNotedApartFromWhatInvalidates() {
        add("", "Kafka", Verdict.INVALID, fixed(5_000, 3, "note MachineShared", "SendsLate"));
        assertThat(table.lines().get(1)).endsWith("INVALID: SendsLate (noted: MachineShared)");
    }

    @Test
    void latenciesOfASharedMachineAreInBracketsAndTheRateThatWasAchievedIsNot() {
        add("", "Kafka", Verdict.OK, fixed(5_000, 3));
        add("", "Redis", Verdict.OK, fixed(5_000, 1, "note MachineShared"));

        assertThat(table.lines().get(1)).matches("Redis +5,000 .* \\(1\\.00 ms\\) .* OK \\(noted: MachineShared\\)");
        assertThat(table.lines())
                .contains("Figures in brackets are of runs that are not OK, or times on a shared machine.");
        assertThat(answer())
                .isEqualTo("At 5,000 msg/s, Redis has the lower end-to-end p99: 1.00 ms, Kafka 3.00 ms (1 run),"
                        + " but others used the machine." + ONE_RUN);
    }

    @Test
    void latenciesOfASharedMachineAreNotComparedBesideRates() {
        quick("Redis", 230_000, Verdict.OK, fixed(115_000, 1, "note MachineShared"));
        quick("Kafka", 100_000, Verdict.OK, fixed(50_000, 3));

        assertThat(table.lines().get(1))
                .contains("  (1.00 ms)  ")
                .endsWith("rate OK; latencies OK (noted: MachineShared)");
        assertThat(table.lines())
                .contains(
                        "Figures in brackets are of runs that are not OK, did not find the limit, or shared the machine.");
        assertThat(answer()).isEqualTo("Redis sustains 2.30 × Kafka's rate (1 run)." + ONE_RUN);
    }

    @Test
    void thoseInBracketsAreSortedByTheirRatesToo() {
        for (double rate : List.of(41.2, 454.2)) {
            ObjectNode result = result("TargetRateExceeded");
            result.putObject("search").put("foundRate", rate);
            String system = rate < 100 ? "Slow" : "Fast";
            table.add("", system, Figures.HIGHEST_RATE, Verdict.INVALID, null, result);
            table.add("", system, Figures.LATENCIES, Verdict.OK, null, fixed(rate / 2, 500));
        }
        assertThat(table.lines().get(1)).startsWith("Fast ");
        assertThat(table.lines().get(2)).startsWith("Slow ");
    }

    @Test
    void thoseInBracketsAreSortedByLatencyAtEqualRates() {
        add("", "Slow", Verdict.INVALID, fixed(5_000, 900, "SendsLate"));
        add("", "Fast", Verdict.INVALID, fixed(4_990, 300, "SendsLate"));
        assertThat(table.lines().get(1)).startsWith("Fast ");
    }

    @Test
    void latenciesStandWhereTheLimitWasNotFound() {
        table.add("", "Redis", Figures.HIGHEST_RATE, Verdict.OK, null, search(1_286, 106, 2_593.0));
        table.add("", "Redis", Figures.LATENCIES, Verdict.OK, null, fixed(643, 3));
        assertThat(table.lines().get(1))
                .contains("  3.00 ms  ")
                .endsWith("  limit between 106 and 2,593 msg/s: not narrowed down; latencies OK");
    }

    @ParameterizedTest
    @CsvSource({
        "100, 300, OK",
        "100, 301, limit between 100 and 301 msg/s: not narrowed down",
        "100, , limit above 100 msg/s: not narrowed down",
    })
    void aLimitIsFoundIfItsRangeIsNarrow(double low, @Nullable Double high, String verdict) {
        add("", "Redis", Verdict.OK, search(120, low, high));
        assertThat(table.lines().get(1)).endsWith("  " + verdict);
    }

    @Test
    void repetitionsThatDidNotFindTheLimitAreCountedApart() {
        add("", "A", Verdict.OK, search(120, 10, 200.0), search(110, 100, 115.0), search(100, 20, 300.0));
        add("", "B", Verdict.OK, search(120, 10, 200.0));
        assertThat(table.lines().get(1))
                .startsWith("A         110  ")
                .endsWith("  1 OK, 2 limit between 10.0 and 300 msg/s: not narrowed down");
        assertThat(answer()).startsWith("Only A has figures to rely on. B: limit between 10.0 and 200 msg/s");
    }

    @Test
    void ifNoLimitWasFoundTheAnswerSaysSo() {
        add("", "A", Verdict.OK, search(120, 10, 200.0));
        add("", "B", Verdict.INVALID, search(120, "MessagesLost"));
        assertThat(answer())
                .isEqualTo("No system has figures to rely on."
                        + " A: limit between 10.0 and 200 msg/s: not narrowed down.");
    }

    /** Kafka's client takes ten messages faster, but they arrive later. */
    @Test
    void aNumberOfMessagesHasTheRateUntilTheLastArrived() {
        add("", "kafka", Verdict.OK, with(counted(95_468), "totalRate", 860));
        add("", "rabbitmq", Verdict.OK, with(counted(5_049), "totalRate", 4_000));
        assertThat(answer()).startsWith("rabbitmq achieves 4.65 × kafka's rate (1 run)");
        assertThat(table.lines())
                .anyMatch(line -> line.startsWith("msg/s: achieved (with messageCount: until the last arrival). "));
    }

    @Test
    void howFastANumberOfMessagesWasSentIsNoRate() {
        add("", "kafka", Verdict.OK, counted(95_468));
        add("", "rabbitmq", Verdict.OK, with(counted(5_049), "totalRate", 4_000));
        assertThat(answer()).startsWith("Only rabbitmq has figures to rely on.");
    }

    @Test
    void theRateOfASweepIsTheHighestSustainedOneAndItsLatenciesAreOfNoRate() {
        for (String system : List.of("A", "B")) {
            ObjectNode sweep = with(fixed(500, 3), "highestSustainedRate", system.equals("A") ? 1_000 : 2_000);
            sweep.putObject("rateSweep");
            add("", system, Verdict.OK, sweep);
        }
        assertThat(table.lines().get(1)).matches("B +2,000( +–){7}  OK");
        assertThat(answer()).startsWith("B sustains 2.00 × A's rate (1 run). One");
    }

    @Test
    void aRunWithoutALoadHasTheRateOfItsArrivals() {
        add("", "A", Verdict.OK, with(result(), "totalRate", 1_000));
        add("", "B", Verdict.OK, with(result(), "totalRate", 3_000));
        assertThat(answer()).startsWith("B achieves 3.00 × A's rate");
    }

    @Test
    void severalLoadsAreBlocksWithAnAnswerEach() {
        for (String block : List.of("small", "large")) {
            add(block, "A", Verdict.OK, fixed(5_000, 3));
            add(block, "B", Verdict.OK, fixed(5_000, 1));
        }
        assertThat(table.lines()).contains("small:", "large:").anyMatch(line -> line.startsWith("large: At 5,000"));
    }

    @Test
    void manyLoadsAreAnsweredInOneSentence() {
        for (int block = 1; block <= 6; block++) {
            add(block + " B", "A", Verdict.OK, fixed(5_000, block < 3 ? 1 : 3));
            add(block + " B", "B", block == 6 ? Verdict.INVALID : Verdict.OK, fixed(5_000, 2));
        }
        assertThat(answer())
                .isEqualTo("By the medians of 6 loads, A is ahead in 2, B is ahead in 3;"
                        + " 1 without figures of two systems to rely on. bin/benchmark report tests what is certain."
                        + ONE_RUN);
        assertThat(table.lines()).noneMatch(line -> line.startsWith("1 B: "));
    }

    @Test
    void differentGuaranteesAreToldOnceBeforeTheAnswers() {
        for (String system : List.of("A", "B")) {
            for (String block : List.of("small", "large")) {
                ObjectNode result = fixed(5_000, 3);
                result.withObject("/broker/guarantee").put("copies", system.equals("A") ? "1" : "3");
                add(block, system, Verdict.OK, result);
            }
        }
        assertThat(table.lines().stream().filter(line -> line.contains("With different guarantees: ")))
                .singleElement()
                .asString()
                .startsWith("With different guarantees: small: At 5,000 msg/s");
        assertThat(answer()).startsWith("large: At 5,000").endsWith(ONE_RUN);
    }

    @Test
    void differentGuaranteesComeFirst() {
        for (String system : List.of("A", "B")) {
            ObjectNode result = fixed(5_000, 3);
            result.withObject("/broker/guarantee").put("copies", system.equals("A") ? "1" : "3");
            add("", system, Verdict.OK, result);
        }
        assertThat(table.lines().get(0)).startsWith("These systems give different guarantees");
        assertThat(answer()).startsWith("With different guarantees: At 5,000 msg/s");
    }
}
