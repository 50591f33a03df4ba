package io.openmessaging.benchmark.driver.artemis;

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
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A driver file of this module, bound as the framework does it: strictly.
 *
 * @param path where it is
 * @param keys as they stand in the file
 */
record DriverFile(Path path, Map<String, Object> keys) {

    private static final Set<String> KEYS_OF_THE_FRAMEWORK = Set.of("name", "driverClass", "localBroker");

    private static final YAMLMapper MAPPER = YAMLMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

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
        return new DriverFile(file, MAPPER.readValue(file.toFile(), new TypeReference<>() {}));
    }

    ArtemisConfig config() {
        Map<String, Object> own = new HashMap<>(keys);
        own.keySet().removeAll(KEYS_OF_THE_FRAMEWORK);
        return MAPPER.convertValue(own, ArtemisConfig.class);
    }

    /** Of the broker that is started for a run. */
    Map<String, String> brokerSettings() {
        Map<String, Map<String, String>> localBroker =
                MAPPER.convertValue(keys.getOrDefault("localBroker", Map.of()), new TypeReference<>() {});
        return localBroker.getOrDefault("settings", Map.of());
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
