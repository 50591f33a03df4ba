package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.suite.Variant;

/**
 * The contract with topics that are not stored. A broker drops what comes faster than it can be handed on, without
 * telling the producer; so there are few messages under way here.
 */
@Variant
class NonPersistentDriverIT extends PulsarContract {

    @Override
    String yaml() {
        return "client: {topicType: non-persistent}\nproducer: {pendingQueueSize: 20}";
    }

    @Override
    protected DriverCapabilities capabilities() {
        return DriverCapabilities.ALL.withoutReadingAnew();
    }
}
