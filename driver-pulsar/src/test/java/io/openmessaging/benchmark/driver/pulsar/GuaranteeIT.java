package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.pulsar.PulsarLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.guarantee.GuaranteeContractTest;
import java.util.List;
import java.util.Map;

class GuaranteeIT extends GuaranteeContractTest<PulsarConfig> {

    @Override
    protected BenchmarkDriver<PulsarConfig> driver() {
        return new PulsarBenchmarkDriver();
    }

    @Override
    protected LocalBroker localBroker() {
        return new PulsarLocalBroker();
    }

    @Override
    protected List<Case<PulsarConfig>> cases() {
        return List.of(one(false, Storage.WRITTEN), one(true, Storage.SYNCED));
    }

    private static Case<PulsarConfig> one(boolean synced, Storage storage) {
        String persistence = "client: {persistence: {ensembleSize: 1, writeQuorum: 1, ackQuorum: 1, journalSyncData: "
                + synced + "}}";
        return new Case<>(
                TestBroker.Setup.with(Map.of("journalSyncData", Boolean.toString(synced))),
                TestConfigs.of(persistence),
                1,
                storage);
    }
}
