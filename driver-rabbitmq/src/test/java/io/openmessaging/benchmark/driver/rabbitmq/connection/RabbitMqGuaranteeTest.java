package io.openmessaging.benchmark.driver.rabbitmq.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import io.openmessaging.benchmark.driver.rabbitmq.connection.ExistingQueues.Doubt;
import java.util.List;
import java.util.Map;
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
    void aStreamMayHaveFewerCopiesThanThereAreNodes() {
        assertThat(guarantee(stream("1"), 3)).returns(1, Guarantee::copies).returns(1, Guarantee::acknowledgedCopies);
        assertThat(guarantee(stream("3"), 5)).returns(3, Guarantee::copies).returns(2, Guarantee::acknowledgedCopies);
        assertThat(guarantee(stream("5"), 3).copies()).isEqualTo(3);
    }

    private static RabbitMqConfig stream(String clusterSize) {
        return TestConfigs.of(
                "queueType", QueueType.STREAM, "queueArguments", Map.of("x-initial-cluster-size", clusterSize));
    }

    @Test
    void howManyCopiesAnExistingQueueHasIsNotKnown() {
        for (QueueType type : List.of(QueueType.QUORUM, QueueType.STREAM, QueueType.SUPER_STREAM)) {
            assertThat(guarantee(TestConfigs.of("queueType", type, "existingTopics", List.of("q")), 3))
                    .returns(1, Guarantee::copies)
                    .returns(1, Guarantee::acknowledgedCopies)
                    .returns("an existing queue or stream may have more copies", Guarantee::note);
        }
    }

    @Test
    void anExistingQueueOfUnknownTypeMayBeInMemory() {
        RabbitMqConfig quorum = TestConfigs.of("queueType", QueueType.QUORUM, "existingTopics", List.of("q"));
        assertThat(RabbitMqGuarantee.unknown(quorum, new Doubt("the reason", true)))
                .returns(1, Guarantee::copies)
                .returns(Storage.UNKNOWN, Guarantee::storage)
                .returns(false, Guarantee::survivesKill)
                .returns("messages may be in memory only; the reason", Guarantee::note);
        RabbitMqConfig persistent = TestConfigs.of("messagePersistence", true, "existingTopics", List.of("q"));
        assertThat(RabbitMqGuarantee.unknown(persistent, new Doubt("the reason", true)))
                .as("any durable queue keeps persistent messages in files")
                .returns(Storage.UNKNOWN, Guarantee::storage)
                .returns(true, Guarantee::survivesKill)
                .returns("the reason", Guarantee::note);
        assertThat(RabbitMqGuarantee.unknown(persistent, new Doubt("the reason", false))
                        .survivesKill())
                .isFalse();
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
