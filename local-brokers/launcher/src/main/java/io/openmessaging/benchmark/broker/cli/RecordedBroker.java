package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.faults.ProcessSignals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A broker as recorded by one call of {@code bin/broker} for the next.
 *
 * @param endpoints further endpoints, by name
 * @param limitGroups the folders of the control groups that keep its nodes within their limits
 */
record RecordedBroker(
        String product,
        String version,
        List<String> addresses,
        Map<String, List<String>> endpoints,
        List<RecordedNode> nodes,
        List<Path> limitGroups) {

    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

    private static final int POLL_MS = 50;

    static RecordedBroker of(RunningBroker broker) {
        return new RecordedBroker(
                broker.product(),
                broker.version(),
                broker.addresses(),
                broker.endpoints(),
                broker.nodes().stream().map(RecordedNode::of).toList(),
                broker.limitGroups().stream()
                        .flatMap(group -> group.folders().stream())
                        .toList());
    }

    /** Describes the broker, such as {@code Apache Kafka 4.4.0 at 127.0.0.1:9092}, followed by the endpoints. */
    String describe() {
        return endpoints.entrySet().stream()
                .map(endpoint -> ", " + endpoint.getKey() + " at " + String.join(",", endpoint.getValue()))
                .collect(Collectors.joining("", product + " " + version + " at " + String.join(",", addresses), ""));
    }

    /** Returns the nodes that run. */
    List<RecordedNode> running() {
        return running(nodes);
    }

    private static List<RecordedNode> running(List<RecordedNode> of) {
        return of.stream().filter(RecordedNode::runs).toList();
    }

    RecordedNode node(String name) throws LocalBrokerException {
        return nodes.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new LocalBrokerException("unknown node '" + name + "'; known nodes: "
                        + nodes.stream().map(RecordedNode::name).collect(Collectors.joining(", "))));
    }

    /** Returns the same broker with a node in place of the one of the same name. */
    RecordedBroker with(RecordedNode node) {
        List<RecordedNode> replaced = nodes.stream()
                .map(other -> other.name().equals(node.name()) ? node : other)
                .toList();
        return new RecordedBroker(product, version, addresses, endpoints, replaced, limitGroups);
    }

    /**
     * Ends nodes and waits for their end.
     *
     * @param grace how long they may take before they are killed
     * @param told receives a sentence about each node that is killed
     */
    static void end(List<RecordedNode> nodes, Duration grace, Consumer<String> told)
            throws LocalBrokerException, InterruptedException {
        for (RecordedNode node : running(nodes)) {
            node.process().ifPresent(ProcessHandle::destroy);
            if (node.state().equals(RecordedNode.PAUSED)) {
                node.signal(ProcessSignals.Signal.CONT);
            }
        }
        for (RecordedNode node : stillRunning(nodes, grace)) {
            told.accept("killing " + node.name() + ", which did not end within " + grace.toSeconds() + " s");
            node.process().ifPresent(ProcessHandle::destroyForcibly);
        }
        awaitEnd(nodes);
    }

    /** Waits for the end of nodes that have been killed. */
    static void awaitEnd(List<RecordedNode> nodes) throws LocalBrokerException, InterruptedException {
        List<RecordedNode> left = stillRunning(nodes, KILL_LIMIT);
        if (!left.isEmpty()) {
            throw new LocalBrokerException(left.get(0).name() + " (pid "
                    + left.get(0).pid() + ") is still there " + KILL_LIMIT.toSeconds() + " s after it was killed");
        }
    }

    /** Waits for the end of all; returns those that have not ended when the limit has passed. */
    private static List<RecordedNode> stillRunning(List<RecordedNode> nodes, Duration limit)
            throws InterruptedException {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        List<RecordedNode> running = running(nodes);
        while (!running.isEmpty() && System.nanoTime() - deadlineNs <= 0) {
            Thread.sleep(POLL_MS);
            running = running(nodes);
        }
        return running;
    }
}
