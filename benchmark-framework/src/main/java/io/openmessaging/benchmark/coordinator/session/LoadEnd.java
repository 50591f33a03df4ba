package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.CompressedPeriod;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Accounts for the messages that were due or on their way when the load was ordered to stop. Without them, a stall at
 * the end of a measurement would appear in none of its latencies.
 *
 * <p>The methods are called in the order of their declaration.
 */
public final class LoadEnd {

    private final RunSession session;
    private long loadEndNs;
    private long waitEndNs;
    private Totals whenWaitEnded = Totals.none(0);

    public LoadEnd(RunSession session) {
        this.session = session;
    }

    /** Called just before the load is ordered to stop. */
    public void begin() {
        loadEndNs = session.clock.getAsLong();
    }

    /** Called when the run stops waiting for messages on their way. */
    public void waitEnded() throws DriverException, InterruptedException {
        waitEndNs = session.clock.getAsLong();
        whenWaitEnded = session.observer.totals();
    }

    /**
     * Returns what became of those messages; called once clients are closed.
     *
     * @param subscriptions number of subscriptions that were to get each message, if messages carry their intended
     *     send time; otherwise 0
     * @param audit null if there is none
     */
    public RunResult.Tail tail(int subscriptions, @Nullable AuditReport audit)
            throws DriverException, InterruptedException {
        PeriodSnapshot seen = session.periods.next().seen();
        List<LatencySnapshot> unsentOfEach = session.periods.unsent();
        LatencySnapshot unsent = LatencySnapshot.sum(unsentOfEach);
        // Not the period's totals: those of a lost worker are older than its last status.
        long unanswered = unanswered(whenWaitEnded, session.observer.totals(), session.observer.lost());
        long undelivered = audit == null ? 0 : audit.undelivered();
        // These messages were sent before the load was to stop, so they have waited at least this long.
        long waitNs = waitEndNs - loadEndNs;
        long longestNs = Math.max(
                unsent.count() == 0 ? 0 : unsent.histogram().getMaxValue(), unanswered + undelivered == 0 ? 0 : waitNs);
        LatencySnapshot none = LatencySnapshot.empty();
        // Unanswered and undelivered messages are only counted for all workers together.
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

    /**
     * Returns the number of messages that are known to have no answer. Those of lost workers are in doubt: their answers
     * may have come, and nobody will ever tell when.
     *
     * @param now counts after clients are closed, which may have completed some sends and given up others
     */
    static long unanswered(Totals whenWaitEnded, Totals now, List<Worker.Lost> lost) {
        long inDoubt = lost.stream().mapToLong(Worker.Lost::inFlight).sum();
        long answered = now.acknowledged() - whenWaitEnded.acknowledged();
        return Math.max(0, whenWaitEnded.inFlight() - inDoubt - answered);
    }

    /** Waiting times of the messages that were still waiting when the run ended. */
    private record Rest(LatencySnapshot unsent, LatencySnapshot unanswered, LatencySnapshot undelivered) {}

    /** The latencies of messages that arrived late, and of those that did not arrive at all. */
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

    /**
     * Control latencies of late messages that stayed on one worker. Undelivered messages are left out: nobody knows
     * whether they would have stayed on it.
     */
    private static Map<Latency, LatencySnapshot> control(PeriodSnapshot seen) {
        LatencySnapshot late = seen.control(Latency.SCHEDULED_END_TO_END);
        return seen.control().isEmpty() ? Map.of() : Map.of(Latency.SCHEDULED_END_TO_END, late);
    }
}
