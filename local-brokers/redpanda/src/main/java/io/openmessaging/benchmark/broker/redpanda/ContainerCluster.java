package io.openmessaging.benchmark.broker.redpanda;

import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.util.ArrayList;
import java.util.List;

/**
 * The containers of one cluster: their names, their ports and the arguments of {@code docker run} for each.
 *
 * @param name what all names begin with, unique on this machine
 * @param settings how each container is made
 * @param kafkaPorts where clients reach each node; the same number inside and outside, since a node tells clients its
 *     own
 * @param adminPorts where the Admin API of each node is reached from outside
 */
record ContainerCluster(String name, ContainerSettings settings, List<Integer> kafkaPorts, List<Integer> adminPorts) {

    private static final int RPC_PORT = 33145;

    private static final int ADMIN_PORT_INSIDE = 9644;

    int nodes() {
        return kafkaPorts.size();
    }

    /** The name of a container, which is its host name for the others as well; nodes count from 1. */
    String container(int node) {
        return name + "-" + node;
    }

    /** The network of the containers; empty for a single one, which needs none. */
    String network() {
        return nodes() > 1 ? name : "";
    }

    List<String> kafkaAddresses() {
        return kafkaPorts.stream().map(LoopbackPorts::address).toList();
    }

    List<String> adminAddresses() {
        return adminPorts.stream().map(LoopbackPorts::address).toList();
    }

    /** What stands behind {@code docker run}. Data stay in the container and go with it. */
    List<String> runArguments(int node) {
        int kafkaPort = kafkaPorts.get(node - 1);
        List<String> arguments = new ArrayList<>(List.of("--rm", "--name", container(node)));
        if (!network().isEmpty()) {
            arguments.addAll(List.of("--network", network(), "--hostname", container(node)));
        }
        arguments.addAll(List.of("--publish", LoopbackPorts.address(kafkaPort) + ":" + kafkaPort));
        arguments.addAll(
                List.of("--publish", LoopbackPorts.address(adminPorts.get(node - 1)) + ":" + ADMIN_PORT_INSIDE));
        arguments.addAll(limits());
        arguments.add(settings.image());
        arguments.addAll(startArguments(node, kafkaPort));
        return arguments;
    }

    /** The same size with swap as without means that there is no swap. */
    private List<String> limits() {
        List<String> limits = new ArrayList<>();
        if (settings.limit().cpus() != null) {
            limits.addAll(List.of("--cpus", settings.limit().cpus().toString()));
        }
        if (settings.limit().memoryBytes() != null) {
            String bytes = settings.limit().memoryBytes().toString();
            limits.addAll(List.of("--memory", bytes, "--memory-swap", bytes));
        }
        return limits;
    }

    /**
     * Redpanda's own. Not its mode for development, which confirms messages before they are on disk: numbers of that
     * would be no numbers of Redpanda.
     */
    private List<String> startArguments(int node, int kafkaPort) {
        String host = network().isEmpty() ? LoopbackPorts.HOST : container(node);
        List<String> arguments = new ArrayList<>(List.of(
                "redpanda",
                "start",
                "--overprovisioned",
                "--smp",
                settings.smp(),
                "--memory",
                settings.memory(),
                "--reserve-memory",
                "0M",
                "--check=false",
                "--node-id",
                Integer.toString(node - 1),
                "--kafka-addr",
                "0.0.0.0:" + kafkaPort,
                "--advertise-kafka-addr",
                LoopbackPorts.address(kafkaPort),
                "--rpc-addr",
                "0.0.0.0:" + RPC_PORT,
                "--advertise-rpc-addr",
                host + ":" + RPC_PORT));
        if (node > 1) {
            arguments.addAll(List.of("--seeds", container(1) + ":" + RPC_PORT));
        }
        return arguments;
    }
}
