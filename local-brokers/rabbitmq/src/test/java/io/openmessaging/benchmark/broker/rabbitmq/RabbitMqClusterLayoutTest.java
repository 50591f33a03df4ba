package io.openmessaging.benchmark.broker.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.broker.rabbitmq.RabbitMqClusterLayout.NodePorts;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class RabbitMqClusterLayoutTest {

    private static final ListenAddress OTHER = new ListenAddress("127.0.0.2");

    @Test
    void everyListenerHasAPortOfItsOwn() throws Exception {
        RabbitMqClusterLayout layout = RabbitMqClusterLayout.free(ListenAddress.LOOPBACK, 3, 0);

        List<Integer> ports = new ArrayList<>(List.of(layout.epmd()));
        for (NodePorts node : layout.nodes()) {
            ports.addAll(List.of(node.amqp(), node.stream(), node.prometheus(), node.cluster()));
        }
        assertThat(layout.nodes()).hasSize(3);
        assertThat(ports).doesNotHaveDuplicates().doesNotContain(5552, 15_692);
    }

    /** Uses an address on which nobody else takes a port that is taken on loopback. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void theFirstNodeTakesTheUsualPortsWhereThePortIsGiven() throws Exception {
        Patience.until(
                "the usual ports, unless they are taken", RabbitMqClusterLayoutTest::takesTheGivenPortAndTheUsualOnes);
    }

    /** Another test may use a usual port for a moment, or the given port on the other address. */
    private static boolean takesTheGivenPortAndTheUsualOnes() throws IOException {
        try (ServerSocket held = new ServerSocket(0, 1, InetAddress.getByName(ListenAddress.LOOPBACK.host()))) {
            int port = held.getLocalPort();
            RabbitMqClusterLayout layout = RabbitMqClusterLayout.free(OTHER, 2, port);
            return layout.ports(1).amqp() == port
                    && layout.ports(2).stream() != 5552
                    && takesUnlessTaken(5552, NodePorts::stream, port)
                    && takesUnlessTaken(15_692, NodePorts::prometheus, port);
        } catch (LocalBrokerException e) {
            return false;
        }
    }

    private static boolean takesUnlessTaken(int usual, ToIntFunction<NodePorts> kind, int first)
            throws LocalBrokerException {
        NodePorts ports = RabbitMqClusterLayout.free(OTHER, 2, first).ports(1);
        return (kind.applyAsInt(ports) == usual) == isFree(usual);
    }

    private static boolean isFree(int port) {
        return LocalPorts.isFree(OTHER, port) && LocalPorts.isFree(ListenAddress.LOOPBACK, port);
    }

    @Test
    void nodesAreToldApartByTheirNumber() {
        assertThat(RabbitMqClusterLayout.nodeName(2)).isEqualTo("rabbit2@localhost");
    }
}
