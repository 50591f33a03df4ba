package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.run.WorkerState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The figures of a run by worker; none if this process is the only one. Not thread-safe. */
final class WorkerFigures {

    private static final double NS_PER_SECOND = 1e9;

    private List<WorkerState> workers = List.of();

    /** Counts of warm-up and measurement, in the order of the workers. */
    private final List<Totals> counts = new ArrayList<>();

    private @Nullable PeriodSnapshot last;

    /** Sets the current state of the workers. */
    void state(List<WorkerState> now) {
        workers = List.copyOf(now);
    }

    /** Adds a period that has ended. */
    void period(PeriodSnapshot period) {
        last = period;
        for (int i = 0; i < period.shares().size(); i++) {
            Totals more = period.shares().get(i).counts();
            if (i == counts.size()) {
                counts.add(more);
            } else {
                counts.set(i, counts.get(i).plus(more));
            }
        }
    }

    /**
     * Adds all figures to an answer.
     *
     * @param ended true if the run has ended: the counts remain, and nothing else is known any longer
     */
    void addTo(Families all, boolean ended) {
        for (int i = 0; i < workers.size(); i++) {
            WorkerState worker = workers.get(i);
            Families families = all.with("worker", worker.name());
            if (!ended) {
                addState(families, worker);
            }
            if (i < counts.size()) {
                addCounts(families, counts.get(i));
            }
            if (last != null && i < last.shares().size()) {
                addRates(families, last.shares().get(i));
            }
        }
    }

    private static void addState(Families families, WorkerState worker) {
        families.gauge(
                "worker_up",
                "1 while the worker responds, 0 while it does not and once it is lost.",
                worker.isUp() ? 1 : 0);
        families.gauge(
                "worker_round_trip_seconds",
                "Round-trip time of a request to the worker, median of the latest.",
                worker.roundTripNs() / NS_PER_SECOND);
        worker.clock().ifPresent(clock -> {
            families.gauge(
                    "worker_clock_offset_seconds",
                    "How far the worker's clock is ahead of the coordinator's; latencies are corrected by it.",
                    clock.aheadNs() / NS_PER_SECOND);
            families.gauge(
                    "worker_clock_bound_seconds",
                    "The largest possible error of the clock's offset.",
                    clock.boundNs() / NS_PER_SECOND);
        });
    }

    private static void addCounts(Families families, Totals counted) {
        String added = "; added at the end of each period.";
        families.counter(
                "worker_messages_sent", "Messages that the worker handed to the client" + added, counted.sent());
        families.counter(
                "worker_messages_acknowledged",
                "Messages of the worker that the system confirmed" + added,
                counted.acknowledged());
        families.counter(
                "worker_messages_received",
                "Arrivals at the worker, over all subscriptions" + added,
                counted.receivedByAll());
    }

    private static void addRates(Families families, PeriodSnapshot.Share share) {
        String help = "Messages a second of the worker in the last period.";
        families.with("of", "sent").gauge("worker_period_rate", help, share.sendRate());
        families.with("of", "acknowledged").gauge("worker_period_rate", help, share.publishRate());
        families.with("of", "received").gauge("worker_period_rate", help, share.consumeRate());
    }
}
