package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.DiskSpace;
import io.openmessaging.benchmark.resources.HostProbe;
import io.openmessaging.benchmark.resources.SamplingMonitor;
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
 * All that a run is judged by.
 *
 * @param workload what was to be
 * @param periods of the measurement, with what is given of them
 * @param notes what the phases noticed themselves, in order
 * @param load what came of putting the load on
 * @param ending what became of the messages
 * @param harness what the harness used and is capable of
 * @param surroundings what else was in the way
 */
public record Evidence(
        Workload workload,
        List<RunPeriod> periods,
        List<Finding> notes,
        LoadOutcome load,
        Ending ending,
        HarnessEvidence harness,
        Surroundings surroundings) {

    /** What was seen in the periods of the measurement. */
    List<PeriodSnapshot> measured() {
        return periods.stream().map(RunPeriod::seen).toList();
    }

    /**
     * What became of the messages.
     *
     * @param audit null if there is none
     * @param auditOfSearch of the messages of a search; null if there was none
     * @param settled whether nothing moved any more when the run stopped waiting: what is missing never comes
     * @param tail what came after the load was told to end; null if that is not known
     * @param totals once the clients were closed; null if that is not known
     * @param errors of sends and clients, by kind
     * @param faults what was done to the system, and what came of it; null without
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
     * What the harness used and is capable of.
     *
     * @param workers in their order
     * @param lost the workers that did not answer any more, and that no fault was to end
     * @param clocks how well times of workers compare; null if no message goes from one to another
     */
    public record HarnessEvidence(
            List<WorkerSeen> workers,
            List<Worker.Lost> lost,
            @Nullable ClockBound clocks) {}

    /**
     * One worker.
     *
     * @param name what findings, and what was used, call it: {@link SamplingMonitor#HARNESS} if the harness is this process
     * @param producers how many of the run's producers it has
     * @param consumers how many of the run's consumers it has
     * @param equipment what it works with
     * @param usage what it used during the measurement; null if there was none
     * @param clock what was known of its clock meanwhile; null if nothing was, or it is this process' own
     */
    public record WorkerSeen(
            String name,
            int producers,
            int consumers,
            Equipment equipment,
            @Nullable HarnessUsage usage,
            @Nullable ClockReport clock) {

        int sendingThreads() {
            return equipment.sendingThreads();
        }

        String host() {
            return equipment.host();
        }
    }

    /**
     * What a worker works with.
     *
     * @param sendingThreads how many threads sent
     * @param ceilingMsgPerSec the highest rate that it is capable of without a real client; null if that is not known
     * @param host what findings, and what was used, call its machine: {@link HostProbe#NAME} for this one
     * @param besideBroker whether the broker is on that machine, or may be
     */
    public record Equipment(int sendingThreads, @Nullable Double ceilingMsgPerSec, String host, boolean besideBroker) {}

    /**
     * What else was in the way.
     *
     * @param limits on what broker and clients could use
     * @param problems what kept figures from being read
     * @param diskNearlyFull the disk that ended the run; null if none did
     */
    public record Surroundings(
            ResourceLimits limits,
            List<String> problems,
            @Nullable DiskSpace diskNearlyFull) {

        /** How many processors the clients may use; infinity where nobody keeps them from any. */
        double clientCores() {
            Double cpus = limits.clients().kept().cpus();
            return cpus == null ? Double.POSITIVE_INFINITY : cpus;
        }
    }
}
