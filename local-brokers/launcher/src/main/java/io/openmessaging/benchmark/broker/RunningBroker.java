package io.openmessaging.benchmark.broker;

import io.openmessaging.benchmark.limits.LimitGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A broker started by {@link LocalBroker#start}. Methods take the names of nodes. Thread-safe. */
public interface RunningBroker extends AutoCloseable {

    /**
     * One process of the broker.
     *
     * @param name such as {@code kafka-1}
     * @param pid its process id
     * @param log the file that receives its output
     * @param launch the command that started it
     */
    record Node(String name, long pid, Path log, Launch launch) {}

    /**
     * The command that starts a process, so that somebody else can restart it. The process ends with the holder of its
     * standard input, unless it has read a line from there.
     *
     * @param command the whole command line
     * @param environment variables to add to, or to override in, those of the starter
     * @param removedVariables variables of the starter that the process does not get
     * @param folder its working directory
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
         * @param log the file that its output is appended to
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

    /** Returns the product, such as {@code Apache Kafka}. */
    String product();

    String version();

    /** Returns where clients connect, {@code host:port} for each node. */
    List<String> addresses();

    /**
     * Returns further endpoints of the broker: {@code host:port} for each node, by protocol, such as {@code http} or
     * {@code stream}; passed to the driver's {@code withEndpoint}. Empty unless the broker has any.
     */
    default Map<String, List<String>> endpoints() {
        return Map.of();
    }

    /**
     * Returns the driver file that connects to a broker with {@link LocalBrokerOptions.Security}; other brokers have
     * none.
     *
     * @param folder the broker's folder
     */
    static Path driverFile(Path folder) {
        return folder.resolve("driver.yaml");
    }

    List<Node> nodes();

    /** Returns the names of the nodes that serve clients, in the order of {@link #addresses}. */
    List<String> servers();

    /**
     * Returns where nodes export their resource usage to Prometheus: {@code host:port} by the node's name; the path is
     * {@code /metrics}. The addresses are also the endpoint {@code prometheus}.
     */
    default Map<String, String> exporters() {
        return Map.of();
    }

    /** Returns the groups that keep the processes within their limits, named like the nodes; empty without limits. */
    default List<LimitGroup> limitGroups() {
        return List.of();
    }

    /** Returns a sentence for the user about each part around the broker that is missing, though the broker works. */
    default List<String> problems() {
        return List.of();
    }

    /** Returns settings worth keeping with a result, such as the heap. */
    Map<String, String> settings();

    /**
     * Returns the error message, with the end of the log, once the broker cannot continue because a node exited
     * unexpectedly: the only one, the last one of a cluster, or one that the others depend on. Empty until then.
     */
    Optional<String> failure();

    /** Returns a sentence for each node that exited unexpectedly while others of its cluster continue. */
    default List<String> endedNodes() {
        return List.of();
    }

    /**
     * Kills a node and all processes that it started (SIGKILL), and waits for the end. This does not count as a {@link
     * #failure()}.
     */
    void kill(String node);

    /**
     * Requests an orderly shutdown of nodes (SIGTERM), all at the same time, and waits for the end. This does not count
     * as a {@link #failure()}. If they ended one after the other, the last ones would lack the others that they need
     * for shutdown.
     *
     * @throws LocalBrokerException if one has not ended within a minute; it is killed then, so all have ended
     */
    void stop(List<String> nodes) throws LocalBrokerException;

    /**
     * Pauses a node and all processes that it started (SIGSTOP), and returns when they have stopped.
     *
     * @throws LocalBrokerException if the signal cannot be sent, or they have not stopped after ten seconds
     */
    void pause(String node) throws LocalBrokerException, InterruptedException;

    /**
     * Resumes a paused node (SIGCONT).
     *
     * @throws LocalBrokerException if the signal cannot be sent
     */
    void resume(String node) throws LocalBrokerException, InterruptedException;

    /**
     * Restarts a node that has ended, on the same data and with the same addresses. Does not wait until it serves
     * clients.
     *
     * @throws LocalBrokerException if the process cannot be started
     */
    void startAgain(String node) throws LocalBrokerException;

    /**
     * Blocks all packets between a node and everything else, including clients, and returns when this has been
     * verified.
     *
     * @throws LocalBrokerException if that fails, or the broker was not started for it; nothing stays blocked then
     * @throws InterruptedException if interrupted; nothing stays blocked then, either
     */
    default void isolate(String node) throws LocalBrokerException, InterruptedException {
        throw cannot("isolate", node);
    }

    /**
     * Lets packets of an isolated node pass again.
     *
     * @throws LocalBrokerException if they already passed
     */
    default void join(String node) throws LocalBrokerException, InterruptedException {
        throw cannot("isolate", node);
    }

    /**
     * Delays packets between a node and everything else, including clients, and returns when this has been verified.
     *
     * @param by the time by which a round trip gets longer
     * @return the measured round trip
     * @throws LocalBrokerException if that fails, or the broker was not started for it; no delay remains then
     * @throws InterruptedException if interrupted; no delay remains then, either
     */
    default Duration delay(String node, Duration by) throws LocalBrokerException, InterruptedException {
        throw cannot("delay", node);
    }

    /** Removes the delay of a node. */
    default void endDelay(String node) throws LocalBrokerException, InterruptedException {
        throw cannot("delay", node);
    }

    /**
     * Fills the disk that holds a node's data, and returns when a write has been refused. From then on, the node may
     * end by itself, until there is room again.
     *
     * @throws LocalBrokerException if that fails, or the broker was not started for it; the disk is not full then
     * @throws InterruptedException if interrupted; the disk is not full then, either
     */
    default void fillDisk(String node) throws LocalBrokerException, InterruptedException {
        throw cannot("fill the disk of", node);
    }

    /**
     * Makes room on the disk of a node.
     *
     * @return true if the node had ended by itself; it has been restarted then
     * @throws LocalBrokerException if there is still no room, or the node cannot be restarted
     */
    default boolean freeDisk(String node) throws LocalBrokerException, InterruptedException {
        throw cannot("fill the disk of", node);
    }

    private LocalBrokerException cannot(String what, String node) {
        return new LocalBrokerException(
                "cannot " + what + " " + node + ": a local " + product() + " does not support it");
    }

    /** Ends every process, waits for the end with a limit, and removes the data folder. A second call does nothing. */
    @Override
    void close();
}
