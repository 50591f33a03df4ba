package io.openmessaging.benchmark.driver.rabbitmq;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
                    .map(DriverFile::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static DriverFile read(Path file) {
        return new DriverFile(file, new YAMLMapper().readValue(file.toFile(), new TypeReference<>() {}));
    }

    /** Fails for a key that is none of the configuration's, and for a value of another type. */
    RabbitMqConfig config() {
        Map<String, Object> own = new HashMap<>(keys);
        own.keySet().removeAll(KEYS_OF_THE_FRAMEWORK);
        own.replaceAll(DriverFile::typed);
        return TestConfigs.from(own);
    }

    private static Object typed(String key, Object value) {
        Class<?> type = Arrays.stream(RabbitMqConfig.class.getRecordComponents())
                .filter(component -> component.getName().equals(key))
                .findFirst()
                .<Class<?>>map(RecordComponent::getType)
                .orElseThrow(() -> new AssertionError("No such key: " + key));
        if (!type.isEnum()) {
            return value;
        }
        String name = value.toString().toUpperCase(Locale.ROOT);
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(key + " cannot be " + value));
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
