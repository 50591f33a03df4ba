package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.suite.Variant;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The contract with transactions, some of which are complete and some of which are not in time. */
@Variant
class ArtemisTransactedDriverIT extends ArtemisDriverIT {

    @Override
    ArtemisConfig config(Map<String, ?> keys) {
        Map<String, Object> all = new HashMap<>(keys);
        all.put("transaction", new ArtemisTransaction(7, Duration.ofMillis(5)));
        return super.config(all);
    }
}
