package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.DiskSpace;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.RunResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that a run is judged by.
 *
 * @param workload what was to be
 * @param layout of the headers
 * @param recording the periods, and what the phases noticed
 * @param load what came of putting the load on
 * @param ending what became of the messages
 * @param harness what the harness used and is capable of
 * @param surroundings what else was in the way
 */
record Evidence(
        Workload workload,
        MessageHeader.Layout layout,
        Recording recording,
        LoadOutcome load,
        Ending ending,
        Harness harness,
        Surroundings surroundings) {

    /**
     * What became of the messages.
     *
     * @param audit null if there is none
     * @param auditOfSearch of the messages of a search; null if there was none
     * @param tail what came after the load was told to end; null if that is not known
     * @param totals once the clients were closed; null if that is not known
     * @param errors of sends and clients, by kind
     */
    record Ending(
            @Nullable AuditReport audit,
            @Nullable AuditReport auditOfSearch,
            RunResult.@Nullable Tail tail,
            @Nullable Totals totals,
            Map<String, Long> errors) {}

    /**
     * What the harness used and is capable of.
     *
     * @param usage during the measurement; null if there was none
     * @param sendingThreads how many threads sent
     * @param ceilingMsgPerSec the highest rate that it is capable of without a real client; null if that is not known
     */
    record Harness(
            @Nullable HarnessUsage usage,
            int sendingThreads,
            @Nullable Double ceilingMsgPerSec) {}

    /**
     * What else was in the way.
     *
     * @param limits on what broker and clients could use
     * @param problems what kept figures from being read
     * @param diskNearlyFull the disk that ended the run; null if none did
     * @param brokerIsLocal whether the broker is on the harness' machine, or may be
     */
    record Surroundings(
            ResourceLimits limits,
            List<String> problems,
            @Nullable DiskSpace diskNearlyFull,
            boolean brokerIsLocal) {

        /** How many processors the clients may use; infinity where nobody keeps them from any. */
        double clientCores() {
            Double cpus = limits.clients().kept().cpus();
            return cpus == null ? Double.POSITIVE_INFINITY : cpus;
        }
    }
}
