package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.binding.DriverSettings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A driver with its configuration, in words.
 *
 * @param file what problems are to name: the driver file, as the user named it
 * @param driverClass the full name of the driver's class
 * @param yaml the driver's own keys, as a YAML text
 * @param addresses where it is to connect to instead of where the keys say; empty for there
 * @param endpoints further ways into the same system, by what is spoken there
 */
public record DriverDescription(
        String file, String driverClass, String yaml, List<String> addresses, Map<String, List<String>> endpoints) {

    /** A driver as its file has it. */
    public static DriverDescription of(DriverSettings settings) {
        return new DriverDescription(
                settings.file().toString(),
                settings.driverClass(),
                settings.keys().toYaml(),
                List.of(),
                Map.of());
    }

    /** The same driver, pointed elsewhere; ways in that are not given stay as they are. */
    public DriverDescription withAddresses(List<String> to, Map<String, List<String>> waysIn) {
        Map<String, List<String>> all = new TreeMap<>(endpoints);
        all.putAll(waysIn);
        return new DriverDescription(file, driverClass, yaml, to, Map.copyOf(all));
    }

    /** Whether it is to connect to other addresses than its keys say. */
    public boolean isPointedElsewhere() {
        return !addresses.isEmpty() || !endpoints.isEmpty();
    }
}
