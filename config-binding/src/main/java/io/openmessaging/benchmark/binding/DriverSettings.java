package io.openmessaging.benchmark.binding;

import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The driver's own part of a driver file, which is bound once the driver is loaded and its configuration record known.
 *
 * @param file what problems are to name, as the user named it
 * @param driverClass the full name of the driver's class
 * @param keys all keys of the file but those of the framework
 */
public record DriverSettings(Path file, String driverClass, Mapping keys) {

    /** The keys of a driver file that are not the driver's. */
    public static final Set<String> FRAMEWORK_KEYS = Set.of("name", "driverClass", "localBroker", "metrics", "limits");

    /**
     * Keys of OMB's own driver files that change nothing and are therefore accepted from any of them. {@code reset}:
     * asks that old topics be deleted first, which the topics' names, unique to each run, make pointless.
     */
    private static final Set<String> IGNORED_KEYS = Set.of("reset");

    /** Takes the driver's part out of a driver file. */
    public static DriverSettings in(YamlFile file) {
        Map<String, YamlNode> own = new LinkedHashMap<>(file.root().entries());
        own.keySet().removeAll(FRAMEWORK_KEYS);
        YamlNode driverClass = file.root().entries().get("driverClass");
        return new DriverSettings(file.path(), driverClass instanceof Scalar name ? name.text() : "", new Mapping(own));
    }

    /**
     * Binds the keys. {@code ${env:NAME}} and {@code ${file:PATH}} in them are looked up here.
     *
     * @param type the driver's configuration record, possibly of another class loader
     * @throws ConfigException with everything that is wrong with them
     * @throws IllegalArgumentException if the record's own definition is at fault
     */
    public <C extends Record> C bind(Class<C> type) throws ConfigException {
        Set<String> known = RecordKey.of(type).stream().map(RecordKey::name).collect(Collectors.toSet());
        Map<String, YamlNode> entries = new LinkedHashMap<>(keys.entries());
        entries.keySet().removeIf(key -> IGNORED_KEYS.contains(key) && !known.contains(key));
        return RecordBinder.bindWithReferences(file, new Mapping(entries), type, FRAMEWORK_KEYS);
    }
}
