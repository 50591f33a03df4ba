package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.KeyCarrier;
import io.openmessaging.benchmark.suite.Variant;
import java.util.HashMap;
import java.util.Map;

/** Tests the contract with non-durable messages, keys as message groups, and shared connections. */
@Variant
class ArtemisTransientDriverIT extends ArtemisDriverIT {

    @Override
    ArtemisConfig config(Map<String, ?> keys) {
        Map<String, Object> all = new HashMap<>(keys);
        all.put("durable", false);
        all.put("keyCarrier", KeyCarrier.GROUP_ID);
        all.put("sharedConnection", true);
        return super.config(all);
    }
}
