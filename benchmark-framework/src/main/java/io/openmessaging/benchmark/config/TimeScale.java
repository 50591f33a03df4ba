package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.binding.ScalarText;
import io.openmessaging.benchmark.binding.YamlNode;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import io.openmessaging.benchmark.binding.YamlNode.Sequence;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Shortens what takes time: durations and numbers of messages of a workload, for a run that only shows that everything
 * works. Rates, sizes and thresholds stay as they are. A value that is not readable stays too, for the reader of the
 * workload to complain about.
 *
 * @param factor above 0, at most 1
 */
public record TimeScale(double factor) {

    /** As it is written. */
    public static final TimeScale FULL = new TimeScale(1);

    private static final Duration LEAST_DURATION = Duration.ofSeconds(1);

    /** So that at least four of them are in the shortest measurement. */
    private static final Duration LEAST_PERIOD = Duration.ofMillis(250);

    /** Shorter than other durations, for a burst to keep its rate. */
    private static final Duration LEAST_BURST = Duration.ofMillis(100);

    private static final long LEAST_COUNT = 100;

    private static final Set<String> DURATIONS = Set.of("testDuration", "warmupDuration", "sendWithin", "searchStep");
    private static final Set<String> PERIODS = Set.of("samplePeriod", "resourcePeriod");

    /** Where a list or a mapping has a duration within. */
    private static final Map<String, String> NESTED_DURATIONS = Map.of(
            "producerRateSchedule",
            "duration",
            "producerSteps",
            "every",
            "consumerSteps",
            "every",
            "rateSweep",
            "each");

    /** What a workload that does not say so takes, which has to be shortened as well. */
    private static final Map<String, String> DEFAULTS =
            Map.of("warmupDuration", "1m", "searchStep", "5s", "samplePeriod", "10s", "resourcePeriod", "1s");

    private static final String MINUTES = "Minutes";
    private static final String MESSAGE_COUNT = "messageCount";

    public TimeScale {
        if (!(factor > 0 && factor <= 1)) {
            throw new IllegalArgumentException("must be a number above 0 and up to 1, got " + factor);
        }
    }

    /** Whether anything is shortened. */
    public boolean shortens() {
        return factor < 1;
    }

    /** A duration that has no least value, such as a cool-down. */
    public Duration of(Duration duration) {
        return Duration.ofMillis(Math.round(duration.toMillis() * factor));
    }

    /** The keys of a workload, shortened. */
    Mapping of(Mapping workload) {
        if (!shortens()) {
            return workload;
        }
        Map<String, YamlNode> entries = new LinkedHashMap<>();
        DEFAULTS.forEach((key, value) -> {
            if (absent(workload, key) && absent(workload, key + MINUTES)) {
                entries.put(key, shorter(Scalar.of(value), least(key)));
            }
        });
        workload.entries().forEach((key, value) -> {
            if (key.endsWith(MINUTES)
                    && DURATIONS.contains(without(key))
                    && minutes(value).isPresent()) {
                entries.put(without(key), shorter(minutes(value).get(), LEAST_DURATION));
            } else {
                entries.put(key, of(key, value));
            }
        });
        return new Mapping(entries);
    }

    private static boolean absent(Mapping workload, String key) {
        return !workload.entries().containsKey(key) || workload.entries().get(key) instanceof YamlNode.Empty;
    }

    private static String without(String key) {
        return key.substring(0, key.length() - MINUTES.length());
    }

    private static Optional<Scalar> minutes(YamlNode value) {
        return value instanceof Scalar scalar
                ? ScalarText.wholeNumber(scalar.text())
                        .filter(number -> number.bitLength() < Integer.SIZE && number.signum() >= 0)
                        .map(number -> Scalar.of(DurationText.format(Duration.ofMinutes(number.intValue()))))
                : Optional.empty();
    }

    private YamlNode of(String key, YamlNode value) {
        if (DURATIONS.contains(key) || PERIODS.contains(key)) {
            return shorter(value, least(key));
        }
        if (key.equals(MESSAGE_COUNT)) {
            return fewer(value);
        }
        String nested = NESTED_DURATIONS.get(key);
        return nested == null ? value : within(value, nested);
    }

    private static Duration least(String key) {
        if (key.equals("sendWithin")) {
            return LEAST_BURST;
        }
        return PERIODS.contains(key) ? LEAST_PERIOD : LEAST_DURATION;
    }

    private YamlNode within(YamlNode value, String key) {
        if (value instanceof Sequence sequence) {
            return new Sequence(sequence.elements().stream()
                    .map(element -> within(element, key))
                    .toList());
        }
        if (value instanceof Mapping mapping && mapping.entries().containsKey(key)) {
            YamlNode shorter = shorter(mapping.entries().get(key), LEAST_DURATION);
            return mapping.with(new Mapping(Map.of(key, shorter)));
        }
        return value;
    }

    /** What is below the least value already, 0 among others, stays. */
    private YamlNode shorter(YamlNode value, Duration least) {
        if (!(value instanceof Scalar scalar)) {
            return value;
        }
        return DurationText.parse(scalar.text())
                .filter(duration -> duration.compareTo(least) > 0)
                .map(duration -> of(duration).compareTo(least) < 0 ? least : of(duration))
                .<YamlNode>map(duration -> Scalar.of(DurationText.format(duration)))
                .orElse(value);
    }

    private YamlNode fewer(YamlNode value) {
        if (!(value instanceof Scalar scalar)) {
            return value;
        }
        return ScalarText.wholeNumber(scalar.text())
                .filter(count -> count.compareTo(BigInteger.valueOf(LEAST_COUNT)) > 0)
                .map(count -> new BigDecimal(count)
                        .multiply(BigDecimal.valueOf(factor))
                        .setScale(0, RoundingMode.HALF_UP)
                        .toBigInteger()
                        .max(BigInteger.valueOf(LEAST_COUNT)))
                .<YamlNode>map(count -> new Scalar(count.toString(), ScalarText.plainValue(count.toString())))
                .orElse(value);
    }
}
