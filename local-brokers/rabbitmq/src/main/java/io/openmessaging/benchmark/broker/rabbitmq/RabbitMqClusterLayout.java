package io.openmessaging.benchmark.broker.rabbitmq;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The ports of a cluster. Nodes count from 1.
 *
 * @param address where clients of queues and of streams reach it; everything else is on loopback
 * @param epmd the port of epmd, through which the nodes find each other
 * @param nodes the ports of each node
 */
record RabbitMqClusterLayout(ListenAddress address, int epmd, List<NodePorts> nodes) {

    /** The port on which clients look for streams by default. */
    private static final int USUAL_STREAM_PORT = 5552;

    private static final int USUAL_PROMETHEUS_PORT = 15_692;

    /**
     * The ports of a node.
     *
     * @param amqp for clients of queues
     * @param stream for clients of streams
     * @param prometheus for metrics
     * @param cluster for the other nodes
     */
    record NodePorts(int amqp, int stream, int prometheus, int cluster) {

        private static final int COUNT = 4;
    }

    /**
     * Finds free ports.
     *
     * @param address where clients reach the cluster
     * @param firstPort where the first node serves queues, 0 for any port; if it is given, streams and metrics of that
     *     node also use their default ports, as far as these are free
     */
    static RabbitMqClusterLayout free(ListenAddress address, int nodes, int firstPort) throws LocalBrokerException {
        List<Integer> ports = LocalPorts.free(
                address,
                1 + nodes * NodePorts.COUNT,
                firstPort,
                Map.of(1, USUAL_STREAM_PORT, 2, USUAL_PROMETHEUS_PORT));
        List<NodePorts> nodePorts = IntStream.range(0, nodes)
                .mapToObj(node -> ports.subList(node * NodePorts.COUNT, (node + 1) * NodePorts.COUNT))
                .map(four -> new NodePorts(four.get(0), four.get(1), four.get(2), four.get(3)))
                .toList();
        return new RabbitMqClusterLayout(address, ports.get(nodes * NodePorts.COUNT), nodePorts);
    }

    /** Returns the ports of epmd and of all nodes. */
    List<Integer> allPorts() {
        return Stream.concat(
                        Stream.of(epmd),
                        nodes.stream()
                                .flatMap(each ->
                                        Stream.of(each.amqp(), each.stream(), each.prometheus(), each.cluster())))
                .toList();
    }

    NodePorts ports(int id) {
        return nodes.get(id - 1);
    }

    IntStream ids() {
        return IntStream.rangeClosed(1, nodes.size());
    }

    /** Returns the name by which the nodes know each other. */
    static String nodeName(int id) {
        return "rabbit" + id + "@localhost";
    }

    /** Returns where clients of a kind connect, for each node. */
    List<String> addresses(ToIntFunction<NodePorts> kind) {
        return nodes.stream()
                .map(ports -> address.withPort(kind.applyAsInt(ports)))
                .toList();
    }
}
