package io.openmessaging.benchmark.result;

import org.jspecify.annotations.Nullable;

/**
 * How well times of two workers compare.
 *
 * @param apartNs by how much the difference of the clocks of a worker that sends and another one that receives can be wrong,
 *     at most, in nanoseconds; {@link #UNKNOWN_NS} if the clock of one of them is not known
 * @param medianNs the median of the latencies from end to end, in nanoseconds, of whatever messages; null if no message went
 *     from one worker to another
 */
public record ClockBound(long apartNs, @Nullable Long medianNs) {

    /** The clocks may be apart by any time. */
    public static final long UNKNOWN_NS = Long.MAX_VALUE;

    /** Whether every clock is known. */
    public boolean isKnown() {
        return apartNs != UNKNOWN_NS;
    }

    /** Whether latencies of messages that went from one worker to another say anything: they are not all error. */
    public boolean isEndToEndGiven() {
        return medianNs == null || apartNs <= medianNs;
    }
}
