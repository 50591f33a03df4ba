package io.openmessaging.benchmark.broker.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.broker.rabbitmq.ClusterLayout.NodePorts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterLayoutTest {

    @Test
    void everyListenerHasAPortOfItsOwn() throws Exception {
        ClusterLayout layout = ClusterLayout.free(ListenAddress.LOOPBACK, 3, 0);

        List<Integer> ports = new ArrayList<>(List.of(layout.epmd()));
        for (NodePorts node : layout.nodes()) {
            ports.addAll(List.of(node.amqp(), node.stream(), node.prometheus(), node.cluster()));
        }
        assertThat(layout.nodes()).hasSize(3);
        assertThat(ports).doesNotHaveDuplicates().doesNotContain(5552, 15_692);
    }

    @Test
    void theFirstNodeTakesTheUsualPortsWhereThePortIsGiven() throws Exception {
        int port = LocalPorts.free(ListenAddress.LOOPBACK, 1, 0).get(0);

        ClusterLayout layout = ClusterLayout.free(ListenAddress.LOOPBACK, 2, port);

        assertThat(layout.ports(1).amqp()).isEqualTo(port);
        assertThat(layout.ports(1).stream() == 5552).isEqualTo(LocalPorts.isFree(ListenAddress.LOOPBACK, 5552));
        assertThat(layout.ports(1).prometheus() == 15_692).isEqualTo(LocalPorts.isFree(ListenAddress.LOOPBACK, 15_692));
        assertThat(layout.ports(2).stream()).isNotEqualTo(5552);
    }

    @Test
    void nodesAreToldApartByTheirNumber() {
        assertThat(ClusterLayout.nodeName(2)).isEqualTo("rabbit2@localhost");
    }
}
