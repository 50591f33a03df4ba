package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A broker as one call of {@code bin/broker} leaves it to the next.
 *
 * @param endpoints further ways into it, by name
 * @param limitGroups the folders of the control groups that keep its nodes to their limits
 */
record RecordedBroker(
        String product,
        String version,
        List<String> addresses,
        Map<String, List<String>> endpoints,
        List<RecordedNode> nodes,
        List<Path> limitGroups) {

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
        return endpoints.entrySet().stream()
                .map(endpoint -> ", " + endpoint.getKey() + " at " + String.join(",", endpoint.getValue()))
                .collect(Collectors.joining("", product + " " + version + " at " + String.join(",", addresses), ""));
    }

    /** Those of its processes that run. */
    List<RecordedNode> running() {
        return nodes.stream().filter(RecordedNode::runs).toList();
    }
}
