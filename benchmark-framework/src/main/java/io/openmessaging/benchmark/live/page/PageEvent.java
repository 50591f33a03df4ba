package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.result.file.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An event for readers of {@code events}, a stream of server-sent events next to the page, which programs can read as
 * well. Each event is named like its record; its data is the record as one JSON object. Names of times and latencies
 * end with their unit: {@code Ms} is milliseconds, for times since 1970-01-01 UTC, and {@code Ns} nanoseconds. An
 * unknown value is null. Every 10 s there is also an event {@code alive}, whose object is empty.
 */
sealed interface PageEvent {

    /** The whole state: the first event for each reader. */
    record Snapshot(
            Progress progress, List<Row> rows, @Nullable RunView run) implements PageEvent {}

    /** The progress over all runs has changed. */
    record Advance(Progress progress) implements PageEvent {}

    /** A run starts, or points of its history were joined: replaces everything known about a run. */
    record Run(RunView run) implements PageEvent {}

    /**
     * Time has passed.
     *
     * @param tick another reading of the counts; null if there is none
     * @param index index of that reading in the history: the next one, or that of the last, which it replaces
     * @param endMs as in {@link Progress}
     */
    record Second(
            Now now,
            @Nullable Tick tick,
            int index,
            @Nullable Long endMs) implements PageEvent {}

    /** A phase starts. */
    record Phase(RunView.Phase phase) implements PageEvent {}

    /** A period has ended; the index is as in {@link Second}. */
    record Period(PeriodPoint period, int index, List<RunView.Use> uses) implements PageEvent {}

    /** The run has tried a rate or a number of clients. */
    record Step(RunView.Step step) implements PageEvent {}

    /** A run of the agenda has ended; replaces its earlier row. */
    record Ended(Row row) implements PageEvent {}

    /**
     * Encodes the event for sending, as UTF-8: the name of the record in lower case, and the record as JSON on one
     * line.
     */
    default byte[] encoded() {
        String name = getClass().getSimpleName().toLowerCase(Locale.ROOT);
        return ("event: " + name + "\ndata: " + JsonText.tree((Record) this) + "\n\n").getBytes(StandardCharsets.UTF_8);
    }
}
