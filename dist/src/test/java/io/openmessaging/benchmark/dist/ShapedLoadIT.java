package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Loads that change in the course of a run: over the in-memory driver in real time, and against a real broker. */
class ShapedLoadIT extends WithBenchmark {

    /** The first use fetches the broker. */
    private static final Duration LIMIT = Duration.ofMinutes(8);

    private static final String CLIENTS = """
            topics: 1
            partitionsPerTopic: 1
            messageSize: 100
            subscriptionsPerTopic: 1
            consumerPerSubscription: 1
            """;

    /** Runs a schedule with a period for each second, and returns the rate of each. */
    private double[] ratesInMemory(String workload) throws Exception {
        benchmark.file("workload.yaml", CLIENTS + """
                producersPerTopic: 2
                warmupDuration: 3s
                samplePeriod: 1s
                """ + workload);
        Benchmark.Outcome outcome =
                benchmark.run(LIMIT, "-d", Benchmark.shipped("driver-inmemory/inmemory.yaml"), "workload.yaml");
        JsonNode result = benchmark.result();
        assertThat(result.path("failure").isNull()).as(outcome.all()).isTrue();
        assertThat(result.path("audit").path("lost").asLong(-1)).isZero();
        return result.path("publishRate")
                .valueStream()
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }

    /**
     * A machine that is busy with something else holds a load up for more than one percent of a second now and then, which
     * is made up for after that. So that is for a test with a clock of its own; here, the median second and the sum tell
     * whether the schedule is followed.
     */
    private static void assertFollows(double[] rates, double... expected) {
        assertThat(rates).hasSize(expected.length);
        double[] deviations = IntStream.range(0, rates.length)
                .mapToDouble(i -> Math.abs(rates[i] / expected[i] - 1))
                .sorted()
                .toArray();
        assertThat(deviations[deviations.length / 2])
                .as("median deviation of %s from %s", Arrays.toString(rates), Arrays.toString(expected))
                .isLessThan(0.03);
        double sum = Arrays.stream(expected).sum();
        assertThat(Arrays.stream(rates).sum()).isBetween(0.95 * sum, 1.05 * sum);
    }

    @Test
    void stepsAndRampsAreFollowed() throws Exception {
        double[] rates = ratesInMemory("producerRateSchedule: [{duration: 4s, rate: 5000}, {duration: 4s, rate: 20000},"
                + " {duration: 8s, rate: 36000, ramp: linear}]");
        assertFollows(
                rates, 5000, 5000, 5000, 5000, 20_000, 20_000, 20_000, 20_000, 21_000, 23_000, 25_000, 27_000, 29_000,
                31_000, 33_000, 35_000);
    }

    @Test
    void independentArrivalsHaveTheirMeanRate() throws Exception {
        // At 200,000 msg/s a standard deviation is a quarter of a percent of a second.
        double[] rates = ratesInMemory("producerRate: 200000\narrivals: POISSON\ntestDuration: 8s\n");
        double[] expected = new double[8];
        Arrays.fill(expected, 200_000);
        assertFollows(rates, expected);
    }

    @Test
    void aRealBrokerEndsStepsByARule() throws Exception {
        // Port 1 listens nowhere, so that a broker on the usual port of this machine does no harm.
        benchmark.file(
                "kafka.yaml",
                Files.readString(Benchmark.HOME.resolve("driver-kafka/kafka.yaml"))
                        .replace("localhost:9092", "localhost:1"));
        // Without a rate, messages wait in the client for longer than that from the first step on.
        benchmark.file("workload.yaml", CLIENTS + """
                producerRate: unlimited
                producerSteps: {from: 1, to: 20, by: 1, every: 6s}
                abortWhen: {publishLatencyAvg: 1ms}
                inFlightLimit: 20000
                warmupDuration: 3s
                samplePeriod: 2s
                """);
        Benchmark.Outcome outcome = benchmark.run(LIMIT, "--brokers", "local", "-d", "kafka.yaml", "workload.yaml");

        JsonNode result = benchmark.result();
        assertThat(result.path("failure").isNull()).as(outcome.all()).isTrue();
        List<JsonNode> steps = result.path("steps").valueStream().toList();
        assertThat(steps).as(outcome.all()).hasSizeBetween(1, 5);
        JsonNode last = steps.get(steps.size() - 1);
        assertThat(last.path("clean").asBoolean()).isFalse();
        assertThat(last.path("abortedBy").asString()).isEqualTo("publishLatencyAvg");
        assertThat(result.path("saturation").isNull()).isEqualTo(steps.size() == 1);
        assertThat(result.path("audit").path("lost").asLong(-1))
                .as(outcome.all())
                .isZero();
        assertThat(outcome.out()).contains("step: ", "publishLatencyAvg was ");
    }

    @Test
    void consumersJoinAtARealBroker() throws IOException, InterruptedException {
        benchmark.file(
                "kafka.yaml",
                Files.readString(Benchmark.HOME.resolve("driver-kafka/kafka.yaml"))
                        .replace("localhost:9092", "localhost:1"));
        benchmark.file(
                "workload.yaml",
                CLIENTS.replace("partitionsPerTopic: 1", "partitionsPerTopic: 3")
                                .replace("consumerPerSubscription: 1\n", "")
                        + """
                producerRate: 500
                producersPerTopic: 1
                consumerSteps: {from: 1, to: 3, every: 6s}
                warmupDuration: 2s
                samplePeriod: 2s
                """);
        Benchmark.Outcome outcome = benchmark.run(LIMIT, "--brokers", "local", "-d", "kafka.yaml", "workload.yaml");

        JsonNode result = benchmark.result();
        assertThat(result.path("failure").isNull()).as(outcome.all()).isTrue();
        assertThat(result.path("steps")
                        .valueStream()
                        .map(step -> step.path("consumers").asInt()))
                .containsExactly(1, 2, 3);
        assertThat(result.path("audit").path("lost").asLong(-1))
                .as(outcome.all())
                .isZero();
        assertThat(result.path("saturation").path("consumers").asInt()).isEqualTo(3);
    }
}
