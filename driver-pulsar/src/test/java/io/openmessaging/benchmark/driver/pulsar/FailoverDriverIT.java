package io.openmessaging.benchmark.driver.pulsar;

/** Tests the contract with the defaults of a driver file: stored messages, Failover subscriptions. */
class FailoverDriverIT extends PulsarContract {

    @Override
    String yaml() {
        return "";
    }
}
