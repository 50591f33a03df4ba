package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.naming.TopicName;

/**
 * The keys of a Pulsar driver file. Each part, and each key in it, may be left out.
 *
 * @param client addresses, login, and kind of topics
 * @param producer settings of sending
 * @param consumer settings of receiving
 * @param existingTopics existing topics that replace the run's own, in this order
 */
public record PulsarConfig(
        @Default("{}") ClientConfig client,
        @Default("{}") ProducerConfig producer,
        @Default("{}") ConsumerConfig consumer,
        @Default("[]") List<String> existingTopics)
        implements Checked {

    /** Subscription types that hold back delayed messages. */
    private static final Set<SubscriptionType> WAITING = Set.of(SubscriptionType.Shared, SubscriptionType.Key_Shared);

    @Override
    public void check(Problems problems) {
        problems.require(
                client.isPersistent() || producer.transaction() == null,
                "client.topicType",
                "must be persistent with producer.transaction",
                client.topicType());
        problems.names("existingTopics", existingTopics);
        problems.require(
                existingTopics.stream().allMatch(PulsarConfig::isPersistentTopic),
                "existingTopics",
                "must be names of persistent topics",
                existingTopics);
        problems.require(
                existingTopics.isEmpty() || client.isPersistent(),
                "client.topicType",
                "must be persistent with existingTopics",
                client.topicType());
        problems.require(
                existingTopics.isEmpty() || producer.transaction() == null,
                "producer.transaction",
                "must be absent with existingTopics",
                producer.transaction());
        if (producer.deliverAfter() != null) {
            problems.require(
                    client.isPersistent(),
                    "client.topicType",
                    "must be persistent with producer.deliverAfter: messages that are not stored are delivered at once",
                    client.topicType());
            problems.require(
                    WAITING.contains(consumer.subscriptionType()),
                    "consumer.subscriptionType",
                    "must be Shared or Key_Shared with producer.deliverAfter: other types deliver messages at once",
                    consumer.subscriptionType());
        }
    }

    private static boolean isPersistentTopic(String name) {
        return TopicName.isValid(name) && TopicName.get(name).isPersistent();
    }

    /** Returns a copy with some keys below {@code client} changed. */
    PulsarConfig withClient(Map<String, ?> changes) {
        return new PulsarConfig(ConfigRecords.with(client, changes), producer, consumer, existingTopics);
    }
}
