package io.openmessaging.benchmark.result;

import org.jspecify.annotations.Nullable;

/**
 * How well the times of two workers compare.
 *
 * @param apartNs the largest possible error, in nanoseconds, of the clock difference between a sending worker and a
 *     receiving worker; {@link #UNKNOWN_NS} if one of the clocks is unknown
 * @param medianNs the median end-to-end latency of all messages, in nanoseconds; null if no message went from one
 *     worker to another
 */
public record ClockBound(long apartNs, @Nullable Long medianNs) {

    /** The clocks may differ by any amount. */
    public static final long UNKNOWN_NS = Long.MAX_VALUE;

    /** Returns whether every clock is known. */
    public boolean isKnown() {
        return apartNs != UNKNOWN_NS;
    }

    /** Returns whether latencies between workers mean anything, that is, are more than clock error. */
    public boolean isEndToEndGiven() {
        return medianNs == null || apartNs <= medianNs;
    }
}
