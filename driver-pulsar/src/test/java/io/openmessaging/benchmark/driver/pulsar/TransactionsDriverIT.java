package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.suite.Variant;

/** The contract with messages that are sent in transactions, most of which are ended by their time. */
@Variant
class TransactionsDriverIT extends PulsarContract {

    @Override
    String yaml() {
        return "producer: {transaction: {messages: 100, maxTime: 20ms}}";
    }
}
