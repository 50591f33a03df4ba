package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.timing.Timing;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A worker whose time of day is wrong and is set while it receives: latencies match those of workers with the right
 * time.
 */
class WrongClockIT extends WithBenchmark {

    private static final long WRONG_BY_NS = 10_000_000_000L;

    /** A clock takes its time of day once, when its process starts; the error of that reading is less than this. */
    private static final long READING_NS = 5_000_000;

    /** Runs on a busy machine may differ by this much; a misread clock makes them differ by ten seconds. */
    private static final int LUCK_MS = 2_000;

    private static final int LINGER_MS = 100;

    /** Seconds by which the time of day is behind once it has been set during the run. */
    private static final int SET_BACK_S = 1_000;

    private static final int DAY_S = 86_400;
    private static final double NS_PER_MS = 1e6;

    /** Debian's package {@code faketime} puts the library in a folder for the machine's architecture. */
    private static Path library() throws IOException {
        try (DirectoryStream<Path> kinds = Files.newDirectoryStream(Path.of("/usr/lib"), "*-linux-gnu*")) {
            for (Path kind : kinds) {
                Path library = kind.resolve("faketime/libfaketimeMT.so.1");
                if (Files.exists(library)) {
                    return library;
                }
            }
        }
        return Path.of("");
    }

    /**
     * Shifts the time of day by the offset in a file, which may change at any moment; leaves the monotonic clock
     * alone.
     */
    private List<String> withTimeOfDay(Path library, Path file) {
        return List.of(
                "env",
                "LD_PRELOAD=" + library,
                "FAKETIME_TIMESTAMP_FILE=" + file,
                "FAKETIME_CACHE_DURATION=1",
                // Without the next two, reading the clock costs 100 µs, and a JVM reads it all the time.
                "FAKETIME_FORCE_MONOTONIC_FIX=0",
                "FAKETIME_DONT_FAKE_MONOTONIC=1",
                "DONT_FAKE_MONOTONIC=1");
    }

    private Process run(String workers, String name) throws IOException {
        return benchmark.start(
                List.of(),
                "bin/benchmark",
                name,
                "--workers",
                workers,
                "--roles",
                "split",
                "--brokers",
                "local",
                "-d",
                "kafka.yaml",
                "-o",
                name + "result.json",
                "workload.yaml");
    }

    @Test
    @Timing(toleranceMs = LUCK_MS)
    void aTimeOfDayThatIsWrongAndIsSetChangesNoLatency() throws Exception {
        Path library = library();
        Assumptions.assumeTrue(Files.isRegularFile(library), "there is no libfaketime (package faketime)");
        // A batch waits so long that the median is far above any difference between clocks of one machine.
        benchmark.file(
                "kafka.yaml",
                Files.readString(Benchmark.HOME.resolve("driver-kafka/kafka.yaml"))
                        .replaceAll("linger\\.ms=\\d+", "linger.ms=" + LINGER_MS));
        benchmark.file("workload.yaml", ONE_OF_EACH + """
                producerRate: 300
                warmupDuration: 1s
                testDuration: 6s
                samplePeriod: 1s
                """);
        Path off = benchmark.file("off", "+10s");
        long wrongPid = 0;
        try (WorkerProcess sender = WorkerProcess.start(benchmark, "sender");
                WorkerProcess wrong =
                        WorkerProcess.start(benchmark, withTimeOfDay(library, off), "wrong", "--port", "0");
                WorkerProcess otherSender = WorkerProcess.start(benchmark, "other-sender");
                WorkerProcess right = WorkerProcess.start(benchmark, "right")) {
            wrongPid = wrong.pid();
            Process disturbed = run(sender.url() + "," + wrong.url(), "disturbed-");
            Process undisturbed = run(otherSender.url() + "," + right.url(), "undisturbed-");
            Waiting.until(
                    "it measures",
                    () -> Files.readString(folder.resolve("disturbed-out")).contains("\nmeasure"));

            Files.writeString(off, "-" + SET_BACK_S + "s");

            JsonNode result = result(disturbed, "disturbed-");
            JsonNode ofRight = result(undisturbed, "undisturbed-");
            JsonNode clock = result.path("workers").path(1).path("clock");
            assertThat(clock.path("aheadNs").asDouble() - WRONG_BY_NS)
                    .as(clock.toString())
                    .isBetween(
                            -clock.path("boundNs").asDouble() - READING_NS,
                            clock.path("boundNs").asDouble() + READING_NS);
            assertThat(clock.path("breaks").isEmpty()).as(clock.toString()).isTrue();
            assertThat(result.path("clocks").path("impossibleSamples").asLong(-1))
                    .isZero();
            double boundMs = result.path("clocks").path("boundNs").asDouble() / NS_PER_MS;
            assertThat(Math.abs(medianMs(result) - medianMs(ofRight)))
                    .as("bound %s ms, %s", boundMs, ofRight.path("clocks"))
                    .isLessThan(LUCK_MS + boundMs);
            assertIsSet(folder.resolve("results/benchmark-worker-%d.log"
                    .formatted(URI.create(wrong.url()).getPort())));
        } finally {
            // A JVM exits without the cleanup that the library does at exit.
            Files.deleteIfExists(Path.of("/dev/shm/faketime_shm_" + wrongPid));
            Files.deleteIfExists(Path.of("/dev/shm/sem.faketime_sem_" + wrongPid));
        }
    }

    /** Checks the time of the last line that the worker logged, which is when its run was over. */
    private static void assertIsSet(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        LocalTime logged = LocalTime.parse(lines.get(lines.size() - 1).substring(0, "HH:mm:ss".length()));
        long behindS = Math.floorMod(
                Duration.between(logged, LocalTime.now(ZoneId.systemDefault())).toSeconds(), DAY_S);
        assertThat(behindS).as(lines.toString()).isBetween(SET_BACK_S - 10L, SET_BACK_S + 200L);
    }

    private static double medianMs(JsonNode result) {
        double medianMs = result.path("aggregatedEndToEndLatency50pct").asDouble();
        assertThat(medianMs).isPositive();
        return medianMs;
    }

    /** The result of a run that has gone to its end. */
    private JsonNode result(Process process, String name) throws IOException, InterruptedException {
        Benchmark.Outcome outcome = benchmark.await(process, name);
        String printed = outcome.all();
        assertThat(outcome.exitCode()).as(printed).isIn(0, 1);
        Path file = folder.resolve(name + "result.json");
        assertThat(file).as(printed).exists();
        JsonNode result = JsonMapper.shared().readTree(file.toFile());
        assertThat(result.path("failure").isNull()).as(printed).isTrue();
        assertThat(result.path("audit").path("lost").asLong(-1)).as(printed).isZero();
        return result;
    }
}
