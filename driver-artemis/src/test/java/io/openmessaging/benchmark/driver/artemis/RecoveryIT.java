package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.broker.artemis.ArtemisLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ArtemisTransaction;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ClientKind;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

class RecoveryIT extends RecoveryContractTest<ArtemisConfig> {

    @Override
    protected BenchmarkDriver<ArtemisConfig> driver() {
        return new ArtemisBenchmarkDriver();
    }

    @Override
    protected TestBroker<ArtemisConfig> startBroker() {
        return start(1);
    }

    private TestBroker<ArtemisConfig> start(int nodes) {
        return TestBroker.start(
                new ArtemisBenchmarkDriver(),
                new ArtemisLocalBroker(),
                new TestBroker.Setup(nodes, "256m", settings()));
    }

    /** Returns the broker's settings. */
    Map<String, String> settings() {
        return Map.of();
    }

    /** Returns the kinds of client that are tested at the same time. */
    List<ClientKind> clients() {
        return List.of(ClientKind.CORE, ClientKind.JMS);
    }

    @Override
    protected Map<String, ArtemisConfig> configs(TestBroker<ArtemisConfig> broker) {
        Map<String, ArtemisConfig> configs = new TreeMap<>();
        for (ClientKind client : clients()) {
            configs.put(client.name(), broker.reach(TestConfigs.with("client", client)));
        }
        if (clients().contains(ClientKind.CORE)) {
            configs.put(
                    "transactions",
                    broker.reach(TestConfigs.with("transaction", new ArtemisTransaction(10, Duration.ofMillis(20)))));
        }
        return configs;
    }

    @Override
    protected Optional<TestBroker<ArtemisConfig>> startCluster() {
        return Optional.of(start(2));
    }

    /** Returns the live node. */
    @Override
    protected String nodeToLose(List<String> nodes) {
        return nodes.get(0);
    }

    /** Time that the client waits for the answer to a request that the broker received but lost during its start. */
    @Override
    protected Duration callLimit() {
        return Duration.ofSeconds(10);
    }
}
