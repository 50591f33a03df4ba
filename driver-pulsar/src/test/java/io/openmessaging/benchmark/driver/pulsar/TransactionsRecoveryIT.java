package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.broker.pulsar.PulsarLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest;
import java.time.Duration;
import java.util.Map;

/** Tests recovery with transactions: their coordinator ends and restarts with the broker. */
class TransactionsRecoveryIT extends RecoveryContractTest<PulsarConfig> {

    private static final ShippedDriverFile FILE = ShippedDriverFile.named("pulsar-transactions.yaml");

    @Override
    protected BenchmarkDriver<PulsarConfig> driver() {
        return new PulsarBenchmarkDriver();
    }

    @Override
    protected TestBroker<PulsarConfig> startBroker() {
        return TestBroker.start(
                new PulsarBenchmarkDriver(), new PulsarLocalBroker(), TestBroker.Setup.with(FILE.brokerSettings()));
    }

    @Override
    protected Map<String, PulsarConfig> configs(TestBroker<PulsarConfig> broker) {
        return Map.of("transactions", broker.reach(FILE.config(PulsarConfig.class)));
    }

    /** The framework's limit: the client tries for this long to reach the coordinator before a commit fails. */
    @Override
    protected Duration callLimit() {
        return Duration.ofSeconds(60);
    }
}
