package io.openmessaging.benchmark.broker.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.rabbitmq.RabbitMqClusterLayout.NodePorts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RabbitMqConfigurationTest {

    private static final RabbitMqClusterLayout ONE =
            new RabbitMqClusterLayout(ListenAddress.LOOPBACK, 4000, List.of(new NodePorts(1, 2, 3, 4)));

    private static final RabbitMqClusterLayout TWO = new RabbitMqClusterLayout(
            ListenAddress.LOOPBACK, 4000, List.of(new NodePorts(1, 2, 3, 4), new NodePorts(11, 12, 13, 14)));

    @Test
    void everyListenerIsOnLoopbackAndAdvertised() {
        assertThat(RabbitMqConfiguration.of(Map.of(), ONE).text(1)).isEqualTo("""
                listeners.tcp.local = 127.0.0.1:1
                stream.listeners.tcp.local = 127.0.0.1:2
                stream.advertised_host = 127.0.0.1
                stream.advertised_port = 2
                prometheus.tcp.ip = 127.0.0.1
                prometheus.tcp.port = 3
                log.console = true
                log.console.use_colors = off
                log.file = false
                disk_free_limit.absolute = 500MB
                vm_memory_high_watermark.relative = 0.40
                """);
    }

    /** By default, RabbitMQ lets nobody log in as guest at such an address. */
    @Test
    void onlyWhatClientsNeedIsAtAnotherAddress() {
        RabbitMqClusterLayout layout = new RabbitMqClusterLayout(new ListenAddress("192.0.2.1"), 4000, ONE.nodes());

        assertThat(layout.addresses(NodePorts::stream)).containsExactly("192.0.2.1:2");
        assertThat(RabbitMqConfiguration.of(Map.of(), layout).text(1))
                .contains(
                        "listeners.tcp.local = 192.0.2.1:1\n",
                        "stream.listeners.tcp.local = 192.0.2.1:2\n",
                        "stream.advertised_host = 192.0.2.1\n",
                        "prometheus.tcp.ip = 127.0.0.1\n",
                        "loopback_users = none\n");
        assertThat(RabbitMqConfiguration.of(Map.of("loopback_users.guest", "true"), layout)
                        .text(1))
                .contains("loopback_users.guest = true\n")
                .doesNotContain("loopback_users = none");
    }

    @Test
    void theOthersJoinTheFirst() {
        RabbitMqConfiguration configuration = RabbitMqConfiguration.of(Map.of(), TWO);

        assertThat(configuration.text(1)).doesNotContain("cluster_formation");
        assertThat(configuration.text(2))
                .contains("listeners.tcp.local = 127.0.0.1:11\n", """
                        cluster_formation.peer_discovery_backend = classic_config
                        cluster_formation.classic_config.nodes.1 = rabbit1@localhost
                        cluster_formation.classic_config.nodes.2 = rabbit2@localhost
                        """, "vm_memory_high_watermark.relative = 0.20\n");
    }

    @Test
    void theUsersSettingsOverrideOurs() throws Exception {
        Map<String, String> settings = Map.of(
                "vm_memory_high_watermark.absolute", "1GB",
                "disk_free_limit.relative", "1.0",
                "heartbeat", "0");

        RabbitMqConfiguration.check(settings);
        RabbitMqConfiguration configuration = RabbitMqConfiguration.of(settings, ONE);

        assertThat(configuration.tuning()).isEqualTo(settings);
        assertThat(configuration.text(1))
                .endsWith("disk_free_limit.relative = 1.0\nheartbeat = 0\nvm_memory_high_watermark.absolute = 1GB\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "listeners.tcp.default",
                "listeners.ssl.1",
                "stream.listeners.tcp.1",
                "stream.advertised_host",
                "prometheus.tcp.port",
                "cluster_formation.peer_discovery_backend",
                "log.file"
            })
    void whatHoldsTheClusterTogetherIsNotTheUsersToSet(String key) {
        assertThatThrownBy(() -> RabbitMqConfiguration.check(Map.of(key, "x")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("a local RabbitMQ chooses " + key + " itself; remove it from the settings");
    }

    @Test
    void anEntryIsOneLine() {
        assertThatThrownBy(() -> RabbitMqConfiguration.check(Map.of("heartbeat", "1\nlisteners.tcp.1 = 5672")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("not an entry of rabbitmq.conf: heartbeat = 1\n");
        assertThatThrownBy(() -> RabbitMqConfiguration.check(Map.of("heartbeat = 1\nlisteners.tcp.1", "5672")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("not an entry of rabbitmq.conf: ");
    }

    @Test
    void whoMayLogInIsWhatTheSettingsSay() {
        assertThat(RabbitMqLogin.of(Map.of())).isEqualTo(new RabbitMqLogin("guest", "guest", "/", null));
        assertThat(RabbitMqLogin.of(Map.of("default_user", "me", "default_pass", "mine", "default_vhost", "here")))
                .isEqualTo(new RabbitMqLogin("me", "mine", "here", null));
    }
}
