package io.openmessaging.benchmark.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.launch.Credentials;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaClusterLayoutTest {

    private static final ClientListener OPEN = new ClientListener(new Credentials(Path.of("none"), "", Security.NONE));

    private static final KafkaClusterLayout THREE =
            KafkaClusterLayout.of(ListenAddress.LOOPBACK, List.of(9092, 9093, 9094, 30_001, 30_002, 30_003), OPEN);

    @Test
    void clientsGetTheFirstPorts() {
        assertThat(THREE.nodes()).isEqualTo(3);
        assertThat(THREE.addresses()).containsExactly("127.0.0.1:9092", "127.0.0.1:9093", "127.0.0.1:9094");
    }

    @Test
    void everyAddressIsOnLoopback() {
        assertThat(THREE.properties(2, Path.of("/data"), Map.of()))
                .containsEntry("node.id", "2")
                .containsEntry("listeners", "PLAINTEXT://127.0.0.1:9093,CONTROLLER://127.0.0.1:30002")
                .containsEntry("advertised.listeners", "PLAINTEXT://127.0.0.1:9093")
                .containsEntry("controller.quorum.voters", "1@127.0.0.1:30001,2@127.0.0.1:30002,3@127.0.0.1:30003")
                .containsEntry("log.dirs", "/data");
    }

    @Test
    void onlyWhatClientsNeedIsAtAnotherAddress() {
        KafkaClusterLayout layout =
                KafkaClusterLayout.of(new ListenAddress("192.0.2.1"), List.of(9092, 9093, 30_001, 30_002), OPEN);

        assertThat(layout.addresses()).containsExactly("192.0.2.1:9092", "192.0.2.1:9093");
        assertThat(layout.properties(2, Path.of("/data"), Map.of()))
                .containsEntry("listeners", "PLAINTEXT://192.0.2.1:9093,CONTROLLER://127.0.0.1:30002")
                .containsEntry("advertised.listeners", "PLAINTEXT://192.0.2.1:9093")
                .containsEntry("controller.quorum.voters", "1@127.0.0.1:30001,2@127.0.0.1:30002");
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 2, 1", "3, 3, 2", "5, 3, 2"})
    void internalTopicsHaveAsManyReplicasAsTheNodesAllow(int nodes, String replicas, String inSync) {
        List<Integer> ports =
                IntStream.range(0, 2 * nodes).mapToObj(i -> 20_000 + i).toList();

        assertThat(KafkaClusterLayout.of(ListenAddress.LOOPBACK, ports, OPEN).properties(1, Path.of("data"), Map.of()))
                .containsEntry("offsets.topic.replication.factor", replicas)
                .containsEntry("transaction.state.log.replication.factor", replicas)
                .containsEntry("transaction.state.log.min.isr", inSync)
                .containsEntry("share.coordinator.state.topic.replication.factor", replicas)
                .containsEntry("share.coordinator.state.topic.min.isr", inSync);
    }

    @Test
    void theUsersSettingsOverrideOurs() throws Exception {
        Map<String, String> settings = Map.of("message.max.bytes", "1000", "num.io.threads", "2");

        KafkaClusterLayout.check(settings);
        assertThat(THREE.properties(1, Path.of("data"), settings))
                .containsEntry("message.max.bytes", "1000")
                .containsEntry("num.io.threads", "2");
    }

    @Test
    void whatHoldsTheClusterTogetherIsNotTheUsersToSet() {
        assertThatThrownBy(() -> KafkaClusterLayout.check(Map.of("listeners", "PLAINTEXT://0.0.0.0:9092")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("a local Kafka chooses listeners itself; remove it from the settings");
    }
}
