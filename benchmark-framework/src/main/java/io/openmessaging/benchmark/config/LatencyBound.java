package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.metric.LatencyFigure;
import io.openmessaging.benchmark.metric.LatencyMetric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An upper limit for a latency, as in {@code slo: {endToEndLatency99pct: 100ms}}.
 *
 * @param key key in the file: the latency's name in results, followed by the figure
 * @param latency the latency
 * @param figure the figure of its distribution
 * @param limit the highest value that the figure may have
 */
public record LatencyBound(String key, Latency latency, LatencyFigure figure, Duration limit) {

    private record Named(Latency latency, LatencyFigure figure) {}

    private static final Map<String, Named> BY_KEY = byKey();

    private static Map<String, Named> byKey() {
        Map<String, Named> byKey = new LinkedHashMap<>();
        for (LatencyMetric metric : LatencyMetric.ALL) {
            if (metric.compared()) {
                LatencyFigure.ALL.forEach(
                        figure -> byKey.put(metric.name() + figure.suffix(), new Named(metric.latency(), figure)));
            }
        }
        return byKey;
    }

    /** Returns the keys of latencies that can have bounds. */
    static Set<String> keys() {
        return BY_KEY.keySet();
    }

    /** Returns whether the bound needs consumers. */
    boolean isOfArrivals() {
        return latency.isEndToEnd();
    }

    /**
     * Reads the bounds from a mapping; adds errors to the problems.
     *
     * @param others keys of the mapping that are not latencies, and are ignored
     */
    static List<LatencyBound> of(Map<String, String> entries, List<String> others, Problems problems) {
        List<LatencyBound> bounds = new ArrayList<>();
        entries.forEach((key, text) -> {
            Named named = BY_KEY.get(key);
            Optional<Duration> limit = DurationText.parse(text);
            if (others.contains(key)) {
                return;
            }
            if (named == null) {
                List<String> known = new ArrayList<>(others);
                known.addAll(keys());
                problems.add(key, LatencyMetric.unknownRule("key", key, known), null);
            } else if (limit.isEmpty() || limit.get().isZero()) {
                problems.add(key, DurationText.RULE + ", above 0", text);
            } else {
                bounds.add(new LatencyBound(key, named.latency(), named.figure(), limit.get()));
            }
        });
        return List.copyOf(bounds);
    }
}
