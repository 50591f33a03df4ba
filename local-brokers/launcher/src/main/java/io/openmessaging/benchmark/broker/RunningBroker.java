package io.openmessaging.benchmark.broker;

import io.openmessaging.benchmark.limits.LimitGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A broker started by {@link LocalBroker#start}. Thread-safe. */
public interface RunningBroker extends AutoCloseable {

    /**
     * One process of the broker.
     *
     * @param name such as {@code kafka-1}
     * @param pid its process id
     * @param log the file its output goes to
     * @param launch what has started it
     */
    record Node(String name, long pid, Path log, Launch launch) {}

    /**
     * What starts a process, for who is to start it again. The process ends with the one that holds its standard input,
     * unless it has read a line from there.
     *
     * @param command the whole command line
     * @param environment variables to add to, or to set in, those of the starter
     * @param removedVariables variables of the starter that it does not get
     * @param folder where it runs
     */
    record Launch(List<String> command, Map<String, String> environment, Set<String> removedVariables, Path folder) {

        /** Copies the collections. */
        public Launch {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
            removedVariables = Set.copyOf(removedVariables);
        }

        /**
         * Starts the process.
         *
         * @param log what its output is added to
         */
        public Process start(Path log) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().keySet().removeAll(removedVariables);
            builder.environment().putAll(environment);
            return builder.start();
        }
    }

    /** Such as {@code Apache Kafka}. */
    String product();

    /** The version that was started. */
    String version();

    /** Where clients connect, {@code host:port} for each node. */
    List<String> addresses();

    /**
     * Further ways into the broker, {@code host:port} for each node by what is spoken there, such as {@code http} or
     * {@code stream}; handed to the driver's {@code withEndpoint}. Empty unless the broker has any.
     */
    default Map<String, List<String>> endpoints() {
        return Map.of();
    }

    /**
     * The driver file that reaches a broker with {@link LocalBrokerOptions.Security}; others have none.
     *
     * @param folder the broker's
     */
    static Path driverFile(Path folder) {
        return folder.resolve("driver.yaml");
    }

    /** The processes. */
    List<Node> nodes();

    /** The names of those of them that serve clients, in the order of {@link #addresses}. */
    List<String> servers();

    /**
     * Where nodes tell Prometheus what they use: {@code host:port} by the node's name; the path is {@code /metrics}. The
     * addresses are the endpoint {@code prometheus} as well.
     */
    default Map<String, String> exporters() {
        return Map.of();
    }

    /** The groups that keep its processes to their limits, named like the nodes; empty without limits. */
    default List<LimitGroup> limitGroups() {
        return List.of();
    }

    /** What of the broker's surroundings could not be had, though the broker works; a sentence each for the user. */
    default List<String> problems() {
        return List.of();
    }

    /** Settings worth keeping with a result, such as the heap. */
    Map<String, String> settings();

    /**
     * The sentence to fail with, with the end of the log, once the broker cannot continue since a node exited unexpectedly:
     * the only one, the last one of a cluster, or one that the others cannot do without. Empty until then.
     */
    Optional<String> failure();

    /** A sentence for each node that exited unexpectedly while others of its cluster continue. */
    default List<String> endedNodes() {
        return List.of();
    }

    /**
     * Kills a node and all that it has started (SIGKILL), and waits for the end. That is no {@link #failure()}.
     *
     * @param node its name
     */
    void kill(String node);

    /**
     * Asks nodes to end in their own order (SIGTERM), all at the same time, and waits for the end. That is no {@link
     * #failure()}. One after the other, the last of them would miss what it needs of the others to end.
     *
     * @param nodes their names
     * @throws LocalBrokerException if one has not ended within a minute; all have ended then, since it is killed
     */
    void stop(List<String> nodes) throws LocalBrokerException;

    /**
     * Pauses a node and all that it has started (SIGSTOP), and returns when they have stopped.
     *
     * @param node its name
     * @throws LocalBrokerException if they cannot be told to, or have not stopped after ten seconds
     */
    void pause(String node) throws LocalBrokerException, InterruptedException;

    /**
     * Resumes a paused node (SIGCONT).
     *
     * @param node its name
     * @throws LocalBrokerException if it cannot be told to
     */
    void resume(String node) throws LocalBrokerException, InterruptedException;

    /**
     * Restarts a node that has ended, on the same data and with the same addresses. Does not wait until it serves
     * clients.
     *
     * @param node its name
     * @throws LocalBrokerException if there can be no such process
     */
    void startAgain(String node) throws LocalBrokerException;

    /**
     * Lets no packet pass between a node and all others, clients as well, and returns when that has been seen.
     *
     * @param node its name
     * @throws LocalBrokerException if that cannot be, or the broker was not started for it; nothing is left then
     * @throws InterruptedException if it was interrupted; nothing is left then, either
     */
    default void isolate(String node) throws LocalBrokerException, InterruptedException {
        throw cannot("isolate", node);
    }

    /**
     * Lets packets of an isolated node pass again.
     *
     * @param node its name
     * @throws LocalBrokerException if they did so before
     */
    default void join(String node) throws LocalBrokerException, InterruptedException {
        throw cannot("isolate", node);
    }

    /**
     * Lets a node be further away from all others, clients as well, and returns when that has been seen.
     *
     * @param node its name
     * @param by how much longer a round trip takes
     * @return how long one took
     * @throws LocalBrokerException if that cannot be, or the broker was not started for it; nothing is left then
     * @throws InterruptedException if it was interrupted; nothing is left then, either
     */
    default Duration delay(String node, Duration by) throws LocalBrokerException, InterruptedException {
        throw cannot("delay", node);
    }

    /**
     * Lets a node be as near as before.
     *
     * @param node its name
     */
    default void endDelay(String node) throws LocalBrokerException, InterruptedException {
        throw cannot("delay", node);
    }

    /**
     * Fills the disk with the data of a node, and returns when a write has been refused. From then on the node may end by
     * itself, until there is room again.
     *
     * @param node its name
     * @throws LocalBrokerException if that cannot be, or the broker was not started for it; nothing is left then
     * @throws InterruptedException if it was interrupted; nothing is left then, either
     */
    default void fillDisk(String node) throws LocalBrokerException, InterruptedException {
        throw cannot("fill the disk of", node);
    }

    /**
     * Makes room on the disk of a node.
     *
     * @param node its name
     * @return whether it had ended by itself; it has been started again
     * @throws LocalBrokerException if there is no room, or the node cannot be started again
     */
    default boolean freeDisk(String node) throws LocalBrokerException, InterruptedException {
        throw cannot("fill the disk of", node);
    }

    private LocalBrokerException cannot(String what, String node) {
        return new LocalBrokerException(
                "cannot " + what + " " + node + ": a local " + product() + " does not support it");
    }

    /** Ends every process, waits for the end with a limit, and removes the data folder. Does nothing the second time. */
    @Override
    void close();
}
