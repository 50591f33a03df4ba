package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.nats.NatsLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.nats.NatsConfig.NatsMode;
import io.openmessaging.benchmark.driver.nats.NatsConfig.Storage;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.guarantee.GuaranteeContractTest;
import java.util.List;
import java.util.Map;

class GuaranteeIT extends GuaranteeContractTest<NatsConfig> {

    @Override
    protected BenchmarkDriver<NatsConfig> driver() {
        return new NatsBenchmarkDriver();
    }

    @Override
    protected LocalBroker localBroker() {
        return new NatsLocalBroker();
    }

    @Override
    protected List<Case<NatsConfig>> cases() {
        NatsConfig file = Configs.of(Map.of());
        Map<String, String> always = Map.of("jetstream.sync_interval", "always");
        return List.of(
                new Case<>(TestBroker.Setup.SINGLE, file, 1, Guarantee.Storage.WRITTEN),
                new Case<>(
                        TestBroker.Setup.SINGLE,
                        Configs.of(Map.of("storage", Storage.MEMORY)),
                        1,
                        Guarantee.Storage.MEMORY),
                new Case<>(
                        TestBroker.Setup.SINGLE,
                        Configs.of(Map.of("mode", NatsMode.CORE)),
                        0,
                        Guarantee.Storage.MEMORY),
                new Case<>(TestBroker.Setup.with(always), file, 1, Guarantee.Storage.SYNCED),
                new Case<>(
                        new TestBroker.Setup(3, null, always),
                        Configs.of(Map.of("replicationFactor", 3)),
                        3,
                        Guarantee.Storage.SYNCED));
    }
}
