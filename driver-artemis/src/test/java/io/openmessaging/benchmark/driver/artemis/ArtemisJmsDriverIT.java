package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ClientKind;
import io.openmessaging.benchmark.suite.Variant;
import java.util.HashMap;
import java.util.Map;

/** Tests the contract with Artemis' JMS client. */
@Variant
class ArtemisJmsDriverIT extends ArtemisDriverIT {

    @Override
    ArtemisConfig config(Map<String, ?> keys) {
        Map<String, Object> all = new HashMap<>(keys);
        all.put("client", ClientKind.JMS);
        return super.config(all);
    }
}
