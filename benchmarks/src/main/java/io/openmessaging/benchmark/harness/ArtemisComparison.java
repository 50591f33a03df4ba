package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares durable messages of 1 KB with a bare loop with the same client, and with {@code artemis perf}. */
final class ArtemisComparison extends SystemComparison {

    private static final int WARMUP_S = 4;
    private static final int MEASURED_S = 6;
    private static final int WINDOW_BYTES = 1 << 20;

    private final Bar bare = atLeast("Artemis, 1 KB, durable, against a bare core-client loop", 0.95, "×");
    private final Bar perf = atLeast("Artemis, 1 KB, durable, against artemis perf", 0.95, "×");

    ArtemisComparison(BenchRuns runs) {
        super(runs, "artemis");
        startsWithin("Artemis", 4);
    }

    /** artemis perf creates its queue on first use. */
    @Override
    Map<String, String> brokerSettings() {
        return Map.of("auto-create-addresses", "true", "auto-create-queues", "true");
    }

    @Override
    void repeat(RunningBroker broker) throws Exception {
        String url = "tcp://" + broker.addresses().get(0);
        double bareRate = bareLoop(
                "BareArtemis %s %s %s %s %s",
                url, MESSAGE_BYTES, runs.seconds(WARMUP_S), runs.seconds(MEASURED_S), WINDOW_BYTES);
        bare.add(ours(url, "") / bareRate);
        // Uses the settings of artemis perf, which acknowledges each message separately.
        perf.add(ours(url, "ackBatchSize: 0\nrouting: ANYCAST\n") / artemisPerf(url));
    }

    private double ours(String url, String settings) throws Exception {
        String driver = """
                name: Artemis
                driverClass: io.openmessaging.benchmark.driver.artemis.ArtemisBenchmarkDriver
                brokerAddress: %s
                """.formatted(url) + settings;
        return runs.consumed(driver, load(WARMUP_S, MEASURED_S));
    }

    private double artemisPerf(String url) throws Exception {
        Path report = runs.commands().newPath(".json");
        int warmupS = Math.max(2, runs.seconds(WARMUP_S));
        vendor(
                        "artemis-perf.pom.xml",
                        """
                org.apache.activemq.artemis.cli.Artemis perf client --silent
                --url %s --persistent --max-pending 1000 --message-size %s --warmup %s --duration %s
                --json %s queue://PERF%s
                """,
                        url + "?confirmationWindowSize=" + WINDOW_BYTES,
                        MESSAGE_BYTES,
                        warmupS,
                        warmupS + Math.max(2, runs.seconds(MEASURED_S)),
                        report,
                        UUID.randomUUID())
                .awaitEnd();
        return rate(JsonMapper.shared().readTree(report.toFile()));
    }

    /** Returns the rate of messages received in the intervals after the warm-up, by the timestamps at their ends. */
    private static double rate(JsonNode samples) throws IOException {
        double received = 0;
        long warmedUpMs = 0;
        long endMs = 0;
        for (JsonNode sample : samples) {
            if (!sample.path("sampleType").asString().equals("interval")) {
                continue;
            }
            long timeMs = sample.path("time").asLong();
            if (sample.path("warmup").asBoolean()) {
                warmedUpMs = timeMs;
            } else {
                received += sample.path("received").asDouble();
                endMs = timeMs;
            }
        }
        if (warmedUpMs == 0 || endMs <= warmedUpMs) {
            throw new IOException("artemis perf reported no interval after its warm-up");
        }
        return received * 1e3 / (endMs - warmedUpMs);
    }
}
