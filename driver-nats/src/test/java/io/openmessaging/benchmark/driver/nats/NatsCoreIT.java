package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.driver.nats.NatsConfig.NatsMode;
import io.openmessaging.benchmark.suite.Variant;
import java.util.Map;

/** Tests the contract with subjects without streams. */
@Variant
class NatsCoreIT extends NatsContract {

    NatsCoreIT() {
        super(Map.of("mode", NatsMode.CORE));
    }
}
