package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.suite.Patience;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs {@code bin/benchmark} in the process of the test, which takes a tenth of the time that a new JVM needs. */
public final class CommandInProcess {

    private final StopSignal stop = new StopSignal();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final FutureTask<Integer> running;

    /**
     * Starts the command.
     *
     * @param currentFolder folder for its results; it looks for files in the current folder of this process and in
     *     the checkout
     */
    public CommandInProcess(Path currentFolder, String... arguments) {
        running = new FutureTask<>(() -> Main.commandLine(stop, currentFolder, arguments)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments));
        new Thread(running, "benchmark " + String.join(" ", arguments)).start();
    }

    /** Requests a stop, as Ctrl-C does. */
    public void stop() {
        stop.request();
    }

    public int exitCode() throws InterruptedException {
        try {
            return Patience.get("the end of the command", running);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /** The standard output so far. */
    public String out() {
        return out.toString();
    }

    /** The standard error output so far. */
    public String err() {
        return err.toString();
    }
}
