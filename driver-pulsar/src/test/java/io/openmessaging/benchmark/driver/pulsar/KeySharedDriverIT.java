package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.suite.Variant;

/** The contract with Key_Shared subscriptions, and messages sent one by one, which keeps all of a partition in order. */
@Variant
class KeySharedDriverIT extends PulsarContract {

    @Override
    String yaml() {
        return "consumer: {subscriptionType: Key_Shared}\nproducer: {batchingEnabled: false}";
    }
}
