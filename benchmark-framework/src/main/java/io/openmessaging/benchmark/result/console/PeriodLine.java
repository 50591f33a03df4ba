package io.openmessaging.benchmark.result.console;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Quantities;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The progress line that a person reads during a run, with the same columns for each period; printed anew or updated
 * in place.
 */
public final class PeriodLine {

    private static final String NONE = "-";

    private PeriodLine() {}

    /**
     * Returns one line without a line break.
     *
     * @param phase the current phase
     * @param left maximum remaining time of the phase; null if unknown
     * @param period the latest period; null before the first
     * @param totals counts since the start of the run
     */
    public static String render(String phase, @Nullable Duration left, @Nullable PeriodSnapshot period, Totals totals) {
        String what = String.format(
                Locale.ROOT, "%-13s %10s", phase, left == null ? "" : Quantities.timeLeft(left) + " left");
        if (period == null) {
            return totals.sent() == 0
                    ? what.stripTrailing()
                    : what + " | sent " + Quantities.count(totals.sent()) + backlog(totals);
        }
        boolean consumed = !totals.received().isEmpty();
        return String.format(
                Locale.ROOT,
                "%s | pub %9s con %9s msg/s | p99 %s%s",
                what,
                Quantities.number(period.publishRate()),
                consumed ? Quantities.number(period.consumeRate()) : NONE,
                p99s(period),
                backlog(totals));
    }

    /** Returns the p99 of both latencies: {@code pub 1.23 ms e2e 2.34 ms}. */
    public static String p99s(PeriodSnapshot period) {
        return String.format(
                Locale.ROOT,
                "pub %7s e2e %7s",
                p99(period.latency(Latency.PUBLISH)),
                p99(period.latency(Latency.END_TO_END)));
    }

    private static String p99(LatencySnapshot latencies) {
        return latencies.count() == 0
                ? NONE
                : Quantities.latency(latencies.histogram().getValueAtPercentile(99));
    }

    private static String backlog(Totals totals) {
        return totals.received().isEmpty() ? "" : " | backlog " + Quantities.count(totals.backlog());
    }
}
