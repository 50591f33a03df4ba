package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.coordinator.session.Recording;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.LoadOutcome;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.search.RateSearch;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Runs the load of a workload: warm-up, the search for a rate, and one kind of measurement. */
final class LoadPhases {

    /** Most rates that are measured until one is held. */
    private static final int MOST_MEASUREMENTS = 4;

    private final RunSession session;
    private final Workload workload;
    private final Recording recording;
    private final @Nullable SearchedLoad searched;
    private final MeasuredLoad measurement;
    private double rateMsgPerSec;
    private LoadOutcome.Refused refusedInSearch = LoadOutcome.Refused.NOTHING;

    LoadPhases(RunSession session) {
        this.session = session;
        this.workload = session.workload;
        this.recording = session.recording;
        this.rateMsgPerSec = firstRate();
        this.searched =
                workload.producerRate() instanceof ProducerRate.MaxSustainable ? new SearchedLoad(session) : null;
        this.measurement = MeasuredLoad.of(session);
    }

    /** The rate of the warm-up, and of the measurement if that has a single known rate. */
    private double firstRate() {
        if (!workload.schedule().isEmpty()) {
            return workload.schedule().get(0).messagesPerSecond(workload.meanMessageBytes());
        }
        if (workload.rateSweep() != null) {
            return workload.rateSweep().rates(workload.meanMessageBytes()).get(0);
        }
        ProducerRate rate = workload.messageRate();
        if (rate instanceof ProducerRate.Fixed fixed) {
            return fixed.messagesPerSecond();
        }
        return rate instanceof ProducerRate.Unlimited ? Double.POSITIVE_INFINITY : RateSearch.FIRST_RATE_MSG_PER_SEC;
    }

    /** Runs the phases, unless something ends them early. */
    void run() throws InterruptedException, RunFailedException, DriverException {
        if (!warmUp()) {
            return;
        }
        if (searched == null) {
            measurement.measure(rateMsgPerSec);
        } else if (searchForRate(searched)) {
            measureWhatIsHeld(searched);
        }
    }

    /**
     * Measures a rate. If the system does not hold it, it counts as a try, and a lower one is measured next. A lower
     * one would hide it if the harness, or a machine, was the limit.
     */
    private void measureWhatIsHeld(SearchedLoad search)
            throws InterruptedException, RunFailedException, DriverException {
        for (int i = 1; ; i++) {
            measurement.measure(rateMsgPerSec);
            boolean ofSystem = measurement.isRepeatable() && !measurement.isOfHarness(rateMsgPerSec);
            if (!ofSystem || !search.missed(measurement.missed(rateMsgPerSec)) || i == MOST_MEASUREMENTS) {
                return;
            }
            recording.backToSearch();
            boolean drained = search.awaitDrained();
            endSearch(search);
            if (!drained || !begin(search)) {
                return;
            }
        }
    }

    /**
     * Runs the load that is not measured, if there is any; it continues afterwards. Returns false if the run is to
     * stop.
     */
    private boolean warmUp() throws InterruptedException, RunFailedException, DriverException {
        if (workload.warmupTime().isZero()) {
            return true;
        }
        // The time before, such as the wait for probes, is not part of the first period.
        session.periods.skip();
        recording.beginApart(RunPhase.WARM_UP);
        if (searched != null) {
            if (!searched.approach()) {
                return false;
            }
            rateMsgPerSec = searched.rateMsgPerSec();
            session.periods.skip();
        }
        boolean rateIsKnown = searched == null && rateMsgPerSec < Double.POSITIVE_INFINITY;
        return new WarmUp(session, rateMsgPerSec).run(rateIsKnown && measurement.goesOnFromWarmUp());
    }

    /** Searches for the highest sustainable rate. Returns false if there is no rate to continue with. */
    private boolean searchForRate(SearchedLoad search)
            throws InterruptedException, RunFailedException, DriverException {
        recording.begin(RunPhase.SEARCH);
        boolean finished = approachOrAwaitDrained(search) && search.tryRates();
        endSearch(search);
        return finished && begin(search);
    }

    /** Assigns everything sent until now to the search. */
    private void endSearch(SearchedLoad search) throws InterruptedException, DriverException {
        Worker.Status status = session.observer.status();
        refusedInSearch = new LoadOutcome.Refused(status.totals().failed(), status.errors());
        session.state.searched(refusedInSearch);
        if (search.result() != null) {
            // The audit of the measurement covers the messages from here on.
            session.load.endSearch();
        }
    }

    private boolean begin(SearchedLoad search) throws InterruptedException, RunFailedException, DriverException {
        boolean begun = search.begin();
        rateMsgPerSec = search.rateMsgPerSec();
        return begun;
    }

    /** The warm-up, if there is one, has already approached the first rate. */
    private boolean approachOrAwaitDrained(SearchedLoad search)
            throws InterruptedException, RunFailedException, DriverException {
        return workload.warmupTime().isZero() ? search.approach() : search.awaitDrained();
    }

    /** Resources that each worker has used since the measurement started; empty if it has not started. */
    List<HarnessUsage> usage() throws DriverException, InterruptedException {
        return measurement.usage();
    }

    /** The outcome of the load, once all phases have ended. */
    LoadOutcome outcome() {
        if (searched == null) {
            return measurement.outcome(OptionalDouble.of(rateMsgPerSec), null);
        }
        boolean found = searched.sustainableRateMsgPerSec().isPresent();
        return measurement.outcome(
                found ? OptionalDouble.of(rateMsgPerSec) : OptionalDouble.empty(),
                new LoadOutcome.Searched(searched.result(), searched.settled(), refusedInSearch));
    }
}
