package io.openmessaging.benchmark.broker.redpanda;

import io.openmessaging.benchmark.broker.launch.NativeNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The process that stands for a container: Docker's client, which runs as long as the container does.
 *
 * <p>The container is no child of it and would outlive it when it is killed. So a watcher, which the system does not
 * connect with either of them, waits at a named pipe that the client holds open without knowing it; when the pipe ends,
 * the client has ended, for whatever reason, and the watcher removes the container and, once it is empty, the network.
 */
final class DockerNode {

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

    /** Redpanda ends within seconds; after that the container is removed as it is. */
    private static final Duration END_LIMIT = Duration.ofSeconds(15);

    private DockerNode() {}

    /**
     * A node to be started.
     *
     * @param docker the client
     */
    static NativeNode of(Path docker, ContainerCluster cluster, int node) {
        List<String> command = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                RUN,
                "run-container",
                docker.toString(),
                cluster.container(node),
                cluster.network(),
                REMOVE));
        command.addAll(cluster.runArguments(node));
        return new NativeNode("redpanda-" + node, command, Map.of(), Set.of(), END_LIMIT);
    }
}
