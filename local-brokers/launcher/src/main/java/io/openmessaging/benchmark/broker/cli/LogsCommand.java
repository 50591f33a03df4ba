package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the end of each node's log. */
@Command(description = "Prints the end of a broker's log.")
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class LogsCommand implements Callable<Integer> {

    private static final int POLL_MS = 200;

    private final Path home;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Which broker, such as kafka.")
    private LocalBroker broker;

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
        this.home = home;
    }

    @Override
    public Integer call() throws IOException, LocalBrokerException, InterruptedException {
        RecordedBroker recorded = new RunFolder(home, broker.name())
                .load()
                .orElseThrow(() -> new LocalBrokerException(broker.name() + " does not run", null));
        List<LogTail> tails = new ArrayList<>();
        try {
            for (RecordedNode node : recorded.nodes()) {
                String prefix = recorded.nodes().size() == 1 ? "" : node.name() + " | ";
                tails.add(LogTail.open(node.log(), lines, prefix));
            }
            print(tails);
            while (follow && !recorded.running().isEmpty()) {
                Thread.sleep(POLL_MS);
                print(tails);
            }
        } finally {
            for (LogTail tail : tails) {
                tail.close();
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private void print(List<LogTail> tails) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        for (LogTail tail : tails) {
            tail.printNew(out);
        }
        out.flush();
    }
}
