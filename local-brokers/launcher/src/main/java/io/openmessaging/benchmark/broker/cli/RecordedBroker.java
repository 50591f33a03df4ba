package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A broker as one call of {@code bin/broker} leaves it to the next.
 *
 * @param product such as {@code Apache Kafka}
 * @param version the version that was started
 * @param addresses where clients connect
 * @param endpoints the further ways into it, by what is spoken there
 * @param nodes its processes
 * @param limitGroups the folders of the control groups that keep them to their limits
 */
record RecordedBroker(
        String product,
        String version,
        List<String> addresses,
        Map<String, List<String>> endpoints,
        List<RecordedNode> nodes,
        List<Path> limitGroups) {

    private static final String ENDPOINT = "endpoint.";
    private static final String LIMIT_GROUPS = "limitGroups";

    RecordedBroker {
        // In a fixed order, so that they are always said in the same way.
        endpoints = Collections.unmodifiableSortedMap(new TreeMap<>(endpoints));
    }

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

    /** Such as {@code Apache Kafka 4.4.0 at 127.0.0.1:9092}, and after that the endpoints. */
    String describe() {
        StringBuilder text = new StringBuilder(product + " " + version + " at ").append(String.join(",", addresses));
        endpoints.forEach(
                (name, at) -> text.append(", ").append(name).append(" at ").append(String.join(",", at)));
        return text.toString();
    }

    /** Those of its processes that run. */
    List<RecordedNode> running() {
        return nodes.stream().filter(RecordedNode::isRunning).toList();
    }

    Properties toProperties() {
        Properties properties = new Properties();
        properties.setProperty("product", product);
        properties.setProperty("version", version);
        properties.setProperty("addresses", String.join(",", addresses));
        properties.setProperty(
                "nodes", String.join(",", nodes.stream().map(RecordedNode::name).toList()));
        properties.setProperty(
                LIMIT_GROUPS, limitGroups.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        endpoints.forEach((name, at) -> properties.setProperty(ENDPOINT + name, String.join(",", at)));
        nodes.forEach(node -> node.addTo(properties));
        return properties;
    }

    /**
     * Reads what {@link #toProperties} has written.
     *
     * @throws IllegalArgumentException if something is missing or is not a number
     */
    static RecordedBroker of(Properties properties) {
        List<RecordedNode> nodes = split(properties, "nodes")
                .map(name -> RecordedNode.of(name, properties))
                .toList();
        return new RecordedBroker(
                required(properties, "product"),
                required(properties, "version"),
                split(properties, "addresses").toList(),
                properties.stringPropertyNames().stream()
                        .filter(key -> key.startsWith(ENDPOINT))
                        .collect(Collectors.toMap(
                                key -> key.substring(ENDPOINT.length()),
                                key -> split(properties, key).toList())),
                nodes,
                // Absent in the record of a broker that an earlier version has started.
                Arrays.stream(properties.getProperty(LIMIT_GROUPS, "").split(File.pathSeparator))
                        .filter(folder -> !folder.isEmpty())
                        .map(Path::of)
                        .toList());
    }

    private static Stream<String> split(Properties properties, String key) {
        return Arrays.stream(required(properties, key).split(","));
    }

    /** What must not be empty. */
    static String required(Properties properties, String key) {
        String value = properties.getProperty(key, "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return value;
    }
}
