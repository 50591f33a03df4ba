package io.openmessaging.benchmark.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.PublishedFile;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.plan.ResultsFolder;
import io.openmessaging.benchmark.summary.PlanResults;
import io.openmessaging.benchmark.summary.Summary;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Judgement of a folder of results by a file of claims, as it is written and printed. */
class ClaimsTest {

    private static final String PUBLISHED = """
            study: example
            citation: Somebody, Somewhere (2026)
            values:
              - {source: Table 2, experiment: throughput, system: kafka, case: 1 KB, metric: publishRate, value: 50, unit: msg/s, sd: 1}
              - {source: Table 2, experiment: throughput, system: redis, case: "*", metric: publishRate, value: 100}
              - {source: Figure 9, metric: CPU of the producers, value: 7, unmeasured: "nobody looks at producers alone"}
            claims:
              - {id: kafka-is-faster, source: "§5", text: Kafka is faster than Redis., holds: "publishRate(throughput, kafka, *) > publishRate(throughput, redis, *)"}
              - {id: redis-is-faster, source: "§5", text: Redis is faster than Kafka., holds: 'publishRate(throughput, redis, "1 KB") > publishRate(throughput, kafka, "1 KB")'}
              - {id: nobody-knows, source: "§6", text: Redpanda is slow., holds: 'publishRate(throughput, redpanda, "1 KB") < 5'}
              - {id: no-words, source: "§7", text: Kafka is nice., reason: "a matter of taste"}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private PublishedFile published(String text) throws Exception {
        Path file = folder.resolve("published.yaml");
        Files.writeString(file, text);
        return PublishedFile.read(file);
    }

    private Summary summary() throws Exception {
        new ResultsFolder(folder)
                .run("throughput", "kafka", "1 KB", "OK", 100)
                .run("throughput", "kafka", "1 KB", "OK", 100.5)
                .run("throughput", "kafka", "1 KB", "OK", 101)
                .run("throughput", "redis", "1 KB", "OK", 50)
                .run("throughput", "redis", "1 KB", "OK", 50.5)
                .run("throughput", "redis", "1 KB", "OK", 51)
                .run("throughput", "kafka", "10 KB", "OK", 90)
                .run("throughput", "kafka", "10 KB", "OK", 90.5)
                .run("throughput", "kafka", "10 KB", "OK", 91)
                .run("throughput", "redis", "10 KB", "OK", 40)
                .run("throughput", "redis", "10 KB", "OK", 40.5)
                .run("throughput", "redis", "10 KB", "OK", 41)
                .skipped("throughput", "redpanda", "1 KB")
                .write();
        return Summary.of(PlanResults.read(folder, Manifest.read(folder)));
    }

    @Test
    void everyClaimAndValueIsWrittenDown() throws Exception {
        Claims claims = Claims.judge(published(PUBLISHED), summary());
        JsonNode json = JsonMapper.shared().readTree(Files.readAllBytes(ClaimsFile.write(folder, claims)));

        assertThat(json.path("study").asString()).isEqualTo("example");
        assertThat(json.path("claims"))
                .extracting(claim -> claim.path("id").asString() + ": "
                        + claim.path("judgement").asString())
                .containsExactly(
                        "kafka-is-faster: holds",
                        "redis-is-faster: does not hold",
                        "nobody-knows: not decidable",
                        "no-words: not decidable");
        JsonNode value = json.path("claims").path(0).path("values").path(0);
        assertThat(value.path("system").asString()).isEqualTo("kafka");
        assertThat(value.path("median").asDouble()).isEqualTo(100.5);
        assertThat(value.path("min").asDouble()).isEqualTo(100);
        assertThat(value.path("unit").asString()).isEqualTo("msg/s");
        assertThat(value.path("n").asInt()).isEqualTo(3);
        assertThat(value.path("mean").asDouble()).isEqualTo(100.5);
        assertThat(json.path("claims").path(2).path("reason").asString())
                .isEqualTo("throughput/redpanda/1 KB was not run");
        JsonNode single = json.path("values").path(0);
        assertThat(single.path("published").asDouble()).isEqualTo(50);
        assertThat(single.path("publishedSd").asDouble()).isEqualTo(1);
        assertThat(single.path("ratio").asDouble()).isEqualTo(2.01);
        JsonNode several = json.path("values").path(1);
        assertThat(several.path("mean").asDouble()).isEqualTo(45.5);
        assertThat(several.path("n").asInt()).isEqualTo(3);
        assertThat(json.path("values").path(2).path("unmeasured").asString()).contains("nobody looks");
        assertThat(json.path("values").path(2).path("mean").isNull()).isTrue();
    }

    @Test
    void theMeanOfSeveralCasesNeedsAllOfThem() throws Exception {
        PublishedFile file = published(PUBLISHED);
        new ResultsFolder(folder)
                .run("throughput", "redis", "1 KB", "OK", 50)
                .run("throughput", "redis", "1 KB", "OK", 51)
                .run("throughput", "kafka", "1 KB", "OK", 50)
                .skipped("throughput", "redis", "10 KB")
                .skipped("throughput", "redpanda", "1 KB")
                .write();
        Claims claims = Claims.judge(file, Summary.of(PlanResults.read(folder, Manifest.read(folder))));
        assertThat(claims.values().get(0).measured()).isNotNull();
        assertThat(claims.values().get(1).measured()).isNull();
    }

    @Test
    void theTableFitsAHundredColumns() throws Exception {
        String longText = "A sentence that goes on and on. ".repeat(12);
        String text = ClaimsText.render(
                Claims.judge(
                        published(PUBLISHED
                                .replace("Kafka is nice.", longText)
                                .replace("Table 2", "Table " + "2".repeat(120))),
                        summary()),
                false);

        assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
        assertThat(text)
                .contains(
                        "HOLDS: kafka-is-faster (§5)",
                        "DOES NOT HOLD: redis-is-faster (§5)",
                        "NOT DECIDABLE: nobody-knows (§6)",
                        "→ the intervals are apart in all 2 cases",
                        "claims of example: 1 holds, 1 does not hold, 0 direction only, 2 not decidable")
                .containsPattern("kafka +1 KB +50\\.0 +101 \\[99\\.3 … 102\\] +×2\\.01");
    }

    @Test
    void whatDecidedAClaimIsPrintedAndTheRestCounted() throws Exception {
        ResultsFolder results = new ResultsFolder(folder).skipped("throughput", "redpanda", "1 KB");
        for (int i = 0; i < 8; i++) {
            boolean contrary = i == 5;
            for (double noise : new double[] {0, 0.5, 1}) {
                results.run("throughput", "kafka", i + " KB", "OK", (contrary ? 50 : 100) + noise)
                        .run("throughput", "redis", i + " KB", "OK", (contrary ? 100 : 50) + noise);
            }
        }
        results.write();
        Summary summary = Summary.of(PlanResults.read(folder, Manifest.read(folder)));
        Claims claims = Claims.judge(published(PUBLISHED), summary);
        String kafka = "    publishRate kafka, 5 KB                       50.5 msg/s [49.3 … 51.8], n = 3";
        String redis = "    publishRate redis, 5 KB                       101 msg/s [99.3 … 102], n = 3";

        assertThat(ClaimsText.render(claims, false).lines())
                .containsSubsequence(
                        "  → the intervals are apart in the opposite order in case 5 KB",
                        kafka,
                        redis,
                        "    … and 14 that did not decide it: bin/benchmark judge --all",
                        "DOES NOT HOLD: redis-is-faster (§5)");
        assertThat(ClaimsText.render(claims, true).lines())
                .containsSubsequence(kafka, redis, "    these did not decide it:")
                .filteredOn(line -> line.startsWith("    publishRate"))
                .hasSizeGreaterThanOrEqualTo(16)
                .filteredOn(kafka::equals)
                .hasSize(1);
    }

    @Test
    void whatLeftAClaimOpenIsPrintedAndTheRestCounted() throws Exception {
        ResultsFolder results = new ResultsFolder(folder)
                .shortened(0.05)
                .skipped("throughput", "redpanda", "1 KB")
                .run("throughput", "kafka", "0 KB", "OK", 100)
                .run("throughput", "redis", "0 KB", "OK", 50);
        for (int i = 1; i < 6; i++) {
            results.skipped("throughput", "kafka", i + " KB").skipped("throughput", "redis", i + " KB");
        }
        results.write();
        Claims claims = Claims.judge(published(PUBLISHED), Summary.of(PlanResults.read(folder, Manifest.read(folder))));

        assertThat(ClaimsText.render(claims, false).lines())
                .containsSubsequence(
                        "NOT DECIDABLE: kafka-is-faster (§5)",
                        "  → throughput/kafka/1 KB was not run; 9 other cells were not run",
                        "    … and 2 more that left it open, 2 others: bin/benchmark judge --all",
                        "NOT DECIDABLE: redis-is-faster (§5)");
        assertThat(ClaimsText.render(claims, true)).contains("    the others:");
    }

    @Test
    void aClaimThatItsStudysValuesContradictSaysSo() throws Exception {
        String contradicted = PUBLISHED.replace(
                "id: kafka-is-faster, source: \"§5\",",
                "id: kafka-is-faster, source: \"§5\", contradicted: Table 2 has 50 against 100,");
        String both = contradicted.replace("case: \"*\"", "case: 1 KB");
        Claims claims = Claims.judge(published(both), summary());
        assertThat(ClaimsText.render(claims, false))
                .contains("the study's own values contradict it: Table 2 has 50 against 100");
        JsonNode json = JsonMapper.shared().readTree(Files.readAllBytes(ClaimsFile.write(folder, claims)));
        assertThat(json.path("claims").path(0).path("onStudysValues").asString())
                .isEqualTo("does not hold");
        assertThat(json.path("claims").path(1).path("onStudysValues").asString())
                .isEqualTo("holds");
    }

    @Test
    void aContraryValueOfNoCellIsRefusedAtItsKey() throws Exception {
        String wrong = PUBLISHED.replace(
                "reason: \"a matter of taste\"}",
                "reason: \"a matter of taste\", contrary: {'publishRate(x, kafka, *)': 1}}");
        Summary summary = summary();
        PublishedFile file = published(wrong);
        assertThatThrownBy(() -> Claims.check(file, summary.names()))
                .hasMessageContaining("claims[3].contrary: must have references as keys; column 13: unknown experiment")
                .hasMessageEndingWith("got 'publishRate(x, kafka, *)'");
    }

    @Test
    void allThatIsNotInThePlanIsFoundAtOnce() throws Exception {
        PublishedFile file = published(PUBLISHED
                .replace("metric: publishRate, value: 50, unit: msg/s", "metric: publishRate, value: 50, unit: MB/s")
                .replace("experiment: throughput, system: redis, case: \"*\"", "experiment: throughput, system: rediss")
                .replace("redpanda, \"1 KB\") < 5", "redpanda, \"1 KB\") <> 5"));
        Summary summary = summary();
        assertThatThrownBy(() -> Claims.check(file, summary.names()))
                .isInstanceOf(ConfigException.class)
                .satisfies(e -> assertThat(String.valueOf(e.getMessage())
                                .replace(file.path().toString(), "published.yaml")
                                .lines())
                        .containsExactly(
                                "published.yaml: values[0].unit: must be msg/s, the unit of publishRate, got 'MB/s'",
                                "published.yaml: values[1].system: unknown system, did you mean 'redis'?, got 'rediss'",
                                "published.yaml: values[1].case: is required, since throughput has 2 cases",
                                "published.yaml: claims[2].holds: column 44: expected a metric, found '>', got"
                                        + " 'publishRate(throughput, redpanda, \"1 KB\") <> 5'"));
    }
}
