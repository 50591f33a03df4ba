package io.openmessaging.benchmark.driver;

import java.util.List;

/**
 * The control plane of one run: describes the system, creates and deletes what the run needs.
 *
 * <p>All methods are called on one control thread, never two at a time, and may block up to {@link
 * DriverContext#timeout()}; past that they throw with a sentence that says what they waited for. None of them retries
 * without a limit. On {@link InterruptedException} a method leaves things in a state in which {@link #close()} works.
 */
public interface DriverConnection extends AutoCloseable {

    /**
     * Product, version and nodes of the system that answers, as it reports them itself, and what it promises of
     * acknowledged messages, as far as configuration and system tell.
     */
    BrokerDescription describeBroker() throws DriverException, InterruptedException;

    /** Whether the client still needs a payload array after {@link BenchmarkProducer#send} has returned. */
    PayloadOwnership payloadOwnership();

    /**
     * Creates topics and returns when each of them can be published to and subscribed to. Names consist of letters,
     * digits, {@code -} and {@code _}; the driver maps them to whatever the system calls a topic, a queue or an
     * exchange. When the system refuses (too many replicas, no permission), this throws the system's own reason at
     * once instead of trying again.
     *
     * <p>Of {@linkplain TopicSpec#existing existing} topics this only makes sure that they are there and have the partitions;
     * it throws, with the name, if not. A driver gets such only if it {@linkplain BenchmarkDriver#existingTopics names} them.
     */
    void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException;

    /**
     * Which node leads each partition: the one that takes the writes of it now. For each topic, in the order given, a node for
     * each of its partitions, as {@link BrokerDescription#nodes} names it, and {@code ""} for a partition without a leader.
     * Empty, as by default, for a system that has no such thing or does not tell.
     *
     * @param topics that exist
     */
    default List<List<String>> leaders(List<TopicSpec> topics) throws DriverException, InterruptedException {
        return List.of();
    }

    /**
     * Deletes topics created by {@link #createTopics}, with their subscriptions; a topic that is gone is no error. Of existing
     * topics it deletes only what subscriptions of this run have left, those of other connections of the run included.
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
     * get every message; the consumers of one subscription share its messages among them.
     *
     * <p>Delivery starts at once. If one consumer fails, those already created are closed and the failure is thrown.
     */
    List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> consumers) throws DriverException, InterruptedException;

    /**
     * Creates a consumer for each specification, in the same order, of a subscription that did not exist before this method was
     * called for it. A subscription begins with the oldest message of its topic that the system still keeps, whoever has read
     * it already, and then gets everything up to the newest one, each partition in its order. Delivery starts at once;
     * consumers of one subscription share its messages. What such a subscription leaves in the system goes in {@link
     * #deleteTopics}.
     *
     * <p>This tells messages that a system has lost from messages that it has not delivered, and it is how a run without
     * producers consumes an existing topic. There, a system that does not keep what was read takes messages off the topic.
     *
     * <p>Empty, as by default, for a system that does not keep what was read, and for an existing topic that cannot be consumed
     * in this way. If one consumer fails, those already created are closed and the failure is thrown.
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
