package io.openmessaging.benchmark.driver.testkit.config;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.binding.YamlNode;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A driver file that a module ships.
 *
 * @param path the path of the file
 * @param keys all keys of the file, including the framework's
 */
public record ShippedDriverFile(Path path, Mapping keys) {

    /**
     * Returns all driver files of the module, sorted by name: Maven runs tests in the module's folder, which contains
     * the files.
     */
    public static List<ShippedDriverFile> all() {
        return allIn(Path.of(""));
    }

    static List<ShippedDriverFile> allIn(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .map(ShippedDriverFile::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the file of this name in the module's folder. */
    public static ShippedDriverFile named(String name) {
        return read(Path.of(name));
    }

    /** Reads a file from any path. */
    public static ShippedDriverFile read(Path file) {
        try {
            return new ShippedDriverFile(file, YamlFile.read(file).root());
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Returns the driver's part of the file, bound and checked as the framework does.
     *
     * @throws IllegalArgumentException if there are problems, with all of them
     */
    public <C extends Record> C config(Class<C> type) {
        try {
            return DriverSettings.in(new YamlFile(path, keys)).bind(type);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Returns the text of one of the framework's keys; empty if the file does not have it. */
    String text(String key) {
        return keys.entries().get(key) instanceof Scalar scalar ? scalar.text() : "";
    }

    /** Returns the name of the broker that is started for the file; empty for the driver's default. */
    public String brokerName() {
        return localBroker("name") instanceof Scalar name ? name.text() : "";
    }

    /** Returns the number of nodes of the broker that is started for the file; 1 unless the file sets it. */
    public int brokerNodes() {
        return localBroker("nodes") instanceof Scalar nodes ? Integer.parseInt(nodes.text()) : 1;
    }

    /** Returns the settings of the broker that is started for the file; empty unless the file has some. */
    public Map<String, String> brokerSettings() {
        Map<String, String> settings = new HashMap<>();
        if (localBroker("settings") instanceof Mapping entries) {
            entries.entries().forEach((key, value) -> settings.put(key, ((Scalar) value).text()));
        }
        return settings;
    }

    private YamlNode localBroker(String key) {
        YamlNode broker = keys.entries().get("localBroker");
        return (broker instanceof Mapping mapping ? mapping : Mapping.empty())
                .entries()
                .getOrDefault(key, new YamlNode.Empty());
    }

    /** Returns the path of the file, by which reports name its tests. */
    @Override
    public String toString() {
        return path.toString();
    }
}
