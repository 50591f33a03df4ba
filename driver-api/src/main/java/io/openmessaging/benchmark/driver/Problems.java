package io.openmessaging.benchmark.driver;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong with a configuration. Not thread-safe. */
public final class Problems {

    /**
     * One broken rule.
     *
     * @param key the key's path within the file, such as {@code producer.batchingMaxBytes}
     * @param rule what holds for a good value, such as {@code must be at least 1}
     * @param value the value found, or null where there was none
     */
    public record Problem(String key, String rule, @Nullable Object value) {

        /** {@code key: rule, got value}. */
        @Override
        public String toString() {
            return key + ": " + rule + (value == null ? "" : ", got " + quoted(value));
        }

        private static String quoted(Object value) {
            return value instanceof CharSequence ? "'" + value + "'" : value.toString();
        }
    }

    private final String prefix;
    private final List<Problem> found;

    /** No problems yet. */
    public Problems() {
        this("", new ArrayList<>());
    }

    private Problems(String prefix, List<Problem> found) {
        this.prefix = prefix;
        this.found = found;
    }

    /** Adds to the same collection, with every key below the given one. */
    public Problems below(String key) {
        return new Problems(prefix + key + ".", found);
    }

    /** Notes a broken rule. */
    public void add(String key, String rule, @Nullable Object value) {
        found.add(new Problem(prefix + key, rule, value));
    }

    /** Notes a broken rule unless the condition holds. */
    public void require(boolean holds, String key, String rule, @Nullable Object value) {
        if (!holds) {
            add(key, rule, value);
        }
    }

    /** Notes a number that is too small. */
    public void atLeast(long least, String key, long value) {
        require(value >= least, key, "must be at least " + least, value);
    }

    /** Notes a number that is too small or too large. */
    public void within(long least, long most, String key, long value) {
        require(value >= least && value <= most, key, "must be at least " + least + " and at most " + most, value);
    }

    /** What was found so far, in the order found. */
    public List<Problem> found() {
        return List.copyOf(found);
    }
}
