package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a run of the agenda.
 *
 * @param number place in the agenda, from 1
 * @param title title for people
 * @param outcome name of the verdict, or {@code SKIPPED}
 * @param why the problem; null if there was none, or if it is unknown
 * @param endMs time at which the outcome was known, epoch milliseconds; null if before this process
 * @param measured figures; null if the run has none, or had them before this process
 * @param findings findings of the whole run
 */
record Row(
        int number,
        String title,
        String outcome,
        @Nullable String why,
        @Nullable Long endMs,
        @Nullable Measured measured,
        List<FindingRow> findings) {

    /** Those that invalidate come first. */
    private static final int MOST_FINDINGS = 12;

    private static final double P50 = 50;
    private static final double P99 = 99;
    private static final double P999 = 99.9;

    /**
     * The figures of a whole measurement.
     *
     * @param workload name of the workload
     * @param driver name of the driver
     * @param targetMsgPerSec target rate; null if there was none
     * @param publishedMsgPerSec confirmed messages per second
     * @param consumedMsgPerSec arrivals per second, over all subscriptions
     * @param latencies latencies of each kind that has any, by their names in results
     * @param lost messages that never arrived, over all subscriptions; null if unknown
     */
    record Measured(
            String workload,
            String driver,
            @Nullable Double targetMsgPerSec,
            double publishedMsgPerSec,
            double consumedMsgPerSec,
            Map<String, Percentiles> latencies,
            @Nullable Long lost) {}

    /** Percentiles of a latency, in nanoseconds. */
    record Percentiles(long p50Ns, long p99Ns, long p999Ns, long maxNs) {}

    /** Creates the row of a run that was not carried out here. */
    static Row without(int number, String title, String outcome, @Nullable String why, @Nullable Long endMs) {
        return new Row(number, title, outcome, why == null ? null : News.shortened(why), endMs, null, List.of());
    }

    /** Creates the row of a run that was carried out here. */
    static Row of(int number, String title, RunResult result, long endMs) {
        String failure = result.failure();
        return new Row(
                number,
                title,
                result.verdict().name(),
                failure == null ? null : News.shortened(failure),
                endMs,
                measured(result),
                result.findings().stream()
                        .limit(MOST_FINDINGS)
                        .map(finding -> FindingRow.of(finding, 0))
                        .toList());
    }

    /** Returns a copy with a later outcome, such as a result that could not be written. */
    Row ended(String lastOutcome, @Nullable String lastWhy) {
        return new Row(
                number, title, lastOutcome, lastWhy == null ? why : News.shortened(lastWhy), endMs, measured, findings);
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
                audit == null
                        ? null
                        : audit.subscriptions().stream()
                                .mapToLong(AuditReport.SubscriptionReport::lost)
                                .sum());
    }

    private static Percentiles percentiles(LatencySnapshot latencies) {
        return new Percentiles(
                latencies.histogram().getValueAtPercentile(P50),
                latencies.histogram().getValueAtPercentile(P99),
                latencies.histogram().getValueAtPercentile(P999),
                latencies.histogram().getMaxValue());
    }

    /**
     * A finding.
     *
     * @param kind name for programs
     * @param severity consequence for the result
     * @param text a sentence
     * @param firstMs time at which it was first found in this run, epoch milliseconds; 0 for a run that has ended
     * @param holds true if it is among the latest findings
     */
    record FindingRow(String kind, String severity, String text, long firstMs, boolean holds) {

        static FindingRow of(Finding finding, long firstMs) {
            return new FindingRow(
                    finding.kind(), finding.severity().name(), News.shortened(finding.text()), firstMs, true);
        }

        /** Returns a copy that is marked as no longer found. */
        FindingRow gone() {
            return new FindingRow(kind, severity, text, firstMs, false);
        }
    }
}
