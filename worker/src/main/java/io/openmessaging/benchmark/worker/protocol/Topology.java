package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The numbered topics, producers and consumers of a run. Has the same small size for any number of topics.
 *
 * @param runId id that is part of the topics' names
 * @param topicCount number of topics
 * @param partitions number of partitions per topic
 * @param producersPerTopic number of producers per topic; those of topic {@code t} are numbered from
 *     {@code t·producersPerTopic}
 * @param subscriptionCount number of subscriptions per topic
 * @param consumersPerSubscription number of consumers that share a subscription
 * @param kind topics that the run uses, and what their messages reveal
 */
public record Topology(
        String runId,
        int topicCount,
        int partitions,
        int producersPerTopic,
        int subscriptionCount,
        int consumersPerSubscription,
        TopicKind kind) {

    /**
     * The topics of a run.
     *
     * @param existing names of existing topics to use instead of new ones; empty to create topics
     * @param partitionsTold true if the partition of each message that was received is known
     */
    public record TopicKind(List<String> existing, boolean partitionsTold) {

        /** Topics that the run creates, and whose partitions are known. */
        public static final TopicKind OWN = new TopicKind(List.of(), true);
    }

    /** A topology with topics of the run's own. */
    public Topology(
            String runId,
            int topicCount,
            int partitions,
            int producersPerTopic,
            int subscriptionCount,
            int consumersPerSubscription) {
        this(
                runId,
                topicCount,
                partitions,
                producersPerTopic,
                subscriptionCount,
                consumersPerSubscription,
                TopicKind.OWN);
    }

    /**
     * A producer.
     *
     * @param id unique within the run
     * @param topic index of its topic
     */
    public record Producer(int id, int topic) {}

    /**
     * A consumer.
     *
     * @param id unique within the run
     * @param topic index of its topic
     * @param subscription index of its subscription
     */
    public record Consumer(int id, int topic, int subscription) {}

    public List<TopicSpec> topics() {
        return IntStream.range(0, topicCount).mapToObj(this::topic).toList();
    }

    public TopicSpec topic(int index) {
        if (!kind.existing().isEmpty()) {
            return new TopicSpec(kind.existing().get(index), partitions, true);
        }
        return new TopicSpec(String.format(Locale.ROOT, "test-topic-%s-%05d", runId, index), partitions);
    }

    /** Number of producers of all topics. */
    public int producerCount() {
        return topicCount * producersPerTopic;
    }

    /** Number of consumers of all topics and subscriptions. */
    public int consumerCount() {
        return topicCount * subscriptionCount * consumersPerSubscription;
    }

    /**
     * Returns the position of a producer in the order in which a growing run adds producers: the first one of each
     * topic, then the second one of each, and so on.
     *
     * @param id number of the producer
     */
    public int producerOrdinal(int id) {
        return id % producersPerTopic * topicCount + id / producersPerTopic;
    }

    /**
     * Returns the position of a consumer in the corresponding order: the first one of each subscription of each topic,
     * then the second one of each.
     */
    public int consumerOrdinal(int id) {
        return id % consumersPerSubscription * topicCount * subscriptionCount + id / consumersPerSubscription;
    }

    public List<Producer> producers() {
        return producers(0, producersPerTopic);
    }

    /** Returns the producers that are added when the number per topic grows from {@code from} to {@code to}. */
    public List<Producer> producers(int from, int to) {
        List<Producer> producers = new ArrayList<>();
        for (int topic = 0; topic < topicCount; topic++) {
            for (int i = from; i < to; i++) {
                producers.add(new Producer(firstProducer(topic) + i, topic));
            }
        }
        return producers;
    }

    public List<Consumer> consumers() {
        return consumers(0, consumersPerSubscription);
    }

    /** Returns the consumers that are added when the number per subscription grows from {@code from} to {@code to}. */
    public List<Consumer> consumers(int from, int to) {
        List<Consumer> consumers = new ArrayList<>();
        for (int topic = 0; topic < topicCount; topic++) {
            for (int subscription = 0; subscription < subscriptionCount; subscription++) {
                int first = (topic * subscriptionCount + subscription) * consumersPerSubscription;
                for (int i = from; i < to; i++) {
                    consumers.add(new Consumer(first + i, topic, subscription));
                }
            }
        }
        return consumers;
    }

    /** Returns the number of the topic's first producer. */
    public int firstProducer(int topic) {
        return topic * producersPerTopic;
    }

    /** Returns the numbers of each topic's producers, by name of the topic. */
    public Map<String, List<Integer>> producersByTopic() {
        Map<String, List<Integer>> byTopic = new LinkedHashMap<>();
        for (int topic = 0; topic < topicCount; topic++) {
            int first = firstProducer(topic);
            byTopic.put(
                    topic(topic).name(),
                    IntStream.range(first, first + producersPerTopic).boxed().toList());
        }
        return byTopic;
    }

    /** Number of partitions of a topic that can be told apart where messages are received. */
    public int partitionsTold() {
        return kind.partitionsTold() ? partitions : 1;
    }

    /**
     * Number of paths that a message can take: one from each partition, as far as partitions can be told apart, to
     * each subscription.
     */
    public int probeCount() {
        return hasConsumers() ? topicCount * subscriptionCount * partitionsTold() : 0;
    }

    /** Returns the number of the path from a partition to a subscription, less than {@link #probeCount()}. */
    public int probeIndex(int topic, int subscription, int partition) {
        return (topic * subscriptionCount + subscription) * partitionsTold() + partition;
    }

    /** Describes the path with the given number. */
    public String describeProbe(int index) {
        int partition = index % partitionsTold();
        int subscription = index / partitionsTold() % subscriptionCount;
        int topic = index / partitionsTold() / subscriptionCount;
        return "topic %s, partition %d to subscription %s"
                .formatted(topic(topic).name(), partition, subscriptionName(subscription));
    }

    /** Returns whether the run has consumers. */
    public boolean hasConsumers() {
        return subscriptionCount > 0 && consumersPerSubscription > 0;
    }

    /** Returns whether the run only consumes existing messages and sends none. */
    public boolean consumesOnly() {
        return producersPerTopic == 0;
    }

    public static String subscriptionName(int subscription) {
        return String.format(Locale.ROOT, "sub-%03d", subscription);
    }
}
