package io.openmessaging.benchmark.coordinator;

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
 * @param backlogBefore the backlog of the slowest subscription when the measurement began
 * @param gaveUp whether the measurement has already waited in vain for messages to arrive
 * @param wentBeyond whether rates were gone through of which one was too much, so that something may be missing in the end
 */
record LoadOutcome(
        ExpectedLoad expected,
        OptionalDouble targetMsgPerSec,
        RunResult.Course course,
        @Nullable Searched search,
        long backlogBefore,
        boolean gaveUp,
        boolean wentBeyond) {

    /**
     * What came of a search.
     *
     * @param result the rates that were tried; null if no step has ended
     * @param settled what had been counted when nothing of a try was on its way any more; what had not arrived by then is lost
     * @param failed how many messages had been refused when it ended
     * @param errors how many errors had been reported by then, by kind
     */
    record Searched(RunResult.@Nullable Search result, Totals settled, long failed, Map<String, Long> errors) {}

    /** The rule that ended the measurement before all its steps; empty if none did. */
    Optional<RunResult.Breach> breach() {
        List<RunResult.LoadStep> steps = course.steps();
        return steps.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(steps.get(steps.size() - 1).breach());
    }

    /** What has been counted since a search, if there was one. */
    Totals sinceSearch(Totals totals) {
        return search == null ? totals : totals.minus(search.settled());
    }

    /** Whether everything has arrived, but for what a search has left. */
    boolean allHasArrived(Totals totals) {
        return Observer.allArrived(sinceSearch(totals));
    }
}
