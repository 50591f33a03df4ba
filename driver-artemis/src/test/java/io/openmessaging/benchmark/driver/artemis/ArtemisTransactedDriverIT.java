package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ArtemisTransaction;
import io.openmessaging.benchmark.suite.Variant;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Tests the contract with transactions: some are full when they are committed, and some reach their time limit first.
 */
@Variant
class ArtemisTransactedDriverIT extends ArtemisDriverIT {

    @Override
    ArtemisConfig config(Map<String, ?> keys) {
        Map<String, Object> all = new HashMap<>(keys);
        all.put("transaction", new ArtemisTransaction(7, Duration.ofMillis(5)));
        return super.config(all);
    }
}
