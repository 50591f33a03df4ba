package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.suite.Variant;

/** Tests the contract with Shared subscriptions, which distribute the messages of a partition in turn. */
@Variant
class SharedDriverIT extends PulsarContract {

    @Override
    String yaml() {
        return "consumer: {subscriptionType: Shared}";
    }
}
