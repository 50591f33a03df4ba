package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.RunResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a load, as far as it got.
 *
 * @param expected intended load of the measurement
 * @param targetMsgPerSec mean rate of the measurement; empty if there is none
 * @param course course of the measurement
 * @param search outcome of the search for a rate; null if there was no search
 * @param backlogs backlogs of subscriptions during the measurement, one entry for each part with a load of its own
 * @param gaveUp true if the measurement has already waited in vain for messages to arrive
 * @param wentBeyond true if one of several rates was too high, so that messages may be missing at the end
 */
public record LoadOutcome(
        ExpectedLoad expected,
        OptionalDouble targetMsgPerSec,
        RunResult.Course course,
        @Nullable Searched search,
        List<BacklogTrend> backlogs,
        boolean gaveUp,
        boolean wentBeyond) {

    /**
     * The outcome of a search.
     *
     * @param result rates that were tried; null if no step has ended
     * @param settled totals when nothing of a try was on its way any more; messages that had not arrived by then are
     *     lost
     * @param refused messages refused and errors until the end of the search
     */
    public record Searched(RunResult.@Nullable Search result, Totals settled, Refused refused) {}

    /**
     * Messages that a system has refused by some moment.
     *
     * @param messages number of refused messages
     * @param errors errors that were reported, by kind
     */
    public record Refused(long messages, Map<String, Long> errors) {

        /** Nothing was refused. */
        public static final Refused NOTHING = new Refused(0, Map.of());

        public Refused {
            errors = Map.copyOf(errors);
        }
    }

    /** Returns a copy with the end of the load, see {@link RunResult.Course#endedBy}. */
    public LoadOutcome endedBy(RunResult.@Nullable Tail tail, List<RunResult.SloOutcome> slo) {
        return new LoadOutcome(
                expected, targetMsgPerSec, course.endedBy(tail, slo), search, backlogs, gaveUp, wentBeyond);
    }

    /** The rule that ended the measurement before all its steps; empty if none did. */
    public Optional<RunResult.Breach> breach() {
        List<RunResult.LoadStep> steps = course.steps();
        return steps.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(steps.get(steps.size() - 1).breach());
    }

    /** Returns the counts since the search; all counts if there was none. */
    public Totals sinceSearch(Totals totals) {
        return search == null ? totals : totals.minus(search.settled());
    }
}
