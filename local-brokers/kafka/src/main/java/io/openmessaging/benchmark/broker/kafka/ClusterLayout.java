package io.openmessaging.benchmark.broker.kafka;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The ports of a cluster and the configuration of each node, which is broker and controller at once. Ids count from 1.
 *
 * @param clientPorts where each node serves clients
 * @param controllerPorts where each node takes part in the quorum
 */
record ClusterLayout(List<Integer> clientPorts, List<Integer> controllerPorts) {

    /** Well above the 4 MB of the largest workloads, headers and batching included; Kafka's own default is 1 MiB. */
    private static final int MESSAGE_MAX_BYTES = 32 * 1024 * 1024;

    /** What Kafka recommends for its internal topics, and no more than there are nodes. */
    private static final int INTERNAL_REPLICAS_MAX = 3;

    /** What makes the nodes one cluster on loopback; any other value would break that. */
    private static final Set<String> FIXED = Set.of(
            "process.roles",
            "node.id",
            "controller.quorum.voters",
            "controller.listener.names",
            "listeners",
            "advertised.listeners",
            "log.dirs");

    ClusterLayout {
        clientPorts = List.copyOf(clientPorts);
        controllerPorts = List.copyOf(controllerPorts);
    }

    /** Takes the first half of the ports for the clients, the second half for the quorum. */
    static ClusterLayout of(List<Integer> ports) {
        int nodes = ports.size() / 2;
        return new ClusterLayout(ports.subList(0, nodes), ports.subList(nodes, ports.size()));
    }

    int nodes() {
        return clientPorts.size();
    }

    IntStream ids() {
        return IntStream.rangeClosed(1, nodes());
    }

    String address(int id) {
        return LoopbackPorts.HOST + ":" + clientPorts.get(id - 1);
    }

    private String controllerAddress(int id) {
        return LoopbackPorts.HOST + ":" + controllerPorts.get(id - 1);
    }

    /** The addresses for clients, in the order of the ids. */
    List<String> addresses() {
        return ids().mapToObj(this::address).toList();
    }

    /**
     * The configuration of a node: Kafka's defaults but for addresses, replication, the size of messages, and what the
     * user has set.
     */
    Properties properties(int id, Path data, Map<String, String> settings) {
        int replicas = Math.min(nodes(), INTERNAL_REPLICAS_MAX);
        int replicasInSync = Math.max(1, replicas - 1);
        Properties properties = new Properties();
        set(properties, "process.roles", "broker,controller");
        set(properties, "node.id", id);
        set(properties, "controller.quorum.voters", voters());
        set(properties, "controller.listener.names", "CONTROLLER");
        set(properties, "listeners", "PLAINTEXT://" + address(id) + ",CONTROLLER://" + controllerAddress(id));
        set(properties, "advertised.listeners", "PLAINTEXT://" + address(id));
        set(properties, "log.dirs", data.toAbsolutePath());
        set(properties, "offsets.topic.replication.factor", replicas);
        set(properties, "transaction.state.log.replication.factor", replicas);
        set(properties, "transaction.state.log.min.isr", replicasInSync);
        set(properties, "share.coordinator.state.topic.replication.factor", replicas);
        set(properties, "share.coordinator.state.topic.min.isr", replicasInSync);
        set(properties, "group.initial.rebalance.delay.ms", 0);
        set(properties, "message.max.bytes", MESSAGE_MAX_BYTES);
        properties.putAll(settings);
        return properties;
    }

    /** Refuses settings that are not the user's to choose. */
    static void check(Map<String, String> settings) throws LocalBrokerException {
        for (String key : new TreeSet<>(settings.keySet())) {
            if (FIXED.contains(key)) {
                throw new LocalBrokerException(
                        "a local Kafka chooses " + key + " itself; remove it from the settings", null);
            }
        }
    }

    private String voters() {
        return ids().mapToObj(id -> id + "@" + controllerAddress(id)).collect(Collectors.joining(","));
    }

    private static void set(Properties properties, String key, Object value) {
        properties.setProperty(key, value.toString());
    }
}
