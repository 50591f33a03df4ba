package io.openmessaging.benchmark.judge.worker;

import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.resources.HostProbe;
import io.openmessaging.benchmark.resources.SamplingMonitor;
import org.jspecify.annotations.Nullable;

/**
 * One worker, as a run has seen it.
 *
 * @param name name in findings and resource figures: {@link SamplingMonitor#HARNESS} if the harness is this
 *     process
 * @param producers number of the run's producers that it has
 * @param consumers number of the run's consumers that it has
 * @param equipment equipment of the worker
 * @param usage resources used during the measurement; null if there was none
 * @param clock report on its clock during the measurement; null if unknown, or if it is this process' own clock
 */
public record WorkerSeen(
        String name,
        int producers,
        int consumers,
        Equipment equipment,
        @Nullable HarnessUsage usage,
        @Nullable ClockReport clock) {

    /**
     * The equipment of a worker.
     *
     * @param sendingThreads number of sending threads
     * @param ceilingMsgPerSec highest rate without a real client; null if unknown
     * @param host name of its machine in findings and resource figures: {@link HostProbe#NAME} for this one
     * @param besideBroker true if the broker is on that machine, or may be
     */
    public record Equipment(int sendingThreads, @Nullable Double ceilingMsgPerSec, String host, boolean besideBroker) {}

    /** Returns the number of its sending threads. */
    public int sendingThreads() {
        return equipment.sendingThreads();
    }

    /** Returns the name of its machine. */
    public String host() {
        return equipment.host();
    }
}
