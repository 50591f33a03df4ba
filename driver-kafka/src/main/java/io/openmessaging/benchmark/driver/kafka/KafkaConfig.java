package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a Kafka driver file. The four texts have the form of Java properties and contain Kafka's own settings,
 * under Kafka's names; each may be left out.
 *
 * @param replicationFactor number of brokers that store each partition; null for the cluster's own default ({@code
 *     default.replication.factor})
 * @param topicConfig settings of the topics that the run creates
 * @param commonConfig settings of all clients, above all {@code bootstrap.servers} and login settings
 * @param producerConfig settings of the producers, where they differ from {@code commonConfig}
 * @param consumerConfig settings of the consumers, where they differ from {@code commonConfig}
 * @param reset no effect: other tools then delete all topics of the cluster, while the topics of a run here have unique
 *     names and are deleted after it
 * @param groupType how consumers of a subscription share its messages
 * @param existingTopics topics that exist already and replace the run's own, in this order; empty for topics that the
 *     run creates and deletes
 * @param transaction when producers commit their transactions; null for messages outside of transactions
 * @param sharedClients numbers of clients that all producers and consumers of a process share; null for a client each
 */
public record KafkaConfig(
        @Range(from = "1", to = "32_767") @Nullable Integer replicationFactor,
        @Default("") String topicConfig,
        @Default("") String commonConfig,
        @Default("") String producerConfig,
        @Default("") String consumerConfig,
        boolean reset,
        @Default("CONSUMER") GroupType groupType,
        @Default("[]") List<String> existingTopics,
        @Nullable KafkaTransaction transaction,
        @Nullable KafkaSharedClients sharedClients)
        implements Checked {

    /** Creates a configuration with Kafka's own settings only. */
    public KafkaConfig(
            @Nullable Integer replicationFactor,
            String topicConfig,
            String commonConfig,
            String producerConfig,
            String consumerConfig,
            boolean reset) {
        this(
                replicationFactor,
                topicConfig,
                commonConfig,
                producerConfig,
                consumerConfig,
                reset,
                GroupType.CONSUMER,
                List.of(),
                null,
                null);
    }

    @Override
    public void check(Problems problems) {
        KafkaCalls.THREADS.within(() -> {
            new KafkaConfigCheck(this, problems).run();
            return problems;
        });
    }

    /** How consumers of a subscription share its messages. */
    public enum GroupType {
        /** Each partition is read by one consumer, in order. */
        CONSUMER,
        /** Each message goes to any one consumer that has room; several consumers read one partition. */
        SHARE
    }

    /**
     * When a producer commits a transaction, which starts with a message: at the first of two limits.
     *
     * @param messages number of messages in a transaction
     * @param maxTime time since its first message, even if no other message follows
     */
    public record KafkaTransaction(
            @Default("100") @Range(from = "1", to = "1_000_000")
            int messages,

            @Default("100ms") @Range(from = "1ms", to = "15m")
            Duration maxTime) {}

    /**
     * Numbers of Kafka clients that the producers and consumers of a process share, for more of them than the threads
     * and sockets of a process allow.
     *
     * @param producers clients of all producers
     * @param consumers clients of all consumers of a subscription
     */
    public record KafkaSharedClients(
            @Default("4") @Range(from = "1", to = "1000") int producers,
            @Default("4") @Range(from = "1", to = "1000") int consumers) {

        /**
         * The client that reads a topic for a subscription. It is the same in each process: a topic's consumers are in
         * one group.
         */
        int consumerOf(String topic) {
            return Math.floorMod(topic.hashCode(), consumers);
        }
    }
}
