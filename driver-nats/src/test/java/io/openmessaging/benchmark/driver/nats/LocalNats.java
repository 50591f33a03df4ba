package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.broker.nats.NatsLocalBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.TestBrokerExtension;
import java.util.Map;

/** A real NATS, shared by the test classes with the same setup. */
final class LocalNats extends TestBrokerExtension<NatsConfig> {

    LocalNats(Setup setup) {
        super(new NatsBenchmarkDriver(), new NatsLocalBroker(), setup);
    }

    /** One server with default settings. */
    LocalNats() {
        this(Setup.SINGLE);
    }

    /** Returns a configuration for this server, with these keys. */
    NatsConfig config(Map<String, ?> keys) {
        return reach(Configs.of(keys));
    }
}
