package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.redis.RedisLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.redis.link.AcknowledgeAfter;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.guarantee.GuaranteeContractTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;

class GuaranteeIT extends GuaranteeContractTest<RedisConfig> {

    @Override
    protected BenchmarkDriver<RedisConfig> driver() {
        return new RedisBenchmarkDriver();
    }

    @Override
    protected LocalBroker localBroker() {
        return new RedisLocalBroker();
    }

    @Override
    protected List<Case<RedisConfig>> cases() {
        RedisConfig stream = Configs.of(Map.of("mode", RedisMode.STREAM));
        RedisConfig list = Configs.of(Map.of("mode", RedisMode.LIST));
        TestBroker.Setup always = TestBroker.Setup.with(Map.of("appendonly", "yes", "appendfsync", "always"));
        return List.of(
                new Case<>(TestBroker.Setup.SINGLE, stream, 1, Storage.MEMORY),
                new Case<>(TestBroker.Setup.SINGLE, Configs.of(Map.of("mode", RedisMode.PUBSUB)), 0, Storage.MEMORY),
                new Case<>(
                        TestBroker.Setup.with(Map.of("appendonly", "yes", "appendfsync", "everysec")),
                        stream,
                        1,
                        Storage.WRITTEN),
                new Case<>(always, stream, 1, Storage.SYNCED),
                new Case<>(always, list, 1, Storage.SYNCED),
                new Case<>(
                        new TestBroker.Setup(
                                2, null, Map.of("replicas", "1", "appendonly", "yes", "appendfsync", "always")),
                        Configs.of(Map.of("acknowledgeAfter", new AcknowledgeAfter(1, true, Duration.ofSeconds(30)))),
                        2,
                        Storage.SYNCED));
    }
}
