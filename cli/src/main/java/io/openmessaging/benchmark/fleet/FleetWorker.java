package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.clock.WatchedClock;
import io.openmessaging.benchmark.run.WorkerState;
import io.openmessaging.benchmark.worker.group.Member;
import io.openmessaging.benchmark.worker.protocol.RemoteWorker;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.remote.ClaimedWorker;
import java.util.Optional;

/**
 * A worker of the fleet, for one run.
 *
 * @param name for people
 * @param claimed the way to it
 * @param watched its clock
 * @param worker the worker itself
 */
record FleetWorker(String name, ClaimedWorker claimed, WatchedClock watched, Worker worker) implements Member {

    /** Of a clock of which nothing is known: no latency is larger. A quarter, so that the bounds of two can be added. */
    private static final Offset UNKNOWN = new Offset(0, Long.MAX_VALUE / 4);

    /** With a new run for it. */
    static FleetWorker forRun(int number, ClaimedWorker claimed, WatchedClock watched) {
        return new FleetWorker(name(number, claimed), claimed, watched, new RemoteWorker(claimed.newRun()));
    }

    /** What people call a worker. */
    static String name(int number, ClaimedWorker claimed) {
        return "worker " + number + " (" + claimed.info().host() + ")";
    }

    /** How it is. */
    static WorkerState state(int number, ClaimedWorker claimed, WatchedClock watched) {
        return new WorkerState(
                name(number, claimed), claimed.isSuspect(), claimed.lost(), watched.offset(), claimed.roundTripNs());
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
        return claimed.lost();
    }
}
