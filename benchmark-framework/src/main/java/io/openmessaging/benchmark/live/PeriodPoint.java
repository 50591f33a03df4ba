package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.result.RunPeriod;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
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
    private static final double PERCENT = 100;

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

    /**
     * The latencies of one kind in a period, or in several consecutive periods. Percentiles of a single period come from
     * its histogram. Percentiles of several periods are estimated from the rows of the heat map, between the lowest and
     * the highest of the periods. The true percentiles lie in the same range: no part of all messages can be slower than
     * in each of the periods.
     *
     * @param count number of latencies
     * @param p50Ns the median
     * @param p99Ns the 99th percentile
     * @param p999Ns the 99.9th percentile
     * @param maxNs the largest
     * @param firstRow row of the heat map for the first of the counts
     * @param rowCounts number of latencies in each row, from the first to the last nonempty row
     */
    record LatencyPoint(
            long count, long p50Ns, long p99Ns, long p999Ns, long maxNs, int firstRow, List<Long> rowCounts) {

        /**
         * The number of rows: twelve for each power of ten from 1 µs to 100 s, each 21 % above the one below. Values
         * below or above count in the first or the last row.
         */
        static final int ROWS = 96;

        private static final int ROWS_OF_A_DECADE = 12;
        private static final double LOWEST_NS = 1e3;
        private static final double P50 = 50;
        private static final double P99 = 99;
        private static final double P999 = 99.9;

        /** Creates the point of a period that has at least one latency. */
        static LatencyPoint of(LatencySnapshot latencies) {
            Histogram histogram = latencies.histogram();
            long[] rows = new long[ROWS];
            for (HistogramIterationValue recorded : histogram.recordedValues()) {
                rows[rowOf(recorded.getValueIteratedTo())] += recorded.getCountAddedInThisIterationStep();
            }
            return of(
                    rows,
                    histogram.getValueAtPercentile(P50),
                    histogram.getValueAtPercentile(P99),
                    histogram.getValueAtPercentile(P999),
                    histogram.getMaxValue());
        }

        private static LatencyPoint of(long[] rows, long p50Ns, long p99Ns, long p999Ns, long maxNs) {
            int[] filled = IntStream.range(0, ROWS).filter(row -> rows[row] > 0).toArray();
            int end = filled[filled.length - 1] + 1;
            List<Long> counts = Arrays.stream(rows, filled[0], end).boxed().toList();
            return new LatencyPoint(LongStream.of(rows).sum(), p50Ns, p99Ns, p999Ns, maxNs, filled[0], counts);
        }

        /** Joins this point and the one of the time that follows. */
        LatencyPoint followedBy(LatencyPoint next) {
            long[] rows = new long[ROWS];
            addTo(rows);
            next.addTo(rows);
            return of(
                    rows,
                    between(p50Ns, next.p50Ns, read(rows, P50)),
                    between(p99Ns, next.p99Ns, read(rows, P99)),
                    between(p999Ns, next.p999Ns, read(rows, P999)),
                    Math.max(maxNs, next.maxNs));
        }

        private void addTo(long[] rows) {
            for (int i = 0; i < rowCounts.size(); i++) {
                rows[firstRow + i] += rowCounts.get(i);
            }
        }

        private static long between(long one, long other, double read) {
            return Math.round(Math.max(Math.min(one, other), Math.min(Math.max(one, other), read)));
        }

        /**
         * Returns the value below which the given percentage of all latencies lies, assuming that the values of a row are
         * spread evenly over its logarithm.
         */
        private static double read(long[] rows, double percentile) {
            double rank = LongStream.of(rows).sum() * percentile / PERCENT;
            double below = 0;
            for (int row = 0; row < rows.length; row++) {
                if (rows[row] > 0 && below + rows[row] >= rank) {
                    return beginNs(row + (rank - below) / rows[row]);
                }
                below += rows[row];
            }
            return beginNs(rows.length);
        }

        /** Returns the row of a latency. */
        static int rowOf(long latencyNs) {
            if (latencyNs <= LOWEST_NS) {
                return 0;
            }
            return Math.min(ROWS - 1, (int) (Math.log10(latencyNs / LOWEST_NS) * ROWS_OF_A_DECADE));
        }

        /** Returns the latency at which a row starts, in nanoseconds; for {@link #ROWS}, the end of the last row. */
        static double beginNs(double row) {
            return LOWEST_NS * Math.pow(10, row / ROWS_OF_A_DECADE);
        }
    }
}
