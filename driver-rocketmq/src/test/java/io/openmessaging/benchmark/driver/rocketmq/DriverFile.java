package io.openmessaging.benchmark.driver.rocketmq;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.core.type.TypeReference;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A driver file of this module, bound as the framework does it: strictly.
 *
 * @param path where it is
 * @param keys as they stand in the file
 */
record DriverFile(Path path, Map<String, Object> keys) {

    private static final Set<String> KEYS_OF_THE_FRAMEWORK = Set.of("name", "driverClass", "localBroker");

    /** All of them. The folder is that of the module, which tests are run in. */
    static List<DriverFile> all() {
        try (Stream<Path> files = Files.list(Path.of(""))) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .map(file ->
                            new DriverFile(file, new YAMLMapper().readValue(file.toFile(), new TypeReference<>() {})))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RocketMqConfig config() {
        Map<String, Object> own = new HashMap<>(keys);
        own.keySet().removeAll(KEYS_OF_THE_FRAMEWORK);
        own.replaceAll((key, value) -> typed(key, value.toString()));
        return TestConfigs.of(own);
    }

    private static Object typed(String key, String text) {
        RecordComponent component = Arrays.stream(RocketMqConfig.class.getRecordComponents())
                .filter(each -> each.getName().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("not a key of the driver: " + key));
        Class<?> type = component.getType();
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(constant -> constant.toString().equals(text))
                    .findFirst()
                    .orElseThrow();
        }
        if (type == Duration.class) {
            return Duration.parse("PT" + text);
        }
        if (type == boolean.class) {
            return Boolean.valueOf(text);
        }
        if (type == Integer.class) {
            return Integer.valueOf(text);
        }
        return type == Long.class ? Long.valueOf(text) : text;
    }

    /** What the file says of the broker that is started for a run. */
    @SuppressWarnings("unchecked")
    Map<String, String> brokerSettings() {
        Map<String, Object> localBroker = (Map<String, Object>) keys.getOrDefault("localBroker", Map.of());
        Map<String, String> settings = new HashMap<>();
        ((Map<String, Object>) localBroker.getOrDefault("settings", Map.of()))
                .forEach((key, value) -> settings.put(key, value.toString()));
        return settings;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
