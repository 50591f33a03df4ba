package io.openmessaging.benchmark.driver;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The system under test, as it describes itself.
 *
 * @param product such as {@code Apache Kafka}
 * @param version the broker's version, or {@code unknown} where it does not tell
 * @param nodes {@code host:port} of each node
 * @param settings what else is worth keeping with a result, such as {@code controller} or {@code journal type}
 * @param guarantee what it promises of an acknowledged message under the driver's configuration; null if nobody has said
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

    /** Without a word on what it promises. */
    public BrokerDescription(String product, String version, List<String> nodes, Map<String, String> settings) {
        this(product, version, nodes, settings, null);
    }

    /** The same system, with what it promises. */
    public BrokerDescription promising(Guarantee promise) {
        return new BrokerDescription(product, version, nodes, settings, promise);
    }
}
