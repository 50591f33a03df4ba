package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExistingStorageTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final FakeAdministration pulsar;

    ExistingStorageTest() throws IOException {
        pulsar = new FakeAdministration();
    }

    @AfterEach
    void stop() {
        pulsar.close();
    }

    @Test
    void theNumbersAreThoseOfTheTopicNotThoseOfTheFile() throws Exception {
        pulsar.topic("orders", 1, 1, 1);

        assertThat(weakest("persistent://public/default/orders"))
                .contains(new Persistence(1, 1, 1, false, false, true));
        assertThat(weakest("orders")).map(Persistence::numbers).contains(numbers(1, 1, 1));
    }

    @Test
    void aPartitionHasThePolicyOfItsTopic() throws Exception {
        pulsar.topic("orders", 2, 2, 1);

        assertThat(weakest("persistent://public/default/orders-partition-3"))
                .map(Persistence::numbers)
                .contains(numbers(2, 2, 1));
    }

    @Test
    void aWeakerPolicyForAllClustersCounts() throws Exception {
        pulsar.topic("orders", 3, 3, 2);
        pulsar.globalTopic("orders", 3, 2, 1);

        assertThat(weakest("orders")).map(Persistence::numbers).contains(numbers(3, 2, 1));
    }

    @Test
    void whereTopicsHaveNoPoliciesThatOfTheNamespaceCounts() throws Exception {
        pulsar.topicStatus("orders", FakeAdministration.NOT_ALLOWED);
        pulsar.namespace(3, 2, 2);

        assertThat(weakest("orders")).map(Persistence::numbers).contains(numbers(3, 2, 2));
    }

    @Test
    void whereTheNamespaceHasNoneTheBrokersDefaultsCount() throws Exception {
        pulsar.topicStatus("orders", FakeAdministration.NO_CONTENT);
        pulsar.namespaceStatus(FakeAdministration.NO_CONTENT);
        pulsar.brokerSettings("""
                {"managedLedgerDefaultEnsembleSize": "2", "managedLedgerDefaultWriteQuorum": "2",
                 "managedLedgerDefaultAckQuorum": "1", "clusterName": "local"}
                """);

        assertThat(weakest("orders")).map(Persistence::numbers).contains(numbers(2, 2, 1));
    }

    @Test
    void theWeakestNumbersOfSeveralTopicsCount() throws Exception {
        pulsar.topic("a", 3, 3, 2);
        pulsar.topic("b", 4, 2, 2);
        pulsar.topic("c", 3, 3, 1);

        assertThat(weakest("a", "b", "c")).map(Persistence::numbers).contains(numbers(3, 2, 1));
    }

    @Test
    void nothingIsKnownIfOneTopicIsKeptSecret() throws Exception {
        pulsar.topic("a", 3, 3, 2);
        pulsar.topicStatus("b", FakeAdministration.FORBIDDEN);
        pulsar.namespace(3, 3, 2);

        assertThat(weakest("a", "b")).isEmpty();
    }

    @Test
    void nothingIsKnownIfTheBrokersDefaultsAreKeptSecret() throws Exception {
        pulsar.topicStatus("orders", FakeAdministration.NOT_ALLOWED);
        pulsar.namespaceStatus(FakeAdministration.NO_CONTENT);

        assertThat(weakest("orders")).isEmpty();
    }

    private Optional<Persistence> weakest(String... topics) throws Exception {
        PulsarConfig config =
                TestConfigs.of("client: {httpUrl: '" + pulsar.url() + "', persistence: {journalSyncData: true}}");
        try (PulsarAdmin admin = PulsarClients.admin(config.client(), LIMIT)) {
            return new ExistingStorage(admin, config.client().persistence())
                    .weakest(List.of(topics), Deadline.in(LIMIT));
        }
    }

    private static String numbers(int ensembleSize, int writeQuorum, int ackQuorum) {
        return "ensemble size " + ensembleSize + ", write quorum " + writeQuorum + ", ack quorum " + ackQuorum;
    }
}
