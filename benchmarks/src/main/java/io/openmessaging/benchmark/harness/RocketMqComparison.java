package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Messages of 1 KB against RocketMQ's own benchmark. That one sends synchronously on 64 threads: sent without waiting, it
 * has nothing that bounds it, and dies of it.
 */
final class RocketMqComparison extends SystemComparison {

    private static final int MESSAGE_BYTES = 1024;
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
    private final Bar start = bar(Bar.atMost("RocketMQ, start of the local broker to the first message", 15, "s"));

    RocketMqComparison(Runs runs) {
        super(runs);
    }

    @Override
    String system() {
        return "rocketmq";
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
        tool.add(Runs.consumed(runs.unlimited(driver, MESSAGE_BYTES, 1, WARMUP_S, MEASURED_S)) / theirs);
    }

    /** Neither side of it ends by itself. */
    private double ofTheVendor(String nameServer) throws IOException, InterruptedException, LocalBrokerException {
        String topic = "perf-" + UUID.randomUUID();
        Path folder = Files.createTempDirectory("rocketmq-benchmark");
        Path logging = Files.writeString(folder.resolve("logback.xml"), TO_THE_CONSOLE);
        try {
            runs.commands()
                    .java(program(
                            logging,
                            "tools.command.MQAdminStartup",
                            "updateTopic",
                            "-n",
                            nameServer,
                            "-c",
                            "DefaultCluster",
                            "-t",
                            topic,
                            "-r",
                            "1",
                            "-w",
                            "1"));
            String interval = Integer.toString(1000 * REPORT_S);
            try (Commands.Running consumer = runs.commands()
                    .startJava(program(
                            logging,
                            "example.benchmark.Consumer",
                            "-n",
                            nameServer,
                            "-t",
                            topic,
                            "-g",
                            "g-" + topic,
                            "-ri",
                            interval))) {
                consumer.awaitOutput("Consumer Started");
                try (Commands.Running producer = runs.commands()
                        .startJava(program(
                                logging,
                                "example.benchmark.Producer",
                                "-n",
                                nameServer,
                                "-t",
                                topic,
                                "-s",
                                Integer.toString(MESSAGE_BYTES),
                                "-ri",
                                interval))) {
                    producer.awaitOutput("Send TPS");
                    List<Double> rates = consumer.awaitNumbers("Consume TPS: ([0-9]+)", 1 + REPORTS);
                    return rates.stream()
                            .skip(1)
                            .mapToDouble(Double::doubleValue)
                            .average()
                            .orElseThrow();
                }
            }
        } finally {
            Commands.deleteTree(folder);
        }
    }

    private List<String> program(Path logging, String className, String... arguments)
            throws LocalBrokerException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(
                "-Xms256m",
                "-Xmx1g",
                "-Duser.home=" + logging.getParent(),
                "-Drmq.logback.configurationFile=" + logging,
                "-cp",
                LocalSystems.tool(runs.commands().home(), "rocketmq-benchmark.pom.xml"),
                "org.apache.rocketmq." + className));
        all.addAll(List.of(arguments));
        return all;
    }

    @Override
    void repeatWithoutBroker() throws IOException, InterruptedException {
        start.add(runs.startToFirstMessage("driver-rocketmq/rocketmq.yaml"));
    }
}
