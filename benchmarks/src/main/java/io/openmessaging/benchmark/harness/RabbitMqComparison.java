package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** Compares classic queues with PerfTest, and streams with a bare loop with the same client. */
final class RabbitMqComparison extends SystemComparison {

    private static final int WARMUP_S = 4;
    private static final int MEASURED_S = 6;
    private static final int CONFIRMS = 1000;
    private static final int STREAM_BATCH = 100;
    private static final int STREAM_CONFIRMS = 10_000;
    private static final double NS_PER_MS = 1e6;

    private final Bar classic =
            atLeast("RabbitMQ classic, 1 KB, confirms and auto-ack, against PerfTest, received", 1, "×");
    private final Bar stream = atLeast("RabbitMQ stream, 1 KB, against a bare stream-client loop", 0.95, "×");
    private final Bar latency = atMost("RabbitMQ classic, end-to-end p50 at 1,000 msg/s", 2, "ms");

    RabbitMqComparison(BenchRuns runs) {
        super(runs, "rabbitmq");
    }

    @Override
    void repeat(RunningBroker broker) throws Exception {
        String uri = "amqp://guest:guest@" + broker.addresses().get(0);
        String classicDriver = driver(uri, "CLASSIC", "autoAck: true\nconfirmWindow: " + CONFIRMS + "\n");
        classic.add(runs.consumed(classicDriver, load(WARMUP_S, MEASURED_S)) / perfTest(uri));

        String streamAddress = endpoint(broker, "stream");
        String streamDriver = driver(
                uri,
                "STREAM",
                "streamBatchSize: " + STREAM_BATCH + "\nconfirmWindow: " + STREAM_CONFIRMS + "\nstreamAddresses: [\""
                        + streamAddress + "\"]\n");
        double bare = bareLoop(
                "BareRabbitStream %s %s %s %s %s",
                streamAddress, MESSAGE_BYTES, runs.seconds(MEASURED_S), STREAM_BATCH, STREAM_CONFIRMS);
        stream.add(runs.consumed(streamDriver, load(WARMUP_S, MEASURED_S)) / bare);

        JsonNode steady = runs.run(classicDriver, load(WARMUP_S, MEASURED_S, "producerRate: 1000"));
        latency.add(BenchRuns.percentileNs(steady, "endToEnd", "50") / NS_PER_MS);
    }

    private static String driver(String uri, String queueType, String settings) {
        return """
                name: RabbitMQ
                driverClass: io.openmessaging.benchmark.driver.rabbitmq.RabbitMqBenchmarkDriver
                amqpUris: ["%s"]
                queueType: %s
                messagePersistence: false
                """.formatted(uri, queueType) + settings;
    }

    /**
     * Runs PerfTest for the warm-up and the measurement, and uses its rate of each second: the rate that it prints last
     * covers its whole time, including the warm-up.
     */
    private double perfTest(String uri) throws Exception {
        String printed = vendor(
                        "rabbitmq-perf.pom.xml",
                        """
                com.rabbitmq.perf.PerfTest --uri %s --producers 1 --consumers 1 --size %s
                --confirm %s --autoack --queue perf-%s --interval 1 --time %s
                """,
                        uri,
                        MESSAGE_BYTES,
                        CONFIRMS,
                        UUID.randomUUID(),
                        runs.seconds(WARMUP_S) + Math.max(2, runs.seconds(MEASURED_S)))
                .awaitEnd();
        // The median of the seconds after the warm-up.
        List<Double> rates = Commands.numbers(printed, "received: (\\d+) msg/s");
        List<Double> measured = rates.stream()
                .skip(Math.min(runs.seconds(WARMUP_S), rates.size() - 1L))
                .sorted()
                .toList();
        return measured.get(measured.size() / 2);
    }
}
