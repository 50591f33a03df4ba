package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The coordinator's own connection to the system: topics are created and deleted once, however many workers a run has.
 *
 * <p>Its methods are called by one thread, in the order of their declaration.
 */
public interface SystemControl extends AutoCloseable {

    /**
     * The existing topics to use instead of topics of the run's own, see
     * {@link io.openmessaging.benchmark.driver.BenchmarkDriver#existingTopics}. May be called at any time.
     */
    default List<String> existingTopics() {
        return List.of();
    }

    /** See {@link io.openmessaging.benchmark.driver.BenchmarkDriver#messageTime}. May be called at any time. */
    default Optional<String> messageTime() {
        return Optional.empty();
    }

    /**
     * Returns whether the partition of each message that was received is known, see
     * {@link io.openmessaging.benchmark.driver.BenchmarkDriver#opaque}. May be called at any time.
     */
    default boolean tellsPartitions() {
        return true;
    }

    /**
     * Returns whether to connect may remove the system's topics, see
     * {@link io.openmessaging.benchmark.driver.BenchmarkDriver#opaque}: all workers then connect before topics are
     * created. May be called at any time.
     */
    default boolean connectingResets() {
        return false;
    }

    /**
     * Connects to the system and returns its description.
     *
     * @param runId unique, of letters and digits
     * @param timeout the limit for each call
     * @param waits receives what this or a later call waits for, if that takes seconds, in words that follow "waits
     *     for"; called by the thread of the call
     */
    BrokerDescription connect(String runId, Duration timeout, Consumer<String> waits)
            throws DriverException, InterruptedException;

    void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException;

    /**
     * Returns the leader of each partition, see {@link io.openmessaging.benchmark.driver.DriverConnection#leaders};
     * empty if the system does not report leaders.
     */
    List<List<String>> leaders(List<TopicSpec> topics) throws DriverException, InterruptedException;

    /** A reading of topics from their oldest message, which lasts until it is closed. */
    interface Reading extends AutoCloseable {

        /** The last error between calls since the reading started, as a sentence; empty if there was none. */
        Optional<String> problem();

        /** Returns when no listener is called any more. */
        @Override
        void close() throws DriverException;
    }

    /**
     * Starts to read topics from the oldest message that the system keeps, see
     * {@link io.openmessaging.benchmark.driver.DriverConnection#createReaders}; empty if the system does not keep
     * consumed messages.
     *
     * @param readers one for each topic, each of a subscription that did not exist before
     */
    Optional<Reading> read(List<ConsumerSpec> readers) throws DriverException, InterruptedException;

    /** Deletes topics, once no client uses them any more: a client that still requests a topic may recreate it. */
    void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException;

    /** Releases the connection, if there is one. */
    @Override
    void close() throws DriverException;
}
