package io.openmessaging.benchmark.broker.redpanda;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.launch.NativeNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The containers of one cluster: their names, their ports and the arguments of {@code docker run} for each.
 *
 * @param name prefix of all names, unique on this machine
 * @param settings settings of each container
 * @param address where clients reach the nodes and, since drivers query it as well, their Admin API
 * @param kafkaPorts where clients reach each node; the same number inside and outside, since a node advertises its own
 *     port
 * @param adminPorts where the Admin API of each node is reached from outside
 */
record ContainerCluster(
        String name,
        ContainerSettings settings,
        ListenAddress address,
        List<Integer> kafkaPorts,
        List<Integer> adminPorts) {

    private static final String REMOVE = """
            read -r line <"$1"
            "$2" rm --force "$3"
            [ -z "$4" ] || "$2" network rm "$4"
            """;

    private static final String RUN = """
            docker=$1 name=$2 network=$3 remove=$4
            shift 4
            mkfifo alive
            ( $(command -v setsid) /bin/sh -c "$remove" remove-container "$PWD/alive" "$docker" "$name" "$network" \
            </dev/null >/dev/null 2>&1 & )
            exec 3>alive
            exec "$docker" run "$@"
            """;

    /** Redpanda ends within seconds; after this limit, the container is removed in any state. */
    private static final Duration END_LIMIT = Duration.ofSeconds(15);

    private static final int RPC_PORT = 33145;

    private static final int ADMIN_PORT_INSIDE = 9644;

    int nodes() {
        return kafkaPorts.size();
    }

    /** Returns the name of a container, which is also its host name for the other nodes; nodes count from 1. */
    String container(int node) {
        return name + "-" + node;
    }

    /** Returns the network of the containers; empty for a single one, which needs none. */
    String network() {
        return nodes() > 1 ? name : "";
    }

    List<String> kafkaAddresses() {
        return kafkaPorts.stream().map(address::withPort).toList();
    }

    List<String> adminAddresses() {
        return adminPorts.stream().map(address::withPort).toList();
    }

    /**
     * Returns the process that represents a container: Docker's client, which runs as long as the container does.
     *
     * <p>The container is not its child and would outlive the client if that is killed. Therefore a watcher, unrelated
     * to either of them in the process tree, waits at a named pipe that the client holds open without knowing it. When
     * the pipe ends, the client has ended for whatever reason; the watcher then removes the container and, once it is
     * empty, the network.
     *
     * @param docker the client
     */
    NativeNode process(Path docker, int node) {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", RUN, "run-container"));
        command.addAll(List.of(docker.toString(), container(node), network(), REMOVE));
        command.addAll(runArguments(node));
        return new NativeNode("redpanda-" + node, command, Map.of(), Set.of(), END_LIMIT);
    }

    /** Returns the arguments of {@code docker run}. Data stay in the container and are removed with it. */
    List<String> runArguments(int node) {
        int kafkaPort = kafkaPorts.get(node - 1);
        List<String> arguments = new ArrayList<>(List.of("--rm", "--name", container(node)));
        if (!network().isEmpty()) {
            arguments.addAll(List.of("--network", network(), "--hostname", container(node)));
        }
        arguments.addAll(List.of("--publish", address.withPort(kafkaPort) + ":" + kafkaPort));
        arguments.addAll(List.of("--publish", address.withPort(adminPorts.get(node - 1)) + ":" + ADMIN_PORT_INSIDE));
        arguments.addAll(limits());
        arguments.add(settings.image());
        arguments.addAll(startArguments(node, kafkaPort));
        return arguments;
    }

    /** Equal limits with and without swap mean that there is no swap. */
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
     * Returns the arguments of Redpanda itself. Does not use its development mode, which acknowledges messages before
     * they are on disk: results of that mode would not represent Redpanda.
     */
    private List<String> startArguments(int node, int kafkaPort) {
        String host = network().isEmpty() ? ListenAddress.LOOPBACK.host() : container(node);
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
                address.withPort(kafkaPort),
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
