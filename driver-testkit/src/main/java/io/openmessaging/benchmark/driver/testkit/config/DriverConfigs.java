package io.openmessaging.benchmark.driver.testkit.config;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.binding.RecordBinder;
import io.openmessaging.benchmark.binding.RecordKey;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.binding.YamlNode;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates a driver's configuration record from the keys of a driver file with the framework's own {@link RecordBinder},
 * but without the check of its values: {@link #problemsOf} performs that.
 */
public final class DriverConfigs {

    private static final Path NAME = Path.of("test.yaml");

    private DriverConfigs() {}

    /**
     * Binds keys to a record.
     *
     * @param type the driver's configuration record, possibly of another class loader
     * @param keys the driver's keys; values are of YAML types, or of the type of their component
     * @throws IllegalArgumentException if a key is unknown or a value does not fit, with the key
     */
    public static <C extends Record> C bind(Class<C> type, Map<String, ?> keys) {
        return bind(type, mapping(keys).toYaml());
    }

    /** Binds the text of a driver file without the framework's keys to a record. */
    public static <C extends Record> C bind(Class<C> type, String yaml) {
        try {
            Mapping keys = yaml.isBlank()
                    ? Mapping.empty()
                    : YamlFile.parse(NAME, yaml).root();
            return RecordBinder.bindUnchecked(NAME, keys, type);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Returns the YAML tree of a file with such keys. */
    private static Mapping mapping(Map<?, ?> keys) {
        Map<String, YamlNode> entries = new LinkedHashMap<>();
        keys.forEach((key, value) -> entries.put(String.valueOf(key), node(value)));
        return new Mapping(entries);
    }

    private static YamlNode node(@Nullable Object value) {
        if (value == null) {
            return new YamlNode.Empty();
        }
        if (value instanceof Map<?, ?> keys) {
            return mapping(keys);
        }
        if (value instanceof List<?> elements) {
            return new YamlNode.Sequence(
                    elements.stream().map(DriverConfigs::node).toList());
        }
        if (value instanceof Record part) {
            Map<String, YamlNode> entries = new LinkedHashMap<>();
            RecordKey.of(part.getClass()).forEach(key -> entries.put(key.name(), node(key.value(part))));
            return new Mapping(entries);
        }
        if (value instanceof Enum<?> constant) {
            return YamlNode.Scalar.of(constant.name());
        }
        return YamlNode.Scalar.of(
                value instanceof Duration duration ? DurationText.format(duration) : String.valueOf(value));
    }

    /**
     * Returns the problems of a configuration, each a sentence {@code key: rule, got value}: values out of range, those
     * that the record itself reports, and the same for the records in its components, without duplicates.
     */
    public static List<String> problemsOf(Record config) {
        Problems problems = new Problems();
        check(config, problems);
        return problems.found().stream()
                .map(Problems.Problem::toString)
                .distinct()
                .toList();
    }

    private static void check(Record config, Problems problems) {
        RecordKey.of(config.getClass()).forEach(key -> key.checkRange(config, problems));
        if (config instanceof Checked checked) {
            checked.check(problems);
        }
        for (RecordKey key : RecordKey.of(config.getClass())) {
            if (key.value(config) instanceof Record nested) {
                check(nested, problems.below(key.name()));
            }
        }
    }
}
