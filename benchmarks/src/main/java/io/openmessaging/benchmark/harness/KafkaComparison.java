package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.util.Map;

/** Compares with {@code kafka-producer-perf-test}, with the same settings, broker and sizes. */
final class KafkaComparison extends SystemComparison {

    /**
     * Settings that delete old data at once, so that data of one run, written back to the disk or filling memory, do
     * not disturb the next.
     */
    static final Map<String, String> KEPT_SHORT = Map.of(
            "log.segment.bytes", "67108864",
            "log.retention.bytes", "268435456",
            "log.retention.check.interval.ms", "1000",
            "log.segment.delete.delay.ms", "100");

    private static final String SETTINGS = "acks=all\nlinger.ms=1\nbatch.size=131072\n";

    private final Bar small = atLeast("Kafka, 100 B, against kafka-producer-perf-test", 0.95, "×");
    private final Bar large = atLeast("Kafka, 1 KB, against kafka-producer-perf-test", 0.95, "×");

    KafkaComparison(BenchRuns runs) {
        super(runs, "kafka");
    }

    @Override
    Map<String, String> brokerSettings() {
        return KEPT_SHORT;
    }

    /**
     * Uses a new broker each time: under full load, a broker does not delete its data in time, and the data would fill
     * the memory.
     */
    @Override
    void measure(int repetitions) throws Exception {
        for (int i = 1; i <= repetitions; i++) {
            repeat(i, i, repetitions);
        }
    }

    @Override
    void repeat(RunningBroker broker) throws Exception {
        String address = broker.addresses().get(0);
        small.add(ours(broker, 100) / theirs(address, 100, 10_000_000));
        large.add(ours(broker, 1000) / theirs(address, 1000, 2_000_000));
    }

    private double ours(RunningBroker broker, int messageSize) throws Exception {
        return runs.published(driver(broker), load(5, 6, "subscriptionsPerTopic: 0", "messageSize: " + messageSize));
    }

    /** Returns the driver file for a broker of one node. */
    static String driver(RunningBroker broker) {
        return """
                name: Kafka
                driverClass: io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver
                replicationFactor: 1
                commonConfig: bootstrap.servers=%s
                producerConfig: |
                """.formatted(broker.addresses().get(0)) + SETTINGS.indent(2);
    }

    private double theirs(String address, int messageSize, int records) throws Exception {
        int count = runs.count(records);
        String printed = vendor(
                        "kafka-tools.pom.xml", """
                org.apache.kafka.tools.ProducerPerformance --topic perf-%s --num-records %s --warmup-records %s
                --record-size %s --throughput -1 --producer-props bootstrap.servers=%s
                """ + SETTINGS, messageSize, count, count / 2, messageSize, address)
                .awaitEnd();
        return Commands.lastNumber(printed, "([0-9.]+) records/sec");
    }
}
