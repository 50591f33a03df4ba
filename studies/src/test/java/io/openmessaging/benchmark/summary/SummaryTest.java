package io.openmessaging.benchmark.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.plan.ResultsFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SummaryTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private Summary summary(ResultsFolder results) throws Exception {
        results.write();
        return Summary.of(PlanResults.read(folder, Manifest.read(folder)));
    }

    @Test
    void invalidRunsAreCountedAndLeftOutOfTheMeans() throws Exception {
        CellSummary cell = summary(new ResultsFolder(folder)
                        .run("throughput", "kafka", "1 KB", "OK", 100)
                        .run("throughput", "kafka", "1 KB", "INVALID", 1_000)
                        .run("throughput", "kafka", "1 KB", "OK", 102)
                        .failed("throughput", "kafka", "1 KB"))
                .find("throughput", "kafka", "1 KB")
                .orElseThrow();

        assertThat(cell.runs()).isEqualTo(3);
        assertThat(cell.invalid()).isEqualTo(1);
        assertThat(cell.failed()).isEqualTo(1);
        assertThat(cell.invalidIncluded()).isFalse();
        assertThat(cell.metrics().get("publishRate")).isEqualTo(Estimate.of(100, 102));
    }

    /** Lost messages make a run INVALID, so the losses of all other runs are always none. */
    @Test
    void lostMessagesOfInvalidRunsCount() throws Exception {
        Map<String, Object> rates = Map.of("publish", 100);
        CellSummary cell = summary(new ResultsFolder(folder)
                        .run("e", "kafka", "a", "OK", Map.of("rates", rates, "audit", Map.of("lost", 0)))
                        .run("e", "kafka", "a", "INVALID", Map.of("rates", rates, "audit", Map.of("lost", 500))))
                .find("e", "kafka", "a")
                .orElseThrow();

        assertThat(cell.metrics().get("messagesLost")).isEqualTo(Estimate.of(0, 500));
        assertThat(cell.metrics().get("publishRate")).isEqualTo(Estimate.of(100));
    }

    @Test
    void runsThatMissedTheirSloAreCountedAndHaveTheirPartInTheMeans() throws Exception {
        CellSummary cell = summary(new ResultsFolder(folder)
                        .run("throughput", "kafka", "1 KB", "OK", 100)
                        .run("throughput", "kafka", "1 KB", "SLO_MISSED", 110))
                .find("throughput", "kafka", "1 KB")
                .orElseThrow();

        assertThat(cell.runs()).isEqualTo(2);
        assertThat(cell.sloMissed()).isEqualTo(1);
        assertThat(cell.invalid()).isZero();
        assertThat(cell.metrics().get("publishRate")).isEqualTo(Estimate.of(100, 110));
    }

    private static Map<String, Object> search(double rate, double low, double high, String finding) {
        return Map.of(
                "metrics", Map.of("sustainableRate", rate, "publishRate", rate, "publishLatency99pct", rate),
                "search", Map.of("foundRate", rate, "range", Map.of("low", low, "high", high)),
                "findings", List.of(Map.of("kind", finding, "severity", "NOTE", "text", "…")));
    }

    /** A search that ended without the limit has found a lower bound at most. */
    @Test
    void ratesOfSearchesThatDidNotFindTheLimitAreCountedAndLeftOutOfTheMeans() throws Exception {
        Summary summary = summary(new ResultsFolder(folder)
                .run("e", "kafka", "a", "OK", search(100, 99, 105, "FewSamples"))
                .run("e", "kafka", "a", "OK", search(900, 100, 301, "FewSamples"))
                .run("e", "kafka", "a", "SLO_MISSED", search(900, 890, 920, "MachineShared"))
                .run("e", "redis", "a", "OK", search(900, 100, 301, "FewSamples")));
        CellSummary cell = summary.find("e", "kafka", "a").orElseThrow();
        assertThat(cell.unreliableRates()).isEqualTo(2);
        assertThat(cell.unreliable("sustainableRateSd")).isEqualTo(2);
        assertThat(cell.unreliable("publishLatency99pct")).isZero();
        assertThat(cell.metrics().get("sustainableRate")).isEqualTo(Estimate.of(100));
        assertThat(cell.metrics().get("publishRate")).isEqualTo(Estimate.of(100));
        assertThat(cell.metrics().get("publishLatency99pct")).isEqualTo(Estimate.of(100, 900, 900));
        assertThat(summary.find("e", "redis", "a").orElseThrow().metrics())
                .containsKey("publishLatency99pct")
                .doesNotContainKey("sustainableRate");
        assertThat(SummaryFiles.csv(summary))
                .contains("e,kafka,a,sustainableRate,msg/s,3,0,1,0,1,")
                .containsPattern("e,kafka,a,sustainableRate,.*,2\n")
                .containsPattern("e,kafka,a,publishLatency99pct,.*,0\n");
    }

    @Test
    void whereAllAreInvalidTheirMeansAreGivenAndThatIsSaid() throws Exception {
        CellSummary cell = summary(new ResultsFolder(folder)
                        .run("throughput", "kafka", "1 KB", "INVALID", 100)
                        .run("throughput", "kafka", "1 KB", "INVALID", 104))
                .find("throughput", "kafka", "1 KB")
                .orElseThrow();

        assertThat(cell.invalidIncluded()).isTrue();
        assertThat(cell.metrics().get("publishRate")).isEqualTo(Estimate.of(100, 104));
    }

    @Test
    void systemsThatDoNotPromiseTheSameAreNamed() throws Exception {
        Summary alike = summary(new ResultsFolder(folder)
                .run("e", "kafka", "a", "OK", promising(1, "one copy"))
                .run("e", "redis", "a", "OK", promising(1, "one copy (as its settings tell)"))
                .run("e", "artemis", "a", "OK", 100));
        assertThat(alike.guaranteesDiffer()).isFalse();

        Summary unlike = summary(new ResultsFolder(folder)
                .run("e", "kafka", "a", "OK", promising(3, "three copies"))
                .run("e", "kafka", "b", "OK", promising(1, "one copy"))
                .run("e", "redis", "a", "OK", promising(1, "one copy")));
        assertThat(unlike.guaranteesDiffer()).isTrue();
        assertThat(unlike.guarantees())
                .isEqualTo(Map.of("kafka", "three copies; elsewhere one copy", "redis", "one copy"));
    }

    private static Map<String, Object> promising(int copies, String words) {
        Map<String, Object> guarantee = Map.of("copies", copies, "inWords", words);
        return Map.of("rates", Map.of("publish", 100), "broker", Map.of("guarantee", guarantee));
    }

    @Test
    void runsThatAreNoRepetitionsOfEachOtherHaveNoMean() throws Exception {
        Map<String, Object> rates = Map.of("publish", 100);
        CellSummary cell = summary(new ResultsFolder(folder)
                        .run("e", "kafka", "a", "OK", Map.of("rates", rates, "clientVersion", "client 1"))
                        .run("e", "kafka", "a", "OK", Map.of("rates", rates, "clientVersion", "client 2"))
                        .run("e", "kafka", "a", "INVALID", Map.of("rates", rates, "clientVersion", "client 2")))
                .find("e", "kafka", "a")
                .orElseThrow();

        assertThat(cell.runs()).isEqualTo(3);
        assertThat(cell.variants()).containsExactly("clientVersion client 1", "clientVersion client 2");
        assertThat(cell.metrics()).isEmpty();
    }

    @Test
    void cellsKeepTheOrderOfThePlanEvenThoseThatWereNotRun() throws Exception {
        Summary summary = summary(new ResultsFolder(folder)
                .run("b", "kafka", "1 KB", "OK", 1)
                .skipped("b", "redis", "1 KB")
                .run("a", "kafka", "1 KB", "OK", 1)
                .run("b", "kafka", "1 KB", "OK", 1));
        assertThat(summary.cells())
                .extracting(cell -> cell.cell().path())
                .containsExactly("b/kafka/1 KB", "b/redis/1 KB", "a/kafka/1 KB");
        assertThat(summary.cells().get(1).metrics()).isEmpty();
    }

    @Test
    void weaknessesAreCountedOverAllRunsExpectedOrNot() throws Exception {
        CellSummary cell = summary(new ResultsFolder(folder)
                        .run("e", "kafka", "a", "OK", finding("ConsumersBehind", "EXPECTED"))
                        .run("e", "kafka", "a", "INVALID", finding("NotSettled", "INVALIDATES"))
                        .run("e", "kafka", "a", "OK", finding("SendsLate", "NOTE"))
                        .failed("e", "kafka", "a")
                        .failedIn("provision", "e", "kafka", "a")
                        .failedIn("measure", "e", "kafka", "a"))
                .find("e", "kafka", "a")
                .orElseThrow();
        assertThat(cell.metrics().get("backlog")).isEqualTo(Estimate.ofShares(100, 100, 0));
        assertThat(cell.metrics().get("targetRateMissed")).isEqualTo(Estimate.ofShares(0, 0, 0));
        assertThat(cell.failed()).isEqualTo(3);
        assertThat(cell.metrics().get("failure"))
                .as("two of them never had a load")
                .isEqualTo(Estimate.ofShares(0, 0, 0, 100));
    }

    private static Map<String, Object> finding(String kind, String severity) {
        return Map.of("findings", List.of(Map.of("kind", kind, "severity", severity, "text", "…")));
    }

    @Test
    void theFilesHaveEveryCellAndMetric() throws Exception {
        Summary summary = summary(new ResultsFolder(folder)
                .run("throughput", "kafka", "1, \"x\"", "OK", 100)
                .run("throughput", "kafka", "1, \"x\"", "OK", 102));
        SummaryFiles.write(folder, summary);

        JsonNode cell = JsonMapper.shared()
                .readTree(Files.readAllBytes(folder.resolve("summary.json")))
                .path("cells")
                .path(0);
        assertThat(cell.path("case").asString()).isEqualTo("1, \"x\"");
        assertThat(cell.path("parameters").path("messageSize").asInt()).isEqualTo(1000);
        assertThat(cell.path("metrics").path("publishRate").path("mean").asDouble())
                .isEqualTo(101);
        assertThat(cell.path("metrics").path("publishRate").path("n").asInt()).isEqualTo(2);
        assertThat(Files.readAllLines(folder.resolve("summary.csv")))
                .startsWith(
                        "experiment,system,case,metric,unit,runs,invalid,sloMissed,failed,n,mean,sd,ci95Low,ci95High,"
                                + "median,min,max,invalidIncluded,sdCi95Low,sdCi95High,unreliableRates")
                .anyMatch(line ->
                        line.startsWith("throughput,kafka,\"1, \"\"x\"\"\",publishRate,msg/s,2,0,0,0,2,101.0,1.414")
                                && line.endsWith(",,,101.0,100.0,102.0,false,,,0"));
        assertThat(cell.path("metrics").path("publishRate").has("values"))
                .as("all values are in the results")
                .isFalse();
    }

    @Test
    void theSummaryAndTheTableNeedEachResultOnlyOnce() throws Exception {
        new ResultsFolder(folder)
                .run("throughput", "kafka", "1 KB", "OK", 100)
                .failedIn("measure", "throughput", "redis", "1 KB")
                .write();
        PlanResults results = PlanResults.read(folder, Manifest.read(folder));
        for (String file : List.of("runs/1.json", "runs/2.json")) {
            Files.delete(folder.resolve(file));
        }
        assertThat(Summary.of(results).cells())
                .extracting(cell -> cell.metrics().containsKey("publishRate"))
                .containsExactly(true, false);
        assertThat(SystemsTable.of(results).lines().subList(1, 3))
                .satisfiesExactly(
                        line -> assertThat(line).matches("kafka +100 .* OK"),
                        line -> assertThat(line).matches("redis +– .* FAILED"));
    }

    @Test
    void aResultThatIsMissingIsASentence() throws Exception {
        ResultsFolder results = new ResultsFolder(folder).run("throughput", "kafka", "1 KB", "OK", 100);
        results.write();
        Files.delete(folder.resolve("runs/1.json"));
        Manifest manifest = Manifest.read(folder);
        assertThatThrownBy(() -> PlanResults.read(folder, manifest))
                .isInstanceOf(PlanException.class)
                .hasMessageEndingWith("1.json: cannot be read: there is no " + folder.resolve("runs/1.json"));
    }

    @Test
    void parametersAreThoseOfTheManifest() throws Exception {
        Summary summary = summary(new ResultsFolder(folder).run("throughput", "kafka", "1 KB", "OK", 100));
        assertThat(summary.cells().get(0).cell().parameters()).isEqualTo(Map.of("messageSize", 1000));
    }
}
