package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A broker whose nodes all run. */
record StartedBroker(
        String product,
        String version,
        List<String> addresses,
        Map<String, List<String>> endpoints,
        Map<String, String> settings,
        NodeGroup group)
        implements RunningBroker {

    StartedBroker {
        addresses = List.copyOf(addresses);
        // In a fixed order, so that two results of the same broker look the same.
        endpoints = Collections.unmodifiableSortedMap(new TreeMap<>(endpoints));
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    }

    @Override
    public List<Node> nodes() {
        return group.describe();
    }

    @Override
    public Optional<String> failure() {
        return group.failure();
    }

    @Override
    public void close() {
        group.end();
    }
}
