package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.judge.worker.WorkerSeen;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.DiskSpace;
import io.openmessaging.benchmark.result.ClockBound;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The evidence by which a run is judged.
 *
 * @param workload workload of the run
 * @param periods periods of the measurement, with their reportable figures
 * @param notes findings of the phases themselves, in order
 * @param load outcome of the load
 * @param ending what became of the messages
 * @param harness resources and ceilings of the harness
 * @param surroundings limits and other disturbances
 */
public record Evidence(
        Workload workload,
        List<RunPeriod> periods,
        List<Finding> notes,
        LoadOutcome load,
        Ending ending,
        HarnessEvidence harness,
        Surroundings surroundings) {

    /** The periods of the measurement, without resources. */
    List<PeriodSnapshot> measured() {
        return periods.stream().map(RunPeriod::seen).toList();
    }

    /**
     * What became of the messages.
     *
     * @param audit null if there is none
     * @param auditOfSearch audit of the messages of a search; null if there was none
     * @param settled true if nothing moved any more when the run stopped waiting: missing messages will never arrive
     * @param tail what followed the order to stop the load; null if unknown
     * @param totals totals once the clients were closed; null if unknown
     * @param errors errors of sends and clients, by kind
     * @param faults faults that were injected, and their outcome; null without faults
     */
    public record Ending(
            @Nullable AuditReport audit,
            @Nullable AuditReport auditOfSearch,
            boolean settled,
            RunResult.@Nullable Tail tail,
            @Nullable Totals totals,
            Map<String, Long> errors,
            FaultOutcome.@Nullable FaultReport faults) {}

    /**
     * Resources that the harness used, and its ceilings.
     *
     * @param workers workers, in their order
     * @param lost workers that no longer answered, and that no fault was to end
     * @param clocks how well times of workers compare; null if no message goes from one to another
     */
    public record HarnessEvidence(
            List<WorkerSeen> workers,
            List<Worker.Lost> lost,
            @Nullable ClockBound clocks) {}

    /**
     * Limits and other disturbances of a run.
     *
     * @param limits limits on what broker and clients could use
     * @param problems reasons why figures could not be read
     * @param diskNearlyFull disk that ended the run; null if none did
     */
    public record Surroundings(
            ResourceLimits limits,
            List<String> problems,
            @Nullable DiskSpace diskNearlyFull) {}
}
