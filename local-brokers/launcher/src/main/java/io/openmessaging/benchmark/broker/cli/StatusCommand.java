package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Tells whether every node of a broker runs. */
@Command(description = "Tells whether a broker runs; the exit code is 0 if every node of it does, else 1.")
final class StatusCommand extends NamedBrokerCommand {

    StatusCommand(Path home) {
        super(home);
    }

    @Override
    public Integer call() throws IOException, LocalBrokerException {
        Optional<RecordedBroker> recorded = folder().load();
        if (recorded.isEmpty()) {
            out().println(broker.name() + " does not run");
            return CommandLine.ExitCode.SOFTWARE;
        }
        out().println(recorded.get().describe());
        boolean allRun = true;
        for (RecordedNode node : recorded.get().nodes()) {
            boolean runs = node.runs();
            allRun &= runs;
            out().println(node.describe(runs ? "running  " : "ended  "));
        }
        return allRun ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
