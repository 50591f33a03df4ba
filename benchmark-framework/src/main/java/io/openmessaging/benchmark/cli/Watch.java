package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.config.MetricsSettings;
import io.openmessaging.benchmark.resources.ExporterProbe;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.ProcessProbe;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.SamplingMonitor;
import io.openmessaging.benchmark.worker.LoadPlan;
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

    /** What a local broker calls its exporter for Prometheus. */
    private static final String EXPORTER = "prometheus";

    private Watch() {}

    /**
     * Begins to watch.
     *
     * @param metrics exporters named in the driver file
     * @param broker that was started here
     * @param period how often to look; zero for never
     */
    static ResourceMonitor over(MetricsSettings metrics, Optional<RunningBroker> broker, Duration period) {
        if (period.isZero()) {
            return ResourceMonitor.NONE;
        }
        Map<String, Long> nodes = new LinkedHashMap<>();
        List<ExporterProbe> exporters = new ArrayList<>();
        for (URI target : metrics.targets()) {
            exporters.add(exporter(target, metrics.every(), Set.of()));
        }
        broker.ifPresent(running -> {
            running.nodes().forEach(node -> nodes.put(node.name(), node.pid()));
            for (String address : running.endpoints().getOrDefault(EXPORTER, List.of())) {
                URI target = URI.create("http://" + address + "/metrics");
                // The processes are read by themselves.
                exporters.add(exporter(target, period, ProcessProbe.FIGURES));
            }
        });
        return SamplingMonitor.ofThisMachine(nodes, LoadPlan::isSendingThread, exporters, period);
    }

    private static ExporterProbe exporter(URI target, Duration every, Set<Figure> leftOut) {
        return new ExporterProbe(target.getAuthority(), Role.BROKER, target, every, leftOut);
    }
}
