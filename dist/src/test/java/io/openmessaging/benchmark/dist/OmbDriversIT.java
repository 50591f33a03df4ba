package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.omb.OmbFixture;
import io.openmessaging.benchmark.omb.OmbFixture.Generation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A driver that was built for OMB, in an installation of the test's own that has nothing but it. */
class OmbDriversIT extends WithBenchmark {

    private static final int MESSAGES = 600;

    private Path home = Path.of("");

    @BeforeEach
    void install() throws IOException {
        home = Files.createDirectory(folder.resolve("home"));
        Files.createSymbolicLink(home.resolve("lib"), Benchmark.HOME.resolve("dist/target/benchmark/lib"));
        // The scripts find their home from where they are, so they are copied.
        Files.createDirectory(home.resolve("bin"));
        for (String script : List.of("benchmark", "benchmark-worker", "environment.sh", "build")) {
            Files.copy(
                    Benchmark.HOME.resolve("bin").resolve(script),
                    home.resolve("bin").resolve(script),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        OmbFixture.install(home.resolve("drivers/omb"), Generation.WITH_LISTS);
        benchmark.file(
                "driver.yaml", """
                name: Files
                driverClass: %s
                folder: %s
                """.formatted(OmbFixture.DRIVER, Files.createDirectory(folder.resolve("messages"))));
        benchmark.file("workload.yaml", """
                topics: 2
                partitionsPerTopic: 1
                messageSize: 100
                subscriptionsPerTopic: 2
                consumerPerSubscription: 1
                producersPerTopic: 1
                producerRate: 300
                warmupDuration: 0s
                messageCount: %d
                """.formatted(MESSAGES));
    }

    /** Links that lead out of the folder go before the folder does. */
    @AfterEach
    void unlink() throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path link : files.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    private String script(String name) {
        return home.resolve("bin").resolve(name).toString();
    }

    private Benchmark.Outcome outcome(String driver, String... workers) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(workers));
        arguments.addAll(List.of("-d", driver, "workload.yaml"));
        return benchmark.await(benchmark.start(List.of(), script("benchmark"), "", arguments.toArray(String[]::new)));
    }

    private void run(String... workers) throws Exception {
        assertComplete(outcome("driver.yaml", workers));
    }

    private void assertComplete(Benchmark.Outcome outcome) throws IOException {
        JsonNode result = benchmark.result();
        assertThat(result.path("verdict").asString()).as(outcome.all()).isIn("OK", "INVALID");
        assertThat(result.path("audit").path("lost").asLong(-1))
                .as(outcome.all())
                .isZero();
        for (JsonNode subscription : result.path("audit").path("subscriptions")) {
            assertThat(subscription.path("received").asLong()).as(outcome.all()).isEqualTo(MESSAGES);
        }
    }

    @Test
    void runsInOneProcess() throws Exception {
        run();
    }

    @Test
    void runsOnLocalWorkers() throws Exception {
        run("--local-workers", "2");
    }

    @Test
    void runsOnWorkersThatWereStartedBefore() throws Exception {
        try (WorkerProcess one = worker("one");
                WorkerProcess two = worker("two")) {
            run("--workers", one.url() + "," + two.url());
        }
    }

    /** Each process that initializes the driver removes all topics. */
    @Test
    void topicsOutlastADriverThatResetsTheSystem() throws Exception {
        Path driver = folder.resolve("driver.yaml");
        Files.writeString(driver, Files.readString(driver) + "reset: true\n");
        try (WorkerProcess one = worker("one");
                WorkerProcess two = worker("two")) {
            run("--workers", one.url() + "," + two.url());
        }
    }

    @Test
    void withoutTheBridgeOnlyDriversOfOmbAreRefused() throws Exception {
        Path built = Benchmark.HOME.resolve("dist/target/benchmark");
        Files.delete(home.resolve("lib"));
        Path lib = Files.createDirectory(home.resolve("lib"));
        try (Stream<Path> jars = Files.list(built.resolve("lib"))) {
            for (Path jar : jars.toList()) {
                String name = String.valueOf(jar.getFileName());
                if (!name.startsWith("omb-drivers-")) {
                    Files.createSymbolicLink(lib.resolve(name), jar);
                }
            }
        }
        Files.createSymbolicLink(home.resolve("drivers/inmemory"), built.resolve("drivers/inmemory"));

        assertComplete(outcome(Benchmark.shipped("driver-inmemory/inmemory.yaml")));
        Benchmark.Outcome refused = outcome("driver.yaml");
        assertThat(refused.exitCode()).as(refused.all()).isEqualTo(2);
        assertThat(refused.err())
                .contains("driver.yaml: driverClass: ")
                .contains("drivers/omb has drivers of OMB, which need lib/omb-drivers-*.jar");
    }

    private WorkerProcess worker(String name) throws IOException {
        return WorkerProcess.of(
                benchmark, benchmark.start(List.of(), script("benchmark-worker"), name + "-", "--port", "0"), name);
    }
}
