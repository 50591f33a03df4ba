package io.openmessaging.benchmark.broker.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisConfigurationTest {

    @Test
    void staysOnLoopbackInItsFolderAndKeepsNothingOnDisk() throws Exception {
        assertThat(RedisConfiguration.of(Map.of()).text(ListenAddress.LOOPBACK, 6379, Path.of("/a \"folder\"")))
                .isEqualTo("""
                        bind 127.0.0.1
                        port 6379
                        daemonize no
                        dir "/a \\"folder\\""
                        pidfile "/a \\"folder\\"/redis.pid"
                        logfile ""
                        appendfsync everysec
                        appendonly no
                        save ""
                        """);
    }

    /** Redis refuses such clients by default unless it has a password. */
    @Test
    void servesClientsFromOtherMachinesWhereItIsToldTo() throws Exception {
        ListenAddress address = new ListenAddress("192.0.2.1");

        assertThat(RedisConfiguration.of(Map.of()).text(address, 6379, Path.of("/f")))
                .startsWith("bind 192.0.2.1\nport 6379\n")
                .containsOnlyOnce("protected-mode no\n");
        assertThat(RedisConfiguration.of(Map.of("protected-mode", "yes")).text(address, 6379, Path.of("/f")))
                .containsOnlyOnce("protected-mode yes\n")
                .doesNotContain("protected-mode no");
    }

    @Test
    void aSentinelListensWhereItsServersDo() throws Exception {
        assertThat(RedisConfiguration.of(Map.of())
                        .sentinelText(new ListenAddress("127.0.0.2"), 26379, Path.of("/f"), 6379, 3))
                .startsWith("bind 127.0.0.2\nport 26379\n")
                .contains("\nsentinel monitor mymaster 127.0.0.2 6379 2\n");
    }

    @Test
    void theUsersSettingsOverrideOursInAnyCase() throws Exception {
        RedisConfiguration configuration =
                RedisConfiguration.of(Map.of("AppendOnly", "yes", "save", "900 1", "maxmemory", "1gb"));

        assertThat(configuration.tuning())
                .isEqualTo(Map.of("appendonly", "yes", "appendfsync", "everysec", "save", "900 1", "maxmemory", "1gb"));
        assertThat(configuration.text(ListenAddress.LOOPBACK, 1, Path.of("/f")))
                .endsWith("appendfsync everysec\nappendonly yes\nmaxmemory 1gb\nsave 900 1\n");
    }

    @ParameterizedTest
    @CsvSource({
        "bind, bind",
        "PORT, port",
        "dir, dir",
        "include, include",
        "replicaof, replicaof",
        "cluster-enabled, cluster-enabled"
    })
    void whatIsNotTheUsersToSetIsRefused(String setting, String key) {
        assertThatThrownBy(() -> RedisConfiguration.of(Map.of(setting, "x")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("a local Redis chooses " + key + " itself; remove it from the settings");
    }

    @Test
    void anEntryIsOneLine() {
        assertThatThrownBy(() -> RedisConfiguration.of(Map.of("maxmemory", "1gb\nbind 0.0.0.0")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("not an entry of redis.conf: maxmemory 1gb");
        assertThatThrownBy(() -> RedisConfiguration.of(Map.of("maxmemory 1gb\nbind", "0.0.0.0")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("not an entry of redis.conf: ");
    }
}
