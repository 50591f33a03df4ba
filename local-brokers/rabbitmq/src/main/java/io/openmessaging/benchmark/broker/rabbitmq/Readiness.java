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

/** Checks whether the nodes serve clients of queues and of streams, and form one cluster. Used by one thread. */
final class Readiness {

    private static final String QUEUE = "benchmark-readiness";

    private final RabbitMqClusterLayout layout;
    private final RabbitMqLogin login;

    /** Nodes that were ready once; they are not checked again. */
    private final Set<Integer> serving = new TreeSet<>();

    private Map<String, Object> serverProperties = Map.of();

    Readiness(RabbitMqClusterLayout layout, RabbitMqLogin login) {
        this.layout = layout;
        this.login = login;
    }

    /** Returns a property that a node reported; the other text if there is none. */
    String told(String key, String otherwise) {
        return String.valueOf(serverProperties.getOrDefault(key, otherwise));
    }

    /** Returns whether a node accepts clients of both protocols. */
    boolean serves(int id) {
        if (serving.contains(id)) {
            return true;
        }
        RabbitMqClusterLayout.NodePorts ports = layout.ports(id);
        try (Connection connection = login.connect(layout.address().withPort(ports.amqp()))) {
            serverProperties = connection.getServerProperties();
            return LocalPorts.listens(layout.address().withPort(ports.stream())) && serving.add(id);
        } catch (IOException | TimeoutException e) {
            // Not ready yet. The starter sets the limit.
            return false;
        }
    }

    /** Returns whether each node knows a queue that was declared at the first one. */
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
            // Not ready yet.
            return false;
        }
    }
}
