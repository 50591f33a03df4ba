package io.openmessaging.benchmark.broker.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A process of a broker: any program, of which a {@link JvmNode} is one. It runs in a session of its own, and its process
 * is the command itself, not a shell around it.
 *
 * @param name unique within the broker, such as {@code redis-1}; its folder and its log are called so
 * @param command the program, with its path, and its arguments; it must stay in the foreground
 * @param environment variables to add to, or to set in, those of this process
 * @param removedVariables variables of this process that the node does not get
 * @param endLimit how long {@link io.openmessaging.benchmark.broker.RunningBroker#close()} leaves the node to end by
 *     itself after SIGTERM before it is killed; zero to kill it at once, which is right wherever only its data, which
 *     go as well, would suffer
 */
public record NativeNode(
        String name,
        List<String> command,
        Map<String, String> environment,
        Set<String> removedVariables,
        Duration endLimit) {

    /**
     * Ends the node with its starter. Standard input is the pipe that the starter holds: a line releases the node, the
     * end of the pipe, which comes even if the starter ends by {@code kill -9}, means that the starter is gone, or that it
     * has seen the node end and needs the log. Several nodes may remove the folder at the same time, and one of them still
     * write to it: hence the repetition, for 10 s.
     */
    private static final String WATCH = """
            node=$1 folder=$2
            cd /
            read -r line && exit
            kill -0 "$node" || exit
            kill -s KILL -- "-$node" || kill -s KILL "$node"
            n=0
            until rm -rf -- "$folder" || [ $n -ge 50 ]; do n=$((n + 1)); sleep 0.2; done
            """;

    /**
     * Leaves the watching to a process of which the broker knows nothing, being no child of it and in another session,
     * and becomes the broker.
     */
    private static final String GUARD = """
            folder=$1 watch=$2
            shift 2
            exec 3<&0 </dev/null
            ( $(command -v setsid) /bin/sh -c "$watch" starter-watch $$ "$folder" <&3 3<&- >/dev/null 2>&1 & )
            exec "$@" 3<&-
            """;

    /**
     * Runs a command in a session of its own where the system can do that, and deaf to Ctrl-C and the closing of the
     * terminal in any case: the harness decides in its own time when its broker ends.
     */
    private static final String DETACH =
            "trap '' HUP INT; command -v setsid >/dev/null && exec setsid \"$@\"; exec \"$@\"";

    /** The same node, started by another command. */
    NativeNode withCommand(List<String> other) {
        return new NativeNode(name, other, environment, removedVariables, endLimit);
    }

    /**
     * The command line with the guard.
     *
     * @param brokerFolder the folder to be removed when the process that started the node has ended
     */
    List<String> guardedCommand(Path brokerFolder) {
        String folder = brokerFolder.toAbsolutePath().toString();
        List<String> guarded = new ArrayList<>(List.of("/bin/sh", "-c", DETACH, name));
        guarded.addAll(List.of("/bin/sh", "-c", GUARD, name + "-guard", folder, WATCH));
        guarded.addAll(command);
        return guarded;
    }
}
