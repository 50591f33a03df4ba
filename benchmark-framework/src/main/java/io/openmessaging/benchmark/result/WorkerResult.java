package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import org.jspecify.annotations.Nullable;

/**
 * What a result says of one worker of a run that has workers of its own. What was not measured, or is not known, is null.
 *
 * @param machine its process and what that is on
 * @param producers how many of the run's producers it has, once all are there
 * @param consumers how many of the run's consumers it has, likewise
 * @param rates of its own producers and consumers in the measurement
 * @param usage what its process used during the measurement
 * @param clock what is known of its clock during the measurement
 * @param startedLaterNs how much later than the first worker it began the latest load, in nanoseconds; null if it sent nothing
 * @param ceilingMsgPerSec what it is capable of without a real client, on its machine
 * @param lost why it does not answer any more; null if it does
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
