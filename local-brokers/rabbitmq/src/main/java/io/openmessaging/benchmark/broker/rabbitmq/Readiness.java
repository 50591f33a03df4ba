package io.openmessaging.benchmark.broker.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.LongString;
import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;

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
            try (Connection connection = login.connect(ports.amqp())) {
                serverProperties = texts(connection.getServerProperties());
                if (listens(ports.stream())) {
                    serving.add(id);
                }
            } catch (IOException | TimeoutException e) {
                // Not yet. The starter sets the limit.
                return false;
            }
        }
        return serving.contains(id);
    }

    private static Map<String, String> texts(Map<String, Object> properties) {
        Map<String, String> texts = new TreeMap<>();
        properties.forEach((key, value) -> {
            if (value instanceof LongString) {
                texts.put(key, value.toString());
            }
        });
        return texts;
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
        try (Connection first = login.connect(nodes.get(0).amqp())) {
            Channel channel = first.createChannel();
            channel.queueDeclare(QUEUE, true, false, false, Map.of());
            for (ClusterLayout.NodePorts other : nodes.subList(1, nodes.size())) {
                try (Connection connection = login.connect(other.amqp())) {
                    connection.createChannel().queueDeclarePassive(QUEUE);
                }
            }
            channel.queueDelete(QUEUE);
            return true;
        } catch (IOException | TimeoutException e) {
            // Not yet.
            return false;
        }
    }
}
