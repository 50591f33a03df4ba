package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.artemis.address.BrokerAddress;
import io.openmessaging.benchmark.driver.artemis.storage.BrokerStorage;
import io.openmessaging.benchmark.driver.artemis.storage.BrokerStorage.Attributes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;

/**
 * Describes a broker and its guarantee.
 *
 * @param volatileQueues the existing queues in use that are not durable
 */
record SystemDescription(ArtemisConfig config, Attributes broker, List<String> volatileQueues) {

    private static final String PRODUCT = "Apache Artemis";

    BrokerDescription get() throws DriverException, InterruptedException {
        List<String> nodes = BrokerAddress.parse(config.brokerAddress()).hostsAndPorts();
        try {
            String version = broker.get("version");
            BrokerStorage storage = BrokerStorage.read(broker, config.transaction() != null);
            Map<String, String> settings = new TreeMap<>(storage.settings());
            settings.put("node id", broker.get("nodeID"));
            return new BrokerDescription(PRODUCT, version, nodes, settings).promising(guarantee(storage));
        } catch (DriverException e) {
            if (e.getCause() instanceof ActiveMQSecurityException) {
                return new BrokerDescription(PRODUCT, "unknown", nodes, Map.of())
                        .promising(guarantee(BrokerStorage.HIDDEN));
            }
            throw e;
        }
    }

    private Guarantee guarantee(BrokerStorage storage) {
        if (!config.durable()) {
            return guarantee(1, Storage.MEMORY, "");
        }
        // Such a queue keeps even durable messages in memory.
        return volatileQueues.isEmpty()
                ? guarantee(storage.copies(), storage.storage(), storage.note())
                : guarantee(1, Storage.MEMORY, "existing queues are not durable: " + String.join(", ", volatileQueues));
    }

    private Guarantee guarantee(int copies, Storage storage, String note) {
        boolean acknowledged =
                config.blockOnDurableSend() || config.acknowledgesAsynchronously() || config.transaction() != null;
        Consumption consumption = config.autoAck() ? Consumption.AUTOMATIC : Consumption.ACKNOWLEDGED;
        return new Guarantee(copies, acknowledged ? copies : 0, storage, consumption, Order.PARTITION, note);
    }
}
