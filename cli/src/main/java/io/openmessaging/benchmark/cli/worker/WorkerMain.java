package io.openmessaging.benchmark.cli.worker;

import io.openmessaging.benchmark.cli.Main;
import java.nio.file.Path;
import picocli.CommandLine;

/** Starts {@code bin/benchmark-worker}. */
public final class WorkerMain {

    private WorkerMain() {}

    /** Ends the process with an {@link io.openmessaging.benchmark.cli.process.ExitCode}, or on a signal. */
    public static void main(String[] args) {
        Main.refuseUnspelt(WorkerCommand.NAME, args);
        System.exit(commandLine(Path.of("")).execute(args));
    }

    /**
     * Returns the command.
     *
     * @param currentFolder contains the folder of its log
     */
    static CommandLine commandLine(Path currentFolder) {
        return Main.configured(new CommandLine(new WorkerCommand(currentFolder)), WorkerCommand.NAME);
    }
}
