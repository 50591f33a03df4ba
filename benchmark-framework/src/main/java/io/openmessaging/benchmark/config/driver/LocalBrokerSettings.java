package io.openmessaging.benchmark.config.driver;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The key {@code localBroker} of a driver file: how to start a broker for the driver if none answers.
 *
 * @param name name of a broker that the driver works with; null for the driver's usual one
 * @param version {@code current} by default, the version that this project is tested with and fetches; or
 *     {@code system}, the version that is installed on this machine
 * @param nodes number of nodes; 1 by default
 * @param heap heap of each JVM node in the notation of {@code -Xmx}, such as {@code 512m}; null for the broker's own
 *     default
 * @param settings entries of the broker's own configuration, such as {@code appendonly: yes} for Redis; empty by
 *     default
 * @param exporter true if each JVM node runs the JMX exporter, which reports its heap and garbage collection; true by
 *     default
 */
public record LocalBrokerSettings(
        @Nullable String name,
        @Default("current") String version,
        @Default("1") @Range(from = "1", to = "9") int nodes,
        @Nullable String heap,
        @Default("{}") Map<String, String> settings,
        @Default("true") boolean exporter)
        implements Checked {

    private static final Set<String> VERSIONS = Set.of("current", "system");

    @Override
    public void check(Problems problems) {
        problems.require(VERSIONS.contains(version), "version", "must be current or system", version);
        problems.require(
                heap == null || heap.matches("[1-9][0-9]{0,5}[mMgG]"),
                "heap",
                "must be a size such as 512m or 2g",
                heap);
        // A line end in a value would start the next entry of the broker's file.
        settings.forEach((key, value) -> {
            Problems within = problems.below("settings");
            within.printable(key, key);
            within.printable(key, value);
        });
    }
}
