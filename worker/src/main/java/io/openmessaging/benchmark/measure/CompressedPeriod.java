package io.openmessaging.benchmark.measure;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one of several workers saw in a period, where that is kept of each period of a run: the latencies take some kilobytes
 * instead of a megabyte. Not changed once it is made.
 *
 * @param share what it counted
 * @param totals its messages since the start of the run, at the end of this period
 * @param latencies those that have samples
 * @param control the control sample, likewise
 */
public record CompressedPeriod(
        PeriodSnapshot.Share share,
        Totals totals,
        Map<Latency, CompressedLatencies> latencies,
        Map<Latency, CompressedLatencies> control) {

    /** A period of a single worker, compressed. */
    public static CompressedPeriod of(PeriodSnapshot period) {
        return new CompressedPeriod(
                period.shares().get(0), period.totals(), compressed(period.latencies()), compressed(period.control()));
    }

    /** The period that was compressed. */
    public PeriodSnapshot open() {
        return new PeriodSnapshot(List.of(share), totals, opened(latencies), opened(control));
    }

    /** This period and the one of the same worker that follows it, as one. */
    CompressedPeriod followedBy(CompressedPeriod next) {
        return of(open().followedBy(next.open()));
    }

    /** The same counts and latencies in another span. */
    CompressedPeriod over(PeriodSnapshot.Share span) {
        return new CompressedPeriod(span, totals, latencies, control);
    }

    /** As {@link PeriodSnapshot#withinWorkers()}. */
    CompressedPeriod withinWorkers() {
        Map<Latency, CompressedLatencies> kept = new EnumMap<>(Latency.class);
        kept.putAll(latencies);
        kept.keySet().removeIf(Latency::isEndToEnd);
        kept.putAll(control);
        return new CompressedPeriod(share, totals, kept, control);
    }

    private static Map<Latency, CompressedLatencies> compressed(Map<Latency, LatencySnapshot> latencies) {
        Map<Latency, CompressedLatencies> compressed = new EnumMap<>(Latency.class);
        latencies.forEach((latency, snapshot) -> {
            if (snapshot.count() > 0) {
                compressed.put(latency, CompressedLatencies.of(snapshot));
            }
        });
        return compressed;
    }

    private static Map<Latency, LatencySnapshot> opened(Map<Latency, CompressedLatencies> compressed) {
        Map<Latency, LatencySnapshot> opened = new EnumMap<>(Latency.class);
        compressed.forEach((latency, kept) -> opened.put(latency, kept.open()));
        return opened;
    }
}
