package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.RunResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What came of putting the load on, as far as it got.
 *
 * @param expected what the measurement's load was to be
 * @param targetMsgPerSec the rate of the measurement, in the mean; empty if there is none
 * @param course what the measurement went through
 * @param search what came of the search for a rate; null if none was searched for
 * @param backlogs the backlogs of subscriptions during the measurement, one for each part with a load of its own
 * @param gaveUp whether the measurement has already waited in vain for messages to arrive
 * @param wentBeyond whether rates were gone through of which one was too much, so that something may be missing at the end
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
     * What came of a search.
     *
     * @param result the rates that were tried; null if no step has ended
     * @param settled what had been counted when nothing of a try was on its way any more; what had not arrived by then is lost
     * @param refused by when it ended
     */
    public record Searched(RunResult.@Nullable Search result, Totals settled, Refused refused) {}

    /**
     * What a system has not taken by some moment.
     *
     * @param messages that it has refused
     * @param errors that were reported, by kind
     */
    public record Refused(long messages, Map<String, Long> errors) {

        /** Everything was taken. */
        public static final Refused NOTHING = new Refused(0, Map.of());

        public Refused {
            errors = Map.copyOf(errors);
        }
    }

    /** The rule that ended the measurement before all its steps; empty if none did. */
    public Optional<RunResult.Breach> breach() {
        List<RunResult.LoadStep> steps = course.steps();
        return steps.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(steps.get(steps.size() - 1).breach());
    }

    /** What has been counted since a search, if there was one. */
    public Totals sinceSearch(Totals totals) {
        return search == null ? totals : totals.minus(search.settled());
    }
}
