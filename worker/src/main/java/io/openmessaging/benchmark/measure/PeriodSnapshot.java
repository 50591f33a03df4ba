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
 * What a worker, or several together, saw in a span of time. Not changed once it is made.
 *
 * <p>Workers end their periods one after the other, so each has a span of its own. A rate of several workers is the sum of
 * their rates, each over its own span: over the span of all together, which is longer than any of them, it would be too
 * low.
 *
 * @param shares what each worker counted, always in the order of the workers
 * @param totals the messages since the start of the run, at the end of this period
 * @param latencies one entry for each {@link Latency}
 * @param control the control sample: what of the latencies from end to end is of messages that stayed on one worker, and
 *     was timed by one clock; empty of a worker that is alone, where all of them were
 * @param ofWorkers what each worker saw, in their order; empty unless it was asked for, and of a single worker
 */
public record PeriodSnapshot(
        List<Share> shares,
        Totals totals,
        Map<Latency, LatencySnapshot> latencies,
        Map<Latency, LatencySnapshot> control,
        List<CompressedPeriod> ofWorkers) {

    private static final double NS_PER_SECOND = 1e9;

    /**
     * What one worker counted.
     *
     * @param startNs the begin, epoch nanoseconds
     * @param endNs the end, epoch nanoseconds
     * @param counts the messages in between
     * @param keptStalls of the worker itself, see {@link StallMeter}
     * @param sentBytes of the payloads of just the messages that were sent in between, with the harness' headers
     */
    public record Share(long startNs, long endNs, Totals counts, CompressedLatencies keptStalls, long sentBytes) {

        /** Of a worker in which nobody looked for stalls, of messages whose size does not matter. */
        public Share(long startNs, long endNs, Totals counts) {
            this(startNs, endNs, counts, CompressedLatencies.NONE, 0);
        }

        private double seconds() {
            return (endNs - startNs) / NS_PER_SECOND;
        }

        private Share from(long beginNs) {
            return new Share(Math.min(endNs, Math.max(startNs, beginNs)), endNs, counts, keptStalls, sentBytes);
        }

        /** Sent messages a second, confirmed or not; 0 of a worker that was lost before. */
        public double sendRate() {
            return perSecond(Totals::sent);
        }

        /** Confirmed messages a second. */
        public double publishRate() {
            return perSecond(Totals::acknowledged);
        }

        /** Arrivals a second, of all subscriptions together. */
        public double consumeRate() {
            return perSecond(Totals::receivedByAll);
        }

        private double perSecond(ToLongFunction<Totals> count) {
            return endNs == startNs ? 0 : count.applyAsLong(counts) / seconds();
        }

        /** The stalls of the worker itself. */
        public LatencySnapshot stalls() {
            return keptStalls.open();
        }

        /** Those of one worker in a row, as one. */
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

    /** A period of which it is not kept what each worker saw. */
    public PeriodSnapshot(
            List<Share> shares,
            Totals totals,
            Map<Latency, LatencySnapshot> latencies,
            Map<Latency, LatencySnapshot> control) {
        this(shares, totals, latencies, control, List.of());
    }

    /** A period of a worker that is alone, in which nobody looked for stalls. */
    public PeriodSnapshot(
            long startNs, long endNs, Totals counts, Totals totals, Map<Latency, LatencySnapshot> latencies) {
        this(List.of(new Share(startNs, endNs, counts)), totals, latencies, Map.of());
    }

    /** The same period of a single worker with its stalls. */
    public PeriodSnapshot withStalls(LatencySnapshot seen) {
        return with(new Share(startNs(), endNs(), counts(), CompressedLatencies.of(seen), shares.get(0).sentBytes));
    }

    /** The same period of a single worker by another clock. */
    public PeriodSnapshot over(long startNs, long endNs) {
        return with(new Share(startNs, endNs, counts(), shares.get(0).keptStalls, shares.get(0).sentBytes));
    }

    /** The same without the time before a load began, in which nothing was sent. */
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

    /** The stalls of all workers. */
    public LatencySnapshot stalls() {
        return LatencySnapshot.sum(shares.stream().map(Share::stalls).toList());
    }

    /** The begin, epoch nanoseconds: that of the first worker's. */
    public long startNs() {
        return shares.stream().mapToLong(Share::startNs).min().orElseThrow();
    }

    /** The end, epoch nanoseconds: that of the last worker's. */
    public long endNs() {
        return shares.stream().mapToLong(Share::endNs).max().orElseThrow();
    }

    /** Length in seconds; of several workers, from the first begin to the last end: a count divided by it is no rate. */
    public double seconds() {
        return (endNs() - startNs()) / NS_PER_SECOND;
    }

    /**
     * The mean length of the workers' own spans in seconds: what a count of all is to be divided by, or compared with what
     * was due in. Of one worker the same as {@link #seconds()}; of several shorter.
     */
    public double secondsOfEach() {
        return shares.stream().mapToDouble(Share::seconds).average().orElseThrow();
    }

    /** The messages of this period. */
    public Totals counts() {
        return shares.stream().map(Share::counts).reduce(Totals::plus).orElseThrow();
    }

    /**
     * Whether no message was counted or timed in it. A worker reads its counters before its latencies, so that a period may
     * have timed messages that the next one counts.
     */
    public boolean isEmpty() {
        Totals counts = counts();
        return counts.sent() + counts.failed() + counts.acknowledged() + counts.receivedByAll() == 0
                && latencies.values().stream().allMatch(seen -> seen.count() == 0);
    }

    /** The mean size of the messages that were sent; empty if none was, or nobody counted their bytes. */
    public OptionalDouble meanMessageBytes() {
        long bytes = shares.stream().mapToLong(Share::sentBytes).sum();
        long messages = counts().sent();
        return bytes == 0 || messages == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) bytes / messages);
    }

    /** Confirmed messages a second. */
    public double publishRate() {
        return sum(Share::publishRate);
    }

    /** Refused messages a second. */
    public double publishErrorRate() {
        return sum(share -> share.perSecond(Totals::failed));
    }

    /** Arrivals a second, of all subscriptions together. */
    public double consumeRate() {
        return sum(Share::consumeRate);
    }

    /** Sent messages a second, confirmed or not. */
    public double sendRate() {
        return sum(Share::sendRate);
    }

    private double sum(ToDoubleFunction<Share> rate) {
        return shares.stream().mapToDouble(rate).sum();
    }

    /** The latencies of one kind. */
    public LatencySnapshot latency(Latency latency) {
        return of(latency, latencies);
    }

    /** The latencies of one kind in the control sample. */
    public LatencySnapshot control(Latency latency) {
        return of(latency, control);
    }

    /** Whether some of the latencies from end to end are of messages that went from one worker to another. */
    public boolean hasAcrossWorkers() {
        return shares.size() > 1
                && latency(Latency.END_TO_END).count()
                        > control(Latency.END_TO_END).count();
    }

    /** The same without those: from end to end, only messages of the control sample are left. */
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

    /** The same, of which it is not kept what each worker saw. */
    public PeriodSnapshot ofAll() {
        return new PeriodSnapshot(shares, totals, latencies, control);
    }

    /** Periods of the same workers in a row as one, of which it is not kept what each worker saw; empty without any. */
    public static Optional<PeriodSnapshot> together(List<PeriodSnapshot> periods) {
        if (periods.isEmpty()) {
            return Optional.empty();
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
     * This period and the one of the same workers that follows it, as one. What each worker saw is kept if it is of both,
     * which takes some milliseconds for each worker.
     */
    public PeriodSnapshot followedBy(PeriodSnapshot next) {
        return together(List.of(this, next))
                .orElseThrow()
                .withEach(IntStream.range(0, Math.min(ofWorkers.size(), next.ofWorkers.size()))
                        .mapToObj(i -> ofWorkers.get(i).followedBy(next.ofWorkers.get(i)))
                        .toList());
    }

    /** The same counts with more latencies. It is not kept what each worker saw. */
    public PeriodSnapshot withLatenciesOf(PeriodSnapshot more) {
        return with(List.of(this, more), shares, totals);
    }

    /**
     * A period of several workers.
     *
     * @param ofWorkers what each of them saw, at least one
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

    /** The same, where it is kept what each of them saw. */
    public static PeriodSnapshot mergedWithEach(List<PeriodSnapshot> ofWorkers) {
        PeriodSnapshot all = merged(ofWorkers);
        return all.withEach(IntStream.range(0, ofWorkers.size())
                .mapToObj(i -> CompressedPeriod.of(ofWorkers.get(i).with(all.shares.get(i))))
                .toList());
    }

    private PeriodSnapshot withEach(List<CompressedPeriod> each) {
        return new PeriodSnapshot(shares, totals, latencies, control, each);
    }

    /** All latencies of some periods, added. */
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
