package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.LatencyBound;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.judge.LoadOutcome;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What would be found if a run ended now, as far as that can be told before its audit: the load and the consumers of the
 * measurement until now, its latencies, errors. Fed with what a {@link RunListener} is told; not thread-safe.
 */
public final class FindingsSoFar {

    private final boolean measuredByTime;
    private final List<LatencyBound> slo;
    private @Nullable PeriodSnapshot measured;
    private long backlogBefore;
    private boolean backlogWasBuilt;
    private @Nullable RunPhase phase;
    private LoadOutcome.@Nullable Refused refusedInSearch;
    private double rateMsgPerSec;
    private boolean rateHasChanged;

    /**
     * Nothing found yet.
     *
     * @param measuredByTime whether the measurement ends with its time; one that ends with the last message has no rate to
     *     compare with while it waits for that
     * @param slo the latencies that the measurement is to keep; as long as one has too few samples nothing is said of it
     */
    public FindingsSoFar(boolean measuredByTime, List<LatencyBound> slo) {
        this.measuredByTime = measuredByTime;
        this.slo = List.copyOf(slo);
    }

    /**
     * A phase begins.
     *
     * @param before what has been counted until now; null if that is nothing
     * @param errors until now, by kind
     */
    public void phase(RunPhase begun, @Nullable Totals before, Map<String, Long> errors) {
        backlogWasBuilt |= begun == RunPhase.BACKLOG_BUILD;
        if (phase == RunPhase.SEARCH && before != null) {
            refusedInSearch = new LoadOutcome.Refused(before.failed(), errors);
        }
        phase = begun;
        if (begun == RunPhase.MEASURE) {
            measured = null;
            backlogBefore = before == null ? 0 : before.largestBacklog();
            rateHasChanged = false;
        }
    }

    /** The load has changed. */
    public void load(double newRateMsgPerSec) {
        // Nothing is asked for any more, but what was measured is still to be judged by what was.
        if (newRateMsgPerSec > 0) {
            rateHasChanged |= measured != null && newRateMsgPerSec != rateMsgPerSec;
            rateMsgPerSec = newRateMsgPerSec;
        }
    }

    /** A period has ended. */
    public void period(RunPhase phase, PeriodSnapshot period) {
        if (phase == RunPhase.MEASURE) {
            measured = measured == null ? period : measured.followedBy(period);
        }
    }

    /**
     * What speaks against the figures until now.
     *
     * @param errors by kind
     */
    public List<Finding> findings(Map<String, Long> errors) {
        PeriodSnapshot total = measured;
        if (total == null || total.endNs() <= total.startNs()) {
            return List.of();
        }
        OptionalLong backlog = backlogWasBuilt ? OptionalLong.empty() : OptionalLong.of(backlogBefore);
        return Judge.soFar(total, target(), backlog, slo, refusedInSearch, errors);
    }

    private OptionalDouble target() {
        return measuredByTime && !rateHasChanged && rateMsgPerSec < Double.POSITIVE_INFINITY
                ? OptionalDouble.of(rateMsgPerSec)
                : OptionalDouble.empty();
    }
}
