package io.openmessaging.benchmark.broker.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A process of a broker: any program, including a {@link JvmNode}. It runs in its own session, and its process is the
 * command itself, not a shell around it.
 *
 * @param name unique within the broker, such as {@code redis-1}; also the name of its folder and its log
 * @param command the program, with its path, and its arguments; it must stay in the foreground
 * @param environment variables to add to, or to override in, those of this process
 * @param removedVariables variables of this process that the node does not get
 * @param endLimit how long {@link io.openmessaging.benchmark.broker.RunningBroker#close()} waits after SIGTERM before
 *     it kills the node; zero to kill it at once, which is right wherever only its data would suffer, since they are
 *     removed as well
 */
public record NativeNode(
        String name,
        List<String> command,
        Map<String, String> environment,
        Set<String> removedVariables,
        Duration endLimit) {

    /**
     * Ends the node with its starter. Standard input is a pipe held by the starter. A line from it releases the node.
     * The end of the pipe, which arrives even after {@code kill -9} of the starter, means that the starter is gone, or
     * that it has seen the node end and needs the log. Several nodes may remove the folder at the same time while one
     * of them still writes to it: hence the repetition, for 10 s.
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
     * Starts the watcher as a process unknown to the broker, neither its child nor in its session, and becomes the
     * broker.
     */
    private static final String GUARD = """
            folder=$1 watch=$2
            shift 2
            exec 3<&0 </dev/null
            ( $(command -v setsid) /bin/sh -c "$watch" starter-watch $$ "$folder" <&3 3<&- >/dev/null 2>&1 & )
            exec "$@" 3<&-
            """;

    /**
     * Runs a command in its own session if the system can do that. In any case, it ignores Ctrl-C and the closing of
     * the terminal: the harness decides when its broker ends.
     */
    private static final String DETACH =
            "trap '' HUP INT; command -v setsid >/dev/null && exec setsid \"$@\"; exec \"$@\"";

    /**
     * Returns the command line with the guard.
     *
     * @param inner the node's command, or one that wraps it
     * @param brokerFolder the folder to remove when the process that started the node has ended
     */
    List<String> guarded(List<String> inner, Path brokerFolder) {
        String folder = brokerFolder.toAbsolutePath().toString();
        List<String> guarded = new ArrayList<>(List.of("/bin/sh", "-c", DETACH, name));
        guarded.addAll(List.of("/bin/sh", "-c", GUARD, name + "-guard", folder, WATCH));
        guarded.addAll(inner);
        return guarded;
    }
}
