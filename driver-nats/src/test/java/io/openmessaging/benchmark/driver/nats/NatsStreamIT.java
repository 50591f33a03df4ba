package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.driver.nats.NatsConfig.Delivery;
import java.util.Map;

/** Tests the contract with streams whose consumers request messages. */
class NatsStreamIT extends NatsContract {

    NatsStreamIT() {
        super(Map.of("delivery", Delivery.PULL));
    }
}
