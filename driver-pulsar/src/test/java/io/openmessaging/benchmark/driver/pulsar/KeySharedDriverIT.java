package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.suite.Variant;

/**
 * Tests the contract with Key_Shared subscriptions and unbatched messages, which keep the order within a partition.
 */
@Variant
class KeySharedDriverIT extends PulsarContract {

    @Override
    String yaml() {
        return "consumer: {subscriptionType: Key_Shared}\nproducer: {batchingEnabled: false}";
    }
}
