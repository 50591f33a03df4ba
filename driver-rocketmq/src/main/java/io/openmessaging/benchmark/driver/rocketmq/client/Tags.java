package io.openmessaging.benchmark.driver.rocketmq.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tags that the messages of one producer get in turn. Not thread-safe. */
public final class Tags {

    private final List<String> names;
    private int next;

    /** The first one comes first. */
    public Tags(List<String> names) {
        this.names = names;
    }

    /** That of the next message; null if there are none. */
    @Nullable
    public String next() {
        if (names.isEmpty()) {
            return null;
        }
        String tag = names.get(next);
        next = next + 1 == names.size() ? 0 : next + 1;
        return tag;
    }

    /** The expression with which a consumer gets the messages with any of these tags; all messages if there are none. */
    public static String any(List<String> names) {
        return names.isEmpty() ? "*" : String.join(" || ", names);
    }
}
