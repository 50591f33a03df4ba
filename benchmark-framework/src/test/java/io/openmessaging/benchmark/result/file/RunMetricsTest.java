package io.openmessaging.benchmark.result.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.metric.LatencyFigure;
import io.openmessaging.benchmark.metric.LatencyMetric;
import io.openmessaging.benchmark.result.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class RunMetricsTest {

    private static Map<String, Double> of(String json) {
        return RunMetrics.of(JsonMapper.shared().readTree(json));
    }

    @Test
    void ratesAreThoseOfTheWholeMeasurementAndMegabytesAreMillions() {
        Map<String, Double> metrics = of("""
                {"rates": {"publish": 1000.5, "consume": 999, "publishMBPerSec": 2, "consumeMBPerSec": 1},
                 "publishRate": [1, 2]}
                """);
        assertThat(metrics).containsOnlyKeys("publishRate", "consumeRate", "publishMBPerSec", "consumeMBPerSec");
        assertThat(metrics).containsEntry("publishRate", 1000.5).containsEntry("publishMBPerSec", 2.0);
    }

    @Test
    void latenciesAreInMillisecondsAndOnlyThereIfTheyWereMeasured() {
        Map<String, Double> metrics = of("""
                {"notMeasured": ["endToEndLatency"], "aggregatedPublishLatency99pct": 7.5,
                 "aggregatedPublishLatencyAvg": 2, "aggregatedEndToEndLatency99pct": 0,
                 "aggregatedPublishDelayLatencyAvg": 5, "aggregatedScheduledPublishLatency999pct": 9}
                """);
        assertThat(metrics)
                .containsOnly(
                        Map.entry("publishLatency99pct", 7.5),
                        Map.entry("publishLatencyAvg", 2.0),
                        Map.entry("scheduledPublishLatency999pct", 9.0));
    }

    /** OMB writes zeros where no messages were to be received. */
    @Test
    void zerosOfOmbAreNoLatency() {
        String latencies = "\"aggregatedEndToEndLatencyMax\": 0, \"aggregatedEndToEndLatency99pct\": 0,"
                + " \"aggregatedPublishLatencyMax\": 2, \"aggregatedPublishLatency50pct\": 0}";
        assertThat(of("{" + latencies)).containsOnlyKeys("publishLatencyMax", "publishLatency50pct");
        assertThat(of("{\"aggregatedPublishLatencyMax\": null, \"aggregatedPublishLatencyAvg\": null}"))
                .isEmpty();
    }

    @Test
    void burstsHaveTimesAndARate() {
        assertThat(of("{\"sendSeconds\": 4, \"receiveSeconds\": 5, \"counts\": {\"acknowledged\": 1000}}"))
                .containsOnly(
                        Map.entry("sendSeconds", 4.0), Map.entry("totalSeconds", 5.0), Map.entry("totalRate", 200.0));
    }

    @Test
    void costsAreThoseOfAllNodesTogether() {
        Map<String, Double> metrics = of("""
                {"broker": {"managed": true}, "environment": {"processors": 4, "memoryMiB": 1024},
                 "resources": {"messagesPerBrokerCpuSecond": 5000, "entries": [
                   {"role": "broker", "figures": {"cpuCorePercent": {"mean": 50}, "residentBytes": {"mean": 134217728}}},
                   {"role": "broker", "figures": {"cpuCorePercent": {"mean": 150}, "heapUsedBytes": {"mean": 7},
                                                  "collectionsPerSec": {"mean": 0.5}}},
                   {"role": "harness", "figures": {"cpuCorePercent": {"mean": 25}, "residentBytes": {"mean": 3}}},
                   {"role": "host", "figures": {"idlePercent": {"mean": 30}, "memoryUsedPercent": {"mean": 60}}}]}}
                """);
        assertThat(metrics)
                .containsOnly(
                        Map.entry("brokerCpuCores", 2.0),
                        Map.entry("brokerCpuPercent", 50.0),
                        Map.entry("brokerMemoryBytes", 134217728.0),
                        Map.entry("brokerMemoryPercent", 12.5),
                        Map.entry("brokerHeapBytes", 7.0),
                        Map.entry("brokerCollectionsPerSec", 0.5),
                        Map.entry("hostCpuPercent", 70.0),
                        Map.entry("hostMemoryPercent", 60.0),
                        Map.entry("harnessCpuCores", 0.25),
                        Map.entry("harnessMemoryBytes", 3.0),
                        Map.entry("messagesPerBrokerCpuSecond", 5000.0),
                        Map.entry("brokerCpuMsPerMessage", 0.2));
        assertThat(metrics.get("brokerCpuCores")).isCloseTo(2, within(1e-12));
    }

    /** The size of a remote broker's host is unknown. */
    @Test
    void aBrokerElsewhereHasNoPartOfThisHost() {
        assertThat(of("""
                {"broker": {"managed": false}, "environment": {"processors": 4},
                 "resources": {"entries": [{"role": "broker", "figures": {"cpuCorePercent": {"mean": 50}}}]}}
                """)).containsOnly(Map.entry("brokerCpuCores", 0.5));
    }

    @Test
    void theSaturationPointHasTwoNumbers() {
        assertThat(of("{\"saturation\": {\"producers\": 8, \"consumers\": 1, \"publishRate\": 4000}}"))
                .containsOnly(Map.entry("saturationProducers", 8.0), Map.entry("saturationRate", 4000.0));
        assertThat(of("{\"saturation\": null}")).isEmpty();
    }

    @Test
    void aResultHasItsMetricsAndThoseOfItsResourcesByPeriod() {
        ObjectNode result = (ObjectNode) JsonMapper.shared().readTree("""
                {"metrics": {}, "broker": {"managed": true}, "environment": {"processors": 4},
                 "rates": {"publish": 1.00000049},
                 "metricsByPeriod": {},
                 "resources": {"entries": [
                   {"role": "broker", "figures": {"cpuCorePercent": {"mean": 50, "periodMean": [40, 60, 50]},
                                                  "heapUsedBytes": {"mean": 7, "periodMean": [6, 7, 8]}}},
                   {"role": "broker", "figures": {"cpuCorePercent": {"mean": 150, "periodMean": [160, null, 140]}}},
                   {"role": "host", "figures": {"idlePercent": {"mean": 30, "periodMean": [25, 35, 30]}}}]}}
                """);
        RunMetrics.addTo(result);

        assertThat(result.propertyNames()).startsWith("metrics", "broker");
        assertThat(result.path("metricsByPeriod").toString())
                .isEqualTo("{\"brokerCpuCores\":[2.0,null,1.9],\"brokerCpuPercent\":[50.0,null,47.5],"
                        + "\"brokerHeapBytes\":[6.0,7.0,8.0],\"hostCpuPercent\":[75.0,65.0,70.0]}");
        assertThat(RunMetrics.of(result))
                .containsOnly(
                        Map.entry("publishRate", 1.0),
                        Map.entry("brokerCpuCores", 2.0),
                        Map.entry("brokerCpuPercent", 50.0),
                        Map.entry("brokerHeapBytes", 7.0),
                        Map.entry("hostCpuPercent", 70.0));
    }

    private static Map<String, Double> reliedOn(double low, double high, String finding) {
        return RunMetrics.reliedOn(JsonMapper.shared().readTree("""
                {"metrics": {"sustainableRate": 120, "publishRate": 120, "publishLatency99pct": 4},
                 "search": {"foundRate": 121, "range": {"low": %s, "high": %s}}, "findings": [{"kind": "%s"}]}
                """.formatted(low, high, finding)));
    }

    @Test
    void ratesOfASearchThatDidNotFindTheLimitAloneOnTheMachineAreNotReliedOn() {
        assertThat(reliedOn(100, 300, "FewSamples"))
                .containsOnlyKeys("sustainableRate", "publishRate", "publishLatency99pct");
        assertThat(reliedOn(100, 301, "FewSamples")).containsOnlyKeys("publishLatency99pct");
        assertThat(reliedOn(100, 110, "MachineShared")).containsOnlyKeys("publishLatency99pct");
    }

    @Test
    void otherRatesAndThoseOfEarlierSearchesAreReliedOn() {
        for (String search : List.of("null", "{\"foundRate\": 121}", "{\"foundRate\": null, \"range\": null}")) {
            JsonNode result = JsonMapper.shared().readTree("""
                    {"metrics": {"publishRate": 120}, "search": %s, "findings": [{"kind": "MachineShared"}]}
                    """.formatted(search));
            assertThat(RunMetrics.reliedOn(result)).as(search).containsOnlyKeys("publishRate");
        }
    }

    @Test
    void metricsOfAResultAreNotComputedAgain() {
        assertThat(of("{\"metrics\": {\"publishRate\": 3.5}, \"rates\": {\"publish\": 4}, \"sendSeconds\": 5}"))
                .containsOnly(Map.entry("publishRate", 3.5));
    }

    @Test
    void everyMetricHasItsValueOfAnExample() throws IOException {
        JsonNode example = JsonMapper.shared().readTree(Files.readString(GoldenFile.path("metrics-example.json")));
        Map<String, Double> expected = new LinkedHashMap<>();
        example.path("metrics").forEachEntry((name, value) -> expected.put(name, value.asDouble()));

        assertThat(RunMetrics.of(example.path("result"))).isEqualTo(expected);
        assertThat(RunMetrics.names()).containsExactlyInAnyOrderElementsOf(expected.keySet());
    }

    @Test
    void everyLatencyAndFigureThatAResultHasInMillisecondsIsAMetric() {
        assertThat(RunMetrics.names())
                .containsAll(LatencyMetric.ALL.stream()
                        .filter(latency -> latency.unit() == LatencyMetric.Unit.MS)
                        .flatMap(latency -> LatencyFigure.ALL.stream().map(figure -> latency.name() + figure.suffix()))
                        .toList());
    }

    @Test
    void everyMetricHasAUnit() {
        assertThat(RunMetrics.names())
                .contains("publishLatency50pct", "endToEndLatencyMax", "scheduledEndToEndLatency999pct")
                .doesNotContain("publishDelayLatencyAvg")
                .allSatisfy(name -> assertThat(RunMetrics.unit(name)).isPresent());
        assertThat(RunMetrics.unit("publishLatency50pct")).contains("ms");
        assertThat(RunMetrics.unit("nonsense")).isEmpty();
    }
}
