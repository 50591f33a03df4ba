package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunPeriod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a run.
 *
 * @param phase current phase; null before the first one
 * @param left remaining time of the phase; empty if unknown
 * @param targetMsgPerSec rate that is to be sent now; infinite for as much as the client takes, 0 for nothing
 * @param totals totals since the start of the run; null before the first count
 * @param lastPeriod last period that has ended; null before
 * @param errors errors of sends and of the client until now, by kind
 * @param findings findings if the run had ended with its last period, as far as they are known before the audit; null
 *     where nothing is known, as with a sweep: the rate by which it is judged is known only at the end
 */
public record RunState(
        @Nullable RunPhase phase,
        Optional<Duration> left,
        double targetMsgPerSec,
        @Nullable Totals totals,
        @Nullable RunPeriod lastPeriod,
        Map<String, Long> errors,
        @Nullable List<Finding> findings) {

    /** The state of a run about which nothing is known yet. */
    public static final RunState NONE = new RunState(null, Optional.empty(), 0, null, null, Map.of(), null);

    public RunState {
        errors = Map.copyOf(errors);
        findings = findings == null ? null : List.copyOf(findings);
    }
}
