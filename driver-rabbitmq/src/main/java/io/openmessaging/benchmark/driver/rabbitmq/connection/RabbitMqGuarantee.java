package io.openmessaging.benchmark.driver.rabbitmq.connection;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** RabbitMQ's guarantee under a configuration. */
public final class RabbitMqGuarantee {

    /** Initial number of nodes of a quorum queue, by default. */
    private static final int QUORUM_GROUP = 3;

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)");

    private static final int NO_SYNC_MAJOR = 4;

    private static final int SYNC_MINOR = 10;

    private static final String NAMED_NODES = "if the cluster has only the nodes that the driver file lists";

    private RabbitMqGuarantee() {}

    /**
     * Returns the guarantee.
     *
     * @param nodes number of nodes in the configuration; the cluster may have more
     * @param version the version that the broker reports
     */
    public static Guarantee of(RabbitMqConfig config, int nodes, String version) {
        return switch (config.queueType()) {
            case CLASSIC ->
                new Guarantee(
                        1,
                        config.publisherConfirms() ? 1 : 0,
                        config.messagePersistence() ? ofPersistent(version) : Storage.MEMORY,
                        ofQueues(config),
                        orderOf(config));
            case QUORUM -> {
                Integer group = config.quorumInitialGroupSize();
                int copies = Math.min(group == null ? QUORUM_GROUP : group, nodes);
                yield new Guarantee(
                        copies,
                        config.publisherConfirms() ? majority(copies) : 0,
                        Storage.SYNCED,
                        ofQueues(config),
                        orderOf(config),
                        NAMED_NODES);
            }
            case STREAM, SUPER_STREAM ->
                new Guarantee(
                        nodes,
                        majority(nodes),
                        Storage.WRITTEN,
                        config.streamSingleActiveConsumer() ? Consumption.ACKNOWLEDGED : Consumption.NOT_TRACKED,
                        Order.PARTITION,
                        NAMED_NODES);
        };
    }

    /**
     * Classic queues sync messages before they confirm them up to at least 3.10, and no longer from 4.0 on, according
     * to a count of syncs with 3.10.8 and 4.0.5. Versions in between were not examined.
     */
    private static Storage ofPersistent(String version) {
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.lookingAt()) {
            return Storage.UNKNOWN;
        }
        int major = Integer.parseInt(matcher.group(1));
        int minor = Integer.parseInt(matcher.group(2));
        if (major >= NO_SYNC_MAJOR) {
            return Storage.WRITTEN;
        }
        return minor <= SYNC_MINOR ? Storage.SYNCED : Storage.UNKNOWN;
    }

    private static Consumption ofQueues(RabbitMqConfig config) {
        return config.autoAck() ? Consumption.AUTOMATIC : Consumption.ACKNOWLEDGED;
    }

    /** A message that is returned to the queue arrives after messages that were sent later. */
    private static Order orderOf(RabbitMqConfig config) {
        return config.requeueEvery() == 0 ? Order.PARTITION : Order.NONE;
    }

    private static int majority(int copies) {
        return copies / 2 + 1;
    }
}
