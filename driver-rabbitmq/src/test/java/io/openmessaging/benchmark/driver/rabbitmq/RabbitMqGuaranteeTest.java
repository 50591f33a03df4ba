package io.openmessaging.benchmark.driver.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import org.junit.jupiter.api.Test;

class RabbitMqGuaranteeTest {

    @Test
    void aQuorumQueueIsOnThreeNodesUnlessItIsToldOrThereAreFewer() {
        assertThat(RabbitMqGuarantee.of(TestConfigs.of("queueType", QueueType.QUORUM), 5))
                .returns(3, Guarantee::copies)
                .returns(2, Guarantee::acknowledgedCopies);
        assertThat(RabbitMqGuarantee.of(TestConfigs.of("queueType", QueueType.QUORUM, "quorumInitialGroupSize", 5), 5))
                .returns(5, Guarantee::copies)
                .returns(3, Guarantee::acknowledgedCopies);
        assertThat(RabbitMqGuarantee.of(TestConfigs.of("queueType", QueueType.QUORUM), 1))
                .returns(1, Guarantee::copies)
                .returns(1, Guarantee::acknowledgedCopies);
    }

    @Test
    void aClassicQueueIsOnOneNodeAndAStreamOnAll() {
        assertThat(RabbitMqGuarantee.of(TestConfigs.of("queueType", QueueType.CLASSIC), 3)
                        .copies())
                .isEqualTo(1);
        assertThat(RabbitMqGuarantee.of(TestConfigs.of("queueType", QueueType.STREAM), 3))
                .returns(3, Guarantee::copies)
                .returns(2, Guarantee::acknowledgedCopies)
                .returns(Consumption.NOT_TRACKED, Guarantee::consumption);
    }

    @Test
    void withoutConfirmsNothingIsAcknowledged() {
        assertThat(RabbitMqGuarantee.of(TestConfigs.of("queueType", QueueType.QUORUM, "publisherConfirms", false), 3)
                        .survivesKill())
                .isFalse();
        assertThat(RabbitMqGuarantee.of(TestConfigs.of("queueType", QueueType.CLASSIC, "autoAck", true), 1)
                        .consumption())
                .isEqualTo(Consumption.AUTOMATIC);
    }
}
