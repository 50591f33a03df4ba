package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Puts the messages of a workload on and off, at one rate or another. */
public final class LoadSwitch {

    /** How long before a load begins its first period does: of what is due in so much time nobody says that it is missing. */
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

    /** How long ago it was put on for the last time; zero if it never was. */
    public Duration sinceStart() {
        return loads == 0 ? Duration.ZERO : Duration.ofNanos(time.nowNs() - startNs);
    }

    /** Until it is put off. */
    public void start(RateProfile rates) throws DriverException, InterruptedException {
        start(rates, Long.MAX_VALUE);
    }

    /** Until so many messages are sent. */
    public void start(RateProfile rates, long messageCount) throws DriverException, InterruptedException {
        loads++;
        long leadNs = worker.startLeadNs();
        boolean first = leadNs > 0 && session.recording.isAtBegin();
        if (first) {
            // What is counted from now on is of this load.
            session.periods.skip();
        }
        long beginNs = leadNs == 0 ? 0 : session.clock.getAsLong() + leadNs;
        worker.start(new Worker.Start(loads, beginNs, rates, messageCount));
        on = true;
        if (leadNs > 0) {
            awaitBegin(beginNs, first);
        }
        startNs = time.nowNs();
        tell(rates);
    }

    /**
     * The time until then belongs to no period of a phase, unless the phase had some already.
     *
     * @param first whether it has none
     */
    private void awaitBegin(long beginNs, boolean first) throws DriverException, InterruptedException {
        time.await(session.stop, Math.max(0, beginNs - EARLY_NS - session.clock.getAsLong()));
        if (first) {
            session.periods.skipUntil(beginNs);
            session.recording.beginAgain(beginNs);
        }
        time.await(session.stop, Math.max(0, beginNs - session.clock.getAsLong()));
    }

    /** Changes to other rates, from now. */
    public void change(RateProfile rates) throws DriverException, InterruptedException {
        worker.change(new Worker.Change(0, rates));
        tell(rates);
    }

    /** Rates that change have no figure to compare with. */
    private void tell(RateProfile rates) {
        boolean steady = rates.segments().size() == 1 && rates.firstMsgPerSec() == rates.lastMsgPerSec();
        state.target(steady ? rates.lastMsgPerSec() : Double.POSITIVE_INFINITY);
    }

    public void stop() throws DriverException, InterruptedException {
        stop(false);
    }

    /** The last load of a search ends, if it is on: what was sent until now is audited apart. */
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
