package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.driver.nats.NatsConfig.Delivery;
import io.openmessaging.benchmark.suite.Variant;
import java.util.Map;

/** Tests the contract with streams whose server sends messages to the consumers. */
@Variant
class NatsPushIT extends NatsContract {

    NatsPushIT() {
        super(Map.of("delivery", Delivery.PUSH));
    }
}
