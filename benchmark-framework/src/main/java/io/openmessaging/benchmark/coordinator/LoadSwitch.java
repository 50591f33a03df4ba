package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.Arrivals;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.PayloadChecks;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.worker.LoadPlan;
import io.openmessaging.benchmark.worker.Worker;
import java.util.List;

/** Puts the messages of a workload on and off, at one rate or another. */
final class LoadSwitch {

    private final Worker worker;
    private final List<byte[]> payloads;
    private final KeyDistribution keys;
    private final Arrivals arrivals;
    private final Seed seed;
    private final RunListener listener;
    private int loads;
    private boolean on;

    LoadSwitch(Worker worker, RunRequest request, RunListener listener) {
        Workload workload = request.workload().workload();
        this.worker = worker;
        this.listener = listener;
        this.payloads = request.payloads();
        if (workload.verifyPayloads()) {
            PayloadChecks.addTo(payloads);
        }
        this.seed = request.seed();
        this.keys = workload.keyDistributor();
        this.arrivals = workload.arrivals();
    }

    boolean isOn() {
        return on;
    }

    /** Until it is put off. */
    void start(RateProfile rates) {
        start(rates, Long.MAX_VALUE);
    }

    /** Until so many messages are sent. */
    void start(RateProfile rates, long messageCount) {
        loads++;
        worker.startLoad(new LoadPlan(rates, arrivals, messageCount, payloads, keys, seed.part(loads)));
        on = true;
        tell(rates);
    }

    /** Goes on at other rates, from now. */
    void change(RateProfile rates) {
        worker.changeRate(rates);
        tell(rates);
    }

    /** Rates that change have no figure to compare with. */
    private void tell(RateProfile rates) {
        boolean steady = rates.segments().size() == 1 && rates.firstMsgPerSec() == rates.lastMsgPerSec();
        listener.load(steady ? rates.lastMsgPerSec() : Double.POSITIVE_INFINITY);
    }

    void stop() throws DriverException, InterruptedException {
        on = false;
        worker.stopLoad();
        listener.load(0);
    }
}
