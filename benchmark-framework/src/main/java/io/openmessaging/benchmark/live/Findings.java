package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.result.Finding;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** Findings as data points: one for each kind, since their sentences have numbers in them that change. */
final class Findings {

    private record Kind(String name, String severity) {}

    private Findings() {}

    static void add(Families families, String name, String help, Labels labels, List<Finding> findings) {
        TreeMap<String, Integer> counts = new TreeMap<>();
        TreeMap<String, Kind> kinds = new TreeMap<>();
        for (Finding finding : findings) {
            Kind kind = new Kind(finding.kind(), finding.severity().name().toLowerCase(Locale.ROOT));
            kinds.put(kind.toString(), kind);
            counts.merge(kind.toString(), 1, Integer::sum);
        }
        kinds.forEach((key, kind) -> families.gauge(
                name,
                help,
                labels.merge(Labels.of("kind", kind.name, "severity", kind.severity)),
                counts.getOrDefault(key, 0)));
    }
}
