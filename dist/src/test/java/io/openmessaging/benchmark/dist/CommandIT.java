package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.openmessaging.benchmark.suite.LongSuite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Behaviour that only a process shows: its exit code, its output through the start script, its end by a signal. */
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

    /** Clients print a lot, which belongs in the log. */
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

    @Test
    @LongSuite("a drain says what it waits for after 10 s")
    void aStopInTheDrainIsObeyedAndSaysWhatIsStillWaitedFor() throws Exception {
        // The run sends 600 messages, of which the consumer takes ten a second.
        benchmark.file(
                "workload.yaml",
                ONE_OF_EACH + "producerRate: 200\ntestDuration: 3s\nwarmupDuration: 0s\nconsumerDelay: 100ms\n");
        Process process = benchmark.start("-d", "inmemory-queued", "workload.yaml");
        benchmark.awaitPrinted(process, "\ndrain: ");

        Benchmark.signal("TERM", process.pid());
        Benchmark.Outcome outcome = benchmark.await(process);

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(130);
        assertThat(outcome.out()).contains("still on the way; the run waits 5 s more at most");
        assertThat(benchmark.result().path("verdict").asString()).isEqualTo("INTERRUPTED");
        assertThat(benchmark.result().path("audit").path("undelivered").asLong())
                .isPositive();
    }

    @Test
    @LongSuite("a system has 10 s to take a message")
    void whereEverySendIsRefusedTheRunEndsEarlyWithTheReason() throws Exception {
        benchmark.file(
                "driver.yaml",
                Files.readString(Benchmark.HOME.resolve("driver-inmemory/inmemory.yaml"))
                        .replace("failEvery: 0", "failEvery: 1")
                        // Messages that check whether the system is ready do not fail.
                        .replace("onlyPayloadBytes: 0", "onlyPayloadBytes: 100"));
        benchmark.file("workload.yaml", WORKLOAD);

        Benchmark.Outcome outcome = benchmark.run("-d", "driver.yaml", "workload.yaml");

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(benchmark.result().path("verdict").asString()).isEqualTo("FAILED");
        assertThat(benchmark.result().path("failure").asString())
                .contains("every message was refused for 1", "so the run ends early: send: ");
    }

    @Test
    @LongSuite("mounts a file system")
    void aResultForWhichTheDiskHasNoRoomIsShownAndGoesElsewhere() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "mounts are for root");
        Path full = Files.createDirectory(folder.resolve("full"));
        Path home = Files.createDirectory(folder.resolve("home"));
        benchmark.file("workload.yaml", WORKLOAD.replace("10m", "1s") + "resourcePeriod: 0s\n");
        run("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", full.toString());
        try {
            List<String> there =
                    List.of("env", "JVM_OPTS=-Duser.home=" + home, "sh", "-c", "cd full && exec \"$@\"", "sh");
            Benchmark.Outcome outcome = benchmark.await(benchmark.start(
                    there,
                    "bin/benchmark",
                    "",
                    "-d",
                    "inmemory",
                    folder.resolve("workload.yaml").toString()));

            assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
            assertThat(outcome.out()).contains("workload on inmemory: ", "publish, from the intended send");
            assertThat(outcome.err())
                    .contains("the result could not be written: no space left on device; it is in " + home);
            try (Stream<Path> files = Files.list(home.resolve("benchmark-results"))) {
                assertThat(files).hasSize(2);
            }
        } finally {
            run("umount", full.toString());
        }
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
