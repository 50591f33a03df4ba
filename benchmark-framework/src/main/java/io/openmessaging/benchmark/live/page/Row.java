package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.RunResult;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What became of a run of the agenda.
 *
 * @param number its place, from 1
 * @param title for people
 * @param outcome the name of its verdict, or {@code SKIPPED}
 * @param why what went wrong; null if nothing did, or if it is not known
 * @param endMs when that was known, epoch milliseconds; null if it was before this process
 * @param measured its figures; null if it has none, or had them before this process
 * @param findings of the whole run
 */
record Row(
        int number,
        String title,
        String outcome,
        @Nullable String why,
        @Nullable Long endMs,
        @Nullable Measured measured,
        List<FindingRow> findings) {

    private static final double P50 = 50;
    private static final double P99 = 99;
    private static final double P999 = 99.9;

    /**
     * The figures of a whole measurement.
     *
     * @param workload its name
     * @param driver its name
     * @param targetMsgPerSec the rate asked for; null where there was none
     * @param publishedMsgPerSec confirmed messages a second
     * @param consumedMsgPerSec arrivals a second, of all subscriptions together
     * @param latencies those of each kind of which there are some, by the name that results have for it
     * @param lost messages that never arrived, over all subscriptions; null where that is not known
     */
    record Measured(
            String workload,
            String driver,
            @Nullable Double targetMsgPerSec,
            double publishedMsgPerSec,
            double consumedMsgPerSec,
            Map<String, Percentiles> latencies,
            @Nullable Long lost) {}

    /** Of a latency, in nanoseconds. */
    record Percentiles(long p50Ns, long p99Ns, long p999Ns, long maxNs) {}

    /** A run that was not carried out here. */
    static Row without(int number, String title, String outcome, @Nullable String why, @Nullable Long endMs) {
        return new Row(number, title, outcome, why == null ? null : FindingRow.shortened(why), endMs, null, List.of());
    }

    /** One that was. */
    static Row of(int number, String title, RunResult result, long endMs) {
        String failure = result.failure();
        return new Row(
                number,
                title,
                result.verdict().name(),
                failure == null ? null : FindingRow.shortened(failure),
                endMs,
                measured(result),
                FindingRow.ofEnded(result.findings()));
    }

    /** The same with what else became of it, such as a result that could not be written. */
    Row ended(String lastOutcome, @Nullable String lastWhy) {
        return new Row(
                number,
                title,
                lastOutcome,
                lastWhy == null ? why : FindingRow.shortened(lastWhy),
                endMs,
                measured,
                findings);
    }

    private static @Nullable Measured measured(RunResult result) {
        PeriodSnapshot total = result.total();
        if (total == null) {
            return null;
        }
        Map<String, Percentiles> latencies = new TreeMap<>();
        for (Latency latency : Latency.values()) {
            LatencySnapshot snapshot = total.latency(latency);
            if (snapshot.count() > 0) {
                latencies.put(latency.label(), percentiles(snapshot));
            }
        }
        RunResult.Rates rates = result.rates(total);
        AuditReport audit = result.audit();
        return new Measured(
                result.workload().workload().name(),
                result.driver().name(),
                result.targetRateMsgPerSec(),
                rates.publish(),
                rates.consume(),
                latencies,
                audit == null ? null : lost(audit));
    }

    private static Percentiles percentiles(LatencySnapshot latencies) {
        return new Percentiles(
                latencies.histogram().getValueAtPercentile(P50),
                latencies.histogram().getValueAtPercentile(P99),
                latencies.histogram().getValueAtPercentile(P999),
                latencies.histogram().getMaxValue());
    }

    private static long lost(AuditReport audit) {
        return audit.subscriptions().stream()
                .mapToLong(AuditReport.SubscriptionReport::lost)
                .sum();
    }
}
