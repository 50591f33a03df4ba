package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.clock.WatchedClock;
import io.openmessaging.benchmark.run.WorkerState;
import io.openmessaging.benchmark.worker.group.Member;
import io.openmessaging.benchmark.worker.protocol.RemoteWorker;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.remote.ClaimedWorker;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A worker of the fleet, for one run.
 *
 * @param name for users
 * @param claimed connection to the worker
 * @param watched its clock
 * @param worker the worker itself
 * @param killed why this machine's kernel has killed it; empty if it has not
 */
record FleetWorker(
        String name, ClaimedWorker claimed, WatchedClock watched, Worker worker, Supplier<Optional<String>> killed)
        implements Member {

    /**
     * Offset of an unknown clock: its bound exceeds any latency. A quarter of the range, so that two bounds can be
     * added.
     */
    private static final Offset UNKNOWN = new Offset(0, Long.MAX_VALUE / 4);

    /** Creates a worker with a new run. */
    static FleetWorker forRun(ClaimedWorker claimed, WatchedClock watched, Supplier<Optional<String>> killed) {
        return new FleetWorker(name(claimed), claimed, watched, new RemoteWorker(claimed.newRun()), killed);
    }

    /** Returns the worker's name for users. */
    static String name(ClaimedWorker claimed) {
        return "worker " + claimed.number() + " (" + claimed.info().host() + ")";
    }

    /** Returns the worker's current state. */
    static WorkerState state(ClaimedWorker claimed, WatchedClock watched) {
        return new WorkerState(
                name(claimed), claimed.isSuspect(), claimed.lost(), watched.offset(), claimed.roundTripNs());
    }

    @Override
    public long roundTripNs() {
        return claimed.roundTripNs();
    }

    @Override
    public Offset clock() {
        return watched.offset().orElse(UNKNOWN);
    }

    @Override
    public String progress() {
        return claimed.isSuspect() ? WorkersLine.SILENT : claimed.progress();
    }

    @Override
    public Optional<String> lost() {
        return claimed.lost().map(why -> killed.get().orElse(why));
    }
}
