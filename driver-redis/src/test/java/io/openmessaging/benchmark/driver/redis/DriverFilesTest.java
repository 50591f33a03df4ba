package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DriverFilesTest {

    static List<DriverFile> files() {
        return DriverFile.all();
    }

    @ParameterizedTest
    @MethodSource("files")
    void nothingIsWrong(DriverFile file) {
        assertThat(Configs.problemsOf(file.config())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("files")
    void namesTheDriverAndHasANameOfItsOwn(DriverFile file) {
        assertThat(file.keys()).containsEntry("driverClass", RedisBenchmarkDriver.class.getName());
        assertThat(files()).extracting(f -> f.keys().get("name")).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("files")
    void saysWhatItIsFor(DriverFile file) throws IOException {
        assertThat(Files.readAllLines(file.path()).get(0)).matches("# .{40,}");
    }

    @Test
    void thereIsOneForEachModeAndOneForTheDisk() {
        assertThat(files())
                .extracting(DriverFile::toString)
                .containsExactly("redis-aof-always.yaml", "redis-list.yaml", "redis-pubsub.yaml", "redis.yaml");
        assertThat(files())
                .extracting(file -> file.config().mode())
                .containsExactly(RedisMode.STREAM, RedisMode.LIST, RedisMode.PUBSUB, RedisMode.STREAM);
        assertThat(files().get(0).brokerSettings()).isEqualTo(Map.of("appendonly", "yes", "appendfsync", "always"));
    }

    @Test
    void eachPointsToTheUsualPort() {
        assertThat(files())
                .allSatisfy(file -> assertThat(new RedisBenchmarkDriver().addresses(file.config()))
                        .containsExactly("localhost:6379"));
    }
}
