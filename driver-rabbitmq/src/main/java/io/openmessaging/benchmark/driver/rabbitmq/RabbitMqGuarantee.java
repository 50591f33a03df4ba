package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;

/** What RabbitMQ promises under a configuration. */
final class RabbitMqGuarantee {

    /** On how many nodes a quorum queue begins, unless it is told. */
    private static final int QUORUM_GROUP = 3;

    private static final String NAMED_NODES = "if the cluster has just the nodes that are named";

    private RabbitMqGuarantee() {}

    /**
     * The guarantee.
     *
     * @param nodes how many nodes are named; a cluster may have more
     */
    static Guarantee of(RabbitMqConfig config, int nodes) {
        return switch (config.queueType()) {
            case CLASSIC ->
                new Guarantee(
                        1,
                        config.publisherConfirms() ? 1 : 0,
                        config.messagePersistence() ? Storage.SYNCED : Storage.MEMORY,
                        ofQueues(config),
                        Order.PARTITION);
            case QUORUM -> {
                Integer group = config.quorumInitialGroupSize();
                int copies = Math.min(group == null ? QUORUM_GROUP : group, nodes);
                yield new Guarantee(
                        copies,
                        config.publisherConfirms() ? majority(copies) : 0,
                        Storage.SYNCED,
                        ofQueues(config),
                        Order.PARTITION,
                        NAMED_NODES);
            }
            case STREAM, SUPER_STREAM ->
                new Guarantee(
                        nodes, majority(nodes), Storage.WRITTEN, Consumption.NOT_TRACKED, Order.PARTITION, NAMED_NODES);
        };
    }

    private static Consumption ofQueues(RabbitMqConfig config) {
        return config.autoAck() ? Consumption.AUTOMATIC : Consumption.ACKNOWLEDGED;
    }

    private static int majority(int copies) {
        return copies / 2 + 1;
    }
}
