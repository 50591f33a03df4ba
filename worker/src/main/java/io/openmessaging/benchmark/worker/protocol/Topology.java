package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The topics of a run with its producers and consumers, numbered through. A description of a few numbers, however many
 * topics there are.
 *
 * @param runId which the topics are named after
 * @param topicCount how many topics
 * @param partitions of each topic
 * @param producersPerTopic producers of topic {@code t} have the numbers from {@code t·producersPerTopic} on
 * @param subscriptionCount how many subscriptions each topic has
 * @param consumersPerSubscription how many consumers share each of them
 * @param existingTopics topics that are there already and take the places of the run's own; empty for topics of its own
 */
public record Topology(
        String runId,
        int topicCount,
        int partitions,
        int producersPerTopic,
        int subscriptionCount,
        int consumersPerSubscription,
        List<String> existingTopics) {

    /** With topics of the run's own. */
    public Topology(
            String runId,
            int topicCount,
            int partitions,
            int producersPerTopic,
            int subscriptionCount,
            int consumersPerSubscription) {
        this(runId, topicCount, partitions, producersPerTopic, subscriptionCount, consumersPerSubscription, List.of());
    }

    /**
     * One producer.
     *
     * @param id unique within the run
     * @param topic the topic's index
     */
    public record Producer(int id, int topic) {}

    /**
     * One consumer.
     *
     * @param id unique within the run
     * @param topic the topic's index
     * @param subscription the subscription's index
     */
    public record Consumer(int id, int topic, int subscription) {}

    /** The topics, in order. */
    public List<TopicSpec> topics() {
        return IntStream.range(0, topicCount).mapToObj(this::topic).toList();
    }

    /** The topic with an index. */
    public TopicSpec topic(int index) {
        if (!existingTopics.isEmpty()) {
            return new TopicSpec(existingTopics.get(index), partitions, true);
        }
        return new TopicSpec(String.format(Locale.ROOT, "test-topic-%s-%05d", runId, index), partitions);
    }

    /** How many producers there are, of all topics together. */
    public int producerCount() {
        return topicCount * producersPerTopic;
    }

    /** How many consumers there are, of all topics and subscriptions together. */
    public int consumerCount() {
        return topicCount * subscriptionCount * consumersPerSubscription;
    }

    /**
     * The place of a producer in the order in which producers come when a run grows: the first of each topic, then the
     * second of each.
     *
     * @param id the producer's number
     */
    public int producerOrdinal(int id) {
        return id % producersPerTopic * topicCount + id / producersPerTopic;
    }

    /** The same of a consumer: the first of each subscription of each topic, then the second of each. */
    public int consumerOrdinal(int id) {
        return id % consumersPerSubscription * topicCount * subscriptionCount + id / consumersPerSubscription;
    }

    /** All producers. */
    public List<Producer> producers() {
        return producers(0, producersPerTopic);
    }

    /**
     * Some producers of each topic, counted from 0 in each: the ones with which their number grows from one to another.
     */
    public List<Producer> producers(int from, int to) {
        List<Producer> producers = new ArrayList<>();
        for (int topic = 0; topic < topicCount; topic++) {
            for (int i = from; i < to; i++) {
                producers.add(new Producer(firstProducer(topic) + i, topic));
            }
        }
        return producers;
    }

    /** All consumers. */
    public List<Consumer> consumers() {
        return consumers(0, consumersPerSubscription);
    }

    /**
     * Some consumers of each subscription, counted from 0 in each: the ones with which their number grows from one to
     * another.
     */
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

    /** The number of a topic's first producer. */
    public int firstProducer(int topic) {
        return topic * producersPerTopic;
    }

    /** The numbers of the producers of each topic, by its name. */
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

    /** How many ways a message can go: one from each partition to each subscription. */
    public int probeCount() {
        return hasConsumers() ? topicCount * subscriptionCount * partitions : 0;
    }

    /** The number of the way from a partition to a subscription, below {@link #probeCount()}. */
    public int probeIndex(int topic, int subscription, int partition) {
        return (topic * subscriptionCount + subscription) * partitions + partition;
    }

    /** The way with a number, in words. */
    public String describeProbe(int index) {
        int partition = index % partitions;
        int subscription = index / partitions % subscriptionCount;
        int topic = index / partitions / subscriptionCount;
        return "topic %s, partition %d to subscription %s"
                .formatted(topic(topic).name(), partition, subscriptionName(subscription));
    }

    /** Whether anybody receives. */
    public boolean hasConsumers() {
        return subscriptionCount > 0 && consumersPerSubscription > 0;
    }

    /** Whether what is there is consumed, and nothing sent. */
    public boolean consumesOnly() {
        return producersPerTopic == 0;
    }

    /** What a subscription is called. */
    public static String subscriptionName(int subscription) {
        return String.format(Locale.ROOT, "sub-%03d", subscription);
    }
}
