package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The topics shared by connections with the same configuration. Thread-safe. */
final class InMemoryBroker {

    private static final Map<InMemoryConfig, InMemoryBroker> BROKERS = new HashMap<>();

    private final InMemoryConfig config;
    private final BacklogBudget budget;
    private final Map<String, Topic> topics = new HashMap<>();
    private int connections;

    private InMemoryBroker(InMemoryConfig config) {
        this.config = config;
        this.budget = new BacklogBudget(config.maxBacklogBytes());
    }

    /** Returns the broker of a configuration, and counts one more connection to it. */
    static InMemoryBroker connect(InMemoryConfig config) {
        synchronized (BROKERS) {
            InMemoryBroker broker = BROKERS.computeIfAbsent(config, InMemoryBroker::new);
            broker.connections++;
            return broker;
        }
    }

    /** Releases a connection; a broker without connections and topics is removed. */
    void disconnect() {
        synchronized (BROKERS) {
            connections--;
            if (connections == 0 && topics.isEmpty()) {
                BROKERS.remove(config);
            }
        }
    }

    InMemoryConfig config() {
        return config;
    }

    BacklogBudget budget() {
        return budget;
    }

    /** Creates all of the topics, or none if one of them cannot be created. */
    void create(List<TopicSpec> specs) throws DriverException {
        synchronized (BROKERS) {
            for (TopicSpec spec : specs) {
                if (topics.containsKey(spec.name())) {
                    throw new DriverException("Topic " + spec.name() + " cannot be created: it already exists.");
                }
                if (spec.partitions() < 1) {
                    throw new DriverException("Topic " + spec.name() + " cannot be created: it needs at least 1"
                            + " partition, got " + spec.partitions() + ".");
                }
            }
            specs.forEach(s -> topics.put(s.name(), new Topic(s.name(), s.partitions(), config.faults())));
        }
    }

    /** Deletes a topic with its subscriptions, if it exists. */
    void delete(TopicSpec spec) throws DriverException {
        Topic topic;
        synchronized (BROKERS) {
            topic = topics.remove(spec.name());
        }
        if (topic != null) {
            topic.delete();
        }
    }

    Topic topic(TopicSpec spec) throws DriverException {
        synchronized (BROKERS) {
            Topic topic = topics.get(spec.name());
            if (topic == null) {
                throw new DriverException("There is no topic " + spec.name() + ".");
            }
            return topic;
        }
    }
}
