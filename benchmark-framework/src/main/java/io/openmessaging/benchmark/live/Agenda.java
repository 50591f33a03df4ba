package io.openmessaging.benchmark.live;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runs of an invocation, in order.
 *
 * @param plan the name of the plan; empty without a plan
 * @param items an entry for each run
 */
public record Agenda(String plan, List<Item> items) {

    /** The agenda before it is known. */
    public static final Agenda NONE = new Agenda("", List.of());

    public Agenda {
        items = List.copyOf(items);
    }

    /**
     * One run of an agenda.
     *
     * @param title title for people, such as {@code kafka-1kb on Kafka}
     * @param atLeast minimum duration, including the wait before the run
     * @param earlier outcome before this process, the name of a verdict or {@code SKIPPED}; null if the run is still
     *     to be done
     */
    public record Item(
            String title, Duration atLeast, @Nullable String earlier) {}
}
