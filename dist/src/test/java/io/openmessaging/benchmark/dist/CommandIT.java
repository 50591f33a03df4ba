package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What only a process shows: its exit code and what it prints by way of the start script, and the end by a signal. */
class CommandIT extends WithBenchmark {

    private static final String WORKLOAD = ONE_OF_EACH + """
            producerRate: 1000
            warmupDuration: 0s
            testDuration: 10m
            samplePeriod: 1s
            """;

    @Test
    void badInputIsRefusedOnStandardError() throws Exception {
        benchmark.file("bad.yaml", WORKLOAD.replace("messageSize", "mesageSize"));

        Benchmark.Outcome outcome = benchmark.run("-d", "inmemory", "bad.yaml");

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(2);
        assertThat(outcome.err()).startsWith("bad.yaml: mesageSize: unknown key");
        assertThat(outcome.out()).isEmpty();
        assertThat(folder.resolve("results")).doesNotExist();
    }

    /** Clients have a lot to say, which is for the log. */
    @Test
    void aBrokerThatIsNotThereIsOneSentence() throws Exception {
        Path kafka = Benchmark.HOME.resolve("driver-kafka/kafka.yaml");
        benchmark.file("driver.yaml", Files.readString(kafka).replace("localhost:9092", "127.0.0.1:1"));
        benchmark.file("workload.yaml", WORKLOAD);

        Benchmark.Outcome outcome = benchmark.run("--brokers", "external", "-d", "driver.yaml", "workload.yaml");

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(outcome.err()).contains("127.0.0.1:1").doesNotContain("\tat ");
        assertThat(outcome.err().lines().count()).as(outcome.err()).isEqualTo(1);
        assertThat(benchmark.resultFiles()).isEmpty();
    }

    @Test
    void ctrlCWritesWhatWasMeasuredAndStopsTheBroker() throws Exception {
        Path redis = Benchmark.HOME.resolve("driver-redis/redis.yaml");
        benchmark.file("redis.yaml", Files.readString(redis));
        benchmark.file("workload.yaml", WORKLOAD);
        Process process = benchmark.start("--brokers", "local", "-d", "redis.yaml", "workload.yaml");
        benchmark.awaitPrinted(process, "\nmeasure");

        Benchmark.signal("INT", process.pid());
        Benchmark.Outcome outcome = benchmark.await(process);

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(130);
        assertThat(benchmark.result().path("verdict").asString()).isEqualTo("INTERRUPTED");
        assertThat(benchmark.result().path("publishRate").size()).isPositive();
        assertThat(benchmark.result().path("audit").path("lost").asLong(-1)).isZero();
        assertThat(benchmark.brokers()).isEmpty();
    }
}
