package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.suite.Variant;

/** The contract with Shared subscriptions, which hand the messages of a partition out in turn. */
@Variant
class SharedDriverIT extends PulsarContract {

    @Override
    String yaml() {
        return "consumer: {subscriptionType: Shared}";
    }
}
