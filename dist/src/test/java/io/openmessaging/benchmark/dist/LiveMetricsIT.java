package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.openmessaging.benchmark.cli.CommandInProcess;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Metrics that a run serves; the dashboard must query no others. */
class LiveMetricsIT extends WithBenchmark {

    private static final Path DASHBOARD = Benchmark.HOME.resolve("deploy/grafana/benchmark.json");
    private static final Path SCRIPTS = Path.of("src/test/python").toAbsolutePath();

    private static final String OF_WORKERS = "benchmark_worker_";

    /** A driver file with faults, for series that a run without faults does not have. */
    private static final String FAULTY = """
            name: in-memory
            driverClass: io.openmessaging.benchmark.driver.inmemory.InMemoryBenchmarkDriver
            faults: {failEvery: 100, duplicateEvery: 150}
            """;

    private static final String WORKLOAD = """
            topics: 1
            partitionsPerTopic: 1
            messageSize: 100
            subscriptionsPerTopic: 2
            consumerPerSubscription: 1
            producersPerTopic: 1
            producerRate: 1000
            warmupDuration: 0s
            testDuration: 1s
            samplePeriod: 1s
            """;

    @SuppressWarnings("NullAway.Init") // set before each test
    private CommandInProcess command;

    private String text = "";
    private String openMetrics = "";

    /** The second of two runs lasts as long as the tests need it. */
    @BeforeEach
    void serve() throws Exception {
        String driver = benchmark.file("driver.yaml", FAULTY).toString();
        String shortRun = benchmark.file("short.yaml", WORKLOAD).toString();
        String longRun = benchmark
                .file("long.yaml", WORKLOAD.replace("testDuration: 1s", "testDuration: 10m"))
                .toString();
        command = new CommandInProcess(folder, "--metrics-port", "0", "-d", driver, shortRun, longRun);
        Waiting.until("a measured period of the second run is served", () -> {
            text = get(printedAddress(), "text/plain;version=0.0.4");
            // The order of these two is undefined.
            return text.contains("benchmark_latency_seconds_count{")
                    && text.contains("benchmark_errors_total{")
                    && text.contains("workload=\"long\"");
        });
        openMetrics = get(printedAddress(), "application/openmetrics-text;version=1.0.0");
    }

    private URI printedAddress() {
        Matcher address = Pattern.compile("live metrics: (\\S+)").matcher(command.out());
        assertThat(address.find()).isTrue();
        return URI.create(address.group(1));
    }

    private static String get(URI address, String format) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(Patience.LIMIT)
                .header("Accept", format)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @AfterEach
    void stop() throws Exception {
        command.stop();
        Benchmark.Outcome outcome = Benchmark.await(command);
        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(130);
    }

    @Test
    void theDashboardNamesOnlyWhatIsServed() {
        Set<String> served = new LinkedHashSet<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> served.add(line.replaceFirst("[{ ].*", "")));
        Set<String> named = new LinkedHashSet<>();
        JsonNode dashboard = JsonMapper.shared().readTree(DASHBOARD.toFile());
        List<String> queries = new ArrayList<>(dashboard.findValuesAsString("expr"));
        queries.addAll(dashboard.path("templating").findValuesAsString("definition"));
        for (String query : queries) {
            Matcher names = Pattern.compile("\\bbenchmark_\\w+").matcher(query);
            assertThat(names.find()).as(query).isTrue();
            named.add(names.group());
        }

        assertThat(queries).hasSizeGreaterThan(20);
        // Only runs on several workers have these series, and the in-memory system cannot take part in such runs.
        named.removeIf(name -> name.startsWith(OF_WORKERS));
        assertThat(served).containsAll(named);
    }

    /** Both formats have official parsers for Go and for Python, but none for Java. */
    @Test
    @LongSuite("installs packages for Python")
    void whatIsServedAndTheDashboardsQueriesParse() throws Exception {
        Path python = python();
        Path served = Files.writeString(folder.resolve("served.txt"), text);
        Path newer = Files.writeString(folder.resolve("openmetrics.txt"), openMetrics);
        Path printed = folder.resolve("python.out");
        ProcessBuilder check = new ProcessBuilder(
                        python.toString(),
                        SCRIPTS.resolve("check_metrics.py").toString(),
                        DASHBOARD.toString(),
                        served.toString(),
                        newer.toString())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        int exitCode = Patience.exitCode("check_metrics.py", check.start());

        assertThat(exitCode).as(Files.readString(printed)).isZero();
        assertThat(Files.readString(printed)).containsPattern("\\d\\d queries").containsPattern("\\d\\d+ families");
    }

    /** A Python with the parsers, set up once per checkout. Where that is impossible, the test fails only in CI. */
    private static Path python() throws Exception {
        Path environment = Path.of("target/python").toAbsolutePath();
        Path python = environment.resolve("bin/python");
        Path complete = environment.resolve(".complete");
        if (!Files.exists(complete)) {
            Path printed = Path.of("target/pip.out").toAbsolutePath();
            boolean installed = ran(printed, "python3", "-m", "venv", "--clear", environment.toString())
                    && ran(
                            printed,
                            python.toString(),
                            "-m",
                            "pip",
                            "install",
                            "--quiet",
                            "-r",
                            SCRIPTS.resolve("requirements.txt").toString());
            if (System.getenv("CI") != null) {
                assertThat(installed).as(Files.readString(printed)).isTrue();
            }
            assumeTrue(installed, () -> "the parsers cannot be installed, see " + printed);
            Files.createFile(complete);
        }
        return python;
    }

    private static boolean ran(Path printed, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(printed.toFile()));
        try {
            return Benchmark.exitCode(builder.start()) == 0;
        } catch (IOException e) {
            Files.writeString(printed, "there is no " + command[0] + ": " + e.getMessage());
            return false;
        }
    }
}
