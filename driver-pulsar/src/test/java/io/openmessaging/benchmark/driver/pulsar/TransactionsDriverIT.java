package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.suite.Variant;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract with messages that are sent in transactions, most of which are ended by their time. */
@Variant
class TransactionsDriverIT extends PulsarContract {

    @RegisterExtension
    static final LocalPulsar TRANSACTIONAL = LocalPulsar.withTransactions();

    @Override
    String yaml() {
        return "producer: {transaction: {messages: 100, maxTime: 20ms}}";
    }

    @Override
    protected PulsarConfig config() {
        return TRANSACTIONAL.reach(TestConfigs.of(yaml()));
    }
}
