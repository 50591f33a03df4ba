package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests transactions with a broker that has no transaction coordinator. */
@LongSuite("starts a broker of its own")
class WithoutTransactionsIT {

    @RegisterExtension
    static final LocalPulsar WITHOUT = LocalPulsar.withoutTransactions();

    @Test
    void aBrokerWithoutACoordinatorIsRefusedInOneSentence() {
        PulsarConfig config = WITHOUT.reach(TestConfigs.of("producer: {transaction: {}}"));
        assertThatThrownBy(() -> DriverSession.open(new PulsarBenchmarkDriver(), config, Patience.LIMIT))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not reach Pulsar at ")
                .hasMessageContaining("transaction")
                .message()
                .hasLineCount(1);
    }
}
