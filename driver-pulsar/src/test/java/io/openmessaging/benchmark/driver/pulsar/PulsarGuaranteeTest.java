package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PulsarGuaranteeTest {

    private static final Persistence ONE = new Persistence(1, 1, 1, false, false, null);

    @Test
    void copiesAreThoseOfTheTopicsInUse() {
        PulsarConfig config = TestConfigs.of("client: {persistence: {journalSyncData: true}}");

        assertThat(PulsarGuarantee.of(config, Optional.of(ONE)))
                .isEqualTo(new Guarantee(1, 1, Storage.SYNCED, Consumption.ACKNOWLEDGED, Order.PARTITION));
    }

    @Test
    void oneCopyIsAssumedIfThePoliciesAreUnknown() {
        Guarantee guarantee = PulsarGuarantee.of(TestConfigs.of(""), Optional.empty());

        assertThat(guarantee)
                .isEqualTo(new Guarantee(
                        1,
                        1,
                        Storage.UNKNOWN,
                        Consumption.ACKNOWLEDGED,
                        Order.PARTITION,
                        "Pulsar does not report the persistence policies of the existing topics, so one copy is"
                                + " assumed; set persistence.journalSyncData to the setting of the bookies; they do not"
                                + " report it"));
    }

    @Test
    void messagesThatAreNotStoredHaveNoCopy() {
        PulsarConfig config = TestConfigs.of("client: {topicType: non-persistent}");

        assertThat(PulsarGuarantee.of(config, Optional.of(ONE)))
                .isEqualTo(new Guarantee(0, 0, Storage.MEMORY, Consumption.AUTOMATIC, Order.PARTITION));
    }

    @ParameterizedTest
    @CsvSource({
        "Failover, true, DEFAULT, PARTITION",
        "Failover, true, KEY_BASED, KEY",
        "Failover, false, KEY_BASED, PARTITION",
        "Exclusive, true, KEY_BASED, KEY",
        "Key_Shared, true, DEFAULT, NONE",
        "Key_Shared, true, KEY_BASED, KEY",
        "Key_Shared, false, DEFAULT, KEY",
        "Shared, false, DEFAULT, NONE",
        "Shared, true, KEY_BASED, NONE"
    })
    void orderFollowsFromTheSubscriptionAndTheBatches(
            String subscription, boolean batches, String batcher, Order order) {
        PulsarConfig config = TestConfigs.of("{producer: {batchingEnabled: " + batches + ", batcher: " + batcher
                + "}, consumer: {subscriptionType: " + subscription + "}}");

        assertThat(PulsarGuarantee.of(config, Optional.of(ONE)).order()).isEqualTo(order);
    }
}
