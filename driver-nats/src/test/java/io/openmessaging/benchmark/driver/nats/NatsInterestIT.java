package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.driver.nats.NatsConfig.Retention;
import io.openmessaging.benchmark.suite.Variant;
import java.util.Map;

/** Tests the contract with streams that remove what all subscriptions have acknowledged. */
@Variant
class NatsInterestIT extends NatsContract {

    NatsInterestIT() {
        super(Map.of("retention", Retention.INTEREST, "deduplicate", true));
    }
}
