package io.openmessaging.benchmark.measure;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A period of one of several workers, in the form in which it is kept for each period of a run: the latencies take
 * some kilobytes instead of a megabyte. Immutable.
 *
 * @param share the worker's counts
 * @param totals the worker's messages since the start of the run, at the end of this period
 * @param latencies the latencies that have samples
 * @param control the control sample, also without empty latencies
 */
public record CompressedPeriod(
        PeriodSnapshot.Share share,
        Totals totals,
        Map<Latency, CompressedLatencies> latencies,
        Map<Latency, CompressedLatencies> control) {

    /** Compresses a period of a single worker. */
    public static CompressedPeriod of(PeriodSnapshot period) {
        return new CompressedPeriod(
                period.shares().get(0), period.totals(), compressed(period.latencies()), compressed(period.control()));
    }

    /** Returns the period. */
    public PeriodSnapshot open() {
        return new PeriodSnapshot(List.of(share), totals, opened(latencies), opened(control));
    }

    /** Returns this period and the next one of the same worker as one period. */
    CompressedPeriod followedBy(CompressedPeriod next) {
        return of(open().followedBy(next.open()));
    }

    /** Returns this period with another share. */
    CompressedPeriod over(PeriodSnapshot.Share span) {
        return new CompressedPeriod(span, totals, latencies, control);
    }

    /** Like {@link PeriodSnapshot#withinWorkers()}. */
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
