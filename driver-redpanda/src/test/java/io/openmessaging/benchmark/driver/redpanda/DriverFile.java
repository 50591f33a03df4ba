package io.openmessaging.benchmark.driver.redpanda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

    RedpandaConfig config() {
        Set<String> own = new HashSet<>(keys.keySet());
        own.removeAll(KEYS_OF_THE_FRAMEWORK);
        assertThat(own)
                .as("driver keys in %s", path)
                .isSubsetOf(Arrays.stream(RedpandaConfig.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .collect(Collectors.toSet()));
        List<?> adminApi = (List<?>) keys.getOrDefault("adminApi", List.of());
        return new RedpandaConfig(
                (Integer) keys.get("replicationFactor"),
                text("topicConfig"),
                text("commonConfig"),
                text("producerConfig"),
                text("consumerConfig"),
                Boolean.TRUE.equals(keys.get("reset")),
                adminApi.stream().map(String.class::cast).toList(),
                text("adminUser"),
                text("adminPassword"),
                text("metricsUrl"));
    }

    private @Nullable String text(String key) {
        return (String) keys.get(key);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
