package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ClientKind;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import io.openmessaging.benchmark.suite.Variant;
import java.util.HashMap;
import java.util.Map;

/** The contract by AMQP 1.0. */
@Variant
class ArtemisAmqpDriverIT extends ArtemisDriverIT {

    @Override
    ArtemisConfig config(Map<String, ?> keys) {
        Map<String, Object> all = new HashMap<>(keys);
        all.put("client", ClientKind.AMQP);
        return super.config(all);
    }

    @Override
    protected FailingSend<ArtemisConfig> failingSend() {
        return skip("by AMQP the broker takes messages of any size, and lets senders wait where it could refuse");
    }
}
