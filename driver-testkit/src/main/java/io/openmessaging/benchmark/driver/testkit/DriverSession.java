package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A connection together with everything created through it, used and released as the framework does: topics have unique
 * names; closing closes producers, then consumers, deletes the topics and closes the connection. Used by one thread.
 */
public final class DriverSession implements AutoCloseable {

    private final Numbering run;
    private final RecordingEvents events = new RecordingEvents();
    private final DriverConnection connection;
    private final List<BenchmarkProducer> producers = new ArrayList<>();
    private final List<BenchmarkConsumer> consumers = new ArrayList<>();
    private final List<TopicSpec> topics = new ArrayList<>();

    /** State shared by all sessions of a run: the framework's numbers are unique within a run. */
    private static final class Numbering {

        private final String id = "contract" + UUID.randomUUID().toString().substring(0, 8);
        private int nextTopicId;
        private int nextProducerId;
        private int nextConsumerId;
    }

    private <C extends Record> DriverSession(Numbering run, BenchmarkDriver<C> driver, C config, Duration timeout)
            throws DriverException, InterruptedException {
        this.run = run;
        this.connection = driver.connect(config, new DriverContext(run.id, timeout, events));
    }

    /** Opens a connection in a new run. */
    public static <C extends Record> DriverSession open(BenchmarkDriver<C> driver, C config, Duration timeout)
            throws DriverException, InterruptedException {
        return new DriverSession(new Numbering(), driver, config, timeout);
    }

    /** Opens another connection of the same run, as another worker does; it may use the topics of this one. */
    public <C extends Record> DriverSession openOfSameRun(BenchmarkDriver<C> driver, C config, Duration timeout)
            throws DriverException, InterruptedException {
        return new DriverSession(run, driver, config, timeout);
    }

    /** Returns the connection, for calls that have no shorter form here. */
    public DriverConnection connection() {
        return connection;
    }

    public String runId() {
        return run.id;
    }

    /** Returns the events that the driver has reported outside of a call. */
    public RecordingEvents events() {
        return events;
    }

    /** Creates a topic; closing this session deletes it. */
    public TopicSpec topic(int partitions) throws DriverException, InterruptedException {
        // Contains all kinds of characters that a name may have.
        TopicSpec topic = new TopicSpec("Test_topic-" + run.id + "-" + run.nextTopicId++, partitions);
        topics.add(topic);
        connection.createTopics(List.of(topic));
        return topic;
    }

    /** Requires that an externally owned topic exists; closing this session removes only what this run left in it. */
    public TopicSpec existing(String name, int partitions) throws DriverException, InterruptedException {
        TopicSpec topic = new TopicSpec(name, partitions, true);
        connection.createTopics(List.of(topic));
        topics.add(topic);
        return topic;
    }

    /** Creates a topic through another session of this run; closing this session deletes it. */
    TopicSpec topicBy(DriverSession creator) throws DriverException, InterruptedException {
        TopicSpec topic = creator.topic(1);
        creator.topics.remove(topic);
        topics.add(topic);
        return topic;
    }

    public BenchmarkProducer producer(TopicSpec topic) throws DriverException, InterruptedException {
        return producers(topic).get(0);
    }

    /** Creates a producer whose messages have headers. */
    public BenchmarkProducer producer(TopicSpec topic, Map<String, String> headers)
            throws DriverException, InterruptedException {
        return create(List.of(new ProducerSpec(run.nextProducerId++, topic, headers)))
                .get(0);
    }

    /** Creates a producer for each topic in one call. */
    public List<BenchmarkProducer> producers(TopicSpec... ofTopics) throws DriverException, InterruptedException {
        List<ProducerSpec> specs = new ArrayList<>();
        for (TopicSpec topic : ofTopics) {
            specs.add(new ProducerSpec(run.nextProducerId++, topic));
        }
        return create(specs);
    }

    private List<BenchmarkProducer> create(List<ProducerSpec> specs) throws DriverException, InterruptedException {
        List<BenchmarkProducer> created = connection.createProducers(specs);
        producers.addAll(created);
        return created;
    }

    /** Describes a consumer, to be created by {@link #consumers}. */
    public ConsumerSpec consumerOf(TopicSpec topic, String subscription, MessageListener listener) {
        return new ConsumerSpec(run.nextConsumerId++, topic, subscription, listener);
    }

    public BenchmarkConsumer consumer(TopicSpec topic, String subscription, MessageListener listener)
            throws DriverException, InterruptedException {
        return consumers(consumerOf(topic, subscription, listener)).get(0);
    }

    /** Creates consumers in one call. */
    public List<BenchmarkConsumer> consumers(ConsumerSpec... specs) throws DriverException, InterruptedException {
        List<BenchmarkConsumer> created = connection.createConsumers(List.of(specs));
        consumers.addAll(created);
        return created;
    }

    /**
     * Creates, in one call, consumers that start with the oldest message; returns none if the system does not keep
     * messages that were read.
     */
    public List<BenchmarkConsumer> readers(ConsumerSpec... specs) throws DriverException, InterruptedException {
        List<BenchmarkConsumer> created = connection.createReaders(List.of(specs));
        consumers.addAll(created);
        return created;
    }

    /** Closes a producer or consumer of this session; {@link #close()} does not close it a second time. */
    public void close(AutoCloseable client) throws Exception {
        producers.remove(client);
        consumers.remove(client);
        client.close();
    }

    /**
     * Releases everything, in order, even if a step fails.
     *
     * @throws DriverException the first failure, with the later ones suppressed
     */
    @Override
    public void close() throws DriverException {
        List<AutoCloseable> steps = new ArrayList<>(producers);
        steps.addAll(consumers);
        steps.add(() -> connection.deleteTopics(topics));
        steps.add(connection);
        DriverException failure = null;
        for (AutoCloseable step : steps) {
            try {
                step.close();
            } catch (Exception e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                if (failure == null) {
                    failure = new DriverException("A session of the contract test could not be closed: " + e, e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
