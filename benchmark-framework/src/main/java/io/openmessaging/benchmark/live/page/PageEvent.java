package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.result.file.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What readers are told: docs/METHODOLOGY.md has the form. Each is one event of an event stream, named like its record. */
sealed interface PageEvent {

    /** All that is known: the first message to each reader. */
    record Snapshot(
            Progress progress, List<Row> rows, @Nullable RunView run) implements PageEvent {}

    /** Runs have got further. */
    record Advance(Progress progress) implements PageEvent {}

    /** A run begins, or points of its history were joined: replaces all that is known of a run. */
    record Run(RunView run) implements PageEvent {}

    /**
     * Time has passed.
     *
     * @param tick another look at the counts; null if there is none
     * @param index the place of that look in the history: the next one, or that of the last, which it replaces
     * @param endMs as in {@link Progress}
     */
    record Second(
            Now now,
            @Nullable Tick tick,
            int index,
            @Nullable Long endMs) implements PageEvent {}

    /** A phase begins. */
    record Phase(RunView.Phase phase) implements PageEvent {}

    /** A period has ended; the index is like that of a look. */
    record Period(PeriodPoint period, int index, List<RunView.Use> uses) implements PageEvent {}

    /** Something was tried. */
    record Step(RunView.Step step) implements PageEvent {}

    /** A run of the agenda has ended; replaces what was told of it before. */
    record Ended(Row row) implements PageEvent {}

    /** The event as it is sent, UTF-8: the name of the record in lower case, and the record as JSON on one line. */
    default byte[] encoded() {
        String name = getClass().getSimpleName().toLowerCase(Locale.ROOT);
        return ("event: " + name + "\ndata: " + JsonText.tree((Record) this) + "\n\n").getBytes(StandardCharsets.UTF_8);
    }
}
