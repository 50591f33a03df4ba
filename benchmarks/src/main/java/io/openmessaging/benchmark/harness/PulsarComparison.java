package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.nio.file.Path;
import java.util.UUID;

/** Compares stored messages of 1 KB in batches with {@code pulsar-perf}, which has a process for each side. */
final class PulsarComparison extends SystemComparison {

    private static final int MESSAGES = 400_000;
    private static final String BATCH_BYTES = "131072";
    private static final String QUEUE = "10000";

    /** Log configuration: pulsar-perf reports its figures as log lines. */
    private static final String TO_THE_CONSOLE = """
            rootLogger.level = info
            rootLogger.appenderRef.console.ref = console
            appender.console.type = Console
            appender.console.name = console
            appender.console.layout.type = PatternLayout
            appender.console.layout.pattern = %m%n
            """;

    private final Bar perf = atLeast("Pulsar, 1 KB, batching, against pulsar-perf, received", 0.95, "×");

    PulsarComparison(BenchRuns runs) {
        super(runs, "pulsar");
        startsWithin("Pulsar", 20);
    }

    @Override
    void repeat(RunningBroker broker) throws Exception {
        String url = "pulsar://" + broker.addresses().get(0);
        double theirs = pulsarPerf(url);
        String driver = """
                name: Pulsar
                driverClass: io.openmessaging.benchmark.driver.pulsar.PulsarBenchmarkDriver
                client:
                  serviceUrl: %s
                  httpUrl: http://%s
                  clusterName: local
                  persistence: {ensembleSize: 1, writeQuorum: 1, ackQuorum: 1}
                producer:
                  batchingEnabled: true
                  batchingMaxPublishDelayMs: 1
                  batchingMaxBytes: %s
                  blockIfQueueFull: true
                  pendingQueueSize: 0
                consumer: {subscriptionType: Failover, receiverQueueSize: %s}
                """.formatted(url, endpoint(broker, "http"), BATCH_BYTES, QUEUE);
        String count = "messageCount: " + runs.count(MESSAGES);
        perf.add(runs.consumed(driver, "messageSize: " + MESSAGE_BYTES, count, "warmupDuration: 4s") / theirs);
    }

    /**
     * Returns the rate of messages received by pulsar-perf. Both sides run until all have arrived, since an unlimited
     * producer leaves the consumer behind. The producer's own rate is no alternative, since it includes the start of
     * its JVM.
     */
    private double pulsarPerf(String url) throws Exception {
        Path config = runs.commands().newFile(".conf", "brokerServiceUrl=" + url + "\n");
        Path logging = runs.commands().newFile(".properties", TO_THE_CONSOLE);
        String options = """
                -Dio.netty.tryReflectionSetAccessible=true
                --add-opens java.base/java.nio=ALL-UNNAMED --add-opens java.base/jdk.internal.misc=ALL-UNNAMED
                -Dlog4j2.configurationFile=%s org.apache.pulsar.testclient.PulsarPerfTestTool %s
                """;
        String tool = "pulsar-perf.pom.xml";
        String topic = "persistent://public/default/perf-" + UUID.randomUUID();
        int count = runs.count(MESSAGES);
        String consume = options + "consume -u %s -ss s -st Failover -q %s -m %s %s";
        String produce = options + "produce -u %s -r 10000000 -s %s -b 1 -bm %s -bb %s -ml 64M -m %s %s";
        try (Commands.Running consumer = vendor(tool, consume, logging, config, url, QUEUE, count, topic)) {
            consumer.await("Start receiving", 1);
            vendor(tool, produce, logging, config, url, MESSAGE_BYTES, Integer.MAX_VALUE, BATCH_BYTES, count, topic)
                    .awaitEnd();
            return Commands.lastNumber(consumer.awaitEnd(), "records received --- ([0-9.]+) msg/s");
        }
    }
}
