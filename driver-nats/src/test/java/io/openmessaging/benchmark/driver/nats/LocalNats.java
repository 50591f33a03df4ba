package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.broker.nats.NatsLocalBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.TestBrokerExtension;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
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

    /** Returns the driver file that connects to a server with security. */
    ShippedDriverFile driverFile() {
        return started().driverFile();
    }

    /** Returns a configuration for this server, with these keys. */
    NatsConfig config(Map<String, ?> keys) {
        return reach(Configs.of(keys));
    }
}
