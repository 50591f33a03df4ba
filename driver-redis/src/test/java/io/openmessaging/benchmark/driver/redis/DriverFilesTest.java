package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.testkit.config.DriverFilesContractTest;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DriverFilesTest extends DriverFilesContractTest<RedisConfig> {

    @Override
    protected BenchmarkDriver<RedisConfig> driver() {
        return new RedisBenchmarkDriver();
    }

    @Test
    void thereIsOneForEachModeTheDiskAClusterAndValkey() {
        assertThat(files())
                .extracting(ShippedDriverFile::toString)
                .containsExactly(
                        "redis-aof-always.yaml",
                        "redis-cluster.yaml",
                        "redis-durable.yaml",
                        "redis-fast.yaml",
                        "redis-list.yaml",
                        "redis-pubsub.yaml",
                        "redis-valkey.yaml",
                        "redis.yaml");
        assertThat(files())
                .extracting(file -> config(file).mode())
                .containsExactly(
                        RedisMode.STREAM,
                        RedisMode.STREAM,
                        RedisMode.STREAM,
                        RedisMode.STREAM,
                        RedisMode.LIST,
                        RedisMode.PUBSUB,
                        RedisMode.STREAM,
                        RedisMode.STREAM);
        assertThat(files().get(1).brokerNodes()).isEqualTo(3);
        assertThat(files().get(6).brokerName()).isEqualTo("valkey");
        assertThat(files().get(0).brokerSettings()).isEqualTo(Map.of("appendonly", "yes", "appendfsync", "always"));
    }

    @Test
    void eachPointsToTheUsualPort() {
        assertThat(files())
                .allSatisfy(file -> assertThat(new RedisBenchmarkDriver().addresses(config(file)))
                        .first()
                        .isEqualTo("localhost:6379"));
    }
}
