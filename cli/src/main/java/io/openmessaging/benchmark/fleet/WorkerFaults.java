package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.config.Fault.Type;
import io.openmessaging.benchmark.run.FaultMeans;
import io.openmessaging.benchmark.worker.remote.WorkerTimeout;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Kills and pauses workers that this process started. If this process dies meanwhile, they end as usual: their pipe
 * closes, and a guard that was started before resumes a paused one, which then notices that.
 */
public final class WorkerFaults implements FaultMeans {

    private final Fleet fleet;

    /** Creates faults for the workers of an invocation. */
    public WorkerFaults(Fleet fleet) {
        this.fleet = fleet;
    }

    /**
     * Returns why a fault of a worker is not possible; empty if it is.
     *
     * @param faults all faults of the workload
     * @param fleet the requested workers; empty if the load comes from this process
     */
    public static Optional<String> whyNot(Fault fault, List<Fault> faults, Optional<FleetRequest> fleet) {
        String what = fault.kind().key() + " " + fault.target();
        if (fleet.isEmpty() || fleet.get().processes() == 0) {
            return Optional.of(what + " needs workers that are started for the run (--local-workers)"
                    + (fleet.isEmpty() ? "" : "; the end of one elsewhere always ends the run"));
        }
        FleetRequest request = fleet.get();
        if (fault.worker().orElseThrow() > request.count()) {
            return Optional.of("there is no " + fault.target() + " among " + request.count() + " (--local-workers)");
        }
        Duration lost = request.timeouts().of(WorkerTimeout.LOST);
        if (fault.kind() == Type.PAUSE && fault.end().minus(fault.begin()).compareTo(lost) >= 0) {
            return Optional.of(what + " must take less than " + DurationText.format(lost)
                    + ", after which a silent worker is lost (--worker-limit " + WorkerTimeout.LOST.key() + ")");
        }
        // A workload kills each worker at most once.
        return fault.endsWorker() && faults.stream().filter(Fault::endsWorker).count() == request.count()
                ? Optional.of(what + " leaves no worker: keep one")
                : Optional.empty();
    }

    @Override
    public Begun begin(Fault fault, Leader leader) throws FaultException, InterruptedException {
        int worker = fault.worker().orElseThrow() - 1;
        String what = fault.kind().done() + " " + fleet.name(worker);
        boolean pause = fault.kind() == Type.PAUSE;
        try {
            if (pause) {
                fleet.pause(worker);
            } else {
                fleet.kill(worker);
            }
        } catch (IOException e) {
            throw new FaultException(String.valueOf(e.getMessage()), e);
        }
        return new Begun() {
            @Override
            public String what() {
                return what;
            }

            @Override
            public void undo() throws FaultException, InterruptedException {
                if (!pause) {
                    return;
                }
                try {
                    fleet.resume(worker);
                } catch (IOException e) {
                    throw new FaultException(String.valueOf(e.getMessage()), e);
                }
            }
        };
    }
}
