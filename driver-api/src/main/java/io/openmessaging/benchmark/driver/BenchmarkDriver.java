package io.openmessaging.benchmark.driver;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A messaging system, as named by {@code driverClass} in a driver YAML file.
 *
 * <p>The class is public, has a public constructor without arguments, and is loaded in a class loader that holds the
 * jars of its driver's folder and sees of the harness only this package and slf4j. An instance is stateless: all of its
 * methods may be called from any thread.
 *
 * @param <C> the record that the driver's own keys of the YAML file are bound to, see {@link #configType()}
 */
public interface BenchmarkDriver<C extends Record> {

    /**
     * The record whose components are the driver's YAML keys; the framework binds it strictly (an unknown key is an
     * error) and leaves out the keys that belong to the framework: {@code name}, {@code driverClass}, {@code
     * localBroker} and {@code metrics}.
     *
     * <p>Components may be primitives, boxed types, {@code String}, {@code java.time.Duration} (written {@code 500ms},
     * {@code 30s}, {@code 5m}), enums, records, and {@code List} or {@code Map<String, …>} of these. A key that is
     * absent gives the component's {@link Default}, else {@code null} (0 or {@code false} for a primitive), in whose
     * place the compact constructor may put what follows from other keys. What is out of a component's {@link Range} is
     * refused; a record that implements {@link Checked} is asked what else is wrong with it.
     */
    Class<C> configType();

    /**
     * The broker addresses that the configuration points to, each as {@code host:port}. Empty for a system without
     * addresses (one inside the process). Used to find out whether a broker answers before a run starts.
     */
    List<String> addresses(C config);

    /**
     * The same configuration with other addresses: how a run is pointed at a broker that was started for it.
     *
     * @param addresses {@code host:port} of each node, at least one
     */
    C withAddresses(C config, List<String> addresses);

    /**
     * The same configuration with another way into the same broker beside {@link #addresses}, such as the address of its
     * administration over HTTP. Called after {@link #withAddresses} for each such way that a broker started for the run
     * has; a driver that has no use for it returns the configuration as it is.
     *
     * @param name what is spoken there, such as {@code http} or {@code stream}, as the local broker calls it
     * @param addresses {@code host:port} of each node, at least one
     */
    default C withEndpoint(C config, String name, List<String> addresses) {
        return config;
    }

    /**
     * What the nodes tell of themselves by way of the client, one for each; none, as by default, if there is nothing to
     * be had in that way. Does not connect, and does not block.
     *
     * @param timeout the limit for each reading
     */
    default List<NodeFigures> nodeFigures(C config, Duration timeout) {
        return List.of();
    }

    /**
     * The names of the local brokers that can be started for this driver, such as {@code kafka}, the one first that is
     * started unless the driver file's {@code localBroker.name} says otherwise; empty if there is none.
     */
    default List<String> localBrokers() {
        return List.of();
    }

    /**
     * What a local broker needs for this configuration; empty, as by default, where one node does. A broker that is started
     * for a driver file gets so many nodes, unless the user asks for another number.
     */
    default Optional<NodeNeeds> nodeNeeds(C config) {
        return Optional.empty();
    }

    /**
     * Whether messages can have headers under this configuration, see {@link ProducerSpec#headers}. Without, as by default,
     * a workload that asks for headers is refused before anything runs.
     */
    default boolean carriesHeaders(C config) {
        return false;
    }

    /**
     * Topics that are there already and take the places of a run's own, in this order, by the names that the system has for
     * them; none, as by default, for topics of the run's own. See {@link TopicSpec#existing}.
     */
    default List<String> existingTopics(C config) {
        return List.of();
    }

    /**
     * What the time is that the system keeps with each message and a listener {@linkplain MessageListener#received(String,
     * byte[], int, long) gets}, as a part of a sentence that says whose clock it is, such as {@code publish time (the
     * producer's clock)}; empty, as by default, if there is none.
     */
    default Optional<String> messageTime(C config) {
        return Optional.empty();
    }

    /**
     * What clients of one process need at least of what its machine limits; empty, as by default, where so many fit into any
     * process. A run that needs more than there may be is refused before it starts.
     *
     * @param consumersBlock whether the listeners of consumers {@linkplain MessageListener#mayBlock() may block}
     */
    default Optional<ProcessNeeds> processNeeds(C config, int producers, int consumers, boolean consumersBlock) {
        return Optional.empty();
    }

    /** Name and version of the client library in use, such as {@code kafka-clients 4.4.0}. */
    String clientVersion();

    /**
     * Opens a connection to the system. Called once a run and worker, on a control thread; may block up to {@link
     * DriverContext#timeout()}.
     *
     * @throws DriverException if the system cannot be reached or refuses; the message says what was tried, the cause is
     *     the client's own error
     */
    DriverConnection connect(C config, DriverContext context) throws DriverException, InterruptedException;
}
