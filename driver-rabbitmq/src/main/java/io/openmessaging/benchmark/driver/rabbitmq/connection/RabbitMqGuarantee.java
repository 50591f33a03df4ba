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

    private static final String NAMED_NODES = "if the cluster has only the nodes that the driver file lists, and"
            + " neither its settings nor a policy changes the number of copies";

    private static final String AT_LEAST = "an existing queue or stream may have more copies";

    private RabbitMqGuarantee() {}

    /**
     * Returns the guarantee, for existing queues provided that they are of the configured type. The number of their
     * copies is not known.
     *
     * @param nodes number of nodes in the configuration; the cluster may have more
     * @param version the version that the broker reports
     */
    public static Guarantee of(RabbitMqConfig config, int nodes, String version) {
        boolean existing = !config.existingTopics().isEmpty();
        String condition = existing ? AT_LEAST : NAMED_NODES;
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
                int copies = existing ? 1 : Math.min(group == null ? QUORUM_GROUP : group, nodes);
                yield new Guarantee(
                        copies,
                        config.publisherConfirms() ? majority(copies) : 0,
                        Storage.SYNCED,
                        ofQueues(config),
                        orderOf(config),
                        condition);
            }
            case STREAM, SUPER_STREAM -> {
                Integer group = config.streamInitialClusterSize();
                int copies = existing ? 1 : group == null ? nodes : Math.min(group, nodes);
                yield new Guarantee(
                        copies,
                        majority(copies),
                        Storage.WRITTEN,
                        config.streamSingleActiveConsumer() ? Consumption.ACKNOWLEDGED : Consumption.NOT_TRACKED,
                        Order.PARTITION,
                        condition);
            }
        };
    }

    /**
     * Returns the guarantee of existing queues that may be of another type than the configured one. A classic queue has
     * one copy, in memory unless the queue is durable and the messages are persistent; otherwise it restarts without
     * them.
     */
    static Guarantee unknown(RabbitMqConfig config, ExistingQueues.Doubt doubt) {
        boolean inFiles = doubt.durable() && config.messagePersistence();
        return new Guarantee(
                1,
                config.publisherConfirms() ? 1 : 0,
                Storage.UNKNOWN,
                ofQueues(config),
                orderOf(config),
                !inFiles,
                (inFiles ? "" : "messages may be in memory only; ") + doubt.reason());
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
