package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.binding.DriverSettings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A driver with its configuration, as text.
 *
 * @param file driver file as the user named it, for messages about problems
 * @param driverClass full name of the driver's class
 * @param yaml the driver's own keys, as YAML
 * @param addresses addresses to connect to instead of those in the keys; empty to use the keys
 * @param endpoints addresses of further endpoints of the same system, by protocol
 */
public record DriverDescription(
        String file, String driverClass, String yaml, List<String> addresses, Map<String, List<String>> endpoints) {

    /** The driver as its file describes it. */
    public static DriverDescription of(DriverSettings settings) {
        return new DriverDescription(
                settings.file().toString(),
                settings.driverClass(),
                settings.keys().toYaml(),
                List.of(),
                Map.of());
    }

    /** Returns this driver with other addresses; endpoints that are not given stay as they are. */
    public DriverDescription withAddresses(List<String> to, Map<String, List<String>> waysIn) {
        Map<String, List<String>> all = new TreeMap<>(endpoints);
        all.putAll(waysIn);
        return new DriverDescription(file, driverClass, yaml, to, Map.copyOf(all));
    }

    /** Returns whether the driver connects to other addresses than its keys say. */
    public boolean isPointedElsewhere() {
        return !addresses.isEmpty() || !endpoints.isEmpty();
    }
}
