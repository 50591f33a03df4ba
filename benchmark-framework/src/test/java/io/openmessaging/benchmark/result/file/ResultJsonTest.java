package io.openmessaging.benchmark.result.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.result.GoldenFile;
import io.openmessaging.benchmark.result.ResultFixture;
import io.openmessaging.benchmark.result.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Isolated
final class ResultJsonTest {

    private static JsonNode parse(RunResult result) {
        return JsonMapper.shared().readTree(ResultJson.render(result));
    }

    private static List<Double> numbers(JsonNode list) {
        return list.valueStream().map(JsonNode::doubleValue).toList();
    }

    static Stream<Arguments> results() {
        return Stream.of(
                result("two-subscriptions", ResultFixture::twoSubscriptions),
                result("search", ResultFixture::search),
                result("failed", ResultFixture::failed),
                result("compact", ResultFixture::compact),
                result("steps", ResultFixture::steps),
                result("sweep", ResultFixture::sweep),
                result("two-workers", ResultFixture::twoWorkers));
    }

    private static Arguments result(String name, Supplier<RunResult> result) {
        return Arguments.of(name, result.get());
    }

    @Test
    void aSweepWithoutAKneeHasNone() {
        JsonNode sweep = parse(ResultFixture.sweep(0)).path("rateSweep");
        assertThat(sweep.path("knee").isNull()).isTrue();
        assertThat(sweep.path("highestSustainedRate").isNull()).isTrue();
        assertThat(sweep.path("steps")).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource("results")
    void isAsSealed(String name, RunResult result) throws IOException {
        GoldenFile.assertSame(name + ".json", ResultJson.render(result));
    }

    @ParameterizedTest
    @MethodSource("results")
    void hasEveryFieldOfOmbWithItsType(String name, RunResult result) throws IOException {
        assertThat(result).as(name).isNotNull();
        OmbFieldList.assertHasAll(result);
    }

    @Test
    void theListOfOmbsFieldsIsComplete() throws IOException {
        List<String> expected = new ArrayList<>(List.of("workload", "driver", "messageSize", "topics", "partitions"));
        expected.addAll(List.of("producersPerTopic", "consumersPerTopic"));
        expected.addAll(List.of("publishRate", "publishErrorRate", "consumeRate", "backlog"));
        for (String latency : List.of("publishLatency", "publishDelayLatency", "endToEndLatency")) {
            String aggregated = "aggregated" + latency.substring(0, 1).toUpperCase(Locale.ROOT) + latency.substring(1);
            for (String figure : List.of("Avg", "50pct", "75pct", "95pct", "99pct", "999pct", "9999pct", "Max")) {
                expected.add(latency + figure);
                expected.add(aggregated + figure);
            }
            expected.add(aggregated + "Quantiles");
        }
        assertThat(OmbFieldList.fields().keySet()).containsAll(expected);
    }

    @Test
    void hasAnEntryForEachStepAndTheLastCleanOne() {
        JsonNode json = parse(ResultFixture.steps());

        assertThat(json.at("/steps")).hasSize(2);
        assertThat(json.at("/steps/0/producers").intValue()).isEqualTo(2);
        assertThat(json.at("/steps/0/clean").booleanValue()).isTrue();
        assertThat(json.at("/steps/0/abortedBy").isNull()).isTrue();
        assertThat(json.at("/steps/1/beginMs").doubleValue()).isEqualTo(20_500.0);
        assertThat(json.at("/steps/1/seconds").doubleValue()).isEqualTo(19.5);
        assertThat(json.at("/steps/1/abortedBy").asString()).isEqualTo("endToEndLatency99pct");
        assertThat(json.at("/saturation/producers").intValue()).isEqualTo(2);
        assertThat(json.at("/saturation/publishRate").doubleValue()).isEqualTo(1000.0);
        assertThat(json.at("/messageSize").intValue()).isEqualTo(370);
        assertThat(json.at("/rates/publishMBPerSec").doubleValue()).isEqualTo(0.419597);
        assertThat(parse(ResultFixture.search()).get("saturation").isNull()).isTrue();
        assertThat(parse(ResultFixture.search()).get("steps")).isEmpty();
    }

    @Test
    void writesLatenciesInOmbsUnits() {
        JsonNode json = parse(ResultFixture.twoSubscriptions());

        // Histograms keep three digits: the buckets around 1.2 ms are 1.024 µs wide.
        assertThat(json.get("publishLatency50pct").get(0).doubleValue()).isEqualTo(1.234943);
        assertThat(json.get("publishLatencyAvg").get(0).doubleValue()).isEqualTo(3.849142);
        assertThat(json.get("publishDelayLatency50pct").get(0).longValue()).isEqualTo(1);
        assertThat(json.get("publishDelayLatencyAvg").get(0).doubleValue()).isEqualTo(252.74975);
        assertThat(json.get("publishDelayLatencyMax").get(0).longValue()).isEqualTo(1000);
        assertThat(json.get("aggregatedEndToEndLatencyMax").doubleValue()).isBetween(2_500.0, 2_502.0);
        assertThat(json.at("/latencies/publish/meanNs").doubleValue()).isEqualTo(3_850_391.75);
    }

    @Test
    void writesRatesOfConfirmedMessagesAndOfAllArrivals() {
        JsonNode json = parse(ResultFixture.twoSubscriptions());

        assertThat(numbers(json.get("publishRate"))).containsExactly(1000.0, 1000.0);
        assertThat(numbers(json.get("consumeRate"))).containsExactly(2000.0, 2001.3);
        assertThat(numbers(json.get("backlog"))).containsExactly(30.0, 17.0);
        assertThat(json.at("/rates/publishMBPerSec").doubleValue()).isEqualTo(1.024);
    }

    @Test
    void endsTheQuantilesWithTheMaximum() {
        JsonNode json = parse(ResultFixture.twoSubscriptions());
        JsonNode quantiles = json.get("aggregatedPublishLatencyQuantiles");

        assertThat(quantiles.get("100")).isEqualTo(json.get("aggregatedPublishLatencyMax"));
        assertThat(quantiles.propertyNames().stream().map(Double::valueOf)).isSorted();
        assertThat(quantiles.valueStream().map(JsonNode::doubleValue)).isSorted();
    }

    @Test
    void saysWhatWasNotMeasured() {
        JsonNode json = parse(ResultFixture.failed());

        assertThat(json.get("notMeasured").valueStream().map(JsonNode::asString))
                .containsExactly("publishLatency", "publishDelayLatency", "endToEndLatency");
        assertThat(json.get("aggregatedPublishLatencyAvg").isNull()).isTrue();
        assertThat(json.get("aggregatedEndToEndLatency99pct").isNull()).isTrue();
        assertThat(json.get("aggregatedEndToEndLatencyQuantiles").isObject()).isTrue();
        assertThat(json.get("aggregatedEndToEndLatencyQuantiles")).isEmpty();
        assertThat(json.get("latencies").isNull()).isTrue();
        assertThat(json.get("auditOff").asString()).isEqualTo("the run ended before it");
    }

    @Test
    void leavesOutLatenciesOfItsOwnThatWereNotMeasured() {
        JsonNode json = parse(ResultFixture.compact());

        assertThat(json.propertyNames())
                .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("scheduledendtoend"))
                .noneMatch(name -> name.startsWith("aggregatedScheduledEndToEnd"))
                .contains("scheduledPublishLatency99pct", "aggregatedScheduledPublishLatencyQuantiles");
        assertThat(json.at("/latencies/scheduledEndToEnd").isNull()).isTrue();
        assertThat(json.get("notMeasured")).isEmpty();
        assertThat(json.at("/endToEndLatency99pct/0").isNull()).isTrue();
        assertThat(json.at("/endToEndLatency99pct/1").isNumber()).isTrue();
        assertThat(json.at("/periods/0/samples/endToEnd").longValue()).isZero();
    }

    @Test
    void tellsNoSecrets() {
        assertThat(ResultJson.render(ResultFixture.twoSubscriptions()))
                .doesNotContain("do-not-tell")
                .doesNotContain("changeit")
                .contains("bootstrap.servers=localhost:9092", "sasl.jaas.config=***", "keyStorePassword=***");
    }

    @Test
    void doesNotDependOnTheLocale() {
        Locale before = Locale.getDefault();
        String text = ResultJson.render(ResultFixture.search());
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertThat(ResultJson.render(ResultFixture.search())).isEqualTo(text);
        } finally {
            Locale.setDefault(before);
        }
    }
}
