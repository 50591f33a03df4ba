package io.openmessaging.benchmark.measure;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The counts and latencies of one worker, or of several together, in a span of time. Treated as immutable.
 *
 * <p>Workers end their periods one after the other, so each has a span of its own. The rate of several workers is the
 * sum of their rates, each over its own span: over the common span of all, which is longer than any of them, it would
 * be too low.
 *
 * @param shares the counts of each worker, always in the order of the workers
 * @param totals the messages since the start of the run, at the end of this period
 * @param latencies one entry for each {@link Latency}
 * @param control the control sample: end-to-end latencies of messages that stayed on one worker and were timed by one
 *     clock; empty for a single worker, where this holds for all messages
 * @param ofWorkers the period of each worker, in their order; empty unless requested, and for a single worker
 */
public record PeriodSnapshot(
        List<Share> shares,
        Totals totals,
        Map<Latency, LatencySnapshot> latencies,
        Map<Latency, LatencySnapshot> control,
        List<CompressedPeriod> ofWorkers) {

    /**
     * The counts of one worker.
     *
     * @param startNs the start, epoch nanoseconds
     * @param endNs the end, epoch nanoseconds
     * @param counts the messages in between
     * @param keptStalls stalls of the worker itself, see {@link StallMeter}
     * @param sentBytes total payload size of exactly the messages sent in between, including the harness' headers
     */
    public record Share(long startNs, long endNs, Totals counts, CompressedLatencies keptStalls, long sentBytes) {

        /** Creates a share without stalls and without message sizes. */
        public Share(long startNs, long endNs, Totals counts) {
            this(startNs, endNs, counts, CompressedLatencies.NONE, 0);
        }

        private double seconds() {
            return (endNs - startNs) / 1e9;
        }

        private Share from(long beginNs) {
            return new Share(Math.min(endNs, Math.max(startNs, beginNs)), endNs, counts, keptStalls, sentBytes);
        }

        /** Returns sent messages per second, confirmed or not; 0 for a worker that was lost before. */
        public double sendRate() {
            return perSecond(Totals::sent);
        }

        /** Returns confirmed messages per second. */
        public double publishRate() {
            return perSecond(Totals::acknowledged);
        }

        /** Returns arrivals per second, of all subscriptions together. */
        public double consumeRate() {
            return perSecond(Totals::receivedByAll);
        }

        private double perSecond(ToLongFunction<Totals> count) {
            return endNs == startNs ? 0 : count.applyAsLong(counts) / seconds();
        }

        /** Returns the stalls of the worker itself. */
        public LatencySnapshot stalls() {
            return keptStalls.open();
        }

        /** Returns consecutive shares of one worker as one. */
        private static Share together(List<Share> inARow) {
            return new Share(
                    inARow.get(0).startNs,
                    inARow.get(inARow.size() - 1).endNs,
                    inARow.stream().map(Share::counts).reduce(Totals::plus).orElseThrow(),
                    CompressedLatencies.of(LatencySnapshot.sum(
                            inARow.stream().map(Share::stalls).toList())),
                    inARow.stream().mapToLong(Share::sentBytes).sum());
        }
    }

    /** Creates a period without the periods of each worker. */
    public PeriodSnapshot(
            List<Share> shares,
            Totals totals,
            Map<Latency, LatencySnapshot> latencies,
            Map<Latency, LatencySnapshot> control) {
        this(shares, totals, latencies, control, List.of());
    }

    /** Creates a period of a single worker, without stalls. */
    public PeriodSnapshot(
            long startNs, long endNs, Totals counts, Totals totals, Map<Latency, LatencySnapshot> latencies) {
        this(List.of(new Share(startNs, endNs, counts)), totals, latencies, Map.of());
    }

    /** Returns this period of a single worker with the given stalls. */
    public PeriodSnapshot withStalls(LatencySnapshot seen) {
        return with(new Share(startNs(), endNs(), counts(), CompressedLatencies.of(seen), shares.get(0).sentBytes));
    }

    /** Returns this period of a single worker with other times, from another clock. */
    public PeriodSnapshot over(long startNs, long endNs) {
        return with(new Share(startNs, endNs, counts(), shares.get(0).keptStalls, shares.get(0).sentBytes));
    }

    /** Returns this period without the time before a load started, in which nothing was sent. */
    public PeriodSnapshot from(long beginNs) {
        List<Share> later = shares.stream().map(share -> share.from(beginNs)).toList();
        return new PeriodSnapshot(later, totals, latencies, control)
                .withEach(IntStream.range(0, ofWorkers.size())
                        .mapToObj(i -> ofWorkers.get(i).over(later.get(i)))
                        .toList());
    }

    private PeriodSnapshot with(Share only) {
        return new PeriodSnapshot(List.of(only), totals, latencies, control);
    }

    /** Returns the stalls of all workers. */
    public LatencySnapshot stalls() {
        return LatencySnapshot.sum(shares.stream().map(Share::stalls).toList());
    }

    /** Returns the start of the worker that started first, epoch nanoseconds. */
    public long startNs() {
        return shares.stream().mapToLong(Share::startNs).min().orElseThrow();
    }

    /** Returns the end of the worker that ended last, epoch nanoseconds. */
    public long endNs() {
        return shares.stream().mapToLong(Share::endNs).max().orElseThrow();
    }

    /**
     * Returns the length in seconds; for several workers, from the first start to the last end, so a count divided by
     * it is no rate.
     */
    public double seconds() {
        return (endNs() - startNs()) / 1e9;
    }

    /**
     * Returns the mean length of the workers' own spans in seconds. Counts of all workers are divided by it, or
     * compared with the messages due in it. For one worker it equals {@link #seconds()}; for several it is shorter.
     */
    public double secondsOfEach() {
        return shares.stream().mapToDouble(Share::seconds).average().orElseThrow();
    }

    /** Returns the messages of this period. */
    public Totals counts() {
        return shares.stream().map(Share::counts).reduce(Totals::plus).orElseThrow();
    }

    /**
     * Returns whether no message was counted or timed in this period. A worker reads its counters before its
     * latencies, so a period may have timed messages that the next one counts.
     */
    public boolean isEmpty() {
        Totals counts = counts();
        return counts.sent() + counts.failed() + counts.acknowledged() + counts.receivedByAll() == 0
                && latencies.values().stream().allMatch(seen -> seen.count() == 0);
    }

    /** Returns the mean size of the messages sent; empty if none was sent, or sizes were not counted. */
    public OptionalDouble meanMessageBytes() {
        long bytes = shares.stream().mapToLong(Share::sentBytes).sum();
        long messages = counts().sent();
        return bytes == 0 || messages == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) bytes / messages);
    }

    /** Returns confirmed messages per second. */
    public double publishRate() {
        return sum(Share::publishRate);
    }

    /** Returns refused messages per second. */
    public double publishErrorRate() {
        return sum(share -> share.perSecond(Totals::failed));
    }

    /** Returns arrivals per second, of all subscriptions together. */
    public double consumeRate() {
        return sum(Share::consumeRate);
    }

    /** Returns sent messages per second, confirmed or not. */
    public double sendRate() {
        return sum(Share::sendRate);
    }

    private double sum(ToDoubleFunction<Share> rate) {
        return shares.stream().mapToDouble(rate).sum();
    }

    /** Returns the latencies of one kind. */
    public LatencySnapshot latency(Latency latency) {
        return of(latency, latencies);
    }

    /** Returns the latencies of one kind in the control sample. */
    public LatencySnapshot control(Latency latency) {
        return of(latency, control);
    }

    /** Returns whether some end-to-end latencies are of messages that went from one worker to another. */
    public boolean hasAcrossWorkers() {
        return shares.size() > 1
                && latency(Latency.END_TO_END).count()
                        > control(Latency.END_TO_END).count();
    }

    /**
     * Returns this period without the latencies of messages between workers: for end-to-end latencies, only the
     * control sample remains.
     */
    public PeriodSnapshot withinWorkers() {
        Map<Latency, LatencySnapshot> kept = new EnumMap<>(Latency.class);
        kept.putAll(latencies);
        kept.replaceAll((latency, all) -> latency.isEndToEnd() ? control(latency) : all);
        return new PeriodSnapshot(
                shares,
                totals,
                kept,
                control,
                ofWorkers.stream().map(CompressedPeriod::withinWorkers).toList());
    }

    private static LatencySnapshot of(Latency latency, Map<Latency, LatencySnapshot> latencies) {
        LatencySnapshot snapshot = latencies.get(latency);
        return snapshot == null ? LatencySnapshot.empty() : snapshot;
    }

    /** Returns this period without the periods of each worker. */
    public PeriodSnapshot ofAll() {
        return new PeriodSnapshot(shares, totals, latencies, control);
    }

    /**
     * Returns consecutive periods of the same workers as one, without the periods of each worker; empty if there are
     * none.
     */
    public static Optional<PeriodSnapshot> together(List<PeriodSnapshot> periods) {
        if (periods.isEmpty()) {
            return Optional.empty();
        }
        if (periods.size() == 1) {
            return Optional.of(periods.get(0).ofAll());
        }
        int workers = periods.get(0).shares.size();
        for (PeriodSnapshot period : periods) {
            if (period.shares.size() != workers) {
                throw new IllegalArgumentException(
                        "a period of %d workers cannot follow one of %d".formatted(period.shares.size(), workers));
            }
        }
        List<Share> shares = IntStream.range(0, workers)
                .mapToObj(i -> Share.together(
                        periods.stream().map(period -> period.shares.get(i)).toList()))
                .toList();
        return Optional.of(with(periods, shares, periods.get(periods.size() - 1).totals));
    }

    /**
     * Returns this period and the next one of the same workers as one. The periods of each worker are kept if both
     * have them, which takes some milliseconds per worker.
     */
    public PeriodSnapshot followedBy(PeriodSnapshot next) {
        return together(List.of(this, next))
                .orElseThrow()
                .withEach(IntStream.range(0, Math.min(ofWorkers.size(), next.ofWorkers.size()))
                        .mapToObj(i -> ofWorkers.get(i).followedBy(next.ofWorkers.get(i)))
                        .toList());
    }

    /** Returns this period with the latencies of another one added. The periods of each worker are not kept. */
    public PeriodSnapshot withLatenciesOf(PeriodSnapshot more) {
        return with(List.of(this, more), shares, totals);
    }

    /**
     * Merges the periods of several workers into one.
     *
     * @param ofWorkers the period of each of them, at least one
     */
    public static PeriodSnapshot merged(List<PeriodSnapshot> ofWorkers) {
        return with(
                ofWorkers,
                ofWorkers.stream().flatMap(period -> period.shares.stream()).toList(),
                ofWorkers.stream()
                        .map(PeriodSnapshot::totals)
                        .reduce(Totals::plus)
                        .orElseThrow());
    }

    /** Merges like {@link #merged}, and keeps the period of each worker. */
    public static PeriodSnapshot mergedWithEach(List<PeriodSnapshot> ofWorkers) {
        PeriodSnapshot all = merged(ofWorkers);
        return all.withEach(IntStream.range(0, ofWorkers.size())
                .mapToObj(i -> CompressedPeriod.of(ofWorkers.get(i).with(all.shares.get(i))))
                .toList());
    }

    private PeriodSnapshot withEach(List<CompressedPeriod> each) {
        return new PeriodSnapshot(shares, totals, latencies, control, each);
    }

    /** Adds up the latencies of periods. */
    private static PeriodSnapshot with(List<PeriodSnapshot> periods, List<Share> shares, Totals totals) {
        return new PeriodSnapshot(
                shares,
                totals,
                sum(EnumSet.allOf(Latency.class), periods, PeriodSnapshot::latency),
                sum(inControlOf(periods), periods, PeriodSnapshot::control));
    }

    private static Set<Latency> inControlOf(List<PeriodSnapshot> periods) {
        return periods.stream()
                .flatMap(period -> period.control.keySet().stream())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Latency.class)));
    }

    private static Map<Latency, LatencySnapshot> sum(
            Set<Latency> kinds,
            List<PeriodSnapshot> periods,
            BiFunction<PeriodSnapshot, Latency, LatencySnapshot> summand) {
        Map<Latency, LatencySnapshot> sum = new EnumMap<>(Latency.class);
        for (Latency kind : kinds) {
            sum.put(
                    kind,
                    LatencySnapshot.sum(periods.stream()
                            .map(period -> summand.apply(period, kind))
                            .toList()));
        }
        return sum;
    }
}
