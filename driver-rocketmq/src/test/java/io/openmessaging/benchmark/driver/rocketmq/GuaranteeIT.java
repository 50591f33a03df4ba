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

    /** Uses RocketMQ's own interval, since a local broker saves its transaction metrics more often. */
    private static TestBroker.Setup setup(int nodes, String flushDiskType) {
        return new TestBroker.Setup(
                nodes, null, Map.of("transactionMetricFlushInterval", "10000", "flushDiskType", flushDiskType));
    }

    @Override
    protected List<Case<RocketMqConfig>> cases() {
        return List.of(
                new Case<>(setup(1, "ASYNC_FLUSH"), TestConfigs.patient(Map.of()), 1, Storage.WRITTEN),
                new Case<>(
                        setup(1, "SYNC_FLUSH"),
                        TestConfigs.patient(Map.of("flushDiskType", "SYNC_FLUSH")),
                        1,
                        Storage.SYNCED),
                new Case<>(
                        setup(3, "SYNC_FLUSH"),
                        TestConfigs.patient(Map.of("flushDiskType", "SYNC_FLUSH")),
                        3,
                        Storage.SYNCED_ONCE));
    }
}
