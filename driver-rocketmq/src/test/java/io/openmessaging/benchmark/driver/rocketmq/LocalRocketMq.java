package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.broker.rocketmq.RocketMqLocalBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.TestBrokerExtension;
import io.openmessaging.benchmark.suite.Patience;
import java.util.HashMap;
import java.util.Map;

/** A real RocketMQ. */
final class LocalRocketMq extends TestBrokerExtension<RocketMqConfig> {

    /** The broker that most classes use. */
    LocalRocketMq() {
        this(Map.of());
    }

    private LocalRocketMq(Map<String, String> settings) {
        super(new RocketMQBenchmarkDriver(), new RocketMqLocalBroker(), Setup.with(patient(settings)));
    }

    /** Returns a broker with other entries of its configuration. */
    static LocalRocketMq with(Map<String, String> settings) {
        return new LocalRocketMq(settings);
    }

    /** A broker refuses messages that waited while the machine did something else. Here it has all the time of a test. */
    private static Map<String, String> patient(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("waitTimeMillsInSendQueue", String.valueOf(Patience.LIMIT.toMillis()));
        return all;
    }
}
