package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.load.Arrivals;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.run.Limits;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.function.LongSupplier;

/** What the phases of one run share: who does the work, who watches it, and where it is written down. */
final class Session {

    final RunRequest request;
    final Workload workload;
    final Limits limits;
    final Topology topology;
    final MessageHeader.Layout layout;
    final RunDescription description;
    final Worker worker;
    final StopSignal stop;
    final RunListener listener;
    final LongSupplier clock;
    final Time time;
    final StatePublisher state;
    final Recording recording;
    final Periods periods;
    final Observer observer;
    final LoadSwitch load;

    /**
     * A run that has not begun.
     *
     * @param clock epoch nanoseconds
     * @param time what is waited with
     */
    Session(RunRequest request, Worker worker, StopSignal stop, RunListener listener, LongSupplier clock, Time time) {
        this.request = request;
        this.workload = request.workload().workload();
        this.limits = request.limits();
        this.description = request.description();
        this.topology = description.topology();
        this.layout = description.messages().layout();
        this.worker = worker;
        this.stop = stop;
        this.listener = listener;
        this.clock = clock;
        this.time = time;
        this.state = new StatePublisher(listener, workload);
        this.recording = new Recording(clock, state, request.machine().monitor());
        this.periods = new Periods(worker);
        this.observer = new Observer(this);
        this.load = new LoadSwitch(worker, state, time);
    }

    /** Whether the number of messages in a time is a random one. */
    boolean random() {
        return workload.arrivals() == Arrivals.POISSON;
    }
}
