package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisTls;
import io.openmessaging.benchmark.driver.redis.link.AcknowledgeAfter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RedisConfigTest {

    @Test
    void whatIsAbsentHasADefault() {
        RedisConfig config = Configs.of(Map.of());
        assertThat(Configs.problemsOf(config)).isEmpty();
        assertThat(config.addresses()).containsExactly("localhost:6379");
        assertThat(config.mode()).isEqualTo(RedisMode.STREAM);
        assertThat(config.pipelineDepth()).isEqualTo(64);
        assertThat(config.flushInterval()).isZero();
        assertThat(config.maxLength()).isNull();
        assertThat(config.readCount()).isEqualTo(256);
    }

    @ParameterizedTest
    @MethodSource
    void oneThingIsWrong(Map<String, Object> keys, String problem) {
        assertThat(Configs.problemsOf(Configs.of(keys))).containsExactly(problem);
    }

    static Stream<Arguments> oneThingIsWrong() {
        Duration second = Duration.ofSeconds(1);
        RedisTls noSuchFile = Configs.record(RedisTls.class, Map.of("trustStore", "/no/such/file"));
        return Stream.of(
                Arguments.of(
                        Map.of("redisHost", "redis://localhost:16379"),
                        "redisHost: must be a host alone, with its port in redisPort: remove redis:// from the"
                                + " start, got 'redis://localhost:16379'"),
                Arguments.of(
                        Map.of("redisHost", " "),
                        "redisHost: must be a host alone, with its port in redisPort: it is empty, got ' '"),
                Arguments.of(Map.of("redisPort", 0), "redisPort: must be a number from 1 to 65535, got 0"),
                Arguments.of(Map.of("redisPort", 65_536), "redisPort: must be a number from 1 to 65535, got 65536"),
                Arguments.of(Map.of("redisUser", "bench"), "redisUser: needs redisPass as well, got 'bench'"),
                Arguments.of(
                        Map.of("clusterAddresses", List.of("a:1", "b")),
                        "clusterAddresses: must be host:port: the port is missing, got 'b'"),
                Arguments.of(
                        Map.of("clusterAddresses", List.of(":1")),
                        "clusterAddresses: must be host:port: the host is missing, got ':1'"),
                Arguments.of(
                        Map.of("clusterAddresses", List.of("a:99999")),
                        "clusterAddresses: must be host:port: the port is not a number from 1 to 65535, got 'a:99999'"),
                Arguments.of(Map.of("pipelineDepth", 0), "pipelineDepth: must be a number from 1 to 1000000, got 0"),
                Arguments.of(Map.of("readCount", -1), "readCount: must be a number from 1 to 1000000, got -1"),
                Arguments.of(
                        Map.of("flushInterval", Duration.ofSeconds(2)),
                        "flushInterval: must be from 0s to 1s, got '2s'"),
                Arguments.of(Map.of("maxLength", 0L), "maxLength: must be at least 1, got 0"),
                Arguments.of(
                        Map.of("maxLength", 5L, "mode", RedisMode.LIST),
                        "maxLength: applies in mode STREAM only, got 5"),
                Arguments.of(
                        Map.of("acknowledgeAfter", new AcknowledgeAfter(1, false, second), "mode", RedisMode.PUBSUB),
                        "acknowledgeAfter: does not apply in mode PUBSUB, which stores nothing, got"
                                + " {replicas: 1, aof: false, timeout: 1s}"),
                Arguments.of(
                        Map.of("acknowledgeAfter", new AcknowledgeAfter(0, false, second)),
                        "acknowledgeAfter.replicas: must be at least 1, unless aof is true, got 0"),
                Arguments.of(
                        Map.of("acknowledgeAfter", new AcknowledgeAfter(1, true, Duration.ZERO)),
                        "acknowledgeAfter.timeout: must be from 1ms to 1h, got '0s'"),
                Arguments.of(
                        Map.of("sentinels", List.of("s")),
                        "sentinels: must be host:port: the port is missing, got 's'"),
                Arguments.of(
                        Map.of("sentinels", List.of("s:1"), "clusterAddresses", List.of("a:1")),
                        "sentinels: must be absent with clusterAddresses, since a Redis Cluster has none, got [s:1]"),
                Arguments.of(Map.of("sentinelMaster", ""), "sentinelMaster: must name the primary, got ''"),
                Arguments.of(
                        Map.of("tls", noSuchFile),
                        "tls.trustStore: must be a file that can be read, got '/no/such/file'"));
    }

    @Test
    void severalAddressesAreThoseOfACluster() {
        RedisConfig single = Configs.of(Map.of("redisPass", "p"));
        assertThat(single.withAddresses(List.of("a:1")))
                .isEqualTo(Configs.of(Map.of("redisPass", "p", "redisHost", "a", "redisPort", 1)));
        RedisConfig cluster = single.withAddresses(List.of("a:1", "b:2"));
        assertThat(cluster.isCluster()).isTrue();
        assertThat(cluster.addresses()).containsExactly("a:1", "b:2");
        assertThat(cluster.withAddresses(List.of("c:3")).isCluster()).isTrue();
        RedisConfig watched = Configs.of(Map.of("sentinels", List.of("s:1"))).withAddresses(List.of("t:1", "u:2"));
        assertThat(watched.isCluster()).isFalse();
        assertThat(watched.addresses()).isEqualTo(watched.sentinels()).containsExactly("t:1", "u:2");
    }
}
