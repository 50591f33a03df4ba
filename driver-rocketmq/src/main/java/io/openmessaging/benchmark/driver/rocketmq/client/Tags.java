package io.openmessaging.benchmark.driver.rocketmq.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tags that the messages of one producer get in turn. Not thread-safe. */
public final class Tags {

    private final List<String> names;
    private int next;

    /** Starts with the first tag. */
    public Tags(List<String> names) {
        this.names = names;
    }

    /** Returns the tag of the next message; null if there are none. */
    @Nullable
    public String next() {
        if (names.isEmpty()) {
            return null;
        }
        String tag = names.get(next);
        next = next + 1 == names.size() ? 0 : next + 1;
        return tag;
    }

    /**
     * Returns the expression for a consumer to receive messages with any of these tags; all messages if there are
     * none.
     */
    public static String any(List<String> names) {
        return names.isEmpty() ? "*" : String.join(" || ", names);
    }
}
