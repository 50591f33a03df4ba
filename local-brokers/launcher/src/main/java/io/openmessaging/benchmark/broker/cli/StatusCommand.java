package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells whether every node of a broker runs. */
@Command(description = "Tells whether a broker runs; the exit code is 0 if every node of it does, else 1.")
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class StatusCommand implements Callable<Integer> {

    private final Path home;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Which broker, such as kafka.")
    private LocalBroker broker;

    StatusCommand(Path home) {
        this.home = home;
    }

    @Override
    public Integer call() throws IOException, LocalBrokerException {
        Optional<RecordedBroker> recorded = new RunFolder(home, broker.name()).load();
        PrintWriter out = spec.commandLine().getOut();
        if (recorded.isEmpty()) {
            out.println(broker.name() + " does not run");
            return CommandLine.ExitCode.SOFTWARE;
        }
        out.println(recorded.get().describe());
        boolean allRun = true;
        for (RecordedNode node : recorded.get().nodes()) {
            boolean runs = node.isRunning();
            allRun &= runs;
            out.println("  " + node.name() + "  pid " + node.pid() + "  " + (runs ? "running" : "ended") + "  log "
                    + node.log());
        }
        return allRun ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
