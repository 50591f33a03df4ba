package io.openmessaging.benchmark.driver.nats;

import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.nats.NatsConfig.Delivery;
import io.openmessaging.benchmark.driver.nats.NatsConfig.Retention;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a run: one for each topic, with a subject for each partition and a durable consumer for each
 * subscription.
 */
record Streams(NatsConfig config, JetStreamManagement management) {

    private static final int STREAM_NOT_FOUND = 10_059;

    void create(TopicSpec topic) throws IOException, JetStreamApiException {
        StreamConfiguration.Builder stream = StreamConfiguration.builder()
                .name(topic.name())
                .subjects(Subjects.all(topic))
                .storageType(config.storage().type())
                .retentionPolicy(config.retention().policy())
                .replicas(config.replicationFactor())
                .duplicateWindow(config.duplicateWindow());
        if (config.maxMessages() != null) {
            stream.maxMessages(config.maxMessages());
        }
        management.addStream(stream.build());
    }

    /** Deletes a stream with its consumers; a missing one is no error. */
    void delete(TopicSpec topic) throws IOException, JetStreamApiException {
        try {
            management.deleteStream(topic.name());
        } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() != STREAM_NOT_FOUND) {
                throw e;
            }
        }
    }

    /** Returns the name of the server that leads a stream; null for a server without a cluster. */
    @Nullable String leader(TopicSpec topic) throws IOException, JetStreamApiException {
        StreamInfo info = management.getStreamInfo(topic.name());
        return info.getClusterInfo() == null ? null : info.getClusterInfo().getLeader();
    }

    /**
     * Creates the durable consumer of a subscription, unless another connection has created it.
     *
     * @param fromOldest true if it starts with the oldest message; else with the next one
     */
    void subscribe(ConsumerGroup group, boolean fromOldest) throws IOException, JetStreamApiException {
        ConsumerConfiguration.Builder consumer = ConsumerConfiguration.builder()
                .durable(group.subscription())
                // A work queue has no consumers that skip messages.
                .deliverPolicy(
                        fromOldest || config.retention() == Retention.WORK_QUEUE
                                ? DeliverPolicy.All
                                : DeliverPolicy.New)
                .ackPolicy(config.acknowledge() ? AckPolicy.Explicit : AckPolicy.None);
        if (config.acknowledge()) {
            consumer.maxAckPending(config.maxAckPending()).ackWait(config.ackWait());
        }
        if (config.delivery() == Delivery.PUSH) {
            consumer.deliverSubject(deliverSubject(group.topic(), group.subscription()))
                    .deliverGroup(group.subscription());
        }
        management.addOrUpdateConsumer(group.topic().name(), consumer.build());
    }

    /** Returns the source of a consumer's messages. */
    Feed feed(TopicSpec topic, String subscription, NatsLink link) {
        return config.delivery() == Delivery.PUSH
                ? new Feed.Pushed(
                        link, deliverSubject(topic, subscription), subscription, true, config.acknowledge())
                : new PullFeed(
                        link,
                        "$JS.API.CONSUMER.MSG.NEXT." + topic.name() + "." + subscription,
                        config.acknowledge());
    }

    /** Returns a subject that belongs to no stream. */
    private static String deliverSubject(TopicSpec topic, String subscription) {
        return "deliver." + topic.name() + "." + subscription;
    }
}
