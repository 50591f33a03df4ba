package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.broker.rocketmq.RocketMqLocalBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.TestBrokerExtension;
import java.util.Map;

/** A real RocketMQ. */
final class LocalRocketMq extends TestBrokerExtension<RocketMqConfig> {

    private LocalRocketMq(Setup setup) {
        super(new RocketMQBenchmarkDriver(), new RocketMqLocalBroker(), setup);
    }

    /** The broker that most classes use. */
    LocalRocketMq() {
        this(Setup.SINGLE);
    }

    /** Returns a broker with other entries of its configuration. */
    static LocalRocketMq with(Map<String, String> settings) {
        return new LocalRocketMq(Setup.with(settings));
    }
}
