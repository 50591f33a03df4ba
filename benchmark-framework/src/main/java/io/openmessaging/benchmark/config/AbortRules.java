package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.ScalarText;
import io.openmessaging.benchmark.driver.Problems;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The rules by which a run with a growing number of clients ends early: {@code abortWhen}.
 *
 * @param latencies latency limits; a step stops once one is exceeded
 * @param publishErrorRatio part of the sends that may be refused before a step stops
 * @param consumeToPublishRatio part of the published messages below which arrivals, per subscription, stop a step
 * @param throughputDrop part by which the publish rate may drop below that of the best earlier step before a step
 *     stops
 */
public record AbortRules(
        List<LatencyBound> latencies,
        OptionalDouble publishErrorRatio,
        OptionalDouble consumeToPublishRatio,
        OptionalDouble throughputDrop) {

    /** No rules: every step is run. */
    static final AbortRules NONE =
            new AbortRules(List.of(), OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());

    /** One of the keys that are not latencies. */
    public static final String PUBLISH_ERROR_RATIO = "publishErrorRatio";

    /** See {@link #PUBLISH_ERROR_RATIO}. */
    public static final String CONSUME_TO_PUBLISH_RATIO = "consumeToPublishRatio";

    /** See {@link #PUBLISH_ERROR_RATIO}. */
    public static final String THROUGHPUT_DROP = "throughputDrop";

    private static final List<String> RATIOS = List.of(PUBLISH_ERROR_RATIO, CONSUME_TO_PUBLISH_RATIO, THROUGHPUT_DROP);

    /** Reads the rules from a mapping; adds errors to the problems. */
    static AbortRules of(Map<String, String> entries, Problems problems) {
        return new AbortRules(
                LatencyBound.of(entries, RATIOS, problems),
                ratio(entries, PUBLISH_ERROR_RATIO, problems),
                ratio(entries, CONSUME_TO_PUBLISH_RATIO, problems),
                ratio(entries, THROUGHPUT_DROP, problems));
    }

    private static OptionalDouble ratio(Map<String, String> entries, String key, Problems problems) {
        String text = entries.get(key);
        if (text == null) {
            return OptionalDouble.empty();
        }
        double ratio = ScalarText.number(text).map(BigDecimal::doubleValue).orElse(Double.NaN);
        problems.require(ratio >= 0 && ratio < 1, key, "must be a number from 0 to less than 1", text);
        return OptionalDouble.of(ratio);
    }
}
