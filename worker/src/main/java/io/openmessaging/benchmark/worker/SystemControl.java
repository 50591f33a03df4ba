package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.List;

/**
 * The coordinator's own connection to the system: topics are created and deleted once, however many workers a run has.
 *
 * <p>Its methods are called by one thread, in the order in which they stand here.
 */
public interface SystemControl extends AutoCloseable {

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

    /** Deletes topics, once no client uses them any more: one that still asks for a topic may bring it back. */
    void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException;

    /** Releases the connection, if there is one. */
    @Override
    void close() throws DriverException;
}
