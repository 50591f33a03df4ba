package io.openmessaging.benchmark.driver.rabbitmq.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import org.junit.jupiter.api.Test;

class RabbitMqGuaranteeTest {

    @Test
    void aQuorumQueueIsOnThreeNodesUnlessItIsToldOrThereAreFewer() {
        assertThat(guarantee(TestConfigs.of("queueType", QueueType.QUORUM), 5))
                .returns(3, Guarantee::copies)
                .returns(2, Guarantee::acknowledgedCopies);
        assertThat(guarantee(TestConfigs.of("queueType", QueueType.QUORUM, "quorumInitialGroupSize", 5), 5))
                .returns(5, Guarantee::copies)
                .returns(3, Guarantee::acknowledgedCopies);
        assertThat(guarantee(TestConfigs.of("queueType", QueueType.QUORUM), 1))
                .returns(1, Guarantee::copies)
                .returns(1, Guarantee::acknowledgedCopies);
    }

    @Test
    void aClassicQueueIsOnOneNodeAndAStreamOnAll() {
        assertThat(guarantee(TestConfigs.of("queueType", QueueType.CLASSIC), 3).copies())
                .isEqualTo(1);
        assertThat(guarantee(TestConfigs.of("queueType", QueueType.STREAM), 3))
                .returns(3, Guarantee::copies)
                .returns(2, Guarantee::acknowledgedCopies)
                .returns(Consumption.NOT_TRACKED, Guarantee::consumption);
    }

    @Test
    void whetherPersistentMessagesOfClassicQueuesAreSyncedDependsOnTheVersion() {
        RabbitMqConfig persistent = TestConfigs.of("queueType", QueueType.CLASSIC, "messagePersistence", true);
        assertThat(RabbitMqGuarantee.of(persistent, 1, "4.0.5").storage()).isEqualTo(Storage.WRITTEN);
        assertThat(RabbitMqGuarantee.of(persistent, 1, "3.10.8").storage()).isEqualTo(Storage.SYNCED);
        assertThat(RabbitMqGuarantee.of(persistent, 1, "3.13.2").storage()).isEqualTo(Storage.UNKNOWN);
        assertThat(RabbitMqGuarantee.of(persistent, 1, "unknown").storage()).isEqualTo(Storage.UNKNOWN);
    }

    private static Guarantee guarantee(RabbitMqConfig config, int nodes) {
        return RabbitMqGuarantee.of(config, nodes, "4.0.5");
    }

    @Test
    void whatGoesBackToTheQueueHasNoOrder() {
        assertThat(guarantee(TestConfigs.of("autoAck", false), 1).order()).isEqualTo(Order.PARTITION);
        assertThat(guarantee(TestConfigs.of("autoAck", false, "requeueEvery", 10), 1)
                        .order())
                .isEqualTo(Order.NONE);
    }

    @Test
    void singleActiveConsumersNoteInTheStreamWhereTheyAre() {
        assertThat(guarantee(TestConfigs.of("queueType", QueueType.STREAM, "streamSingleActiveConsumer", true), 1)
                        .consumption())
                .isEqualTo(Consumption.ACKNOWLEDGED);
    }

    @Test
    void withoutConfirmsNothingIsAcknowledged() {
        assertThat(guarantee(TestConfigs.of("queueType", QueueType.QUORUM, "publisherConfirms", false), 3)
                        .survivesKill())
                .isFalse();
        assertThat(guarantee(TestConfigs.of("queueType", QueueType.CLASSIC, "autoAck", true), 1)
                        .consumption())
                .isEqualTo(Consumption.AUTOMATIC);
    }
}
