package io.openmessaging.benchmark.driver.pulsar;

/** The contract with what a driver file that says nothing asks for: stored messages, Failover subscriptions. */
class FailoverDriverIT extends PulsarContract {

    @Override
    String yaml() {
        return "";
    }
}
