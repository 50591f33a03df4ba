package io.openmessaging.benchmark.binding;

import io.openmessaging.benchmark.binding.YamlNode.Empty;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import io.openmessaging.benchmark.binding.YamlNode.Sequence;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a record's component says of its key in a file.
 *
 * @param component with the annotations {@link YamlKey}, {@link Default}, {@link Range} and {@link AbsentWith}, or
 *     without
 */
public record RecordKey(RecordComponent component) {

    /** The keys of a mapping that is bound to a record. */
    public static List<RecordKey> of(Class<?> type) {
        return Arrays.stream(type.getRecordComponents()).map(RecordKey::new).toList();
    }

    /** The name of the key. */
    public String name() {
        YamlKey key = component.getAnnotation(YamlKey.class);
        return key == null ? component.getName() : key.value();
    }

    /** What the key has in a mapping; {@link Empty} for nothing. */
    public YamlNode in(Mapping tree) {
        return node(tree, name());
    }

    private static YamlNode node(Mapping tree, String key) {
        return tree.entries().getOrDefault(key, new Empty());
    }

    /** Which keys exclude this one. */
    public List<AbsentWith> absentWith() {
        return List.of(component.getAnnotationsByType(AbsentWith.class));
    }

    /** What an absent key says; empty if the mapping has the key, or one that excludes it. */
    public Optional<YamlNode> defaultIn(Mapping tree) {
        boolean excluded = absentWith().stream()
                .flatMap(absent -> Arrays.stream(absent.value()))
                .anyMatch(other -> !(node(tree, other) instanceof Empty));
        return excluded || !(in(tree) instanceof Empty)
                ? Optional.empty()
                : text().map(Default::value).map(RecordKey::node);
    }

    /** What the component gets in place of a value that is not there. */
    Optional<YamlNode> substitute() {
        return text().filter(text -> !text.told()).map(Default::value).map(RecordKey::node);
    }

    private Optional<Default> text() {
        return Optional.ofNullable(component.getAnnotation(Default.class));
    }

    private static YamlNode node(String text) {
        return switch (text) {
            case "[]" -> new Sequence(List.of());
            case "{}" -> Mapping.empty();
            default -> new Scalar(text, ScalarText.plainValue(text));
        };
    }

    /** Notes if the key is there together with one that excludes it. */
    void checkAbsence(Mapping tree, Problems problems) {
        if (in(tree) instanceof Empty) {
            return;
        }
        for (AbsentWith absent : absentWith()) {
            Arrays.stream(absent.value())
                    .filter(other -> !(node(tree, other) instanceof Empty))
                    .findFirst()
                    .ifPresent(
                            other -> problems.add(name(), "must be absent with " + other + absent.because(), in(tree)));
        }
    }

    /** Notes if the component of a record is out of its range. */
    public void checkRange(Record bound, Problems problems) {
        Range range = component.getAnnotation(Range.class);
        Object value = range == null ? null : value(bound);
        if (range == null || value == null) {
            return;
        }
        boolean inRange = (range.from().isEmpty() || compare(value, range.from()) >= 0)
                && (range.to().isEmpty() || compare(value, range.to()) <= 0);
        problems.require(
                inRange || range.orZero() && compare(value, "0") == 0,
                name(),
                rule(range, value),
                value instanceof Duration duration ? DurationText.format(duration) : value);
    }

    private static String rule(Range range, Object value) {
        String from = range.from().replace("_", "");
        String to = range.to().replace("_", "");
        if (from.isEmpty() || to.isEmpty()) {
            return from.isEmpty() ? "must be at most " + to : "must be at least " + from;
        }
        boolean whole = value instanceof Integer || value instanceof Long;
        return "must be " + (whole ? "a number " : "") + "from " + from + " to " + to;
    }

    private static int compare(Object value, String limit) {
        return value instanceof Duration duration
                ? duration.compareTo(DurationText.parse(limit).orElseThrow())
                : Double.compare(
                        ((Number) value).doubleValue(),
                        ScalarText.number(limit).map(BigDecimal::doubleValue).orElseThrow());
    }

    /** The value of the component of a record. */
    public @Nullable Object value(Record bound) {
        try {
            return component.getAccessor().invoke(bound);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "The configuration record " + bound.getClass().getName() + " must be public", e);
        }
    }
}
