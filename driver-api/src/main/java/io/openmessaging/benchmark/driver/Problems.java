package io.openmessaging.benchmark.driver;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final Pattern ADDRESS =
            Pattern.compile("(?:[^\\s:;,/\\[\\]]+|\\[[^\\s\\[\\]]+]|[0-9a-fA-F.]*(?::[0-9a-fA-F.]*){2,}):(\\d{1,5})");

    private static final int HIGHEST_PORT = 65_535;

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

    /** Notes an address that is not {@code host:port}. */
    public void address(String key, String address) {
        require(isAddress(address), key, "must be host:port", address);
    }

    /** Whether a text is {@code host:port}: a name, or an address of IPv4 or IPv6, the latter in brackets or without. */
    public static boolean isAddress(String text) {
        Matcher matcher = ADDRESS.matcher(text);
        int port = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
        return port >= 1 && port <= HIGHEST_PORT;
    }

    /** Notes a file that cannot be read; null, for none, is fine. */
    public void readable(String key, @Nullable String file) {
        require(file == null || new File(file).canRead(), key, "must be a file that can be read", file);
    }

    /** Notes names of which one is blank, or there twice; none at all is fine. */
    public void names(String key, List<String> names) {
        boolean differ = names.stream().distinct().count() == names.size();
        require(
                differ && names.stream().noneMatch(String::isBlank),
                key,
                "must be names that differ from each other",
                names);
    }

    /** What was found so far, in the order found. */
    public List<Problem> found() {
        return List.copyOf(found);
    }
}
