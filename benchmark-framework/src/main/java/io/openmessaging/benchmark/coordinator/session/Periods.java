package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The worker's periods, one after the other. Used by the run's thread only. */
public final class Periods {

    private final Worker worker;
    private int number;
    private List<LatencySnapshot> unsent = List.of();

    /** The part of a load that had already run when the period before it ended; null if there was none. */
    private @Nullable PeriodSnapshot ahead;

    Periods(Worker worker) {
        this.worker = worker;
    }

    /** Ends the current period and starts the next. */
    public Worker.Period next() throws DriverException, InterruptedException {
        Worker.Period period = worker.period(number + 1);
        number++;
        unsent = unsent.isEmpty() ? period.unsent() : added(unsent, period.unsent());
        if (ahead == null) {
            return period;
        }
        PeriodSnapshot whole = ahead.followedBy(period.seen());
        ahead = null;
        return new Worker.Period(period.number(), whole, period.unsent(), period.used());
    }

    private static List<LatencySnapshot> added(List<LatencySnapshot> before, List<LatencySnapshot> more) {
        return IntStream.range(0, before.size())
                .mapToObj(worker -> before.get(worker).plus(more.get(worker)))
                .toList();
    }

    /** Ends the current period and discards it, so that the next contains nothing from before. */
    public void skip() throws DriverException, InterruptedException {
        next();
        unsent = List.of();
    }

    /**
     * Ends the current period just before a load starts, so that the next period starts with the load. If the workers
     * end it later, such as on a busy machine or over a slow network, the next one includes what they have counted.
     *
     * @param beginNs start of the load, epoch nanoseconds
     */
    void skipUntil(long beginNs) throws DriverException, InterruptedException {
        PeriodSnapshot before = next().seen();
        if (before.isEmpty()) {
            unsent = List.of();
        }
        // Also if nothing was sent yet: what was due by then is sent in the next period.
        ahead = before.from(beginNs);
    }

    /**
     * Waiting times of the messages that were due and unsent when their load ended, since a period was skipped; see
     * {@link Worker.Period#unsent()}.
     */
    public List<LatencySnapshot> unsent() {
        return unsent;
    }
}
