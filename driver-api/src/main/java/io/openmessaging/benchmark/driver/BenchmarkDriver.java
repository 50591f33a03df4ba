package io.openmessaging.benchmark.driver;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A messaging system, as named by {@code driverClass} in a driver YAML file.
 *
 * <p>The class is public and has a public constructor without arguments. Its class loader holds the jars of the
 * driver's folder and sees only this package, jspecify and slf4j of the harness. An instance is stateless: all of
 * its methods may be called from any thread.
 *
 * @param <C> the record that the driver's own keys of the YAML file are bound to, see {@link #configType()}
 */
public interface BenchmarkDriver<C extends Record> {

    /**
     * The record whose components are the driver's YAML keys. The framework binds it strictly (an unknown key is an
     * error) and leaves out its own keys: {@code name}, {@code driverClass}, {@code localBroker}, {@code limits}
     * and {@code metrics}.
     *
     * <p>Components may be primitives, boxed types, {@code String}, {@code java.time.Duration} (written {@code 500ms},
     * {@code 30s}, {@code 5m}), enums, records, and {@code List} or {@code Map<String, …>} of these. An absent key
     * gives the component's {@link Default}, else {@code null} (0 or {@code false} for a primitive); the compact
     * constructor may replace that by a value derived from other keys. A value outside of a component's {@link Range}
     * is refused; a record that implements {@link Checked} reports its other problems itself.
     */
    Class<C> configType();

    /**
     * The broker addresses in the configuration, each as {@code host:port}; empty for a system without addresses (one
     * inside the process). Used to check before a run that a broker answers.
     */
    List<String> addresses(C config);

    /**
     * Returns the configuration with other addresses, to point a run at a broker that was started for it.
     *
     * @param addresses {@code host:port} of each node, at least one
     */
    C withAddresses(C config, List<String> addresses);

    /**
     * Returns the configuration with a further endpoint of the same broker besides {@link #addresses}, such as the
     * address of its HTTP administration. Called after {@link #withAddresses} for each such endpoint of a broker that
     * was started for the run; a driver that has no use for it returns the configuration as it is.
     *
     * @param name protocol of the endpoint as the local broker names it, such as {@code http} or {@code stream}
     * @param addresses {@code host:port} of each node, at least one
     */
    default C withEndpoint(C config, String name, List<String> addresses) {
        return config;
    }

    /**
     * Sources of the figures that nodes report through the client, one for each node; empty, as by default, if the
     * client provides none. Does not connect, and does not block.
     *
     * @param timeout the limit for each reading
     */
    default List<NodeFigures> nodeFigures(C config, Duration timeout) {
        return List.of();
    }

    /**
     * The names of the local brokers that can be started for this driver, such as {@code kafka}; empty if there is
     * none. The first one is started unless {@code localBroker.name} in the driver file selects another.
     */
    default List<String> localBrokers() {
        return List.of();
    }

    /**
     * The number of nodes that a local broker needs for this configuration; empty, as by default, if one node is
     * enough. A broker that is started for a driver file gets that many nodes unless the user requests another number.
     */
    default Optional<NodeNeeds> nodeNeeds(C config) {
        return Optional.empty();
    }

    /**
     * Returns whether messages can have headers under this configuration, see {@link ProducerSpec#headers}. If not, as
     * by default, a workload with headers is refused before anything runs.
     */
    default boolean carriesHeaders(C config) {
        return false;
    }

    /**
     * The existing topics to use instead of topics of the run's own, in this order, by the system's names for them;
     * empty, as by default, to create topics. See {@link TopicSpec#existing}.
     */
    default List<String> existingTopics(C config) {
        return List.of();
    }

    /**
     * Describes the time that the system stores with each message and that a listener
     * {@linkplain MessageListener#received(String, byte[], int, long) receives}, as part of a sentence that names the
     * clock, such as {@code publish time (the producer's clock)}; empty, as by default, if there is none.
     */
    default Optional<String> messageTime(C config) {
        return Optional.empty();
    }

    /**
     * Returns whether the driver is a bridge to an API that tells less. Its addresses are in keys that only the client
     * reads: {@link #addresses} is empty although other processes can reach the system. Listeners receive 0 as the
     * partition of every message: readiness is checked by topic and subscription only, and the order of messages is
     * not judged. To connect may remove the system's topics: all processes of a run connect before its topics are
     * created. False by default.
     */
    default boolean opaque() {
        return false;
    }

    /**
     * The number of bytes of each message that the driver takes for itself: a listener receives a payload that lacks
     * so many of its last bytes. 0 by default.
     */
    default int scratchBytes(C config) {
        return 0;
    }

    /**
     * The minimum that clients of one process need of resources that a machine limits; empty, as by default, if that
     * many fit into any process. A run that needs more than the limit is refused before it starts.
     *
     * @param consumersBlock true if the listeners of consumers {@linkplain MessageListener#mayBlock() may block}
     */
    default Optional<ProcessNeeds> processNeeds(C config, int producers, int consumers, boolean consumersBlock) {
        return Optional.empty();
    }

    /** The name and version of the client library in use, such as {@code kafka-clients 4.4.0}. */
    String clientVersion();

    /**
     * Opens a connection to the system. Called once per run and worker, on a control thread; may block up to
     * {@link DriverContext#timeout()}.
     *
     * @throws DriverException if the system cannot be reached or refuses; the message says what was tried, the cause
     *     is the client's own error
     */
    DriverConnection connect(C config, DriverContext context) throws DriverException, InterruptedException;
}
