package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.artemis.ArtemisLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.guarantee.GuaranteeContractTest;
import java.util.List;
import java.util.Map;

class GuaranteeIT extends GuaranteeContractTest<ArtemisConfig> {

    @Override
    protected BenchmarkDriver<ArtemisConfig> driver() {
        return new ArtemisBenchmarkDriver();
    }

    @Override
    protected LocalBroker localBroker() {
        return new ArtemisLocalBroker();
    }

    @Override
    protected List<Case<ArtemisConfig>> cases() {
        return List.of(
                one(Map.of("journal-type", "NIO"), true, Storage.SYNCED),
                one(Map.of("journal-type", "NIO"), false, Storage.MEMORY),
                one(Map.of("journal-datasync", "false"), true, Storage.WRITTEN),
                one(Map.of("persistence-enabled", "false"), true, Storage.MEMORY),
                new Case<>(new TestBroker.Setup(2, "256m", Map.of()), TestConfigs.defaults(), 2, Storage.SYNCED_ONCE));
    }

    private static Case<ArtemisConfig> one(Map<String, String> settings, boolean durable, Storage storage) {
        return new Case<>(
                new TestBroker.Setup(1, "256m", settings), TestConfigs.with(Map.of("durable", durable)), 1, storage);
    }
}
