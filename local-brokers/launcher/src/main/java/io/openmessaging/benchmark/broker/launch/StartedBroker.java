package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.faults.ProcessSignals.Signal;
import io.openmessaging.benchmark.limits.LimitGroup;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A broker whose nodes have all been started. */
record StartedBroker(
        String product,
        String version,
        List<String> addresses,
        Map<String, List<String>> endpoints,
        Map<String, String> settings,
        Exporters exporting,
        NodeGroup group,
        NodeFaults faults)
        implements RunningBroker {

    private static final String EXPORTERS = "prometheus";

    StartedBroker {
        // Sorted, so that two results of the same broker look the same.
        TreeMap<String, List<String>> all = new TreeMap<>(endpoints);
        if (!exporting.addresses().isEmpty()) {
            all.put(EXPORTERS, List.copyOf(exporting.addresses().values()));
        }
        endpoints = Collections.unmodifiableSortedMap(all);
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    }

    @Override
    public Map<String, String> exporters() {
        return exporting.addresses();
    }

    @Override
    public List<String> problems() {
        return exporting.problems();
    }

    @Override
    public List<Node> nodes() {
        return group.describe();
    }

    @Override
    public List<String> servers() {
        return group.servers();
    }

    @Override
    public List<LimitGroup> limitGroups() {
        return group.limitGroups();
    }

    @Override
    public Optional<String> failure() {
        return group.failure();
    }

    @Override
    public List<String> endedNodes() {
        return group.endedNodes();
    }

    @Override
    public void kill(String node) {
        group.kill(node);
    }

    @Override
    public void stop(List<String> nodes) throws LocalBrokerException {
        group.stop(nodes);
    }

    @Override
    public void pause(String node) throws LocalBrokerException, InterruptedException {
        NodeSignals.pause(node, group.pid(node));
    }

    @Override
    public void resume(String node) throws LocalBrokerException, InterruptedException {
        NodeSignals.send(node, group.pid(node), Signal.CONT);
    }

    @Override
    public void startAgain(String node) throws LocalBrokerException {
        group.startAgain(node);
    }

    @Override
    public void isolate(String node) throws LocalBrokerException, InterruptedException {
        faults.isolate(node);
    }

    @Override
    public void join(String node) throws LocalBrokerException, InterruptedException {
        faults.join(node);
    }

    @Override
    public Duration delay(String node, Duration by) throws LocalBrokerException, InterruptedException {
        return faults.delay(node, by);
    }

    @Override
    public void endDelay(String node) {
        faults.endDelay(node);
    }

    @Override
    public void fillDisk(String node) throws LocalBrokerException, InterruptedException {
        faults.fillDisk(node);
    }

    @Override
    public boolean freeDisk(String node) throws LocalBrokerException, InterruptedException {
        return faults.freeDisk(node);
    }

    @Override
    public void close() {
        try {
            group.end();
        } finally {
            faults.close();
        }
    }
}
