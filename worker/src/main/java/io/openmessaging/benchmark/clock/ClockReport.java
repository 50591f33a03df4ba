package io.openmessaging.benchmark.clock;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data on a worker's clock in a result, for a span of time.
 *
 * @param offsets the reported offsets; null if none was known
 * @param probes the probes from which they were derived
 * @param breaks proofs, within the span, that the clock did not run as a clock should; limited to the last thousand of
 *     the run
 */
public record ClockReport(@Nullable Offsets offsets, Probes probes, List<ClockBreak> breaks) {

    /**
     * The reported offsets, one per second.
     *
     * @param last the offset at the end of the span
     * @param largestBoundNs the largest of their bounds
     * @param medianBoundNs the median of their bounds
     * @param driftPpm by how much faster the worker's clock ran than the coordinator's, from the first offset to the
     *     last
     * @param driftBoundPpm the largest error of {@code driftPpm}
     */
    public record Offsets(
            Offset last, long largestBoundNs, long medianBoundNs, double driftPpm, double driftBoundPpm) {}

    /**
     * Questions and answers.
     *
     * @param sent number of questions
     * @param answered number of answered questions, by method: {@code UDP}, or the name of the other connection
     * @param minRoundTripNs the shortest time in transit, both ways; 0 if none was answered
     * @param medianRoundTripNs the median, of one answer per second
     */
    public record Probes(long sent, Map<String, Long> answered, long minRoundTripNs, long medianRoundTripNs) {}
}
