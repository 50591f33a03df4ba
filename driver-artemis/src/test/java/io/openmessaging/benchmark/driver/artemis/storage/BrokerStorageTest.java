package io.openmessaging.benchmark.driver.artemis.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee.Storage;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerStorageTest {

    private static final String SYNCS = "local journal-datasync=true large-message-sync=true";
    private static final String BACKUP = "a node that has lost its peer continues alone";

    /** Attributes of a broker with one node that syncs, and says so. */
    private final Map<String, String> attributes = new HashMap<>(Map.of(
            "persistenceEnabled", "true",
            "journalType", "NIO",
            "replicaSync", "false",
            "journalSyncTransactional", "true",
            "journalSyncNonTransactional", "true",
            "name", SYNCS));

    @Test
    void aMessageIsSyncedByDefault() throws Exception {
        assertThat(read(false))
                .isEqualTo(new BrokerStorage(
                        1,
                        Storage.SYNCED,
                        "",
                        Map.of(
                                "persistence enabled", "true",
                                "journal type", "NIO",
                                "backup in sync", "false",
                                "journal-datasync", "true",
                                "large-message-sync", "true")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "local journal-datasync=false large-message-sync=true  | journal-datasync is false",
                "local journal-datasync=true large-message-sync=false  | large-message-sync is false: large messages are not synced",
                "local journal-datasync=false large-message-sync=false | journal-datasync is false",
            })
    void aMessageIsOnlyWrittenIfASyncIsTurnedOff(String name, String note) throws Exception {
        attributes.put("name", name);

        assertThat(read(false).storage()).isEqualTo(Storage.WRITTEN);
        assertThat(read(true).storage()).isEqualTo(Storage.WRITTEN);
        assertThat(read(false).note()).isEqualTo(note);
    }

    @Test
    void settingsThatABrokerDoesNotReportAreTakenToBeTrueWhichIsSaid() throws Exception {
        attributes.put("name", "localhost");

        assertThat(read(false).storage()).isEqualTo(Storage.SYNCED);
        assertThat(read(false).note())
                .isEqualTo("if the broker has journal-datasync and large-message-sync, its default, which it does not"
                        + " report");
        assertThat(read(false).settings())
                .containsEntry("journal-datasync", "not reported")
                .containsEntry("large-message-sync", "not reported");
    }

    @Test
    void transactionsHaveASyncOfTheirOwn() throws Exception {
        attributes.put("journalSyncTransactional", "false");

        assertThat(read(false).storage()).isEqualTo(Storage.SYNCED);
        assertThat(read(true).storage()).isEqualTo(Storage.WRITTEN);
        assertThat(read(true).note()).isEmpty();
    }

    @Test
    void aBackupWritesWithoutSync() throws Exception {
        attributes.put("replicaSync", "true");

        assertThat(read(false)).returns(2, BrokerStorage::copies).returns(BACKUP, BrokerStorage::note);
        assertThat(read(false).storage()).isEqualTo(Storage.SYNCED_ONCE);

        attributes.put("name", "local journal-datasync=false large-message-sync=true");

        assertThat(read(false)).returns(2, BrokerStorage::copies).returns(Storage.WRITTEN, BrokerStorage::storage);
        assertThat(read(false).note()).isEqualTo(BACKUP + "; journal-datasync is false");
    }

    @Test
    void withoutPersistenceMessagesAreInMemory() throws Exception {
        attributes.put("persistenceEnabled", "false");

        assertThat(read(false))
                .isEqualTo(new BrokerStorage(
                        1,
                        Storage.MEMORY,
                        "",
                        Map.of("persistence enabled", "false", "journal type", "none", "backup in sync", "false")));
    }

    private BrokerStorage read(boolean transactional) throws Exception {
        return BrokerStorage.read(
                name -> Objects.requireNonNull(attributes.get(name), "no attribute " + name), transactional);
    }
}
