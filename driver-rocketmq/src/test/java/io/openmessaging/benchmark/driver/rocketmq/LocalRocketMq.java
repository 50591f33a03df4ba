package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.broker.rocketmq.RocketMqLocalBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.TestBrokerExtension;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A real RocketMQ. */
final class LocalRocketMq extends TestBrokerExtension<RocketMqConfig> {

    /**
     * A RocketMQ 5.5 that was started spins until it has saved its metrics of transactions for the first time. That takes
     * 10 s by default, and a processor that other tests need.
     */
    private static final Map<String, String> SHORT_SPIN = Map.of("transactionMetricFlushInterval", "1000");

    private LocalRocketMq(Setup setup) {
        super(new RocketMQBenchmarkDriver(), new RocketMqLocalBroker(), setup);
    }

    /** The one that most classes use. */
    LocalRocketMq() {
        this(setup(1));
    }

    /** One with other entries of its configuration. */
    static LocalRocketMq with(Map<String, String> settings) {
        return new LocalRocketMq(setup(1, null, settings));
    }

    /** Nodes with nothing else set. */
    static Setup setup(int nodes) {
        return setup(nodes, null, Map.of());
    }

    /** Of nodes that soon leave the processors to others. */
    static Setup setup(int nodes, @Nullable String heap, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(SHORT_SPIN);
        all.putAll(settings);
        return new Setup(nodes, heap, all);
    }
}
