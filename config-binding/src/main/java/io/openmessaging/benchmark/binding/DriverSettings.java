package io.openmessaging.benchmark.binding;

import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import io.openmessaging.benchmark.driver.Problems;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The driver's own part of a driver file. It is bound once the driver is loaded and its configuration record known.
 *
 * @param file file as the user named it, for messages about problems
 * @param driverClass full name of the driver's class
 * @param keys all keys of the file except those of the framework
 */
public record DriverSettings(Path file, String driverClass, Mapping keys) {

    /** The keys of a driver file that do not belong to the driver. */
    public static final Set<String> FRAMEWORK_KEYS = Set.of("name", "driverClass", "localBroker", "metrics", "limits");

    /**
     * Keys of OMB's own driver files that have no effect and are therefore accepted from any of them. {@code reset}
     * requests that old topics be deleted first, which is pointless here because topic names are unique to each run.
     */
    private static final Set<String> IGNORED_KEYS = Set.of("reset");

    /** Extracts the driver's part of a driver file. */
    public static DriverSettings in(YamlFile file) {
        Map<String, YamlNode> own = new LinkedHashMap<>(file.root().entries());
        own.keySet().removeAll(FRAMEWORK_KEYS);
        YamlNode driverClass = file.root().entries().get("driverClass");
        return new DriverSettings(file.path(), driverClass instanceof Scalar name ? name.text() : "", new Mapping(own));
    }

    /**
     * Returns the keys with {@code ${env:NAME}} and {@code ${file:PATH}} resolved, for a driver that reads its
     * configuration from a file itself.
     *
     * @throws ConfigException if a reference cannot be resolved
     */
    public Mapping resolvedKeys() throws ConfigException {
        Map<String, YamlNode> resolved = new LinkedHashMap<>();
        Problems problems = new Problems();
        keys.entries().forEach((key, value) -> {
            try {
                resolved.put(key, References.resolved(value));
            } catch (IllegalArgumentException e) {
                problems.add(key, String.valueOf(e.getMessage()), null);
            }
        });
        ConfigException.throwIfAny(file, problems);
        return new Mapping(resolved);
    }

    /**
     * Binds the keys and resolves {@code ${env:NAME}} and {@code ${file:PATH}} in them.
     *
     * @param type the driver's configuration record, possibly of another class loader
     * @throws ConfigException with all problems of the keys
     * @throws IllegalArgumentException if the record's own definition is at fault
     */
    public <C extends Record> C bind(Class<C> type) throws ConfigException {
        Set<String> known = RecordKey.of(type).stream().map(RecordKey::name).collect(Collectors.toSet());
        Map<String, YamlNode> entries = new LinkedHashMap<>(keys.entries());
        entries.keySet().removeIf(key -> IGNORED_KEYS.contains(key) && !known.contains(key));
        return RecordBinder.bindWithReferences(file, new Mapping(entries), type, FRAMEWORK_KEYS);
    }
}
