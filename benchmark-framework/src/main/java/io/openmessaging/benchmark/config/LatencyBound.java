package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.binding.KnownKeys;
import io.openmessaging.benchmark.driver.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A limit that a latency is to stay below, as in {@code slo: {endToEndLatency99pct: 100ms}}.
 *
 * @param key as the file has it: the name that the result has for the latency, with the figure behind it
 * @param latency which one
 * @param figure which figure of its distribution
 * @param limit the figure is to be at most this
 */
public record LatencyBound(String key, Source latency, Figure figure, Duration limit) {

    /** The latencies that can be bounded. */
    public enum Source {
        /** From the send to the confirmation. */
        PUBLISH("publish"),
        /** From the send to the arrival. */
        END_TO_END("endToEnd"),
        /** From the intended send to the confirmation. */
        SCHEDULED_PUBLISH("scheduledPublish"),
        /** From the intended send to the arrival. */
        SCHEDULED_END_TO_END("scheduledEndToEnd");

        private final String word;

        Source(String word) {
            this.word = word;
        }

        /** Whether somebody has to receive the messages. */
        boolean isOfArrivals() {
            return this == END_TO_END || this == SCHEDULED_END_TO_END;
        }
    }

    /** The figures that can be bounded. */
    public enum Figure {
        /** The mean. */
        MEAN("Avg", Double.NaN),
        /** The median. */
        P50("50pct", 50),
        /** Three quarters are below. */
        P75("75pct", 75),
        /** 95 % are below. */
        P95("95pct", 95),
        /** 99 % are below. */
        P99("99pct", 99),
        /** 99.9 % are below. */
        P999("999pct", 99.9),
        /** 99.99 % are below. */
        P9999("9999pct", 99.99),
        /** 99.999 % are below. */
        P99999("99999pct", 99.999),
        /** The largest. */
        MAX("Max", 100);

        private final String suffix;
        private final double percentile;

        Figure(String suffix, double percentile) {
            this.suffix = suffix;
            this.percentile = percentile;
        }

        /** The percentile, 100 for the largest; not a number for the mean. */
        public double percentile() {
            return percentile;
        }

        /** How many samples a distribution has to have for this figure to be more than its largest value. */
        public long samplesNeeded() {
            boolean ofTheTail = percentile > 50 && percentile < 100;
            return ofTheTail ? Math.round(100 / (100 - percentile)) : 1;
        }
    }

    private record Named(Source latency, Figure figure) {}

    private static final Map<String, Named> BY_KEY = byKey();

    private static Map<String, Named> byKey() {
        Map<String, Named> byKey = new LinkedHashMap<>();
        for (Source source : Source.values()) {
            for (Figure figure : Figure.values()) {
                byKey.put(source.word + "Latency" + figure.suffix, new Named(source, figure));
            }
        }
        return byKey;
    }

    /** The keys that latencies can be bounded with. */
    static Set<String> keys() {
        return BY_KEY.keySet();
    }

    /**
     * Reads the bounds of a mapping; takes what is wrong with them as problems.
     *
     * @param others keys of the mapping that are no latencies, and are passed over
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
                problems.add(key, KnownKeys.unknownKeyRule(key, known), null);
            } else if (limit.isEmpty() || limit.get().isZero()) {
                problems.add(key, DurationText.RULE + ", above 0", text);
            } else {
                bounds.add(new LatencyBound(key, named.latency(), named.figure(), limit.get()));
            }
        });
        return List.copyOf(bounds);
    }
}
