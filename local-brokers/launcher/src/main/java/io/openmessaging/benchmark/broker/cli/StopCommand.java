package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.limits.LimitGroup;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Stops a broker started by {@link StartCommand}. */
@Command(description = "Stops a broker and removes its data.")
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class StopCommand implements Callable<Integer> {

    /** How long a node may take to end by itself: those of a cluster hand over to each other first. */
    static final Duration USUAL_GRACE = Duration.ofSeconds(30);

    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

    private static final int POLL_MS = 50;

    private final Path home;
    private final Duration grace;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Which broker, such as kafka.")
    private LocalBroker broker;

    @Option(names = "--keep-data", description = "Puts data and logs aside instead of removing them.")
    private boolean keepData;

    StopCommand(Path home, Duration grace) {
        this.home = home;
        this.grace = grace;
    }

    @Override
    public Integer call() throws Exception {
        RunFolder folder = new RunFolder(home, broker.name());
        out().println(folder.exclusively(() -> stop(folder)));
        return CommandLine.ExitCode.OK;
    }

    private String stop(RunFolder folder) throws IOException, LocalBrokerException, InterruptedException {
        Optional<RecordedBroker> recorded = folder.load();
        if (recorded.isEmpty()) {
            throw new LocalBrokerException(broker.name() + " does not run", null);
        }
        end(recorded.get());
        LimitGroup.remove(recorded.get().limitGroups());
        if (keepData) {
            return "stopped " + broker.name() + "; data and logs are in " + folder.keep();
        }
        folder.remove();
        return "stopped " + broker.name();
    }

    private void end(RecordedBroker recorded) throws LocalBrokerException, InterruptedException {
        recorded.running().forEach(node -> node.process().ifPresent(ProcessHandle::destroy));
        for (RecordedNode node : stillRunning(recorded, grace)) {
            out().println("killing " + node.name() + ", which did not end within " + grace.toSeconds() + " s");
            node.process().ifPresent(ProcessHandle::destroyForcibly);
        }
        List<RecordedNode> left = stillRunning(recorded, KILL_LIMIT);
        if (!left.isEmpty()) {
            throw new LocalBrokerException(
                    left.get(0).name() + " (pid " + left.get(0).pid() + ") is still there " + KILL_LIMIT.toSeconds()
                            + " s after it was killed",
                    null);
        }
    }

    /** Waits for the end of all; returns those that have not ended before the limit. */
    private static List<RecordedNode> stillRunning(RecordedBroker recorded, Duration limit)
            throws InterruptedException {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        while (true) {
            List<RecordedNode> running = recorded.running();
            if (running.isEmpty() || System.nanoTime() - deadlineNs > 0) {
                return running;
            }
            Thread.sleep(POLL_MS);
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
