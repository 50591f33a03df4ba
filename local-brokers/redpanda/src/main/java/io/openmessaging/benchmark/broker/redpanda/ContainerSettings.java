package io.openmessaging.benchmark.broker.redpanda;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Settings of the containers.
 *
 * @param image the image with its tag
 * @param smp the number of cores of each node
 * @param memory the memory of each node, in the notation of Redpanda's {@code --memory}
 * @param limit the limit of each container
 */
record ContainerSettings(String image, String smp, String memory, ProcessLimit limit) {

    /** The newest image that Redpanda's documentation names. */
    static final String IMAGE = "docker.redpanda.com/redpandadata/redpanda:v26.1.14";

    private static final Map<String, String> DEFAULTS = Map.of(
            "image", IMAGE,
            "smp", "1",
            // The smallest size per core that Redpanda accepts without a warning.
            "memory", "2G");

    /**
     * Returns the defaults, overridden by the user's settings.
     *
     * @throws LocalBrokerException if the user has set an unknown key
     */
    static ContainerSettings of(LocalBrokerOptions options) throws LocalBrokerException {
        options.requireCurrent();
        options.requireNoSecurity("Redpanda");
        Map<String, String> values = new TreeMap<>(DEFAULTS);
        ProcessLimit limit = options.confinement().enforcement().asked();
        if (limit.cpus() != null) {
            values.put("smp", Integer.toString((int) Math.ceil(limit.cpus())));
        }
        if (limit.memoryBytes() != null) {
            values.put("memory", ProcessLimit.memoryText(limit.memoryBytes()).toUpperCase(Locale.ROOT));
        }
        String heap = options.jvm().heap();
        if (heap != null) {
            values.put("memory", heap.toUpperCase(Locale.ROOT));
        }
        for (Map.Entry<String, String> setting : new TreeMap<>(options.settings()).entrySet()) {
            if (!DEFAULTS.containsKey(setting.getKey())) {
                throw new LocalBrokerException("a local Redpanda supports the settings "
                        + String.join(", ", new TreeSet<>(DEFAULTS.keySet())) + ", not " + setting.getKey());
            }
            values.put(setting.getKey(), setting.getValue());
        }
        return new ContainerSettings(value(values, "image"), value(values, "smp"), value(values, "memory"), limit);
    }

    private static String value(Map<String, String> values, String key) {
        return values.getOrDefault(key, "");
    }

    /** Returns the settings to keep with a result. */
    Map<String, String> asMap() {
        return Map.of("image", image, "smp", smp, "memory", memory);
    }
}
