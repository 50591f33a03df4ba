package io.openmessaging.benchmark.driver.testkit;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Makes a driver's configuration record of the keys of a driver file the way the framework does: a key that is none of
 * the record's components, or a value of another type, is an error; an absent key is {@code null}, {@code 0} or {@code
 * false}; enum constants go by their names, in upper or lower case; durations are texts such as {@code 500ms} or {@code
 * 1m30s}.
 */
public final class DriverConfigs {

    private static final YAMLMapper MAPPER = YAMLMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .disable(EnumFeature.READ_ENUMS_USING_TO_STRING, EnumFeature.WRITE_ENUMS_USING_TO_STRING)
            .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            // Components only: a key that a record has a method for, such as isPersistent(), would be taken and
            // ignored.
            .changeDefaultVisibility(checker -> checker.withGetterVisibility(Visibility.NONE)
                    .withIsGetterVisibility(Visibility.NONE)
                    .withFieldVisibility(Visibility.ANY))
            .addModule(new SimpleModule().addDeserializer(Duration.class, new DurationText()))
            .build();

    private DriverConfigs() {}

    /**
     * Binds keys to a record.
     *
     * @param type the driver's configuration record, possibly of another class loader
     * @param keys the driver's keys; values are what YAML has, or are of the type of their component
     * @throws IllegalArgumentException if a key is unknown or a value does not fit, with the key
     */
    public static <C extends Record> C bind(Class<C> type, Map<String, ?> keys) {
        return MAPPER.convertValue(keys, type);
    }

    /** The same with the text of a driver file without the framework's keys. */
    public static <C extends Record> C bind(Class<C> type, String yaml) {
        return bind(type, yaml.isBlank() ? Map.of() : keys(yaml));
    }

    /** The keys and values at the top of a YAML text. */
    static Map<String, Object> keys(String yaml) {
        return MAPPER.readValue(yaml, new TypeReference<>() {});
    }

    /**
     * What is wrong with a configuration, each a sentence {@code key: rule, got value}: what it says itself and what the
     * records in its components say; what both say stands there once.
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
        if (config instanceof Checked checked) {
            checked.check(problems);
        }
        for (RecordComponent component : config.getClass().getRecordComponents()) {
            if (component.getType().isRecord() && valueOf(component, config) instanceof Record nested) {
                check(nested, problems.below(component.getName()));
            }
        }
    }

    private static Object valueOf(RecordComponent component, Record config) {
        try {
            return component.getAccessor().invoke(config);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a configuration record and the records in it must be public", e);
        }
    }

    /** The notation of driver files; also that of a {@link Duration} which a test has put among the keys. */
    private static final class DurationText extends StdDeserializer<Duration> {

        private static final Pattern PART = Pattern.compile("(\\d+)(ms|[smhd])");
        private static final Pattern WHOLE = Pattern.compile("(" + PART + ")+");

        private static final Map<String, Duration> UNITS = Map.of(
                "ms", Duration.ofMillis(1),
                "s", Duration.ofSeconds(1),
                "m", Duration.ofMinutes(1),
                "h", Duration.ofHours(1),
                "d", Duration.ofDays(1));

        DurationText() {
            super(Duration.class);
        }

        @Override
        public Duration deserialize(JsonParser parser, DeserializationContext context) {
            String text = parser.getString();
            if (text.startsWith("PT")) {
                return Duration.parse(text);
            }
            if (!WHOLE.matcher(text).matches()) {
                return (Duration)
                        context.handleWeirdStringValue(Duration.class, text, "must be such as 500ms or 1m30s");
            }
            return PART.matcher(text).results().map(DurationText::duration).reduce(Duration.ZERO, Duration::plus);
        }

        private static Duration duration(MatchResult part) {
            return UNITS.getOrDefault(part.group(2), Duration.ZERO).multipliedBy(Long.parseLong(part.group(1)));
        }
    }
}
