package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * Messages of 1 KB against RocketMQ's own benchmark. That one sends synchronously on 64 threads: sent without waiting, it
 * has nothing that bounds it, and dies of it.
 */
final class RocketMqComparison extends SystemComparison {

    private static final int WARMUP_S = 8;
    private static final int MEASURED_S = 10;

    /** How often it reports, and how many reports are taken after the first, which has its start in it. */
    private static final int REPORT_S = 10;

    private static final int REPORTS = 2;

    /** Its logging would go to the user's home. */
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

    private final Bar tool = bar(Bar.atLeast("RocketMQ, 1 KB, against its own benchmark, received", 0.95, "×"));

    RocketMqComparison(Runs runs) {
        super(runs, "rocketmq");
        startsWithin("RocketMQ", 15);
    }

    @Override
    void repeat(RunningBroker broker) throws IOException, InterruptedException, LocalBrokerException {
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
        tool.add(consumed(driver, WARMUP_S, MEASURED_S) / theirs);
    }

    /** Neither side of it ends by itself. */
    private double ofTheVendor(String nameServer) throws IOException, InterruptedException, LocalBrokerException {
        String topic = "perf-" + UUID.randomUUID();
        Path logging = runs.commands().newFile(".xml", TO_THE_CONSOLE);
        String tool = """
                -Xms256m -Xmx1g -Duser.home=%s -Drmq.logback.configurationFile=%s -cp %s org.apache.rocketmq.""";
        String classPath = tool("rocketmq-benchmark.pom.xml");
        Object[] common = {logging.getParent(), logging, classPath, nameServer, topic};
        Commands commands = runs.commands();
        commands.java(
                tool + "tools.command.MQAdminStartup updateTopic -n %s -t %s -c DefaultCluster -r 1 -w 1", common);
        int intervalMs = 1000 * REPORT_S;
        try (Commands.Running consumer = commands.startJava(
                tool + "example.benchmark.Consumer -n %s -t %s -g g-" + topic + " -ri " + intervalMs, common)) {
            consumer.awaitOutput("Consumer Started");
            try (Commands.Running producer = commands.startJava(
                    tool + "example.benchmark.Producer -n %s -t %s -s " + MESSAGE_BYTES + " -ri " + intervalMs,
                    common)) {
                producer.awaitOutput("Send TPS");
                List<Double> rates = consumer.awaitNumbers("Consume TPS: ([0-9]+)", 1 + REPORTS);
                return rates.stream()
                        .skip(1)
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElseThrow();
            }
        }
    }
}
