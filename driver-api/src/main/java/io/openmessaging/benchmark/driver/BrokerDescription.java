package io.openmessaging.benchmark.driver;

import java.util.List;
import java.util.Map;

/**
 * The system under test, as it describes itself.
 *
 * @param product such as {@code Apache Kafka}
 * @param version the broker's version, or {@code unknown} where it does not tell
 * @param nodes {@code host:port} of each node
 * @param settings what else is worth keeping with a result, such as {@code controller} or {@code journal type}
 */
public record BrokerDescription(String product, String version, List<String> nodes, Map<String, String> settings) {

    public BrokerDescription {
        nodes = List.copyOf(nodes);
        settings = Map.copyOf(settings);
    }
}
