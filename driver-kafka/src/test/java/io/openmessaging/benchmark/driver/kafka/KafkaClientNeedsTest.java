package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.ProcessNeeds;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaSharedClients;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaClientNeedsTest {

    private static final KafkaConfig OWN = TestConfigs.withCommon("bootstrap.servers=127.0.0.1:1");
    private static final KafkaConfig SHARED =
            ConfigRecords.with(OWN, Map.of("sharedClients", new KafkaSharedClients(4, 3)));

    @Test
    void aClientEachTakesThreadsAndSocketsEach() {
        ProcessNeeds needs = KafkaClientNeeds.of(OWN, 10_000, 10_000, false);
        assertThat(needs.threads()).isEqualTo(30_000);
        assertThat(needs.descriptors()).isEqualTo(90_000);
        assertThat(needs.remedy()).startsWith("set sharedClients");
    }

    @Test
    void transactionsHaveAThreadEach() {
        KafkaConfig transactions = TestConfigs.withTransaction("", Duration.ofSeconds(1));
        assertThat(KafkaClientNeeds.of(transactions, 10, 0, false).threads()).isEqualTo(20);
    }

    @Test
    void sharedClientsCountOnce() {
        ProcessNeeds needs = KafkaClientNeeds.of(SHARED, 10_000, 10_000, false);
        assertThat(needs.threads()).isEqualTo(4 + 2 * 3);
        assertThat(needs.descriptors()).isEqualTo(4 * 4 + 5 * 3);
    }

    @Test
    void consumersThatBlockHaveAClientEachAllTheSame() {
        assertThat(KafkaClientNeeds.of(SHARED, 10_000, 10_000, true).threads()).isEqualTo(4 + 2 * 10_000);
    }
}
