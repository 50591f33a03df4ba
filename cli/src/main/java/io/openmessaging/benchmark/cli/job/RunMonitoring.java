package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.config.driver.MetricsSettings;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.NodeFigures;
import io.openmessaging.benchmark.limits.LimitGroup;
import io.openmessaging.benchmark.resources.ControlGroupProbe;
import io.openmessaging.benchmark.resources.DiskProbe;
import io.openmessaging.benchmark.resources.PolledProbe;
import io.openmessaging.benchmark.resources.ProcessProbe;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.resources.ResourceProbe;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.SamplingMonitor;
import io.openmessaging.benchmark.worker.Load;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what is monitored during a run: this process, this machine, and the broker as far as it offers figures. */
final class RunMonitoring {

    /** A broker that is too busy to answer is queried again; its figures are missing until then. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(RunMonitoring.class);

    private RunMonitoring() {}

    /**
     * Starts monitoring.
     *
     * @param driver pointed to the broker; its file may name exporters
     * @param broker that was started here
     * @param clients limit group of this process
     * @param results the folder of the results; neither its disk nor that of the broker's data may fill up
     * @param period time between two samples; zero for no monitoring
     */
    static ResourceMonitor over(
            ConfiguredDriver driver,
            Optional<RunningBroker> broker,
            Optional<LimitGroup> clients,
            Path results,
            Duration period) {
        if (period.isZero()) {
            return ResourceMonitor.NONE;
        }
        MetricsSettings metrics = driver.file().metrics();
        List<ResourceProbe> others = new ArrayList<>();
        for (Address target : metrics.targets()) {
            others.add(PolledProbe.ofExporter(target.hostAndPort(), Role.BROKER, target, metrics.every(), Set.of()));
        }
        Map<String, LongSupplier> nodes = new LinkedHashMap<>();
        broker.ifPresent(running -> {
            running.nodes().forEach(node -> nodes.put(node.name(), () -> pidOf(running, node)));
            // The processes are sampled separately.
            running.exporters()
                    .forEach((node, address) ->
                            others.add(PolledProbe.ofLocalExporter(node, address, period, ProcessProbe.FIGURES)));
            running.limitGroups()
                    .forEach(group -> others.add(new ControlGroupProbe(group.name(), Role.BROKER, group::counters)));
        });
        for (NodeFigures figures : driver.loaded().nodeFigures(ANSWER_LIMIT)) {
            Optional<String> node = broker.flatMap(running -> nodeAt(running, figures.address()));
            others.add(PolledProbe.ofBroker(
                    node.orElse(figures.address()),
                    figures,
                    node.isPresent() ? period : metrics.every(),
                    node.isPresent() ? ProcessProbe.FIGURES : Set.of()));
        }
        clients.ifPresent(
                group -> others.add(new ControlGroupProbe(SamplingMonitor.HARNESS, Role.HARNESS, group::counters)));
        others.addAll(disks(broker, results));
        List<String> problems = broker.map(RunningBroker::problems).orElse(List.of());
        return SamplingMonitor.ofThisMachine(nodes, Load::isSendingThread, others, problems, period);
    }

    /** Returns the current process id of a node, which changes with a restart. */
    private static long pidOf(RunningBroker running, RunningBroker.Node node) {
        return running.nodes().stream()
                .filter(now -> now.name().equals(node.name()))
                .mapToLong(RunningBroker.Node::pid)
                .findFirst()
                .orElse(node.pid());
    }

    /** Returns a probe for each file system that holds the broker's data or the results. */
    private static List<DiskProbe> disks(Optional<RunningBroker> broker, Path results) {
        Set<Path> folders = new LinkedHashSet<>();
        broker.ifPresent(running -> running.nodes().forEach(node -> folders.add(folder(node.log()))));
        folders.add(results.toAbsolutePath());
        Map<FileStore, DiskProbe> disks = new LinkedHashMap<>();
        for (Path folder : folders) {
            try {
                FileStore store = Files.getFileStore(folder);
                disks.putIfAbsent(store, new DiskProbe(folder, store));
            } catch (IOException e) {
                LOG.warn("The free space on the disk of {} is not monitored", folder, e);
            }
        }
        return List.copyOf(disks.values());
    }

    private static Path folder(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null ? file : folder;
    }

    /** Returns the node behind an address, if there is one node per address. */
    private static Optional<String> nodeAt(RunningBroker broker, String address) {
        int index = broker.addresses().indexOf(address);
        return index < 0 || broker.addresses().size() != broker.nodes().size()
                ? Optional.empty()
                : Optional.of(broker.nodes().get(index).name());
    }
}
