package io.openmessaging.benchmark.driver.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                    .map(DriverFile::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static DriverFile read(Path file) {
        return new DriverFile(file, new YAMLMapper().readValue(file.toFile(), new TypeReference<>() {}));
    }

    RedisConfig config() {
        Map<String, Object> own = new HashMap<>(keys);
        own.keySet().removeAll(KEYS_OF_THE_FRAMEWORK);
        own.computeIfPresent("mode", (key, value) -> RedisMode.valueOf(value.toString()));
        own.computeIfPresent("maxLength", (key, value) -> ((Number) value).longValue());
        return Configs.of(own);
    }

    /** What the file sets for a server that is started for the run. */
    Map<String, String> brokerSettings() {
        Map<String, String> settings = new HashMap<>();
        if (keys.get("localBroker") instanceof Map<?, ?> broker
                && broker.get("settings") instanceof Map<?, ?> entries) {
            entries.forEach((key, value) -> settings.put((String) key, (String) value));
        }
        return settings;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
