package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Starts and stops the load of a workload, and changes its rates. */
public final class LoadSwitch {

    /**
     * Time by which the first period starts before its load: too short for the messages due in it to count as missing.
     */
    private static final long EARLY_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final RunSession session;
    private final Worker worker;
    private final StatePublisher state;
    private final Time time;
    private int loads;
    private long startNs;
    private boolean on;

    LoadSwitch(RunSession session) {
        this.session = session;
        this.worker = session.worker;
        this.state = session.state;
        this.time = session.time;
    }

    public boolean isOn() {
        return on;
    }

    /** Time since the load was last started; zero if it never was. */
    public Duration sinceStart() {
        return loads == 0 ? Duration.ZERO : Duration.ofNanos(time.nowNs() - startNs);
    }

    /** Starts a load that lasts until it is stopped. */
    public void start(RateProfile rates) throws DriverException, InterruptedException {
        start(rates, Long.MAX_VALUE);
    }

    /** Starts a load that lasts until a number of messages is sent. */
    public void start(RateProfile rates, long messageCount) throws DriverException, InterruptedException {
        loads++;
        boolean first = session.recording.isAtBegin();
        if (first) {
            // Everything counted from now on belongs to this load.
            session.periods.skip();
        }
        long beginNs = worker.start(new Worker.Start(loads, 0, rates, messageCount));
        on = true;
        awaitBegin(beginNs, first);
        startNs = time.nowNs();
        tell(rates);
    }

    /**
     * Waits for the start of the load. The time until then belongs to no period of a phase, unless the phase already
     * has one.
     *
     * @param first true if the phase has no period yet
     */
    private void awaitBegin(long beginNs, boolean first) throws DriverException, InterruptedException {
        time.await(session.stop, Math.max(0, beginNs - EARLY_NS - session.clock.getAsLong()));
        if (first) {
            session.periods.skipUntil(beginNs);
            session.recording.beginAgain(beginNs);
        }
        time.await(session.stop, Math.max(0, beginNs - session.clock.getAsLong()));
    }

    /**
     * Changes to other rates. Several workers apply them at the same time, some moments later; the time until then
     * belongs to the phase before, unless the current one already has a period.
     */
    public void change(RateProfile rates) throws DriverException, InterruptedException {
        worker.change(new Worker.Change(0, rates));
        if (session.recording.isAtBegin()) {
            session.periods.skip();
            session.recording.beginAgain(session.clock.getAsLong());
        }
        tell(rates);
    }

    /** Publishes the target rate; changing rates have no figure to compare with. */
    private void tell(RateProfile rates) {
        boolean steady = rates.segments().size() == 1 && rates.firstMsgPerSec() == rates.lastMsgPerSec();
        state.target(steady ? rates.lastMsgPerSec() : Double.POSITIVE_INFINITY);
    }

    public void stop() throws DriverException, InterruptedException {
        stop(false);
    }

    /** Ends the last load of a search, if it is on: messages sent until now are audited separately. */
    public void endSearch() throws DriverException, InterruptedException {
        stop(true);
    }

    private void stop(boolean searchEnds) throws DriverException, InterruptedException {
        on = false;
        Worker.Marks marks = worker.stop(new Worker.Stop(searchEnds));
        if (searchEnds) {
            worker.endSearch(marks);
        }
        state.target(0);
    }
}
