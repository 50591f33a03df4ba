package io.openmessaging.benchmark.driver;

/**
 * A topic to be created, or an existing one.
 *
 * @param name unique to the run, of letters, digits, {@code -} and {@code _}; for an existing topic, the system's name
 *     for it
 * @param partitions number of ordered parts, at least 1; for an existing topic, the number of parts in use
 * @param existing true if others created the topic: it is neither created nor deleted, but what subscriptions of the
 *     run leave in it is removed
 */
public record TopicSpec(String name, int partitions, boolean existing) {

    /** A topic of the run's own. */
    public TopicSpec(String name, int partitions) {
        this(name, partitions, false);
    }
}
