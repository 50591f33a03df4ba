package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The coordinator's own connection to the system: topics are created and deleted once, however many workers a run has.
 *
 * <p>Its methods are called by one thread, in the order in which they stand here.
 */
public interface SystemControl extends AutoCloseable {

    /**
     * Topics that take the places of the run's own, see {@link
     * io.openmessaging.benchmark.driver.BenchmarkDriver#existingTopics}. May be called at any time.
     */
    default List<String> existingTopics() {
        return List.of();
    }

    /** See {@link io.openmessaging.benchmark.driver.BenchmarkDriver#messageTime}. May be called at any time. */
    default Optional<String> messageTime() {
        return Optional.empty();
    }

    /**
     * Connects.
     *
     * @param runId unique, of letters and digits
     * @param timeout the limit for each call
     */
    BrokerDescription connect(String runId, Duration timeout) throws DriverException, InterruptedException;

    /** Creates topics. */
    void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException;

    /**
     * Which node leads each partition, see {@link io.openmessaging.benchmark.driver.DriverConnection#leaders}; empty if the
     * system does not tell.
     */
    List<List<String>> leaders(List<TopicSpec> topics) throws DriverException, InterruptedException;

    /** Topics that are being read from the beginning, until this is closed. */
    interface Reading extends AutoCloseable {

        /** What has gone wrong between calls since it began: the last error, as a sentence; empty if nothing has. */
        Optional<String> problem();

        /** Returns when no listener is called any more. */
        @Override
        void close() throws DriverException;
    }

    /**
     * Begins to read topics from the oldest message that the system keeps, see {@link
     * io.openmessaging.benchmark.driver.DriverConnection#createReaders}; empty if it does not keep what was read.
     *
     * @param readers one for each topic, each of a subscription that did not exist before
     */
    Optional<Reading> read(List<ConsumerSpec> readers) throws DriverException, InterruptedException;

    /** Deletes topics, once no client uses them any more: one that still asks for a topic may bring it back. */
    void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException;

    /** Releases the connection, if there is one. */
    @Override
    void close() throws DriverException;
}
