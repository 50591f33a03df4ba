package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.CompressedPeriod;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.RunResult;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what became of the messages that were due or on their way when the load was told to end. Left out, a stall at
 * the end of a measurement would be in none of its latencies.
 *
 * <p>Its methods are called in the order in which they stand here.
 */
final class LoadEnd {

    private final RunSession session;
    private long loadEndNs;
    private long waitEndNs;
    private Totals whenWaitEnded = Totals.none(0);

    LoadEnd(RunSession session) {
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
        List<LatencySnapshot> unsentOfEach = session.periods.unsent();
        LatencySnapshot unsent = LatencySnapshot.sum(unsentOfEach);
        // Closing its clients may have answered some, and given up the others.
        long answered = seen.totals().acknowledged() - whenWaitEnded.acknowledged();
        long unanswered = Math.max(0, whenWaitEnded.inFlight() - answered);
        long undelivered = audit == null ? 0 : audit.undelivered();
        // Sent before the load was to end, so this is the least that they have waited.
        long waitNs = waitEndNs - loadEndNs;
        long longestNs = Math.max(
                unsent.count() == 0 ? 0 : unsent.histogram().getMaxValue(), unanswered + undelivered == 0 ? 0 : waitNs);
        LatencySnapshot none = LatencySnapshot.empty();
        // What was not answered or not delivered is only counted for all workers together.
        List<CompressedPeriod> ofWorkers = IntStream.range(0, seen.ofWorkers().size())
                .mapToObj(worker -> CompressedPeriod.of(with(
                        new Rest(unsentOfEach.get(worker), none, none),
                        seen.ofWorkers().get(worker).open(),
                        subscriptions,
                        List.of())))
                .toList();
        Rest rest = new Rest(unsent, LatencySnapshot.of(waitNs, unanswered), LatencySnapshot.of(waitNs, undelivered));
        return new RunResult.Tail(
                with(rest, seen, subscriptions, ofWorkers),
                new RunResult.Censored(unsent.count(), unanswered, undelivered, longestNs));
    }

    /** How long messages had waited whose latency ended with the run. */
    private record Rest(LatencySnapshot unsent, LatencySnapshot unanswered, LatencySnapshot undelivered) {}

    /** The latencies of what came late, and of what did not come at all. */
    private static PeriodSnapshot with(
            Rest rest, PeriodSnapshot seen, int subscriptions, List<CompressedPeriod> ofWorkers) {
        Map<Latency, LatencySnapshot> latencies = new EnumMap<>(Latency.class);
        latencies.put(
                Latency.SCHEDULED_PUBLISH,
                seen.latency(Latency.SCHEDULED_PUBLISH).plus(rest.unsent).plus(rest.unanswered));
        if (subscriptions > 0) {
            LatencySnapshot endToEnd =
                    seen.latency(Latency.SCHEDULED_END_TO_END).plus(rest.undelivered);
            for (int i = 0; i < subscriptions; i++) {
                endToEnd = endToEnd.plus(rest.unsent);
            }
            latencies.put(Latency.SCHEDULED_END_TO_END, endToEnd);
        }
        return new PeriodSnapshot(seen.shares(), seen.totals(), latencies, control(seen), ofWorkers);
    }

    /** What arrived late and stayed on one worker; of what did not arrive, nobody knows whether it would have. */
    private static Map<Latency, LatencySnapshot> control(PeriodSnapshot seen) {
        LatencySnapshot late = seen.control(Latency.SCHEDULED_END_TO_END);
        return seen.control().isEmpty() ? Map.of() : Map.of(Latency.SCHEDULED_END_TO_END, late);
    }
}
