package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.broker.kafka.KafkaLocalBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.TestBrokerExtension;
import java.util.Map;

/** A real Kafka. */
final class LocalKafka extends TestBrokerExtension<KafkaConfig> {

    /** A consumer learns of a change of its group with a heartbeat; the default interval is 5 s. */
    private static final String HEARTBEAT_MS = "200";

    /** The interval for the classic protocol, in which the client sets it; the default is 3 s. */
    static final String CLASSIC_HEARTBEAT = "heartbeat.interval.ms=200\n";

    LocalKafka() {
        super(
                new KafkaBenchmarkDriver(),
                new KafkaLocalBroker(),
                Setup.with(Map.of(
                        "group.consumer.heartbeat.interval.ms",
                        HEARTBEAT_MS,
                        "group.consumer.min.heartbeat.interval.ms",
                        HEARTBEAT_MS,
                        "group.share.heartbeat.interval.ms",
                        HEARTBEAT_MS,
                        "group.share.min.heartbeat.interval.ms",
                        HEARTBEAT_MS)));
    }
}
