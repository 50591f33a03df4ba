package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A plan of every form that a load can have, which two worker processes share, on a real broker. */
class PlanOnWorkersIT extends WithBenchmark {

    /** The first use fetches the broker. */
    private static final Duration LIMIT = Duration.ofMinutes(8);

    private static final String PLAN = """
            name: shared
            systems: {redis: redis.yaml}
            experiments:
              - name: forms
                workload: workload.yaml
                cases:
                  - {name: search, producerRate: 0, consumerDelay: 5ms, searchStep: 1s, testDuration: 2s}
                  - {name: sweep, rateSweep: {from: 200, to: 800, steps: 3, each: 2s}}
                  - {name: steps, producerSteps: {from: 1, to: 3, every: 2s}}
                  - {name: schedule, producerRateSchedule: [{duration: 2s, rate: 200}, {duration: 2s, rate: 600}]}
                  - {name: count, messageCount: 1_500}
                  - {name: burst, messageCount: 1_500, sendWithin: 2s}
            """;

    private static final String WORKLOAD = """
            topics: 2
            partitionsPerTopic: 1
            messageSize: 1024
            subscriptionsPerTopic: 1
            consumerPerSubscription: 1
            producersPerTopic: 2
            producerRate: 500
            warmupDuration: 1s
            testDuration: 3s
            samplePeriod: 1s
            """;

    @Test
    void workersShareEveryFormOfLoadAndLoseNothing() throws Exception {
        benchmark.file("plan.yaml", PLAN);
        benchmark.file("workload.yaml", WORKLOAD);
        benchmark.file(
                "redis.yaml",
                // Port 1 listens nowhere, so that a Redis on the usual port of this machine does no harm.
                Files.readString(Benchmark.HOME.resolve("driver-redis/redis.yaml"))
                        .replaceAll("(?m)^redisPort: .*", "redisPort: 1"));

        Benchmark.Outcome outcome = benchmark.run(LIMIT, "--plan", "plan.yaml", "--local-workers", "2");

        // 1: what a busy machine sends late makes a run INVALID.
        assertThat(outcome.exitCode()).as(outcome.all()).isLessThan(2);
        Map<String, JsonNode> results = results();
        assertThat(results).as(outcome.all()).hasSize(6);
        results.forEach(PlanOnWorkersIT::assertComplete);
        assertThat(result(results, "search").path("sustainableRate").asDouble()).isBetween(1.0, 400.0);
        assertThat(result(results, "sweep").path("rateSweep").path("steps").size())
                .isPositive();
        assertThat(result(results, "count").path("audit").path("sent").asLong()).isGreaterThanOrEqualTo(1_500);
    }

    private static JsonNode result(Map<String, JsonNode> results, String name) {
        return Objects.requireNonNull(results.get(name), name);
    }

    private static void assertComplete(String name, JsonNode result) {
        assertThat(result.path("verdict").asString()).as(name).isIn("OK", "INVALID");
        assertThat(result.path("workers").size()).as(name).isEqualTo(2);
        for (JsonNode worker : result.path("workers")) {
            assertThat(worker.path("lost").isMissingNode()
                            || worker.path("lost").isNull())
                    .as(name)
                    .isTrue();
            assertThat(worker.path("producers").asInt()).as(name).isPositive();
            assertThat(worker.path("consumers").asInt()).as(name).isEqualTo(1);
        }
        JsonNode audit = result.path("audit");
        for (String fate : new String[] {"failed", "lost", "undelivered", "duplicated", "outOfOrder"}) {
            assertThat(audit.path(fate).asLong(-1)).as(name + ": " + fate).isZero();
        }
        for (JsonNode subscription : audit.path("subscriptions")) {
            assertThat(subscription.path("received").asLong())
                    .as(name)
                    .isEqualTo(subscription.path("expected").asLong())
                    .isPositive();
        }
    }

    /** By the name of the case. */
    private Map<String, JsonNode> results() throws IOException {
        Map<String, JsonNode> results = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder.resolve("results"))) {
            for (Path file : files.filter(path -> path.toString().matches(".*/runs/[^/]+\\.json"))
                    .toList()) {
                JsonNode result = JsonMapper.shared().readTree(Files.readAllBytes(file));
                results.put(result.path("plan").path("case").asString(), result);
            }
        }
        return results;
    }
}
