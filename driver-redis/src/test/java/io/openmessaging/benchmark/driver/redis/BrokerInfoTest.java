package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerInfoTest {

    @Test
    void linesOfInfoAreParsed() {
        assertThat(BrokerInfo.parse("# Server\r\nredis_version:7.0.15\r\nexecutable:/a:b\r\n\r\nnonsense\r\n"))
                .isEqualTo(Map.of("redis_version", "7.0.15", "executable", "/a:b"));
    }

    @Test
    void whereServersDifferAllValuesAreReported() {
        assertThat(BrokerInfo.together(List.of(
                        Map.of("appendonly", "yes", "save", "", "io-threads", "1"),
                        Map.of("appendonly", "no", "save", ""))))
                .isEqualTo(Map.of("appendonly", "no, yes", "save", ""));
    }

    @Test
    void systemsThatAreNotRedisAreNotCalledSo() {
        assertThat(BrokerInfo.identity(Map.of("redis_version", "7.2.4")))
                .isEqualTo(new BrokerInfo.Identity("Redis", "7.2.4"));
        assertThat(BrokerInfo.identity(Map.of("redis_version", "7.2.4", "valkey_version", "8.1.0")))
                .isEqualTo(new BrokerInfo.Identity("Valkey", "8.1.0"));
        assertThat(BrokerInfo.identity(Map.of()))
                .isEqualTo(new BrokerInfo.Identity("unknown, Redis protocol", "unknown"));
    }
}
