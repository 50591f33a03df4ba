package io.openmessaging.benchmark.live;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an invocation runs, in its order.
 *
 * @param plan the name of the plan; empty without one
 * @param items an entry for each run
 */
public record Agenda(String plan, List<Item> items) {

    /** Nothing is known yet. */
    public static final Agenda NONE = new Agenda("", List.of());

    public Agenda {
        items = List.copyOf(items);
    }

    /**
     * One run.
     *
     * @param title for people, such as {@code kafka-1kb on Kafka}
     * @param atLeast how long it takes at least, the wait before it included
     * @param earlier what became of it before this process, the name of a verdict or {@code SKIPPED}; null if it is still to
     *     be done
     */
    public record Item(
            String title, Duration atLeast, @Nullable String earlier) {}
}
