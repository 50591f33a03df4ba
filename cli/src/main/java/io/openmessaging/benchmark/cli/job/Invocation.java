package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.fleet.Fleet;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.run.StopSignal;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What all runs of an invocation share.
 *
 * @param results the folder where the calibration of this machine is looked for
 * @param starter of brokers
 * @param live is told of every run as it goes
 * @param fleet the workers; null if the load comes from this process
 * @param stop asks for the end
 * @param out the console, flushed with each line
 * @param err for what goes wrong, flushed with each line
 */
public record Invocation(
        Path results,
        BrokerStarter starter,
        LiveRuns live,
        @Nullable Fleet fleet,
        StopSignal stop,
        PrintWriter out,
        PrintWriter err) {

    /** How many workers are to have an interval log of their own. */
    int workerLogs() {
        return fleet == null ? 0 : fleet.workerLogs();
    }

    /** Prints what went wrong. */
    void complain(String problem) {
        err.println("benchmark: " + problem);
    }
}
