package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Compares messages of 1 KB with RocketMQ's own benchmark, which sends synchronously on 64 threads: its asynchronous
 * mode has no bound on messages in flight, and crashes.
 */
final class RocketMqComparison extends SystemComparison {

    private static final int WARMUP_S = 8;
    private static final int MEASURED_S = 10;

    /** Seconds between its reports, and the number of reports used after the first, which includes its start. */
    private static final int REPORT_S = 10;

    private static final int REPORTS = 2;

    /** Log configuration; without it, the log would go to the user's home. */
    private static final String TO_THE_CONSOLE = """
            <configuration>
              <appender name="c" class="org.apache.rocketmq.logging.ch.qos.logback.core.ConsoleAppender">
                <encoder class="org.apache.rocketmq.logging.ch.qos.logback.classic.encoder.PatternLayoutEncoder">
                  <pattern>%m%n</pattern>
                </encoder>
              </appender>
              <root level="error"><appender-ref ref="c"/></root>
            </configuration>
            """;

    private final Bar tool = atLeast("RocketMQ, 1 KB, against its own benchmark, received", 0.95, "×");

    RocketMqComparison(BenchRuns runs) {
        super(runs, "rocketmq");
        startsWithin("RocketMQ", 15);
    }

    @Override
    void repeat(RunningBroker broker) throws Exception {
        String nameServer = broker.addresses().get(0);
        double theirs = ofTheVendor(nameServer);
        String driver = """
                name: RocketMQ
                driverClass: io.openmessaging.benchmark.driver.rocketmq.RocketMQBenchmarkDriver
                namesrvAddr: %s
                serializeType: ROCKETMQ
                compressMsgBodyOverHowmuch: 2147483647
                enableBackpressure: true
                backpressureConcurrency: 1024
                """.formatted(nameServer);
        tool.add(runs.consumed(driver, load(WARMUP_S, MEASURED_S)) / theirs);
    }

    /** Runs the vendor's benchmark; neither of its sides ends by itself. */
    private double ofTheVendor(String nameServer) throws Exception {
        String topic = "perf-" + UUID.randomUUID();
        Path logging = runs.commands().newFile(".xml", TO_THE_CONSOLE);
        String jars = "rocketmq-benchmark.pom.xml";
        String line = "-Duser.home=%s -Drmq.logback.configurationFile=%s org.apache.rocketmq.";
        Object[] values = {logging.getParent(), logging, nameServer, topic};
        vendor(jars, line + "tools.command.MQAdminStartup updateTopic -n %s -t %s -c DefaultCluster -r 1 -w 1", values)
                .awaitEnd();
        String common = " -n %s -t %s -ri " + 1000 * REPORT_S;
        try (Commands.Running consumer =
                vendor(jars, line + "example.benchmark.Consumer -g g-" + topic + common, values)) {
            consumer.await("Consumer Started", 1);
            try (Commands.Running producer =
                    vendor(jars, line + "example.benchmark.Producer -s " + MESSAGE_BYTES + common, values)) {
                producer.await("Send TPS", 1);
                return consumer.await("Consume TPS: ([0-9]+)", 1 + REPORTS).stream()
                        .skip(1)
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElseThrow();
            }
        }
    }
}
