package io.openmessaging.benchmark.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs of {@code bin/benchmark} with one producer and one consumer a topic. */
final class Runs {

    private final Commands commands;
    private final boolean shortRuns;

    /**
     * Runs nothing yet.
     *
     * @param shortRuns only to see that everything runs: a second each
     */
    Runs(Commands commands, boolean shortRuns) {
        this.commands = commands;
        this.shortRuns = shortRuns;
    }

    Commands commands() {
        return commands;
    }

    /** A time that is to be measured for, shortened if need be. */
    int seconds(int full) {
        return shortRuns ? 1 : full;
    }

    /** A number of messages that is to be measured with, reduced if need be. */
    int count(int full) {
        return shortRuns ? full / 20 : full;
    }

    /** A run with a driver file of the checkout. */
    JsonNode ofFile(String driver, int topics, int messageSize, String rate, int warmupS, int testS)
            throws IOException, InterruptedException {
        return ofFile(driver, workload(topics, messageSize, 1, rate, warmupS, testS));
    }

    /**
     * As fast as it goes on one topic.
     *
     * @param key one more of the workload, such as {@code verifyPayloads: true}
     */
    JsonNode with(String key, String driver, int messageSize) throws IOException, InterruptedException {
        return ofFile(driver, workload(1, messageSize, 1, "unlimited", 2, 3) + key + "\n");
    }

    private JsonNode ofFile(String driver, String workload) throws IOException, InterruptedException {
        return commands.benchmark(commands.home().resolve(driver), workload);
    }

    /**
     * How many processors the threads use that watch what a run costs, in the second half of its warm-up and while it is
     * measured: a thousand messages a second with a local broker of its own.
     */
    double coresForWatching(String driver) throws IOException, InterruptedException {
        int periodS = seconds(10);
        String workload =
                workload(1, 100, 1, "1000", 10, 20).replaceFirst("samplePeriod: .*", "samplePeriod: " + periodS + "s");
        try (Commands.Running run =
                commands.startLocal(commands.home().resolve(driver), workload, commands.newPath(".json"))) {
            String period = "(?m)^(?:warm-up|measure) +(\\d+)s left";
            run.awaitNumbers(period, 1);
            ThreadTimes before = ThreadTimes.of(run.pid());
            run.awaitNumbers(period, 2);
            double cores = ThreadTimes.of(run.pid()).coresSince(before, Runs::watches);
            run.awaitEnd();
            return cores;
        }
    }

    /** The thread that reads, and those that ask brokers for what they tell of themselves. */
    private static boolean watches(String thread) {
        return thread.startsWith("resources") || thread.startsWith("figures of") || thread.startsWith("HttpClient");
    }

    /** A run on one topic with a driver file that is given as text, as fast as the client takes the messages. */
    JsonNode unlimited(String driver, int messageSize, int subscriptions, int warmupS, int testS)
            throws IOException, InterruptedException {
        return ofText(driver, workload(1, messageSize, subscriptions, "unlimited", warmupS, testS));
    }

    /** As {@link #unlimited}, until a number of messages has been sent and received. */
    JsonNode counted(String driver, int messageSize, int count, int warmupS) throws IOException, InterruptedException {
        String workload = workload(1, messageSize, 1, "unlimited", warmupS, 1)
                .replaceFirst("testDuration: .*", "messageCount: " + count(count));
        return ofText(driver, workload);
    }

    /** A run on one topic at a fixed rate, with one subscription. */
    JsonNode fixed(String driver, int messageSize, int rateMsgPerSec, int warmupS, int testS)
            throws IOException, InterruptedException {
        return ofText(driver, workload(1, messageSize, 1, Integer.toString(rateMsgPerSec), warmupS, testS));
    }

    /** Seconds from the start of a local broker to the first message that has arrived from it. */
    double startToFirstMessage(String driver) throws IOException, InterruptedException {
        Path result = commands.newPath(".json");
        try (Commands.Running run =
                commands.startLocal(commands.home().resolve(driver), workload(1, 100, 1, "10", 0, 1), result)) {
            double seconds = Commands.lastNumber(run.awaitEnd(), "is ready on .* after ([0-9.]+) s");
            for (JsonNode phase : JsonMapper.shared().readTree(result.toFile()).path("phases")) {
                String name = phase.path("name").asString();
                if (name.equals("provision") || name.equals("ready")) {
                    seconds += phase.path("seconds").asDouble();
                }
            }
            return seconds;
        }
    }

    private JsonNode ofText(String driver, String workload) throws IOException, InterruptedException {
        return commands.benchmark(commands.newFile(".yaml", driver), workload);
    }

    private String workload(int topics, int messageSize, int subscriptions, String rate, int warmupS, int testS) {
        return String.format(
                Locale.ROOT, """
                topics: %d
                partitionsPerTopic: 1
                messageSize: %d
                subscriptionsPerTopic: %d
                producersPerTopic: 1
                consumerPerSubscription: 1
                producerRate: %s
                warmupDuration: %ds
                testDuration: %ds
                samplePeriod: 1s
                """, topics, messageSize, subscriptions, rate, seconds(warmupS), seconds(testS));
    }

    static double published(JsonNode result) {
        return result.path("rates").path("publish").asDouble();
    }

    static double consumed(JsonNode result) {
        return result.path("rates").path("consume").asDouble();
    }

    /** Of a latency in nanoseconds, such as {@code sendDelay}. */
    static double percentileNs(JsonNode result, String latency, String percentile) {
        return result.path("latencies")
                .path(latency)
                .path("percentilesNs")
                .path(percentile)
                .asDouble();
    }
}
