package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a Kafka driver file. The four texts have the form of Java properties and carry settings of Kafka's own,
 * by Kafka's names; each may be left out.
 *
 * @param replicationFactor on how many brokers each partition lies; null for the cluster's own default
 *     ({@code default.replication.factor})
 * @param topicConfig settings of the topics that the run creates
 * @param commonConfig settings of all clients, {@code bootstrap.servers} and what a login needs above all
 * @param producerConfig settings of the producers, where they differ from {@code commonConfig}
 * @param consumerConfig settings of the consumers, where they differ from {@code commonConfig}
 * @param reset without effect: other tools delete all topics of the cluster for it, while here the topics of a run have
 *     names of their own and are deleted after it
 * @param groupType how consumers of a subscription share its messages
 * @param existingTopics topics that are there already and take the places of the run's own, in this order; empty for
 *     topics that the run creates and deletes
 * @param transaction when producers that send in transactions end them; null for messages outside of transactions
 * @param sharedClients how many clients of a process have all of its producers and consumers; null for a client each
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

    /** With Kafka's own settings only. */
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
}
