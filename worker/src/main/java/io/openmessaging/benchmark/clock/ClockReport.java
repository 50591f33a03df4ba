package io.openmessaging.benchmark.clock;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a result says of a worker's clock, for a span of time.
 *
 * @param offsets those that were reported; null if none was known
 * @param probes what they rest on
 * @param breaks proofs, within the span, that the clock did not go as a clock should; the last thousand of the run
 */
public record ClockReport(@Nullable Offsets offsets, Probes probes, List<ClockBreak> breaks) {

    /**
     * The offsets that were reported, one a second.
     *
     * @param last at the end of the span
     * @param largestBoundNs of their bounds
     * @param medianBoundNs of their bounds
     * @param driftPpm by how much faster than the coordinator's the worker's clock went, from the first to the last
     * @param driftBoundPpm by how much that can be wrong
     */
    public record Offsets(
            Offset last, long largestBoundNs, long medianBoundNs, double driftPpm, double driftBoundPpm) {}

    /**
     * Questions and answers.
     *
     * @param sent how many questions
     * @param answered how many of them were answered, by method: {@code UDP}, and what the other connection is called
     * @param minRoundTripNs the shortest time on the way, there and back; 0 if none was answered
     * @param medianRoundTripNs the median, of one answer a second
     */
    public record Probes(long sent, Map<String, Long> answered, long minRoundTripNs, long medianRoundTripNs) {}
}
