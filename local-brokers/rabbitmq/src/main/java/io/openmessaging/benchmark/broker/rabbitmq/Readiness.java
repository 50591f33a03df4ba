package io.openmessaging.benchmark.broker.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;

/** Tells when the nodes serve clients, of queues and of streams, and are one cluster. Used by one thread. */
final class Readiness {

    private static final String QUEUE = "benchmark-readiness";

    private final RabbitMqClusterLayout layout;
    private final RabbitMqLogin login;

    /** Those that have said so are not asked again. */
    private final Set<Integer> serving = new TreeSet<>();

    private Map<String, Object> serverProperties = Map.of();

    Readiness(RabbitMqClusterLayout layout, RabbitMqLogin login) {
        this.layout = layout;
        this.login = login;
    }

    /** What a node has said of itself; another text if it has not. */
    String told(String key, String otherwise) {
        return String.valueOf(serverProperties.getOrDefault(key, otherwise));
    }

    /** Whether a node lets clients in, under both protocols. */
    boolean serves(int id) {
        if (serving.contains(id)) {
            return true;
        }
        RabbitMqClusterLayout.NodePorts ports = layout.ports(id);
        try (Connection connection = login.connect(layout.address().withPort(ports.amqp()))) {
            serverProperties = connection.getServerProperties();
            return LocalPorts.listens(layout.address().withPort(ports.stream())) && serving.add(id);
        } catch (IOException | TimeoutException e) {
            // Not yet. The starter sets the limit.
            return false;
        }
    }

    /** Whether each node knows of a queue that was declared at the first one. */
    boolean belongTogether() {
        List<String> nodes = layout.addresses(RabbitMqClusterLayout.NodePorts::amqp);
        try (Connection first = login.connect(nodes.get(0))) {
            Channel channel = first.createChannel();
            channel.queueDeclare(QUEUE, true, false, false, Map.of());
            for (String other : nodes.subList(1, nodes.size())) {
                try (Connection connection = login.connect(other)) {
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
