package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.result.RunPeriod;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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

    /**
     * Mean resource use of broker, harness and machine in a period, or in several consecutive periods. Unknown values
     * are null.
     *
     * @param seconds duration
     * @param brokerCpuPercent processor use of all nodes together; 100 is one processor
     * @param harnessCpuPercent processor use of all workers together
     * @param hostBusyPercent use of all processors of the busiest machine that is watched
     * @param brokerBytes memory of all nodes together
     * @param harnessBytes memory of all workers together
     * @param brokerWrittenBytesPerSec rate at which all nodes together wrote to disks
     */
    record ResourcePoint(
            double seconds,
            @Nullable Double brokerCpuPercent,
            @Nullable Double harnessCpuPercent,
            @Nullable Double hostBusyPercent,
            @Nullable Double brokerBytes,
            @Nullable Double harnessBytes,
            @Nullable Double brokerWrittenBytesPerSec) {

        private static final double PERCENT = 100;

        static ResourcePoint of(ResourcePeriod used, double seconds) {
            Double idlePercent = orNull(used.least(Role.HOST, Figure.HOST_IDLE_PERCENT));
            Double residentBytes = orNull(used.sum(Role.BROKER, Figure.RESIDENT_BYTES));
            return new ResourcePoint(
                    seconds,
                    orNull(used.sum(Role.BROKER, Figure.CPU_CORE_PERCENT)),
                    orNull(used.sum(Role.HARNESS, Figure.CPU_CORE_PERCENT)),
                    idlePercent == null ? null : PERCENT - idlePercent,
                    residentBytes == null ? orNull(used.sum(Role.BROKER, Figure.BROKER_MEMORY_BYTES)) : residentBytes,
                    orNull(used.sum(Role.HARNESS, Figure.RESIDENT_BYTES)),
                    orNull(used.sum(Role.BROKER, Figure.DISK_WRITTEN_BYTES_PER_SEC)));
        }

        private static @Nullable Double orNull(OptionalDouble value) {
            return value.isPresent() ? value.getAsDouble() : null;
        }

        /** Joins this time and the one that follows. */
        ResourcePoint followedBy(ResourcePoint next) {
            return new ResourcePoint(
                    seconds + next.seconds,
                    mean(brokerCpuPercent, next, next.brokerCpuPercent),
                    mean(harnessCpuPercent, next, next.harnessCpuPercent),
                    mean(hostBusyPercent, next, next.hostBusyPercent),
                    mean(brokerBytes, next, next.brokerBytes),
                    mean(harnessBytes, next, next.harnessBytes),
                    mean(brokerWrittenBytesPerSec, next, next.brokerWrittenBytesPerSec));
        }

        private @Nullable Double mean(@Nullable Double mine, ResourcePoint next, @Nullable Double its) {
            if (mine == null || its == null) {
                return mine == null ? its : mine;
            }
            double together = seconds + next.seconds;
            return together == 0 ? its : (mine * seconds + its * next.seconds) / together;
        }
    }
}
