package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.function.LongSupplier;

/** State shared by the phases of one run: the worker, its observers, and the recording. */
public final class RunSession {

    public final RunRequest request;
    public final Workload workload;
    public final RunTimeouts timeouts;
    public final Topology topology;
    public final MessageHeader.Layout layout;
    public final RunDescription description;
    public final Worker worker;
    public final StopSignal stop;
    public final RunListener listener;
    public final LongSupplier clock;
    public final Time time;
    public final WorkersOfRun workers;
    public final StatePublisher state;
    public final Recording recording;
    public final Periods periods;
    public final Observer observer;
    public final LoadSwitch load;
    public final FaultInjector faults;

    /**
     * Creates the session of a run that has not started.
     *
     * @param clock epoch nanoseconds
     * @param time time source of all waits
     */
    public RunSession(
            RunRequest request, Worker worker, StopSignal stop, RunListener listener, LongSupplier clock, Time time) {
        this.request = request;
        this.workload = request.workload().workload();
        this.timeouts = request.timeouts();
        this.description = request.description();
        this.topology = description.topology();
        this.layout = description.messages().layout();
        this.worker = worker;
        this.stop = stop;
        this.listener = listener;
        this.clock = clock;
        this.time = time;
        this.workers = new WorkersOfRun(topology, request.conditions().clocks());
        this.state = new StatePublisher(
                listener, workload, workers, request.conditions().resourceLimits());
        this.recording = new Recording(clock, state, request.conditions().monitor());
        this.periods = new Periods(worker);
        this.observer = new Observer(this);
        this.load = new LoadSwitch(this);
        this.faults = new FaultInjector(
                workload.faultsInOrder(),
                request.system().faults(),
                request.system().control(),
                topology,
                clock,
                observer::errors);
        state.watchFaults(faults::soFar);
    }
}
