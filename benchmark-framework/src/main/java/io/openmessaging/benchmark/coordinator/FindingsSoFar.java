package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.LatencyBound;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
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
    private @Nullable Totals searched;
    private Map<String, Long> errorsInSearch = Map.of();
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
            searched = before;
            errorsInSearch = Map.copyOf(errors);
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
        Judge judge = new Judge();
        PeriodSnapshot total = measured;
        if (total != null && total.endNs() > total.startNs()) {
            List<PeriodSnapshot> periods = List.of(total);
            judge.judgeLoad(periods, ExpectedLoad.even(target(), OptionalDouble.empty()));
            if (!backlogWasBuilt) {
                judge.judgeConsumers(periods, backlogBefore);
            }
            judge.judgeLatencies(periods);
            judge.judgeSlo(Bounds.outcomes(slo, total).stream()
                    .filter(outcome -> outcome.samples() >= outcome.samplesNeeded())
                    .toList());
            if (searched != null) {
                judge.searched(searched.failed(), errorsInSearch);
            }
            judge.judgeRefused(total.totals(), errors, Finding.Severity.INVALIDATES);
        }
        return judge.findings();
    }

    private OptionalDouble target() {
        return measuredByTime && !rateHasChanged && rateMsgPerSec < Double.POSITIVE_INFINITY
                ? OptionalDouble.of(rateMsgPerSec)
                : OptionalDouble.empty();
    }
}
