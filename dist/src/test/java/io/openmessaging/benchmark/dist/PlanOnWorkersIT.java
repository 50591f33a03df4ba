package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.LongSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plans with every form of load, shared by two worker processes, on a real broker. */
class PlanOnWorkersIT extends WithBenchmark {

    private static final int MESSAGES = 1_500;

    private static final String PLAN = """
            name: shared
            systems: {redis: redis.yaml}
            experiments:
              - name: forms
                workload: workload.yaml
                cases:
            """;

    private static final String NUMBERS = """
                  - {name: count, messageCount: %1$d}
                  - {name: burst, messageCount: %1$d, sendWithin: 2s}
            """.formatted(MESSAGES);

    private static final String TIMES = """
                  - {name: search, producerRate: 0, consumerDelay: 5ms, searchStep: 1s, testDuration: 2s}
                  - {name: sweep, rateSweep: {from: 200, to: 800, steps: 3, each: 2s}}
                  - {name: steps, producerSteps: {from: 1, to: 3, every: 2s}}
                  - {name: schedule, producerRateSchedule: [{duration: 2s, rate: 200}, {duration: 2s, rate: 600}]}
            """;

    private static final String WORKLOAD = """
            topics: 2
            partitionsPerTopic: 1
            messageSize: 1024
            subscriptionsPerTopic: 1
            consumerPerSubscription: 1
            producersPerTopic: 2
            producerRate: 500
            warmupDuration: 0s
            testDuration: 3s
            samplePeriod: 1s
            """;

    @Test
    void workersShareNumbersOfMessagesAndLoseNone() throws Exception {
        Map<String, JsonNode> results = runPlan(NUMBERS);

        assertThat(results).containsOnlyKeys("count", "burst").allSatisfy((name, result) -> {
            assertComplete(name, result);
            assertThat(result.path("audit").path("sent").asLong()).as(name).isEqualTo(MESSAGES);
        });
    }

    @Test
    @LongSuite("four loads that take a given time")
    void workersShareEveryOtherFormOfLoadAndLoseNothing() throws Exception {
        Map<String, JsonNode> results = runPlan(TIMES);

        assertThat(results)
                .containsOnlyKeys("search", "sweep", "steps", "schedule")
                .allSatisfy(PlanOnWorkersIT::assertComplete);
        assertThat(result(results, "search").path("search").path("foundRate").asDouble())
                .isPositive();
        assertThat(result(results, "sweep").path("rateSweep").path("steps").size())
                .isPositive();
    }

    /** Runs a plan; returns its results by the name of the case. */
    private Map<String, JsonNode> runPlan(String cases) throws Exception {
        benchmark.file("plan.yaml", PLAN + cases);
        benchmark.file("workload.yaml", WORKLOAD);
        benchmark.file(
                "redis.yaml",
                // Nothing listens on port 1, so a Redis on the usual port of this machine does no harm.
                Files.readString(Benchmark.HOME.resolve("driver-redis/redis.yaml"))
                        .replaceAll("(?m)^redisPort: .*", "redisPort: 1"));

        Benchmark.Outcome outcome = benchmark.run("--plan", "plan.yaml", "--local-workers", "2");

        // Exit code 1 is possible: late sends of a busy machine make a run INVALID.
        assertThat(outcome.exitCode()).as(outcome.all()).isLessThan(2);
        return results();
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
