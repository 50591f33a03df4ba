package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.coordinator.session.Session;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.RunResult;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what became of the messages that were due or on their way when the load was told to end. Left out, a stall at
 * the end of a measurement would be in none of its latencies.
 *
 * <p>Its methods are called in the order in which they stand here.
 */
final class LoadEnd {

    private final Session session;
    private long loadEndNs;
    private long waitEndNs;
    private Totals whenWaitEnded = Totals.none(0);

    LoadEnd(Session session) {
        this.session = session;
    }

    /** The load is about to be told to end. */
    void begin() {
        loadEndNs = session.clock.getAsLong();
    }

    /** Messages on their way are not waited for any longer. */
    void waitEnded() throws DriverException, InterruptedException {
        waitEndNs = session.clock.getAsLong();
        whenWaitEnded = session.observer.totals();
    }

    /**
     * What came of it, once clients are closed.
     *
     * @param subscriptions that were to get each message, if messages tell when they were to be sent; otherwise 0
     * @param audit null if there is none
     */
    RunResult.Tail tail(int subscriptions, @Nullable AuditReport audit) throws DriverException, InterruptedException {
        PeriodSnapshot seen = session.periods.next().seen();
        LatencySnapshot unsent = session.periods.unsent();
        // Closing its clients may have answered some, and given up the others.
        long answered = seen.totals().acknowledged() - whenWaitEnded.acknowledged();
        long unanswered = Math.max(0, whenWaitEnded.inFlight() - answered);
        long undelivered = audit == null ? 0 : audit.undelivered();
        // Sent before the load was to end, so this is the least that they have waited.
        long waitNs = waitEndNs - loadEndNs;

        Map<Latency, LatencySnapshot> latencies = new EnumMap<>(Latency.class);
        latencies.put(
                Latency.SCHEDULED_PUBLISH,
                seen.latency(Latency.SCHEDULED_PUBLISH).plus(unsent).plus(LatencySnapshot.of(waitNs, unanswered)));
        if (subscriptions > 0) {
            LatencySnapshot endToEnd =
                    seen.latency(Latency.SCHEDULED_END_TO_END).plus(LatencySnapshot.of(waitNs, undelivered));
            for (int i = 0; i < subscriptions; i++) {
                endToEnd = endToEnd.plus(unsent);
            }
            latencies.put(Latency.SCHEDULED_END_TO_END, endToEnd);
        }
        long longestNs = Math.max(
                unsent.count() == 0 ? 0 : unsent.histogram().getMaxValue(), unanswered + undelivered == 0 ? 0 : waitNs);
        return new RunResult.Tail(
                new PeriodSnapshot(seen.shares(), seen.totals(), latencies, control(seen)),
                new RunResult.Censored(unsent.count(), unanswered, undelivered, longestNs));
    }

    /** What arrived late and stayed on one worker; of what did not arrive, nobody knows whether it would have. */
    private static Map<Latency, LatencySnapshot> control(PeriodSnapshot seen) {
        LatencySnapshot late = seen.control(Latency.SCHEDULED_END_TO_END);
        return seen.control().isEmpty() ? Map.of() : Map.of(Latency.SCHEDULED_END_TO_END, late);
    }
}
