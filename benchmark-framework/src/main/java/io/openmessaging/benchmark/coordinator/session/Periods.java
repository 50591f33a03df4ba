package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The worker's periods, one after the other. Belongs to the run's thread. */
public final class Periods {

    private final Worker worker;
    private int number;
    private List<LatencySnapshot> unsent = List.of();

    /** What a load had already done when the period before it ended; null if it had done nothing. */
    private @Nullable PeriodSnapshot ahead;

    Periods(Worker worker) {
        this.worker = worker;
    }

    /** Ends the current period and begins the next. */
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

    /** Ends the current period, of which nothing is wanted: what came until now is no part of the next. */
    public void skip() throws DriverException, InterruptedException {
        next();
        unsent = List.of();
    }

    /**
     * Ends the current period just before a load begins, so that the next period begins with the load. Where the workers end
     * it only after that, such as on a busy machine or over a slow network, what they have seen is part of the next one.
     *
     * @param beginNs when the load begins, epoch nanoseconds
     */
    void skipUntil(long beginNs) throws DriverException, InterruptedException {
        PeriodSnapshot before = next().seen();
        if (before.isEmpty()) {
            unsent = List.of();
        } else {
            ahead = before.from(beginNs);
        }
    }

    /**
     * How long messages had waited that were due and unsent when their load ended, since a period was skipped; see {@link
     * Worker.Period#unsent()}.
     */
    public List<LatencySnapshot> unsent() {
        return unsent;
    }
}
