package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.ScalarText;
import io.openmessaging.benchmark.driver.Problems;
import java.math.BigDecimal;
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
