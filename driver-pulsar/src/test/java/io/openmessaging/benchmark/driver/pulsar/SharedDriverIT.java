package io.openmessaging.benchmark.driver.pulsar;

/** The contract with Shared subscriptions, which hand the messages of a partition out in turn. */
class SharedDriverIT extends PulsarContract {

    @Override
    String yaml() {
        return "consumer: {subscriptionType: Shared}";
    }
}
