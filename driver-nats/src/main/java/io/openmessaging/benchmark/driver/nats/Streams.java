package io.openmessaging.benchmark.driver.nats;

import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.nats.NatsConfig.Delivery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a run: one for each topic, with a subject for each partition and a durable consumer for each
 * subscription. Methods block, and throw the client's exceptions.
 */
record Streams(NatsConfig config, JetStreamManagement management, String runId) {

    private static final int STREAM_NOT_FOUND = 10_059;

    /** Creates a stream; of an existing one, only verifies that it is there. */
    void create(TopicSpec topic) throws IOException, JetStreamApiException {
        if (topic.existing()) {
            if (topic.partitions() > 1) {
                throw new IOException(
                        "it is one stream, and the workload asks for " + topic.partitions() + " partitions");
            }
            management.getStreamInfo(topic.name());
            return;
        }
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

    /** Deletes a stream with its consumers, or the consumers of this run; a missing stream is no error. */
    void delete(TopicSpec topic) throws IOException, JetStreamApiException {
        try {
            if (!topic.existing()) {
                management.deleteStream(topic.name());
                return;
            }
            for (String consumer : management.getConsumerNames(topic.name())) {
                if (consumer.startsWith(runId + "-")) {
                    management.deleteConsumer(topic.name(), consumer);
                }
            }
        } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() != STREAM_NOT_FOUND) {
                throw e;
            }
        }
    }

    /** Returns the name of the server that leads a stream; null for a server without a cluster. */
    @Nullable
    String leader(TopicSpec topic) throws IOException, JetStreamApiException {
        StreamInfo info = management.getStreamInfo(topic.name());
        return info.getClusterInfo() == null ? null : info.getClusterInfo().getLeader();
    }

    /** Returns the configurations of the existing streams, or that of the run's own. */
    List<StreamConfiguration> configurations() throws IOException, JetStreamApiException {
        List<StreamConfiguration> all = new ArrayList<>();
        for (String name : config.existingTopics()) {
            all.add(management.getStreamInfo(name).getConfiguration());
        }
        return all.isEmpty()
                ? List.of(StreamConfiguration.builder()
                        .name(runId)
                        .storageType(config.storage().type())
                        .replicas(config.replicationFactor())
                        .build())
                : all;
    }

    /**
     * Returns the subjects that messages of a topic are published to: one for each partition, or the first one of an
     * existing stream.
     */
    String[] subjects(TopicSpec topic) throws IOException, JetStreamApiException {
        if (!topic.existing()) {
            return Subjects.of(topic);
        }
        List<String> subjects =
                management.getStreamInfo(topic.name()).getConfiguration().getSubjects();
        if (subjects.isEmpty()) {
            throw new IOException("the stream has no subject to publish to");
        }
        return new String[] {subjects.get(0).replace("*", "0").replace(">", "0")};
    }

    /**
     * Creates the durable consumer of a subscription, unless another connection has created it.
     *
     * @param fromOldest true if it starts with the oldest message; else with the next one
     */
    void subscribe(ConsumerGroup group, boolean fromOldest) throws IOException, JetStreamApiException {
        TopicSpec topic = group.topic();
        ConsumerConfiguration.Builder consumer = ConsumerConfiguration.builder()
                .durable(durable(topic, group.subscription()))
                // A work queue has no consumers that skip messages.
                .deliverPolicy(fromOldest || isWorkQueue(topic) ? DeliverPolicy.All : DeliverPolicy.New)
                .ackPolicy(config.acknowledge() ? AckPolicy.Explicit : AckPolicy.None);
        if (config.acknowledge()) {
            consumer.maxAckPending(config.maxAckPending()).ackWait(config.ackWait());
        }
        if (config.delivery() == Delivery.PUSH) {
            String durable = durable(topic, group.subscription());
            consumer.deliverSubject(deliverSubject(topic, durable)).deliverGroup(durable);
        }
        management.addOrUpdateConsumer(topic.name(), consumer.build());
    }

    private boolean isWorkQueue(TopicSpec topic) throws IOException, JetStreamApiException {
        RetentionPolicy policy = topic.existing()
                ? management.getStreamInfo(topic.name()).getConfiguration().getRetentionPolicy()
                : config.retention().policy();
        return policy == RetentionPolicy.WorkQueue;
    }

    /** Returns the name of a subscription's consumer, with that of the run where there may be consumers of others. */
    private String durable(TopicSpec topic, String subscription) {
        return topic.existing() ? runId + "-" + subscription : subscription;
    }

    /** Returns the source of a consumer's messages. */
    Feed feed(TopicSpec topic, String subscription, NatsLink link) {
        String durable = durable(topic, subscription);
        return config.delivery() == Delivery.PUSH
                ? new Feed.Pushed(link, deliverSubject(topic, durable), durable, true, config.acknowledge())
                : new PullFeed(link, "$JS.API.CONSUMER.MSG.NEXT." + topic.name() + "." + durable, config.acknowledge());
    }

    /** Returns a subject that belongs to no stream of a run. */
    private static String deliverSubject(TopicSpec topic, String durable) {
        return "deliver." + topic.name() + "." + durable;
    }
}
