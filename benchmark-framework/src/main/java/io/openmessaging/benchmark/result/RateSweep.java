package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.result.RunResult.LoadStep;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The result of a measurement at several rates.
 *
 * <p>The knee is the sustained rate with the highest power, which is the publish rate over the p99 of the latency.
 * Below it, the latency grows by a smaller factor than the rate; beyond it, by a larger one. In a diagram of latency
 * over rate, a line through the origin touches the curve at the knee. (Power: L. Kleinrock, "Power and deterministic
 * rules of thumb for probabilistic problems in computer communications", ICC 1979. That knee: C. Millsap, "Thinking
 * clearly about performance", ACM Queue 8(9), 2010. Both take the mean; the p99 is what users of messaging systems are
 * promised.)
 *
 * @param steps a step for each rate, in the order in which they were measured
 */
public record RateSweep(List<LoadStep> steps) {

    private static final double PERCENTILE = 99;

    /** Ordered from the most to the least comprehensive; the first that was measured determines the knee. */
    private static final List<Latency> LATENCIES =
            List.of(Latency.SCHEDULED_END_TO_END, Latency.END_TO_END, Latency.SCHEDULED_PUBLISH, Latency.PUBLISH);

    public RateSweep {
        steps = List.copyOf(steps);
    }

    /** Returns the step at the knee; empty if no rate was sustained. */
    public Optional<LoadStep> knee() {
        return sustained().stream().max(Comparator.comparingDouble(this::power));
    }

    /**
     * Returns the step whose figures are those of the run: the one at the knee, or the first if no rate was sustained.
     */
    public Optional<LoadStep> headline() {
        return knee().or(() -> steps.stream().findFirst());
    }

    /** Returns the step with the highest sustained rate; empty if none was sustained. */
    public Optional<LoadStep> highestSustained() {
        return sustained().stream().reduce((lower, higher) -> higher);
    }

    private List<LoadStep> sustained() {
        return steps.stream().filter(LoadStep::clean).toList();
    }

    /** Returns the latency that determines the knee; empty if none was measured at every sustained rate. */
    public Optional<Latency> latency() {
        return LATENCIES.stream()
                .filter(latency -> sustained().stream()
                        .allMatch(step -> step.seen().latency(latency).count() > 0))
                .findFirst();
    }

    /** Returns the p99 of a step, in nanoseconds; 0 if it was not measured. */
    public long p99Ns(LoadStep step) {
        return latency()
                .map(latency -> step.seen().latency(latency))
                .map(LatencySnapshot::histogram)
                .map(histogram -> histogram.getValueAtPercentile(PERCENTILE))
                .orElse(0L);
    }

    /** Messages per second for each second of latency; if no latency was measured, the rate alone decides. */
    public double power(LoadStep step) {
        long p99Ns = p99Ns(step);
        return step.seen().publishRate() / (p99Ns == 0 ? 1 : p99Ns / 1e9);
    }
}
