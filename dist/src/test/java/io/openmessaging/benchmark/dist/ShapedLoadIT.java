package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/** Loads that change in the course of a run, over the in-memory driver in real time. */
@Isolated("looks how exactly a rate is kept")
@Execution(ExecutionMode.SAME_THREAD)
class ShapedLoadIT extends WithBenchmark {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Runs a schedule with a period for each second, and returns the rate of each. */
    private double[] ratesInMemory(String workload) throws Exception {
        benchmark.file(
                "workload.yaml", ONE_OF_EACH.replace("producersPerTopic: 1", "producersPerTopic: 2") + """
                warmupDuration: 2s
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
        double[] rates = ratesInMemory("producerRateSchedule: [{duration: 2s, rate: 5000}, {duration: 2s, rate: 20000},"
                + " {duration: 4s, rate: 36000, ramp: linear}]");
        assertFollows(rates, 5000, 5000, 20_000, 20_000, 22_000, 26_000, 30_000, 34_000);
    }

    @Test
    void independentArrivalsHaveTheirMeanRate() throws Exception {
        // At 200,000 msg/s a standard deviation is a quarter of a percent of a second.
        double[] rates = ratesInMemory("producerRate: 200000\narrivals: POISSON\ntestDuration: 5s\n");
        double[] expected = new double[5];
        Arrays.fill(expected, 200_000);
        assertFollows(rates, expected);
    }
}
