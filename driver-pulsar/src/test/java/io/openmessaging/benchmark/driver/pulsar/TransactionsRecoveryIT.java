package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.broker.pulsar.PulsarLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest;
import java.time.Duration;
import java.util.Map;

/** The coordinator of transactions goes with the broker, and comes back with it. */
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

    /** As the framework has it: for so long, the client tries to reach the coordinator before a commit fails. */
    @Override
    protected Duration callLimit() {
        return Duration.ofSeconds(60);
    }
}
