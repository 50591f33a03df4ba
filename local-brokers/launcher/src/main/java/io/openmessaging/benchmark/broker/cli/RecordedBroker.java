package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.limits.LimitGroup;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A broker as one call of {@code bin/broker} leaves it to the next.
 *
 * @param entries product, version, addresses, {@code endpoint.NAME} for each further way into it, the names of its nodes,
 *     what {@link RecordedNode} keeps of each, and the folders of the control groups that keep them to their limits
 */
record RecordedBroker(Properties entries) {

    private static final String ENDPOINT = "endpoint.";
    private static final String NODES = "nodes";
    private static final String LIMIT_GROUPS = "limitGroups";

    static RecordedBroker of(RunningBroker broker) {
        Properties entries = new Properties();
        entries.setProperty("product", broker.product());
        entries.setProperty("version", broker.version());
        entries.setProperty("addresses", String.join(",", broker.addresses()));
        broker.endpoints().forEach((name, at) -> entries.setProperty(ENDPOINT + name, String.join(",", at)));
        List<RecordedNode> nodes = broker.nodes().stream().map(RecordedNode::of).toList();
        entries.setProperty(NODES, nodes.stream().map(RecordedNode::name).collect(Collectors.joining(",")));
        nodes.forEach(node -> node.addTo(entries));
        Stream<LimitGroup> groups = broker.limitGroups().stream();
        entries.setProperty(
                LIMIT_GROUPS,
                groups.flatMap(group -> group.folders().stream())
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator)));
        return new RecordedBroker(entries);
    }

    /** Such as {@code Apache Kafka 4.4.0 at 127.0.0.1:9092}, and after that the endpoints. */
    String describe() {
        Stream<String> endpoints = new TreeSet<>(entries.stringPropertyNames())
                .stream()
                        .filter(key -> key.startsWith(ENDPOINT))
                        .map(key -> ", " + key.substring(ENDPOINT.length()) + " at " + required(entries, key));
        return required(entries, "product") + " " + required(entries, "version") + " at "
                + required(entries, "addresses") + endpoints.collect(Collectors.joining());
    }

    /**
     * Its processes.
     *
     * @throws IllegalArgumentException if something is missing or is not a number
     */
    List<RecordedNode> nodes() {
        return Stream.of(required(entries, NODES).split(","))
                .map(name -> RecordedNode.of(name, entries))
                .toList();
    }

    /** Those of its processes that run. */
    List<RecordedNode> running() {
        return nodes().stream().filter(RecordedNode::isRunning).toList();
    }

    /** The folders of its control groups; absent in the record of a broker that an earlier version has started. */
    List<Path> limitGroups() {
        return Stream.of(entries.getProperty(LIMIT_GROUPS, "").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of)
                .toList();
    }

    /** What must be there. */
    static String required(Properties entries, String key) {
        String value = entries.getProperty(key, "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return value;
    }
}
