package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
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
        if (ended) {
            return Optional.empty();
        }
        return processes.stream()
                .map(NodeProcess::failure)
                .flatMap(Optional::stream)
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
        boolean interrupted = Thread.interrupted();
        try {
            interrupted |= endGracefully();
            processes.forEach(NodeProcess::kill);
            long deadlineNs = System.nanoTime() + END_LIMIT.toNanos();
            for (NodeProcess process : processes) {
                Wait wait = awaitEnd(process, deadlineNs);
                interrupted |= wait.interrupted();
                if (!wait.ended()) {
                    throw stillThere(process);
                }
            }
            FileTree.delete(folder);
            limitGroups().forEach(LimitGroup::close);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the broker's folder " + folder + ": " + e.getMessage(), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Gives those that want it the time to end by themselves; returns whether the thread was interrupted meanwhile. */
    private boolean endGracefully() {
        long beginNs = System.nanoTime();
        processes.forEach(NodeProcess::terminate);
        boolean interrupted = false;
        for (NodeProcess process : processes) {
            if (!process.endLimit().isZero()) {
                interrupted |= awaitEnd(process, beginNs + process.endLimit().toNanos())
                        .interrupted();
            }
        }
        return interrupted;
    }

    private record Wait(boolean ended, boolean interrupted) {}

    private static Wait awaitEnd(NodeProcess process, long deadlineNs) {
        boolean interrupted = false;
        while (true) {
            try {
                return new Wait(process.awaitEnd(Duration.ofNanos(deadlineNs - System.nanoTime())), interrupted);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private IllegalStateException stillThere(NodeProcess process) {
        RunningBroker.Node node = process.describe();
        return new IllegalStateException(node.name() + " (pid " + node.pid() + ") is still there "
                + END_LIMIT.toSeconds() + " s after it was killed; its data stay in " + folder);
    }
}
