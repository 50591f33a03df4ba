package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.FileTree;
import io.openmessaging.benchmark.limits.LimitGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The processes of one broker and the folder they share. Thread-safe. */
final class NodeGroup {

    /** A killed process is gone at once, unless it hangs in the kernel, on a dead disk for instance. */
    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private final Path folder;
    private final List<NodeProcess> processes = new ArrayList<>();
    private boolean ended;

    NodeGroup(Path folder) {
        this.folder = folder;
    }

    synchronized void add(NodeProcess process) {
        processes.add(process);
    }

    synchronized List<RunningBroker.Node> describe() {
        return processes.stream().map(NodeProcess::describe).toList();
    }

    synchronized List<LimitGroup> limitGroups() {
        return processes.stream().flatMap(process -> process.limits().stream()).toList();
    }

    /** What became of the first process that ended by itself. */
    synchronized Optional<String> failure() {
        return processes.stream()
                .filter(process -> !ended)
                .flatMap(process -> process.failure().stream())
                .findFirst();
    }

    synchronized void release() throws LocalBrokerException {
        for (NodeProcess process : processes) {
            process.release();
        }
    }

    /**
     * Ends all, the data being thrown away with them, awaits their end and removes the folder. Does nothing the second
     * time. Not hurried by an interrupt, which stays set.
     */
    synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        long beginNs = System.nanoTime();
        processes.forEach(NodeProcess::terminate);
        processes.forEach(process -> process.kill(beginNs));
        long deadlineNs = System.nanoTime() + END_LIMIT.toNanos();
        for (NodeProcess process : processes) {
            if (!process.awaitEnd(deadlineNs)) {
                RunningBroker.Node node = process.describe();
                throw new IllegalStateException(node.name() + " (pid " + node.pid() + ") is still there "
                        + END_LIMIT.toSeconds() + " s after it was killed; its data stay in " + folder);
            }
        }
        try {
            FileTree.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the broker's folder " + folder + ": " + e.getMessage(), e);
        }
        limitGroups().forEach(LimitGroup::close);
    }
}
