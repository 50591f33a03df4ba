package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.KnownKeys;
import io.openmessaging.benchmark.binding.ScalarText;
import io.openmessaging.benchmark.driver.Problems;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * When a run whose clients grow step by step ends early: {@code abortWhen}.
 *
 * @param latencies a step breaks off once one of these is passed
 * @param publishErrorRatio or once more than this part of the sends is refused
 * @param consumeToPublishRatio or once less than this part of what is published arrives, for each subscription
 * @param throughputDrop or once the publish rate is by more than this part below the best of the steps before
 */
public record AbortRules(
        List<LatencyBound> latencies,
        OptionalDouble publishErrorRatio,
        OptionalDouble consumeToPublishRatio,
        OptionalDouble throughputDrop) {

    /** No rule: every step is gone through. */
    static final AbortRules NONE =
            new AbortRules(List.of(), OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());

    /** The keys that are no latencies. */
    public static final String PUBLISH_ERROR_RATIO = "publishErrorRatio";

    /** See {@link #PUBLISH_ERROR_RATIO}. */
    public static final String CONSUME_TO_PUBLISH_RATIO = "consumeToPublishRatio";

    /** See {@link #PUBLISH_ERROR_RATIO}. */
    public static final String THROUGHPUT_DROP = "throughputDrop";

    private static final List<String> RATIOS = List.of(PUBLISH_ERROR_RATIO, CONSUME_TO_PUBLISH_RATIO, THROUGHPUT_DROP);

    /** Reads the rules of a mapping; takes what is wrong with them as problems. */
    static AbortRules of(Map<String, String> entries, Problems problems) {
        Map<String, Double> ratios = new LinkedHashMap<>();
        Map<String, String> latencies = new LinkedHashMap<>();
        entries.forEach((key, text) -> {
            if (RATIOS.contains(key)) {
                ratios.put(key, ratio(key, text, problems));
            } else if (LatencyBound.isKey(key)) {
                latencies.put(key, text);
            } else {
                List<String> known = new ArrayList<>(RATIOS);
                known.addAll(LatencyBound.keys());
                problems.add(key, KnownKeys.unknownKeyRule(key, known), null);
            }
        });
        return new AbortRules(
                LatencyBound.of(latencies, problems),
                optional(ratios, PUBLISH_ERROR_RATIO),
                optional(ratios, CONSUME_TO_PUBLISH_RATIO),
                optional(ratios, THROUGHPUT_DROP));
    }

    private static double ratio(String key, String text, Problems problems) {
        double ratio = ScalarText.number(text).map(BigDecimal::doubleValue).orElse(Double.NaN);
        problems.require(ratio >= 0 && ratio < 1, key, "must be a number from 0 to below 1", text);
        return ratio;
    }

    private static OptionalDouble optional(Map<String, Double> ratios, String key) {
        Double ratio = ratios.get(key);
        return ratio == null ? OptionalDouble.empty() : OptionalDouble.of(ratio);
    }
}
