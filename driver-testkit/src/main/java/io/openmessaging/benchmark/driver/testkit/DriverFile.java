package io.openmessaging.benchmark.driver.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A driver file that a module ships.
 *
 * @param path where it is
 * @param keys as they stand in the file, those of the framework included
 */
public record DriverFile(Path path, Map<String, Object> keys) {

    private static final Set<String> KEYS_OF_THE_FRAMEWORK =
            Set.of("name", "driverClass", "localBroker", "metrics", "limits");

    /** All of the module, in the order of their names: Maven runs tests in the module's folder, where the files are. */
    public static List<DriverFile> all() {
        return allIn(Path.of(""));
    }

    static List<DriverFile> allIn(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .map(DriverFile::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file of this name in the module's folder. */
    public static DriverFile named(String name) {
        return read(Path.of(name));
    }

    private static DriverFile read(Path file) {
        try {
            return new DriverFile(file, DriverConfigs.keys(Files.readString(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The driver's part of the file, bound as {@link DriverConfigs#bind(Class, Map)} does it.
     *
     * @throws IllegalArgumentException if a key is unknown or a value does not fit
     */
    public <C extends Record> C config(Class<C> type) {
        Map<String, Object> own = new HashMap<>(keys);
        own.keySet().removeAll(KEYS_OF_THE_FRAMEWORK);
        return DriverConfigs.bind(type, own);
    }

    /** How many nodes a broker has that is started for the file; 1 unless the file says otherwise. */
    public int brokerNodes() {
        return localBroker().get("nodes") instanceof Integer nodes ? nodes : 1;
    }

    /** The settings of a broker that is started for the file; empty unless the file has some. */
    public Map<String, String> brokerSettings() {
        Map<String, String> settings = new HashMap<>();
        if (localBroker().get("settings") instanceof Map<?, ?> entries) {
            entries.forEach((key, value) -> settings.put(String.valueOf(key), String.valueOf(value)));
        }
        return settings;
    }

    private Map<?, ?> localBroker() {
        return keys.get("localBroker") instanceof Map<?, ?> broker ? broker : Map.of();
    }

    /** The name of the file, which is what a test of all files is called in a report. */
    @Override
    public String toString() {
        return path.toString();
    }
}
