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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The processes of one broker and the folder they share. Thread-safe. */
final class NodeGroup {

    /** A killed process ends at once, unless it hangs in the kernel, for instance on a dead disk. */
    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    /** Long, since some brokers write much data during shutdown. */
    private static final Duration ORDERLY_END_LIMIT = Duration.ofSeconds(60);

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

    /** Returns the names of replaceable nodes, without which the others can continue. */
    synchronized List<String> servers() {
        return processes.stream()
                .filter(NodeProcess::isReplaceable)
                .map(process -> process.describe().name())
                .toList();
    }

    synchronized List<LimitGroup> limitGroups() {
        return processes.stream()
                .flatMap(process -> process.surroundings().limits().stream())
                .toList();
    }

    /** Describes the failure of the first process that ended by itself; empty if none did. */
    synchronized Optional<String> firstEnded() {
        return firstEnded(process -> true);
    }

    private Optional<String> firstEnded(Predicate<NodeProcess> which) {
        return processes.stream()
                .filter(process -> !ended && which.test(process))
                .flatMap(process -> process.failure().stream())
                .findFirst();
    }

    /** Describes the failure of a node without which the broker cannot continue; empty if there is none. */
    synchronized Optional<String> failure() {
        boolean goesOn = processes.stream().filter(NodeProcess::isReplaceable).anyMatch(NodeProcess::runs);
        return firstEnded(process -> !goesOn || !process.isReplaceable());
    }

    /** Describes the failures of nodes without which the others continue. */
    synchronized List<String> endedNodes() {
        return ended || failure().isPresent()
                ? List.of()
                : processes.stream()
                        .flatMap(process -> process.ending().stream())
                        .toList();
    }

    /** Kills a node and waits for its end. This is not a failure of the node, which can be restarted. */
    synchronized void kill(String name) {
        NodeProcess process = processes.get(indexOf(name));
        process.crash();
        awaitEnd(process, System.nanoTime() + END_LIMIT.toNanos());
        process.abandon();
    }

    /**
     * Requests the end of nodes and waits for it; meanwhile other threads can query the nodes. This is not a failure of
     * them.
     */
    void stop(List<String> names) throws LocalBrokerException {
        long untilNs = System.nanoTime() + ORDERLY_END_LIMIT.toNanos();
        names.forEach(name -> process(name).askToEnd());
        List<String> killed = new ArrayList<>();
        for (String name : names) {
            NodeProcess process = process(name);
            if (process.awaitEnd(untilNs)) {
                process.abandon();
            } else {
                kill(name);
                killed.add(name);
            }
        }
        if (!killed.isEmpty()) {
            throw new LocalBrokerException(String.join(", ", killed) + " had not ended " + ORDERLY_END_LIMIT.toSeconds()
                    + " s after SIGTERM, and was killed");
        }
    }

    long pid(String name) {
        return process(name).describe().pid();
    }

    /** Returns the current process of a node. */
    synchronized NodeProcess process(String name) {
        return processes.get(indexOf(name));
    }

    synchronized void startAgain(String name) throws LocalBrokerException {
        int index = indexOf(name);
        if (ended || processes.get(index).runs()) {
            throw new IllegalStateException(
                    name + (ended ? " cannot start: its broker is closed" : " is already running"));
        }
        processes.set(index, processes.get(index).startAgain());
    }

    private int indexOf(String name) {
        return IntStream.range(0, processes.size())
                .filter(i -> processes.get(i).describe().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown node '" + name + "'; known nodes: "
                        + describe().stream().map(RunningBroker.Node::name).collect(Collectors.joining(", "))));
    }

    synchronized void release() throws LocalBrokerException {
        for (NodeProcess process : processes) {
            process.release();
        }
    }

    /**
     * Ends all processes, whose data are discarded, waits for their end and removes the folder. A second call does
     * nothing. An interrupt does not shorten the wait and stays set.
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
            awaitEnd(process, deadlineNs);
        }
        try {
            FileTree.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the broker's folder " + folder + ": " + e.getMessage(), e);
        }
        processes.forEach(process -> process.surroundings().close());
    }

    private void awaitEnd(NodeProcess process, long deadlineNs) {
        if (!process.awaitEnd(deadlineNs)) {
            RunningBroker.Node node = process.describe();
            throw new IllegalStateException(node.name() + " (pid " + node.pid() + ") is still there "
                    + END_LIMIT.toSeconds() + " s after it was killed; its data stay in " + folder);
        }
    }
}
