package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.worker.protocol.Worker;

/** The worker's periods, one after the other. Belongs to the run's thread. */
public final class Periods {

    private final Worker worker;
    private int number;
    private LatencySnapshot unsent = LatencySnapshot.empty();

    Periods(Worker worker) {
        this.worker = worker;
    }

    /** Ends the current period and begins the next. */
    public Worker.Period next() throws DriverException, InterruptedException {
        Worker.Period period = worker.period(number + 1);
        number++;
        unsent = unsent.plus(period.unsent());
        return period;
    }

    /** Ends the current period, of which nothing is wanted: what came until now is no part of the next. */
    public void skip() throws DriverException, InterruptedException {
        next();
        unsent = LatencySnapshot.empty();
    }

    /** How long messages had waited that were due and unsent when their load ended, since a period was skipped. */
    public LatencySnapshot unsent() {
        return unsent;
    }
}
