package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.artemis.ArtemisCalls.CALLS;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.artemis.address.BrokerAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;

/** Describes a broker and its guarantee. */
record SystemDescription(ArtemisConfig config, Management management, Duration timeout) {

    private static final String PRODUCT = "Apache Artemis";

    private static final String NOTE_ON_BACKUP = "a node that has lost its peer continues alone";

    BrokerDescription get() throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(timeout);
        List<String> nodes = BrokerAddress.parse(config.brokerAddress()).hostsAndPorts();
        try {
            String version = ask("version", deadline);
            Map<String, String> settings = new TreeMap<>();
            settings.put("node id", ask("nodeID", deadline));
            boolean persistent = is("persistenceEnabled", deadline);
            settings.put("persistence enabled", Boolean.toString(persistent));
            settings.put("journal type", persistent ? ask("journalType", deadline) : "none");
            boolean synced = persistent
                    && is(
                            config.transaction() == null ? "journalSyncNonTransactional" : "journalSyncTransactional",
                            deadline);
            boolean replicated = persistent && is("replicaSync", deadline);
            settings.put("backup in sync", Boolean.toString(replicated));
            Storage storage = !persistent || !config.durable()
                    ? Storage.MEMORY
                    // A backup writes without sync.
                    : !synced ? Storage.WRITTEN : replicated ? Storage.SYNCED_ONCE : Storage.SYNCED;
            return new BrokerDescription(PRODUCT, version, nodes, settings)
                    .promising(
                            replicated && config.durable()
                                    ? guarantee(2, storage, NOTE_ON_BACKUP)
                                    : guarantee(1, storage, ""));
        } catch (DriverException e) {
            if (e.getCause() instanceof ActiveMQSecurityException) {
                // Users that may send and consume may lack management rights.
                return new BrokerDescription(PRODUCT, "unknown", nodes, Map.of())
                        .promising(guarantee(
                                1,
                                config.durable() ? Storage.UNKNOWN : Storage.MEMORY,
                                "the user is not allowed to read the broker's settings"));
            }
            throw e;
        }
    }

    private Guarantee guarantee(int copies, Storage storage, String note) {
        boolean acknowledged =
                config.blockOnDurableSend() || config.acknowledgesAsynchronously() || config.transaction() != null;
        Consumption consumption = config.autoAck() ? Consumption.AUTOMATIC : Consumption.ACKNOWLEDGED;
        return new Guarantee(copies, acknowledged ? copies : 0, storage, consumption, Order.PARTITION, note);
    }

    private boolean is(String attribute, Deadline deadline) throws DriverException, InterruptedException {
        return Boolean.parseBoolean(ask(attribute, deadline));
    }

    private String ask(String attribute, Deadline deadline) throws DriverException, InterruptedException {
        return CALLS.ask("ask Artemis for its " + attribute, deadline, () -> management.attribute(attribute, deadline));
    }
}
