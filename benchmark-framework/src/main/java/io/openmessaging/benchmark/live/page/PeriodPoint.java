package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.RunPeriod;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A period of a run, or several consecutive periods.
 *
 * @param startMs start, epoch milliseconds
 * @param endMs end, epoch milliseconds
 * @param latencies latencies of each kind that has any, by their names in results
 * @param used resources used
 */
record PeriodPoint(long startMs, long endMs, Map<String, LatencyPoint> latencies, ResourcePoint used) {

    private static final long NS_PER_MS = 1_000_000;

    PeriodPoint {
        latencies = Collections.unmodifiableMap(new TreeMap<>(latencies));
    }

    static PeriodPoint of(RunPeriod period) {
        PeriodSnapshot seen = period.seen();
        Map<String, LatencyPoint> latencies = new TreeMap<>();
        for (Latency latency : Latency.values()) {
            LatencySnapshot snapshot = seen.latency(latency);
            if (snapshot.count() > 0) {
                latencies.put(latency.label(), LatencyPoint.of(snapshot));
            }
        }
        return new PeriodPoint(
                seen.startNs() / NS_PER_MS,
                seen.endNs() / NS_PER_MS,
                latencies,
                ResourcePoint.of(period.used(), seen.seconds()));
    }

    /** Joins this period and the one that follows. */
    PeriodPoint followedBy(PeriodPoint next) {
        Map<String, LatencyPoint> both = new TreeMap<>(latencies);
        next.latencies.forEach((kind, latency) -> both.merge(kind, latency, LatencyPoint::followedBy));
        return new PeriodPoint(startMs, next.endMs, both, used.followedBy(next.used));
    }
}
