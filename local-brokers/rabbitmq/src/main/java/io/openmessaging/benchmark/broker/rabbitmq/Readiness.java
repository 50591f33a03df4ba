package io.openmessaging.benchmark.broker.rabbitmq;

import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Tells when the nodes serve clients, of queues and of streams, and are one cluster. Used by one thread. */
final class Readiness {

    private static final String QUEUE = "benchmark-readiness";

    private final ClusterLayout layout;
    private final Login login;

    /** Those that have said so are not asked again. */
    private final Set<Integer> serving = new TreeSet<>();

    private Map<String, String> serverProperties = Map.of();

    Readiness(ClusterLayout layout, Login login) {
        this.layout = layout;
        this.login = login;
    }

    /** What a node has said of itself. */
    Map<String, String> serverProperties() {
        return serverProperties;
    }

    /** Whether a node lets clients in, under both protocols. */
    boolean serves(int id) {
        if (!serving.contains(id)) {
            ClusterLayout.NodePorts ports = layout.ports(id);
            try (AmqpConnection connection = AmqpConnection.open(ports.amqp(), login)) {
                serverProperties = connection.serverProperties();
                if (listens(ports.stream())) {
                    serving.add(id);
                }
            } catch (IOException e) {
                // Not yet. The starter sets the limit.
                return false;
            }
        }
        return serving.contains(id);
    }

    /** By a connection: to try whether the port is free could take it away from a broker that is about to use it. */
    private static boolean listens(int port) throws IOException {
        try (Socket socket = new Socket(LoopbackPorts.HOST, port)) {
            return socket.isConnected();
        }
    }

    /** Whether each node knows of a queue that was declared at the first one. */
    boolean belongTogether() {
        List<ClusterLayout.NodePorts> nodes = layout.nodes();
        try (AmqpConnection first = AmqpConnection.open(nodes.get(0).amqp(), login)) {
            first.declareQueue(QUEUE);
            for (ClusterLayout.NodePorts other : nodes.subList(1, nodes.size())) {
                try (AmqpConnection connection = AmqpConnection.open(other.amqp(), login)) {
                    connection.findQueue(QUEUE);
                }
            }
            first.deleteQueue(QUEUE);
            return true;
        } catch (IOException e) {
            // Not yet.
            return false;
        }
    }
}
