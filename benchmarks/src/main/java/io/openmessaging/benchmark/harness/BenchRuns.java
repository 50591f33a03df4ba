package io.openmessaging.benchmark.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import oshi.SystemInfo;
import oshi.software.os.OSProcess;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs of {@code bin/benchmark} with one producer and one consumer per topic. A driver is a file of the checkout or
 * the text of a file; keys of the workload, such as {@code topics: 2}, replace those of {@link #USUAL}.
 *
 * @param shortRuns true to only check that everything runs: one second each
 */
record BenchRuns(Commands commands, boolean shortRuns) {

    /** Default keys: as fast as possible, on one topic. */
    private static final String USUAL = """
            topics: 1
            partitionsPerTopic: 1
            messageSize: 100
            subscriptionsPerTopic: 1
            producersPerTopic: 1
            consumerPerSubscription: 1
            producerRate: unlimited
            warmupDuration: 2s
            testDuration: 3s
            samplePeriod: 1s
            """;

    private static final double NS_PER_MS = 1e6;

    /** Returns a measuring time, shortened for short runs. */
    int seconds(int full) {
        return shortRuns ? 1 : full;
    }

    /** Returns a number of messages, reduced for short runs. */
    int count(int full) {
        return shortRuns ? full / 20 : full;
    }

    /** Returns the result of a run. */
    JsonNode run(String driver, String... keys) throws IOException, InterruptedException {
        return runOn("", driver, keys);
    }

    /** Returns the result of a run with more options of {@code bin/benchmark}, such as {@code --local-workers 2}. */
    JsonNode runOn(String options, String driver, String... keys) throws IOException, InterruptedException {
        Path result = commands.newPath(".json");
        start(options, driver, result, keys).awaitEnd();
        return JsonMapper.shared().readTree(result.toFile());
    }

    /** Returns the rate of a run's published messages, msg/s. */
    double published(String driver, String... keys) throws IOException, InterruptedException {
        return run(driver, keys).path("rates").path("publish").asDouble();
    }

    /** Returns the rate of a run's received messages, msg/s. */
    double consumed(String driver, String... keys) throws IOException, InterruptedException {
        return run(driver, keys).path("rates").path("consume").asDouble();
    }

    /** Starts a run. A run that is INVALID because of a finding is a result, too. */
    private Commands.Running start(String options, String driver, Path result, String... keys) throws IOException {
        Path file = driver.endsWith(".yaml") ? commands.home().resolve(driver) : commands.newFile(".yaml", driver);
        return commands.startBin(1, "benchmark " + options + " -d %s -o %s %s", file, result, workloadFile(keys));
    }

    /** Writes a workload with these keys. */
    Path workloadFile(String... keys) throws IOException {
        return commands.newFile(".yaml", workload(String.join("\n", keys)));
    }

    private String workload(String keys) {
        Map<String, String> lines = new LinkedHashMap<>();
        (USUAL + keys).lines().forEach(line -> lines.put(line.replaceFirst(":.*", ""), line));
        if (lines.containsKey("messageCount")) {
            lines.remove("testDuration");
        }
        String workload = lines.values().stream().collect(Collectors.joining("\n", "", "\n"));
        return shortRuns ? workload.replaceAll(": [1-9][0-9]*s\n", ": 1s\n") : workload;
    }

    /**
     * Returns how many processors the monitoring threads use, in the second half of the warm-up and during the
     * measurement: a thousand messages a second with a local broker of its own.
     */
    double coresForWatching(String driver) throws IOException, InterruptedException {
        String[] keys = {"producerRate: 1000", "warmupDuration: 10s", "testDuration: 20s", "samplePeriod: 10s"};
        try (Commands.Running run = start("--brokers local", driver, commands.newPath(".json"), keys)) {
            String period = "(?m)^(?:warm-up|measure) +(\\d+)s left";
            run.await(period, 1);
            long startNs = System.nanoTime();
            double before = watchingMs(run);
            run.await(period, 2);
            double cores = (watchingMs(run) - before) / ((System.nanoTime() - startNs) / NS_PER_MS);
            run.awaitEnd();
            return cores;
        }
    }

    /** Returns the processor time of the sampling thread and of those that query brokers for their figures, in ms. */
    private static double watchingMs(Commands.Running run) throws IOException {
        OSProcess process = new SystemInfo()
                .getOperatingSystem()
                .getProcess(Math.toIntExact(run.process().pid()));
        if (process == null) {
            throw new IOException("the run has ended");
        }
        return process.getThreadDetails().stream()
                .filter(thread -> thread.getName().matches("(resources|figures of|HttpClient).*"))
                .mapToDouble(thread -> thread.getKernelTime() + thread.getUserTime())
                .sum();
    }

    /** Returns the seconds from the start of a local broker to the first message received from it. */
    double startToFirstMessage(String driver) throws IOException, InterruptedException {
        Path result = commands.newPath(".json");
        String[] keys = {"producerRate: 10", "warmupDuration: 0s", "testDuration: 1s"};
        String printed = start("--brokers local", driver, result, keys).awaitEnd();
        return Commands.lastNumber(printed, "is ready on .* after ([0-9.]+) s")
                + JsonMapper.shared()
                        .readTree(result.toFile())
                        .path("phases")
                        .valueStream()
                        .filter(phase -> phase.path("name").asString().matches("provision|ready"))
                        .mapToDouble(phase -> phase.path("seconds").asDouble())
                        .sum();
    }

    /** Returns a percentile of a latency, such as {@code sendDelay}, in nanoseconds. */
    static double percentileNs(JsonNode result, String latency, String percentile) {
        return result.path("latencies")
                .path(latency)
                .path("percentilesNs")
                .path(percentile)
                .asDouble();
    }
}
