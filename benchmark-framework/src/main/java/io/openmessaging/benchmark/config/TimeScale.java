package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.binding.RecordKey;
import io.openmessaging.benchmark.binding.ScalarText;
import io.openmessaging.benchmark.binding.YamlNode;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import io.openmessaging.benchmark.binding.YamlNode.Sequence;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Shortens a workload's durations and numbers of messages that are marked {@link Shortened}, for a run that only shows
 * that everything works. Rates, sizes and thresholds stay the same. Unreadable values also stay, so that the reader of
 * the workload reports them.
 *
 * @param factor above 0, at most 1
 */
public record TimeScale(double factor) {

    /** No shortening. */
    public static final TimeScale FULL = new TimeScale(1);

    private static final String MINUTES = "Minutes";

    public TimeScale {
        if (!(factor > 0 && factor <= 1)) {
            throw new IllegalArgumentException("must be a number above 0 and up to 1, got " + factor);
        }
    }

    /** Returns whether anything is shortened. */
    public boolean shortens() {
        return factor < 1;
    }

    /** Shortens a duration without a lower limit, such as a cool-down. */
    public Duration of(Duration duration) {
        return Duration.ofMillis(Math.round(duration.toMillis() * factor));
    }

    /** Shortens the keys of a workload, and those that are absent but have a default that takes time. */
    Mapping of(Mapping workload) {
        return shortens() ? of(workload, Workload.class) : workload;
    }

    private Mapping of(Mapping keys, Class<?> type) {
        Map<String, YamlNode> entries = new LinkedHashMap<>(keys.entries());
        for (RecordKey key : RecordKey.of(type)) {
            Shortened shortened = key.component().getAnnotation(Shortened.class);
            if (shortened == null) {
                entries.computeIfPresent(
                        key.name(),
                        (name, value) -> within(value, key.component().getGenericType()));
                continue;
            }
            Optional<YamlNode> minutes = inMinutes(entries.get(key.name() + MINUTES));
            if (minutes.isPresent()) {
                entries.remove(key.name() + MINUTES);
                entries.put(key.name(), minutes.get());
            }
            key.defaultIn(keys).ifPresent(value -> entries.put(key.name(), value));
            entries.computeIfPresent(key.name(), (name, value) -> shorter(value, shortened.least()));
        }
        return new Mapping(entries);
    }

    private YamlNode within(YamlNode value, Type type) {
        if (value instanceof Sequence sequence && type instanceof ParameterizedType list) {
            Type element = list.getActualTypeArguments()[0];
            return new Sequence(sequence.elements().stream()
                    .map(each -> within(each, element))
                    .toList());
        }
        return value instanceof Mapping mapping && type instanceof Class<?> record && record.isRecord()
                ? of(mapping, record)
                : value;
    }

    private static Optional<YamlNode> inMinutes(@Nullable YamlNode value) {
        return value instanceof Scalar scalar
                ? ScalarText.wholeNumber(scalar.text())
                        .filter(number -> number.bitLength() < Integer.SIZE && number.signum() >= 0)
                        .map(number -> Scalar.of(DurationText.format(Duration.ofMinutes(number.intValue()))))
                : Optional.empty();
    }

    private YamlNode shorter(YamlNode value, String least) {
        if (!(value instanceof Scalar scalar)) {
            return value;
        }
        Optional<Duration> duration = DurationText.parse(least);
        return (duration.isPresent() ? shorter(scalar.text(), duration.get()) : fewer(scalar.text(), least))
                .orElse(value);
    }

    private Optional<YamlNode> shorter(String text, Duration least) {
        return DurationText.parse(text)
                .filter(duration -> duration.compareTo(least) > 0)
                .map(duration -> of(duration).compareTo(least) < 0 ? least : of(duration))
                .map(duration -> Scalar.of(DurationText.format(duration)));
    }

    private Optional<YamlNode> fewer(String text, String least) {
        BigDecimal fewest = new BigDecimal(least);
        return ScalarText.wholeNumber(text)
                .map(BigDecimal::new)
                .filter(count -> count.compareTo(fewest) > 0)
                .map(count -> count.multiply(BigDecimal.valueOf(factor))
                        .setScale(0, RoundingMode.HALF_UP)
                        .max(fewest)
                        .toPlainString())
                .map(count -> new Scalar(count, ScalarText.plainValue(count)));
    }
}
