package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.config.AbortRules;
import io.openmessaging.benchmark.config.LatencyBound;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.RunResult.Breach;
import io.openmessaging.benchmark.result.RunResult.SloOutcome;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Compares figures with the bounds that a workload sets. Pure. */
public final class Bounds {

    private Bounds() {}

    /** With fewer samples beyond a percentile, a single sample decides. */
    private static final int SAMPLES_BEYOND = 10;

    /** The first latency that is beyond its bound; a latency without samples is beyond none. */
    public static Optional<Breach> latency(List<LatencyBound> bounds, PeriodSnapshot seen) {
        for (LatencyBound bound : bounds) {
            LatencySnapshot latencies = seen.latency(bound.latency());
            double valueNs = latencies.count() == 0 ? 0 : bound.figure().valueNs(latencies.summary());
            if (valueNs > bound.limit().toNanos()) {
                return Optional.of(new Breach(
                        bound.key(),
                        bound.key() + " was " + Quantities.latency(valueNs) + ", more than "
                                + Quantities.latency(bound.limit().toNanos())));
            }
        }
        return Optional.empty();
    }

    /** The breach if confirmations or a subscription fell behind what was due; empty if none did. */
    public static Optional<Breach> pace(Pace pace) {
        if (pace.keptUp()) {
            return Optional.empty();
        }
        String slowest = pace.backlogGrowth() > 0 ? "the slowest subscription" : "the confirmations";
        return Optional.of(new Breach(
                "pace",
                slowest + " fell behind the schedule by "
                        + Quantities.counted(Math.round(pace.largestGrowth()), "message")));
    }

    /** The outcome of each of a workload's bounds. */
    public static List<SloOutcome> outcomes(List<LatencyBound> bounds, PeriodSnapshot seen) {
        return bounds.stream()
                .map(bound -> {
                    LatencySnapshot latencies = seen.latency(bound.latency());
                    return new SloOutcome(
                            bound.key(),
                            bound.limit().toNanos(),
                            latencies.count() == 0 ? null : bound.figure().valueNs(latencies.summary()),
                            latencies.count(),
                            bound.figure().samplesNeeded());
                })
                .toList();
    }

    /** Returns whether enough samples are beyond the percentiles of all the bounds, so that chance does not decide. */
    public static boolean haveSamples(List<LatencyBound> bounds, PeriodSnapshot seen) {
        return bounds.stream()
                .allMatch(bound -> seen.latency(bound.latency()).count()
                        >= SAMPLES_BEYOND * bound.figure().samplesNeeded());
    }

    /**
     * The first latency that is beyond its bound, and not by chance: if a percentile has few samples beyond it, more
     * of them have to be beyond the bound than the distribution of rare events (Poisson) gives in 95 of 100 cases at a
     * rate that just keeps it.
     */
    public static Optional<Breach> latencyBeyondChance(List<LatencyBound> bounds, PeriodSnapshot seen) {
        return latency(
                bounds.stream()
                        .filter(bound -> !isChance(bound, seen.latency(bound.latency())))
                        .toList(),
                seen);
    }

    private static boolean isChance(LatencyBound bound, LatencySnapshot latencies) {
        long needed = bound.figure().samplesNeeded();
        if (needed == 1 || latencies.count() >= SAMPLES_BEYOND * needed) {
            return false;
        }
        long beyond = latencies.histogram().getTotalCount()
                - latencies.histogram().getCountBetweenValues(0, bound.limit().toNanos());
        double expected = (double) latencies.count() / needed;
        double term = Math.exp(-expected);
        double fewer = 0;
        for (int i = 0; i < beyond; i++) {
            fewer += term;
            term *= expected / (i + 1);
        }
        return fewer < 0.95;
    }

    /**
     * The first rule that keeps a run from continuing with its next step.
     *
     * @param seen figures of the step so far
     * @param bestMsgPerSec highest publish rate of the steps before it; 0 if there is none
     */
    public static Optional<Breach> abort(AbortRules rules, PeriodSnapshot seen, double bestMsgPerSec) {
        return latency(rules.latencies(), seen)
                .or(() -> tooManyErrors(rules, seen.counts()))
                .or(() -> tooFewArrivals(rules, seen.counts()))
                .or(() -> dropped(rules, seen.publishRate(), bestMsgPerSec));
    }

    private static Optional<Breach> tooManyErrors(AbortRules rules, Totals counts) {
        if (rules.publishErrorRatio().isEmpty()) {
            return Optional.empty();
        }
        double limit = rules.publishErrorRatio().getAsDouble();
        long answered = counts.acknowledged() + counts.failed();
        double ratio = answered == 0 ? 0 : (double) counts.failed() / answered;
        return breach(ratio > limit, AbortRules.PUBLISH_ERROR_RATIO, ratio, "more", limit);
    }

    private static Optional<Breach> tooFewArrivals(AbortRules rules, Totals counts) {
        if (rules.consumeToPublishRatio().isEmpty() || counts.acknowledged() == 0) {
            return Optional.empty();
        }
        double limit = rules.consumeToPublishRatio().getAsDouble();
        long slowest =
                counts.received().stream().mapToLong(Long::longValue).min().orElse(counts.acknowledged());
        double ratio = (double) slowest / counts.acknowledged();
        return breach(ratio < limit, AbortRules.CONSUME_TO_PUBLISH_RATIO, ratio, "less", limit);
    }

    private static Optional<Breach> dropped(AbortRules rules, double rateMsgPerSec, double bestMsgPerSec) {
        if (rules.throughputDrop().isEmpty() || bestMsgPerSec == 0) {
            return Optional.empty();
        }
        double limit = rules.throughputDrop().getAsDouble();
        double drop = 1 - rateMsgPerSec / bestMsgPerSec;
        return breach(drop > limit, AbortRules.THROUGHPUT_DROP, drop, "more", limit);
    }

    private static Optional<Breach> breach(boolean broken, String rule, double value, String side, double limit) {
        return broken
                ? Optional.of(new Breach(
                        rule, String.format(Locale.ROOT, "%s was %.3g, %s than %.3g", rule, value, side, limit)))
                : Optional.empty();
    }
}
