package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code localBroker} in a driver file: how a broker is started for it, where none answers.
 *
 * @param nodes how many nodes; 1 by default
 * @param heap heap of each JVM node as {@code -Xmx} has it, such as {@code 512m}; null for the broker's own default
 * @param settings entries of the broker's own configuration, such as {@code appendonly: yes} for Redis; empty by default
 * @param exporter whether each JVM node runs the JMX exporter, which tells its heap and garbage collection; true by
 *     default
 */
public record LocalBrokerSettings(Integer nodes, @Nullable String heap, Map<String, String> settings, Boolean exporter)
        implements Checked {

    /** One node, all else as the broker has it. */
    static final LocalBrokerSettings DEFAULTS = new LocalBrokerSettings(1, null, Map.of(), true);

    private static final int MAX_NODES = 9;

    public LocalBrokerSettings {
        nodes = nodes == null ? 1 : nodes;
        settings = settings == null ? Map.of() : Map.copyOf(settings);
        exporter = exporter == null ? true : exporter;
    }

    @Override
    public void check(Problems problems) {
        problems.require(nodes >= 1 && nodes <= MAX_NODES, "nodes", "must be a number from 1 to " + MAX_NODES, nodes);
        problems.require(
                heap == null || heap.matches("[1-9][0-9]{0,5}[mMgG]"),
                "heap",
                "must be a size such as 512m or 2g",
                heap);
    }
}
