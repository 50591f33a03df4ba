package io.openmessaging.benchmark.driver;

/**
 * A topic to be created, or one that is there already.
 *
 * @param name unique to the run, of letters, digits, {@code -} and {@code _}; of an existing topic what the system calls it
 * @param partitions how many ordered parts the topic is to have, at least 1; of an existing topic how many of them are used
 * @param existing whether others made it: it is neither created nor deleted, and what subscriptions of the run leave in it is
 *     removed
 */
public record TopicSpec(String name, int partitions, boolean existing) {

    /** A topic of the run's own. */
    public TopicSpec(String name, int partitions) {
        this(name, partitions, false);
    }
}
