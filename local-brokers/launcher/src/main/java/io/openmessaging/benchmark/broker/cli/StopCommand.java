package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.limits.LimitGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Stops a broker started by {@link StartCommand}. */
@Command(description = "Stops a broker and removes its data.")
final class StopCommand extends NamedBrokerCommand {

    /** How long a node may take to end by itself: those of a cluster hand over to each other first. */
    static final Duration USUAL_GRACE = Duration.ofSeconds(30);

    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

    private static final int POLL_MS = 50;

    private final Duration grace;

    @Option(names = "--keep-data", description = "Puts data and logs aside instead of removing them.")
    private boolean keepData;

    StopCommand(Path home, Duration grace) {
        super(home);
        this.grace = grace;
    }

    @Override
    public Integer call() throws Exception {
        out().println(folder().exclusively(this::stop));
        return CommandLine.ExitCode.OK;
    }

    private String stop() throws IOException, LocalBrokerException, InterruptedException {
        RecordedBroker recorded = recorded();
        end(recorded);
        LimitGroup.remove(recorded.limitGroups());
        if (keepData) {
            return "stopped " + broker.name() + "; data and logs are in " + folder().keep();
        }
        folder().remove();
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
            throw new LocalBrokerException(left.get(0).name() + " (pid "
                    + left.get(0).pid() + ") is still there " + KILL_LIMIT.toSeconds() + " s after it was killed");
        }
    }

    /** Waits for the end of all; returns those that have not ended before the limit. */
    private static List<RecordedNode> stillRunning(RecordedBroker recorded, Duration limit)
            throws InterruptedException {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        List<RecordedNode> running = recorded.running();
        while (!running.isEmpty() && System.nanoTime() - deadlineNs <= 0) {
            Thread.sleep(POLL_MS);
            running = recorded.running();
        }
        return running;
    }
}
