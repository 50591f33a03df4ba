package io.openmessaging.benchmark.driver;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The system under test, as it describes itself.
 *
 * @param product product name, such as {@code Apache Kafka}
 * @param version version of the broker; {@code unknown} if it does not report one
 * @param nodes {@code host:port} of each node
 * @param settings other facts worth keeping with a result, such as {@code controller} or {@code journal type}
 * @param guarantee guarantee for an acknowledged message under the driver's configuration; null if unknown
 */
public record BrokerDescription(
        String product,
        String version,
        List<String> nodes,
        Map<String, String> settings,
        @Nullable Guarantee guarantee) {

    public BrokerDescription {
        nodes = List.copyOf(nodes);
        settings = Map.copyOf(settings);
    }

    /** A description without a guarantee. */
    public BrokerDescription(String product, String version, List<String> nodes, Map<String, String> settings) {
        this(product, version, nodes, settings, null);
    }

    /** Returns this description with the given guarantee. */
    public BrokerDescription promising(Guarantee promise) {
        return new BrokerDescription(product, version, nodes, settings, promise);
    }
}
