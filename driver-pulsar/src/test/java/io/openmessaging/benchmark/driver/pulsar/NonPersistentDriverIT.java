package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.suite.Variant;

/**
 * Tests the contract with topics that are not stored. A broker drops messages that arrive faster than it can dispatch
 * them, without notifying the producer, so few messages are in flight here.
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
