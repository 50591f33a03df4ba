package io.openmessaging.benchmark.broker.kafka;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The ports of a cluster and the configuration of each node, which is both broker and controller. Ids count from 1.
 *
 * @param address where the nodes serve clients, and copy messages from each other as clients do
 * @param clientPorts where each node serves clients
 * @param controllerPorts where each node takes part in the quorum, on loopback and always without security
 * @param listener the listener for clients
 */
record KafkaClusterLayout(
        ListenAddress address, List<Integer> clientPorts, List<Integer> controllerPorts, ClientListener listener) {

    /** Well above the 4 MB of the largest workloads, headers and batching included; Kafka's own default is 1 MiB. */
    private static final String MESSAGE_MAX_BYTES = Integer.toString(32 * 1024 * 1024);

    /** Kafka's recommended number of replicas of its internal topics; fewer if there are fewer nodes. */
    private static final int INTERNAL_REPLICAS_MAX = 3;

    /** Keys that make the nodes one cluster on this machine; any other value would break that. */
    private static final Set<String> FIXED = Set.of(
            "process.roles",
            "node.id",
            "controller.quorum.voters",
            "controller.listener.names",
            "listeners",
            "advertised.listeners",
            "log.dirs");

    /** Uses the first half of the ports for clients, the second half for the quorum. */
    static KafkaClusterLayout of(ListenAddress address, List<Integer> ports, ClientListener listener) {
        int nodes = ports.size() / 2;
        return new KafkaClusterLayout(address, ports.subList(0, nodes), ports.subList(nodes, ports.size()), listener);
    }

    int nodes() {
        return clientPorts.size();
    }

    IntStream ids() {
        return IntStream.rangeClosed(1, nodes());
    }

    String address(int id) {
        return address.withPort(clientPorts.get(id - 1));
    }

    private String controllerAddress(int id) {
        return ListenAddress.LOOPBACK.withPort(controllerPorts.get(id - 1));
    }

    /** Returns the addresses for clients, in the order of the ids. */
    List<String> addresses() {
        return ids().mapToObj(this::address).toList();
    }

    /**
     * Returns the configuration of a node: Kafka's defaults, except for addresses, replication, the message size, and
     * the user's settings.
     */
    Map<String, String> properties(int id, Path data, Map<String, String> settings) {
        String replicas = Integer.toString(Math.min(nodes(), INTERNAL_REPLICAS_MAX));
        String replicasInSync = Integer.toString(Math.max(1, Math.min(nodes(), INTERNAL_REPLICAS_MAX) - 1));
        Map<String, String> properties = new TreeMap<>();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", Integer.toString(id));
        properties.put("controller.quorum.voters", voters());
        properties.put("controller.listener.names", "CONTROLLER");
        String clients = listener.protocol() + "://" + address(id);
        properties.put("listeners", clients + ",CONTROLLER://" + controllerAddress(id));
        properties.put("advertised.listeners", clients);
        properties.putAll(listener.brokerProperties());
        properties.put("log.dirs", data.toString());
        properties.put("offsets.topic.replication.factor", replicas);
        properties.put("transaction.state.log.replication.factor", replicas);
        properties.put("transaction.state.log.min.isr", replicasInSync);
        properties.put("share.coordinator.state.topic.replication.factor", replicas);
        properties.put("share.coordinator.state.topic.min.isr", replicasInSync);
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("message.max.bytes", MESSAGE_MAX_BYTES);
        properties.putAll(settings);
        return properties;
    }

    /** Refuses settings that are not the user's to choose. */
    static void check(Map<String, String> settings) throws LocalBrokerException {
        BrokerLaunch.refuse("Kafka", settings, FIXED::contains);
    }

    private String voters() {
        return ids().mapToObj(id -> id + "@" + controllerAddress(id)).collect(Collectors.joining(","));
    }
}
