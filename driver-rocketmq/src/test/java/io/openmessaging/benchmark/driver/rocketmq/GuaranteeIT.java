package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.rocketmq.RocketMqLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.guarantee.GuaranteeContractTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;

@Order(1)
class GuaranteeIT extends GuaranteeContractTest<RocketMqConfig> {

    @Override
    protected BenchmarkDriver<RocketMqConfig> driver() {
        return new RocketMQBenchmarkDriver();
    }

    @Override
    protected LocalBroker localBroker() {
        return new RocketMqLocalBroker();
    }

    @Override
    protected List<Case<RocketMqConfig>> cases() {
        return List.of(
                new Case<>(TestBroker.Setup.SINGLE, TestConfigs.patient(Map.of()), 1, Storage.WRITTEN),
                new Case<>(
                        TestBroker.Setup.with(Map.of("flushDiskType", "SYNC_FLUSH")),
                        TestConfigs.patient(Map.of("flushDiskType", "SYNC_FLUSH")),
                        1,
                        Storage.SYNCED),
                new Case<>(
                        new TestBroker.Setup(3, null, Map.of("flushDiskType", "SYNC_FLUSH")),
                        TestConfigs.patient(Map.of("flushDiskType", "SYNC_FLUSH")),
                        3,
                        Storage.SYNCED_ONCE));
    }
}
