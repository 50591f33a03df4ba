package io.openmessaging.benchmark.broker.redpanda;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContainerClusterTest {

    private static final ContainerSettings SETTINGS =
            new ContainerSettings("redpanda:v1", "1", "2G", ProcessLimit.NONE);

    @Test
    void aSingleNodeNeedsNoNetwork() {
        ContainerCluster cluster =
                new ContainerCluster("bench", SETTINGS, ListenAddress.LOOPBACK, List.of(9092), List.of(21000));
        assertThat(cluster.network()).isEmpty();
        assertThat(cluster.kafkaAddresses()).containsExactly("127.0.0.1:9092");
        assertThat(cluster.adminAddresses()).containsExactly("127.0.0.1:21000");
        assertThat(String.join(" ", cluster.runArguments(1)))
                .isEqualTo("--rm --name bench-1 --publish 127.0.0.1:9092:9092 --publish 127.0.0.1:21000:9644"
                        + " redpanda:v1 redpanda start --overprovisioned --smp 1 --memory 2G --reserve-memory 0M"
                        + " --check=false --node-id 0 --kafka-addr 0.0.0.0:9092 --advertise-kafka-addr 127.0.0.1:9092"
                        + " --rpc-addr 0.0.0.0:33145 --advertise-rpc-addr 127.0.0.1:33145");
    }

    @Test
    void threeNodesFindEachOtherByName() {
        ContainerCluster cluster = new ContainerCluster(
                "bench", SETTINGS, ListenAddress.LOOPBACK, List.of(9092, 20001, 20002), List.of(9644, 21001, 21002));
        assertThat(cluster.network()).isEqualTo("bench");
        assertThat(String.join(" ", cluster.runArguments(1)))
                .startsWith("--rm --name bench-1 --network bench --hostname bench-1 --publish ")
                .endsWith(" --advertise-rpc-addr bench-1:33145");
        assertThat(String.join(" ", cluster.runArguments(3)))
                .contains(" --publish 127.0.0.1:20002:20002 --publish 127.0.0.1:21002:9644 ", " --node-id 2 ")
                .endsWith(" --advertise-rpc-addr bench-3:33145 --seeds bench-1:33145");
    }

    @Test
    void containersPublishWhatClientsNeedWhereTheyAreToldTo() {
        ContainerCluster cluster =
                new ContainerCluster("bench", SETTINGS, new ListenAddress("192.0.2.1"), List.of(9092), List.of(21000));
        assertThat(cluster.kafkaAddresses()).containsExactly("192.0.2.1:9092");
        assertThat(String.join(" ", cluster.runArguments(1)))
                .contains(" --publish 192.0.2.1:9092:9092 --publish 192.0.2.1:21000:9644 ")
                .contains(" --kafka-addr 0.0.0.0:9092 --advertise-kafka-addr 192.0.2.1:9092 ")
                .endsWith(" --advertise-rpc-addr 127.0.0.1:33145");
    }

    @Test
    void theEngineLimitsEachContainer() {
        ContainerSettings limited =
                new ContainerSettings("redpanda:v1", "2", "2G", new ProcessLimit(1.5, ProcessLimit.memoryBytes("2g")));
        ContainerCluster cluster =
                new ContainerCluster("bench", limited, ListenAddress.LOOPBACK, List.of(9092), List.of(21000));
        assertThat(String.join(" ", cluster.runArguments(1)))
                .contains(" --cpus 1.5 --memory 2147483648 --memory-swap 2147483648 redpanda:v1 redpanda start ");
    }
}
