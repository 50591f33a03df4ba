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
 * What is known of a run at one moment of it.
 *
 * @param phase what it is doing; null before its first phase
 * @param left until the end of the phase, where that is known
 * @param targetMsgPerSec how much is to be sent now; infinite for as much as the client takes, 0 for nothing
 * @param totals counted since its start; null before the first count
 * @param lastPeriod the last one that has ended; null before
 * @param errors of sends and of the client until now, by kind
 * @param findings what would be found if it had ended with its last period, as far as that can be told before its audit; null where nothing
 *     can be told, as with a sweep: which of its rates it is judged by is known at the end
 */
public record RunState(
        @Nullable RunPhase phase,
        Optional<Duration> left,
        double targetMsgPerSec,
        @Nullable Totals totals,
        @Nullable RunPeriod lastPeriod,
        Map<String, Long> errors,
        @Nullable List<Finding> findings) {

    /** Nothing is known yet. */
    public static final RunState NONE = new RunState(null, Optional.empty(), 0, null, null, Map.of(), null);

    public RunState {
        errors = Map.copyOf(errors);
        findings = findings == null ? null : List.copyOf(findings);
    }
}
