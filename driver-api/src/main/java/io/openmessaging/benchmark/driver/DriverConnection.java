package io.openmessaging.benchmark.driver;

import java.util.List;

/**
 * The control plane of one run: describes the system, and creates and deletes what the run needs.
 *
 * <p>All methods are called on one control thread, never two at a time, and may block up to
 * {@link DriverContext#timeout()}; after that they throw with a sentence that says what they waited for. None of them
 * retries without a limit. After an {@link InterruptedException}, {@link #close()} still works.
 */
public interface DriverConnection extends AutoCloseable {

    /**
     * Describes the system that answers: product, version and nodes as it reports them itself, and its guarantee for
     * acknowledged messages as far as configuration and system reveal it.
     */
    BrokerDescription describeBroker() throws DriverException, InterruptedException;

    /** Tells whether the client still needs a payload array after {@link BenchmarkProducer#send} has returned. */
    PayloadOwnership payloadOwnership();

    /**
     * Creates topics and returns when each of them can be published to and subscribed to. Names consist of letters,
     * digits, {@code -} and {@code _}; the driver maps them to whatever the system calls a topic, a queue or an
     * exchange. If the system refuses (too many replicas, no permission), this throws the system's own reason at once
     * instead of retrying.
     *
     * <p>For {@linkplain TopicSpec#existing existing} topics this only verifies that they exist and have the
     * partitions; if not, it throws with the name of the topic. A driver receives existing topics only if it
     * {@linkplain BenchmarkDriver#existingTopics names} them.
     */
    void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException;

    /**
     * Returns the current leader of each partition, the node that takes its writes. The result has a list for each
     * topic, in the given order, with an entry for each partition: a node as named in {@link BrokerDescription#nodes},
     * or {@code ""} for a partition without a leader. Empty, as by default, for a system that has no leaders or does
     * not report them.
     *
     * @param topics topics that exist
     */
    default List<List<String>> leaders(List<TopicSpec> topics) throws DriverException, InterruptedException {
        return List.of();
    }

    /**
     * Deletes topics created by {@link #createTopics}, with their subscriptions; a missing topic is no error. In
     * existing topics it deletes only what subscriptions of this run have left behind, including those of the run's
     * other connections.
     */
    void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException;

    /**
     * Creates a producer for each specification, in the same order. If one fails, those already created are closed and
     * the failure is thrown.
     */
    List<BenchmarkProducer> createProducers(List<ProducerSpec> producers) throws DriverException, InterruptedException;

    /**
     * Creates a consumer for each specification, in the same order, and returns when all of them are attached: every
     * message that is sent after the return reaches each subscription of its topic. Two subscriptions of a topic each
     * receive every message; the consumers of one subscription share its messages.
     *
     * <p>Delivery starts at once. If one consumer fails, those already created are closed and the failure is thrown.
     */
    List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> consumers) throws DriverException, InterruptedException;

    /**
     * Creates a consumer for each specification, in the same order, of a subscription that did not exist before this
     * method was called for it. The subscription starts with the oldest message of its topic that the system still
     * keeps, even if others have read it, and then gets everything up to the newest one, each partition in its order.
     * Delivery starts at once; consumers of one subscription share its messages. {@link #deleteTopics} removes what
     * the subscription leaves in the system.
     *
     * <p>Readers distinguish messages that a system has lost from messages that it has not delivered. They are also
     * how a run without producers consumes an existing topic; a system that does not keep consumed messages then
     * removes them from the topic.
     *
     * <p>Empty, as by default, for a system that does not keep consumed messages, and for an existing topic that
     * cannot be consumed in this way. If one consumer fails, those already created are closed and the failure is
     * thrown.
     */
    default List<BenchmarkConsumer> createReaders(List<ConsumerSpec> readers)
            throws DriverException, InterruptedException {
        return List.of();
    }

    /**
     * Releases everything that is left; called last, once, after producers and consumers were closed. Does not delete
     * topics. If the thread is interrupted, the interrupt status is left set.
     */
    @Override
    void close() throws DriverException;
}
