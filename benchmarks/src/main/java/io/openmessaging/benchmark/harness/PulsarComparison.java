package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Stored messages of 1 KB in batches against {@code pulsar-perf}, which has a process for each side. */
final class PulsarComparison extends SystemComparison {

    private static final int MESSAGE_BYTES = 1024;
    private static final int MESSAGES = 400_000;
    private static final String BATCH_BYTES = "131072";
    private static final String QUEUE = "10000";

    /** Its figures are log lines. */
    private static final String TO_THE_CONSOLE = """
            rootLogger.level = info
            rootLogger.appenderRef.console.ref = console
            appender.console.type = Console
            appender.console.name = console
            appender.console.layout.type = PatternLayout
            appender.console.layout.pattern = %m%n
            """;

    private final Bar perf = bar(Bar.atLeast("Pulsar, 1 KB, batching, against pulsar-perf, received", 0.95, "×"));
    private final Bar start = bar(Bar.atMost("Pulsar, start of the local broker to the first message", 20, "s"));

    PulsarComparison(Runs runs) {
        super(runs);
    }

    @Override
    String system() {
        return "pulsar";
    }

    @Override
    void repeat(RunningBroker broker) throws IOException, InterruptedException, LocalBrokerException {
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
        perf.add(Runs.consumed(runs.counted(driver, MESSAGE_BYTES, MESSAGES, 4)) / theirs);
    }

    /** Both until all have arrived: an unlimited producer leaves the consumer behind. What it received: its producer's rate has the start of its JVM in it. */
    private double pulsarPerf(String url) throws IOException, InterruptedException, LocalBrokerException {
        Path config = Files.createTempFile("pulsar-perf", ".conf");
        Path logging = Files.createTempFile("pulsar-perf", ".properties");
        try {
            Files.writeString(config, "brokerServiceUrl=" + url + "\n");
            Files.writeString(logging, TO_THE_CONSOLE);
            String topic = "persistent://public/default/perf-" + UUID.randomUUID();
            String count = Integer.toString(runs.count(MESSAGES));
            try (Commands.Running consumer = runs.commands()
                    .startJava(tool(
                            config,
                            logging,
                            "consume",
                            "-u",
                            url,
                            "-ss",
                            "s",
                            "-st",
                            "Failover",
                            "-q",
                            QUEUE,
                            "-m",
                            count,
                            topic))) {
                consumer.awaitOutput("Start receiving");
                runs.commands()
                        .java(tool(
                                config,
                                logging,
                                "produce",
                                "-u",
                                url,
                                "-r",
                                "10000000",
                                "-s",
                                Integer.toString(MESSAGE_BYTES),
                                "-b",
                                "1",
                                "-bm",
                                Integer.toString(Integer.MAX_VALUE),
                                "-bb",
                                BATCH_BYTES,
                                "-ml",
                                "64M",
                                "-m",
                                count,
                                topic));
                return Commands.lastNumber(consumer.awaitEnd(), "records received --- ([0-9.]+) msg/s");
            }
        } finally {
            Files.delete(config);
            Files.delete(logging);
        }
    }

    private List<String> tool(Path config, Path logging, String... arguments)
            throws LocalBrokerException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(
                "-Xms256m",
                "-Xmx1g",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "--add-opens",
                "java.base/java.nio=ALL-UNNAMED",
                "--add-opens",
                "java.base/jdk.internal.misc=ALL-UNNAMED",
                "-Dlog4j2.configurationFile=" + logging,
                "-cp",
                LocalSystems.tool(runs.commands().home(), "pulsar-perf.pom.xml"),
                "org.apache.pulsar.testclient.PulsarPerfTestTool",
                config.toString()));
        all.addAll(List.of(arguments));
        return all;
    }

    @Override
    void repeatWithoutBroker() throws IOException, InterruptedException {
        start.add(runs.startToFirstMessage("driver-pulsar/pulsar.yaml"));
    }
}
