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

/** Puts the load of a workload on: warm-up, the search for a rate, and the measurement in one of its kinds. */
final class LoadPhases {

    /** How many rates are measured at most until one is held. */
    private static final int MOST_MEASUREMENTS = 4;

    private final RunSession session;
    private final Workload workload;
    private final Recording recording;
    private final @Nullable SearchedLoad searched;
    private final Measurement measurement;
    private double rateMsgPerSec;
    private LoadOutcome.Refused refusedInSearch = LoadOutcome.Refused.NOTHING;

    LoadPhases(RunSession session) {
        this.session = session;
        this.workload = session.workload;
        this.recording = session.recording;
        this.rateMsgPerSec = firstRate();
        this.searched =
                workload.producerRate() instanceof ProducerRate.MaxSustainable ? new SearchedLoad(session) : null;
        this.measurement = Measurement.of(session);
    }

    /** The rate of the warm-up, and of the measurement if it has one rate that is known. */
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

    /** Goes through the phases, as far as nothing ends them before. */
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

    /** A rate that was not held when it was measured is only tried: a lower one is measured. */
    private void measureWhatIsHeld(SearchedLoad search)
            throws InterruptedException, RunFailedException, DriverException {
        measurement.measure(rateMsgPerSec);
        for (int i = 1; i < MOST_MEASUREMENTS && measurement.isRepeatable(); i++) {
            if (!search.missed(measurement.missed(rateMsgPerSec))) {
                return;
            }
            recording.backToSearch();
            boolean drained = search.awaitDrained();
            endSearch(search);
            if (!drained || !begin(search)) {
                return;
            }
            measurement.measure(rateMsgPerSec);
        }
    }

    /** Load that is not measured, if there is to be any; it continues afterwards. Returns false if the run is to stop. */
    private boolean warmUp() throws InterruptedException, RunFailedException, DriverException {
        if (workload.warmupTime().isZero()) {
            return true;
        }
        // What came before, such as the wait for probes, is not part of the first period.
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

    /** Looks for the highest sustainable rate. Returns false if there is no rate to continue with. */
    private boolean searchForRate(SearchedLoad search)
            throws InterruptedException, RunFailedException, DriverException {
        recording.begin(RunPhase.SEARCH);
        boolean finished = approachOrAwaitDrained(search) && search.tryRates();
        endSearch(search);
        return finished && begin(search);
    }

    /** What was sent until now belongs to the search. */
    private void endSearch(SearchedLoad search) throws InterruptedException, DriverException {
        Worker.Status status = session.observer.status();
        refusedInSearch = new LoadOutcome.Refused(status.totals().failed(), status.errors());
        session.state.searched(refusedInSearch);
        if (search.result() != null) {
            // From here on, the audit decides.
            session.load.endSearch();
        }
    }

    private boolean begin(SearchedLoad search) throws InterruptedException, RunFailedException, DriverException {
        boolean begun = search.begin();
        rateMsgPerSec = search.rateMsgPerSec();
        return begun;
    }

    /** The warm-up, if there is one, has approached the first rate already. */
    private boolean approachOrAwaitDrained(SearchedLoad search)
            throws InterruptedException, RunFailedException, DriverException {
        return workload.warmupTime().isZero() ? search.approach() : search.awaitDrained();
    }

    /** What each worker has used since the measurement began; empty if it has not. */
    List<HarnessUsage> usage() throws DriverException, InterruptedException {
        return measurement.usage();
    }

    /** What came of it, once all phases have ended. */
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
