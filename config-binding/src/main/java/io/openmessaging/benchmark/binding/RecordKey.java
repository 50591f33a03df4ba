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
 * The key of a record's component in a file, with its default and its rules.
 *
 * @param component record component, with or without the annotations {@link YamlKey}, {@link Default}, {@link Range}
 *     and {@link AbsentWith}
 */
public record RecordKey(RecordComponent component) {

    /** Returns the keys of a mapping that is bound to a record. */
    public static List<RecordKey> of(Class<?> type) {
        return Arrays.stream(type.getRecordComponents()).map(RecordKey::new).toList();
    }

    public String name() {
        YamlKey key = component.getAnnotation(YamlKey.class);
        return key == null ? component.getName() : key.value();
    }

    /** Returns the value of the key in a mapping; {@link Empty} if there is none. */
    public YamlNode in(Mapping tree) {
        return node(tree, name());
    }

    private static YamlNode node(Mapping tree, String key) {
        return tree.entries().getOrDefault(key, new Empty());
    }

    /** The keys that exclude this one. */
    public List<AbsentWith> absentWith() {
        return List.of(component.getAnnotationsByType(AbsentWith.class));
    }

    /** Returns the value that an absent key stands for; empty if the mapping has the key, or one that excludes it. */
    public Optional<YamlNode> defaultIn(Mapping tree) {
        boolean excluded = absentWith().stream()
                .flatMap(absent -> Arrays.stream(absent.value()))
                .anyMatch(other -> !(node(tree, other) instanceof Empty));
        return excluded || !(in(tree) instanceof Empty)
                ? Optional.empty()
                : text().map(Default::value).map(RecordKey::node);
    }

    /** The value that the component gets if there is none in the file. */
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

    /** Adds a problem if the key is present together with one that excludes it. */
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

    /** Adds a problem if the component of a record is out of its range. */
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

    /** Returns the component's value in a record. */
    public @Nullable Object value(Record bound) {
        try {
            return component.getAccessor().invoke(bound);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "The configuration record " + bound.getClass().getName() + " must be public", e);
        }
    }
}
