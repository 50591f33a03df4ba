package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import org.jspecify.annotations.Nullable;

/**
 * One worker's part of a result, in a run with separate workers. Values that were not measured or are unknown are
 * null.
 *
 * @param machine the process and its machine
 * @param producers number of the run's producers that it has once all are created
 * @param consumers number of the run's consumers that it has once all are created
 * @param rates rates of its own producers and consumers in the measurement
 * @param usage resources used by its process during the measurement
 * @param clock report on its clock during the measurement
 * @param startedLaterNs delay, in nanoseconds, after the first worker with which it started the latest load; null if
 *     it sent nothing
 * @param ceilingMsgPerSec its highest rate on its machine without a real client
 * @param lost the reason that it no longer responds; null if it responds
 */
public record WorkerResult(
        WorkerMachine machine,
        int producers,
        int consumers,
        RunResult.@Nullable Rates rates,
        @Nullable HarnessUsage usage,
        @Nullable ClockReport clock,
        @Nullable Long startedLaterNs,
        @Nullable Double ceilingMsgPerSec,
        @Nullable String lost) {}
