package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the end of each node's log. */
@Command(description = "Prints the end of a broker's log.")
final class LogsCommand extends NamedBrokerCommand {

    private static final int POLL_MS = 200;

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            defaultValue = "50",
            description = "How many lines of each node (default: 50).")
    private int lines;

    @Option(
            names = {"-f", "--follow"},
            description = "Goes on with what is added, until the broker ends.")
    private boolean follow;

    LogsCommand(Path home) {
        super(home);
    }

    @Override
    public Integer call() throws IOException, LocalBrokerException, InterruptedException {
        RecordedBroker recorded = recorded();
        List<LogTail> tails = new ArrayList<>();
        try {
            for (RecordedNode node : recorded.nodes()) {
                String prefix = recorded.nodes().size() == 1 ? "" : node.name() + " | ";
                LogTail tail = LogTail.open(node.log(), prefix);
                tails.add(tail);
                tail.printNew(out(), lines);
            }
            out().flush();
            while (follow && !recorded.running().isEmpty()) {
                Thread.sleep(POLL_MS);
                for (LogTail tail : tails) {
                    tail.printNew(out(), Integer.MAX_VALUE);
                }
                out().flush();
            }
        } finally {
            for (LogTail tail : tails) {
                tail.close();
            }
        }
        return CommandLine.ExitCode.OK;
    }
}
