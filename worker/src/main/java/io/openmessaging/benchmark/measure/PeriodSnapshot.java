package io.openmessaging.benchmark.measure;

import java.util.EnumMap;
import java.util.Map;

/**
 * What a worker, or several together, saw in a span of time. Not changed once it is made.
 *
 * @param startNs the begin, epoch nanoseconds
 * @param endNs the end, epoch nanoseconds
 * @param counts the messages of this period
 * @param totals the messages since the start of the run, at the end of this period
 * @param latencies one entry for each {@link Latency}
 * @param stalls of the worker itself, see {@link StallMeter}
 */
public record PeriodSnapshot(
        long startNs,
        long endNs,
        Totals counts,
        Totals totals,
        Map<Latency, LatencySnapshot> latencies,
        LatencySnapshot stalls) {

    private static final double NS_PER_SECOND = 1e9;

    /** A period in which nobody looked for stalls. */
    public PeriodSnapshot(
            long startNs, long endNs, Totals counts, Totals totals, Map<Latency, LatencySnapshot> latencies) {
        this(startNs, endNs, counts, totals, latencies, LatencySnapshot.empty());
    }

    /** The same period with the stalls of the worker. */
    public PeriodSnapshot withStalls(LatencySnapshot seen) {
        return new PeriodSnapshot(startNs, endNs, counts, totals, latencies, seen);
    }

    /** Length in seconds. */
    public double seconds() {
        return (endNs - startNs) / NS_PER_SECOND;
    }

    /** Confirmed messages a second. */
    public double publishRate() {
        return perSecond(counts.acknowledged());
    }

    /** Refused messages a second. */
    public double publishErrorRate() {
        return perSecond(counts.failed());
    }

    /** Arrivals a second, of all subscriptions together. */
    public double consumeRate() {
        return perSecond(counts.receivedByAll());
    }

    /** Sent messages a second, confirmed or not. */
    public double sendRate() {
        return perSecond(counts.sent());
    }

    private double perSecond(long count) {
        return endNs == startNs ? 0 : count / seconds();
    }

    /** The latencies of one kind. */
    public LatencySnapshot latency(Latency latency) {
        LatencySnapshot snapshot = latencies.get(latency);
        return snapshot == null ? LatencySnapshot.empty() : snapshot;
    }

    /** This period and the one that follows it, as one. */
    public PeriodSnapshot followedBy(PeriodSnapshot next) {
        return new PeriodSnapshot(
                startNs, next.endNs, counts.plus(next.counts), next.totals, sum(next), stalls.plus(next.stalls));
    }

    /** The same counts with more latencies. */
    public PeriodSnapshot withLatenciesOf(PeriodSnapshot more) {
        return new PeriodSnapshot(startNs, endNs, counts, totals, sum(more), stalls);
    }

    /** The same span of time as another worker saw it, added. */
    public PeriodSnapshot mergedWith(PeriodSnapshot other) {
        return new PeriodSnapshot(
                Math.min(startNs, other.startNs),
                Math.max(endNs, other.endNs),
                counts.plus(other.counts),
                totals.plus(other.totals),
                sum(other),
                stalls.plus(other.stalls));
    }

    private Map<Latency, LatencySnapshot> sum(PeriodSnapshot other) {
        Map<Latency, LatencySnapshot> sum = new EnumMap<>(Latency.class);
        for (Latency latency : Latency.values()) {
            sum.put(latency, latency(latency).plus(other.latency(latency)));
        }
        return sum;
    }
}
