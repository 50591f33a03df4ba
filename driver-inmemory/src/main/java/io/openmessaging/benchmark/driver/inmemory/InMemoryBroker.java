package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The topics that connections with the same configuration share. Thread-safe. */
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

    /** The broker of a configuration, with one connection more. */
    static InMemoryBroker connect(InMemoryConfig config) {
        synchronized (BROKERS) {
            InMemoryBroker broker = BROKERS.computeIfAbsent(config, InMemoryBroker::new);
            broker.connections++;
            return broker;
        }
    }

    /** Gives a connection up; a broker without connections and topics is forgotten. */
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

    /** Creates all of the topics or, if one of them cannot be created, none. */
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

    /** Deletes a topic with its subscriptions, if it is there. */
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
