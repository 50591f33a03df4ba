package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.fleet.Fleet;
import io.openmessaging.benchmark.fleet.FleetException;
import io.openmessaging.benchmark.fleet.FleetRequest;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.run.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Everything that all runs of an invocation share.
 *
 * @param results the folder of this machine's calibration
 * @param starter of brokers
 * @param live receives the progress of every run
 * @param fleet the workers; null if the load comes from this process
 * @param stop requests the end
 * @param out the console, flushed with each line
 * @param err for errors, flushed with each line
 */
public record Invocation(
        Path results,
        BrokerStarter starter,
        LiveRuns live,
        @Nullable Fleet fleet,
        StopSignal stop,
        PrintWriter out,
        PrintWriter err) {

    /**
     * Opens workers with this installation. A request to stop interrupts that.
     *
     * @param limits of each worker that is started
     */
    public static Fleet openFleet(FleetRequest request, Confinement limits, StopSignal stop, PrintWriter out)
            throws FleetException, IOException, InterruptedException {
        stop.interruptFrom();
        try {
            return Fleet.open(
                    request,
                    limits,
                    new Fleet.Installed(Installation.fromSystemProperties().home(), Installation.build()),
                    out::println);
        } finally {
            stop.noInterrupts();
        }
    }

    /** Returns how many workers get an interval log of their own. */
    int workerLogs() {
        return fleet == null ? 0 : fleet.workerLogs();
    }

    void complain(String problem) {
        err.println("benchmark: " + problem);
    }
}
