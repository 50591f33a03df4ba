package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * Judges whether messages were confirmed all the time, and at about the same rate. Pure.
 *
 * <p>Both are judged by stretches of the measurement: its periods, or several together if they are shorter than a
 * stretch has to be. Shorter activities of a broker, such as starting a file or collecting garbage, appear in the
 * latencies.
 */
final class Steadiness {

    /** Shorter pauses count as latency, not as stalls. */
    static final double STALL_SECONDS = 1;

    /** How far periods may be off the load's profile: workers start loads and end periods a little late. */
    private static final double BOUNDARY_SECONDS = 0.1;

    /** In less time, a healthy broker on a busy machine goes up and down by more than half. */
    static final double EVEN_SECONDS = 5;

    /**
     * Part of its length at which a stretch is complete: a late thread ends a period late, so that the next one is
     * short.
     */
    private static final double FULL = 0.9;

    /** Fewer messages than this may fall on either side of a stretch by their latency alone. */
    static final double FEWEST_DUE = 2;

    /** With fewer stretches, a single one is a third. */
    static final int MIN_STRETCHES = 4;

    /**
     * How far from the median a stretch may be, as a part of it. Of normally distributed figures a third is more than
     * one standard deviation from the middle, so that together with {@link #MOST_OUTLIERS} this bounds the standard
     * deviation by half of the median: a coefficient of variation of 0.5. It is taken from ranks, so that a few
     * stretches may be arbitrarily far off, which would dominate a computed coefficient. Without a limit of their
     * rate, on two processors that others used as well, Artemis had 25 % of its stretches that far off, RabbitMQ 18 %,
     * Kafka 8 %, and Pulsar, Redis, RocketMQ and streams of RabbitMQ none; Redis that syncs each message to a disk
     * that others wrote to as well had 42 %, with halves that were 69 % apart. By the second, Artemis had 28 %,
     * RabbitMQ 22 % and Kafka 12 %, which became 43 % with ten threads to run for each processor.
     */
    static final double OUTLIER = 0.5;

    /** The part of the stretches that may be that far off. */
    static final double MOST_OUTLIERS = 1.0 / 3;

    private Steadiness() {}

    /** A part of the measurement, in seconds from its start. */
    private record Stretch(double fromSeconds, double toSeconds, long acknowledged) {

        double seconds() {
            return toSeconds - fromSeconds;
        }

        double rate() {
            return acknowledged / seconds();
        }

        /**
         * Returns whether messages should have been confirmed in it and none was. If the load starts within the stretch,
         * only messages due {@link #STALL_SECONDS} before its end count, since the first ones may still be on their way.
         */
        boolean stalled(ExpectedLoad expected) {
            if (acknowledged > 0) {
                return false;
            }
            double due = DoubleStream.of(-STALL_SECONDS, BOUNDARY_SECONDS)
                    .map(shift -> expected.scheduled(fromSeconds + shift, toSeconds + shift))
                    .reduce(expected.due(fromSeconds, toSeconds), Math::min);
            return due >= FEWEST_DUE + expected.scatter(due);
        }
    }

    private static List<Stretch> stretches(List<PeriodSnapshot> periods, double shortestSeconds) {
        List<Stretch> stretches = new ArrayList<>();
        double fromSeconds = 0;
        double toSeconds = 0;
        long acknowledged = 0;
        for (PeriodSnapshot period : periods) {
            toSeconds += period.secondsOfEach();
            acknowledged += period.counts().acknowledged();
            if (toSeconds - fromSeconds >= FULL * shortestSeconds) {
                stretches.add(new Stretch(fromSeconds, toSeconds, acknowledged));
                fromSeconds = toSeconds;
                acknowledged = 0;
            }
        }
        return stretches;
    }

    /** The finding for stretches in which messages were due and none was confirmed; empty if there are none. */
    static Optional<Finding> stalls(List<PeriodSnapshot> measured, ExpectedLoad expected) {
        List<Stretch> all = stretches(measured, STALL_SECONDS);
        List<Stretch> stalled =
                all.stream().filter(stretch -> stretch.stalled(expected)).toList();
        return stalled.isEmpty()
                ? Optional.empty()
                : Optional.of(Finding.loadStalled(
                        stalled.size(),
                        all.size(),
                        stalled.stream().mapToDouble(Stretch::seconds).sum(),
                        stalled.get(0).fromSeconds()));
    }

    /**
     * The finding for too many stretches too far from the median, in an even load; stretches reported as stalls are
     * left out. One message more or less is tolerated, because in a slow load it says nothing.
     */
    static Optional<Finding> unevenness(List<PeriodSnapshot> measured, ExpectedLoad expected) {
        List<Stretch> judged = stretches(measured, EVEN_SECONDS).stream()
                .filter(stretch ->
                        stretch.toSeconds() <= expected.publishSeconds().orElse(Double.POSITIVE_INFINITY))
                .filter(stretch -> !stretch.stalled(expected))
                .toList();
        if (judged.size() < MIN_STRETCHES) {
            return Optional.empty();
        }
        double[] rates = judged.stream().mapToDouble(Stretch::rate).sorted().toArray();
        double median = median(rates);
        long outliers = judged.stream()
                .filter(stretch -> Math.abs(stretch.rate() - median)
                        > OUTLIER * median + (1 + expected.scatter(median * stretch.seconds())) / stretch.seconds())
                .count();
        return outliers <= MOST_OUTLIERS * judged.size()
                ? Optional.empty()
                : Optional.of(Finding.rateUneven(outliers, judged.size(), median, rates[0], rates[rates.length - 1]));
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[middle]
                : Arrays.stream(sorted, middle - 1, middle + 1).average().orElse(0);
    }
}
