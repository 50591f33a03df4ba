package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.artemis.storage.BrokerStorage.Attributes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.junit.jupiter.api.Test;

class SystemDescriptionTest {

    private static final Map<String, String> REPORTED = Map.of(
            "version", "2.56.0",
            "nodeID", "n1",
            "persistenceEnabled", "true",
            "journalType", "NIO",
            "replicaSync", "false",
            "journalSyncTransactional", "true",
            "journalSyncNonTransactional", "true",
            "name", "local journal-datasync=true large-message-sync=true");

    private static final Attributes BROKER = name -> Objects.requireNonNull(REPORTED.get(name), "no attribute " + name);

    private static final Attributes SECRETIVE = name -> {
        throw new DriverException("Could not ask Artemis for its " + name, new ActiveMQSecurityException("no manage"));
    };

    @Test
    void theBrokerIsDescribedWithItsStorage() throws Exception {
        BrokerDescription description = new SystemDescription(TestConfigs.defaults(), BROKER, List.of()).get();

        assertThat(description.version()).isEqualTo("2.56.0");
        assertThat(description.settings()).containsEntry("node id", "n1").containsEntry("journal-datasync", "true");
        assertThat(description.guarantee()).isEqualTo(oneCopy(Storage.SYNCED, ""));
    }

    @Test
    void anExistingQueueThatIsNotDurableKeepsMessagesInMemory() throws Exception {
        Guarantee inMemory = oneCopy(Storage.MEMORY, "existing queues are not durable: q, r");

        assertThat(guarantee(BROKER, List.of("q", "r"))).isEqualTo(inMemory);
        assertThat(guarantee(SECRETIVE, List.of("q", "r"))).isEqualTo(inMemory);
    }

    @Test
    void withoutManagementRightsTheStorageIsUnknown() throws Exception {
        assertThat(guarantee(SECRETIVE, List.of()))
                .isEqualTo(oneCopy(Storage.UNKNOWN, "the user is not allowed to read the broker's settings"));
    }

    @Test
    void messagesThatAreNotDurableAreInMemory() throws Exception {
        assertThat(new SystemDescription(TestConfigs.with("durable", false), BROKER, List.of())
                        .get()
                        .guarantee())
                .isEqualTo(oneCopy(Storage.MEMORY, ""));
    }

    private static Guarantee guarantee(Attributes broker, List<String> volatileQueues) throws Exception {
        return Objects.requireNonNull(new SystemDescription(TestConfigs.defaults(), broker, volatileQueues)
                .get()
                .guarantee());
    }

    private static Guarantee oneCopy(Storage storage, String note) {
        return new Guarantee(1, 1, storage, Consumption.ACKNOWLEDGED, Order.PARTITION, note);
    }
}
