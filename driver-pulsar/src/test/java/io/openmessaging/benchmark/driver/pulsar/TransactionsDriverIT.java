package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.suite.Variant;

/** Tests the contract with messages sent in transactions, most of which end by their time limit. */
@Variant
class TransactionsDriverIT extends PulsarContract {

    @Override
    String yaml() {
        return "producer: {transaction: {messages: 100, maxTime: 20ms}}";
    }
}
