package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.config.MetricsSettings;
import io.openmessaging.benchmark.driver.NodeFigures;
import io.openmessaging.benchmark.resources.FigureSource;
import io.openmessaging.benchmark.resources.PolledProbe;
import io.openmessaging.benchmark.resources.ProcessProbe;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.SamplingMonitor;
import io.openmessaging.benchmark.worker.LoadPlan;
import io.openmessaging.benchmark.worker.LoadedDriver;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decides what is watched during a run: this process, this machine, and the broker in the ways that it offers. */
final class Watch {

    /** A broker that is too busy to answer is asked again, until then figures are missing. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    private Watch() {}

    /**
     * Begins to watch.
     *
     * @param driver pointed to the broker; its file may name exporters
     * @param broker that was started here
     * @param period how often to look; zero for never
     */
    static ResourceMonitor over(LoadedDriver<?> driver, Optional<RunningBroker> broker, Duration period) {
        if (period.isZero()) {
            return ResourceMonitor.NONE;
        }
        MetricsSettings metrics = driver.file().metrics();
        List<PolledProbe> polled = new ArrayList<>();
        for (URI target : metrics.targets()) {
            polled.add(PolledProbe.ofExporter(target.getAuthority(), Role.BROKER, target, metrics.every(), Set.of()));
        }
        Map<String, Long> nodes = new LinkedHashMap<>();
        broker.ifPresent(running -> {
            running.nodes().forEach(node -> nodes.put(node.name(), node.pid()));
            // The processes are read by themselves.
            running.exporters()
                    .forEach((node, address) ->
                            polled.add(PolledProbe.ofLocalExporter(node, address, period, ProcessProbe.FIGURES)));
        });
        for (NodeFigures figures : driver.nodeFigures(ANSWER_LIMIT)) {
            Optional<String> node = broker.flatMap(running -> nodeAt(running, figures.address()));
            polled.add(PolledProbe.ofBroker(
                    node.orElse(figures.address()),
                    figures.address(),
                    source(figures),
                    node.isPresent() ? period : metrics.every(),
                    node.isPresent() ? ProcessProbe.FIGURES : Set.of()));
        }
        List<String> problems = broker.map(RunningBroker::problems).orElse(List.of());
        return SamplingMonitor.ofThisMachine(nodes, LoadPlan::isSendingThread, polled, problems, period);
    }

    /** The process behind an address, where each has one. */
    private static Optional<String> nodeAt(RunningBroker broker, String address) {
        int index = broker.addresses().indexOf(address);
        return index < 0 || broker.addresses().size() != broker.nodes().size()
                ? Optional.empty()
                : Optional.of(broker.nodes().get(index).name());
    }

    private static FigureSource source(NodeFigures figures) {
        return new FigureSource() {
            @Override
            public Map<String, Double> read() throws Exception {
                return figures.read();
            }

            @Override
            public void close() {
                figures.close();
            }
        };
    }
}
