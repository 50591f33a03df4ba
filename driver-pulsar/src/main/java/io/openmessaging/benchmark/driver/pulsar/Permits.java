package io.openmessaging.benchmark.driver.pulsar;

import static io.openmessaging.benchmark.driver.pulsar.PulsarCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.common.policies.data.ConsumerStats;
import org.apache.pulsar.common.policies.data.PartitionedTopicStats;
import org.apache.pulsar.common.policies.data.SubscriptionStats;
import org.apache.pulsar.common.policies.data.TopicStats;

/**
 * What a consumer allows a broker to send it. A consumer is attached first and gives its permits afterwards, without an
 * answer; what is not stored and comes in between is lost. So it is the broker that has to say that it has them.
 */
final class Permits {

    private static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofMillis(10);

    private final PulsarAdmin admin;
    private final RunNamespace namespace;

    Permits(PulsarAdmin admin, RunNamespace namespace) {
        this.admin = admin;
        this.namespace = namespace;
    }

    /** Waits until the broker has permits of each consumer, for each partition. */
    void await(List<PulsarBenchmarkConsumer> consumers, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<TopicSpec, List<PulsarBenchmarkConsumer>> byTopic =
                consumers.stream().collect(Collectors.groupingBy(PulsarBenchmarkConsumer::topic));
        for (Map.Entry<TopicSpec, List<PulsarBenchmarkConsumer>> entry : byTopic.entrySet()) {
            Set<String> names =
                    entry.getValue().stream().map(PulsarBenchmarkConsumer::name).collect(Collectors.toSet());
            awaitTopic(entry.getKey(), names, deadline);
        }
    }

    private void awaitTopic(TopicSpec topic, Set<String> consumers, Deadline deadline)
            throws DriverException, InterruptedException {
        String attempt = "see the consumers of topic '" + topic.name() + "' ready";
        deadline.await(
                PAUSE_BETWEEN_LOOKS,
                () -> {
                    PartitionedTopicStats stats = CALLS.await(
                            attempt, deadline, admin.topics().getPartitionedStatsAsync(namespace.topic(topic), true));
                    return stats.getPartitions().size() == topic.partitions()
                            && stats.getPartitions().values().stream().allMatch(part -> hasPermits(part, consumers));
                },
                () -> "the consumers of topic '" + topic.name() + "' to be ready");
    }

    private static boolean hasPermits(TopicStats partition, Set<String> consumers) {
        return partition.getSubscriptions().values().stream()
                .map(SubscriptionStats::getConsumers)
                .flatMap(List::stream)
                .filter(consumer -> consumer.getAvailablePermits() > 0)
                .map(ConsumerStats::getConsumerName)
                .collect(Collectors.toSet())
                .containsAll(consumers);
    }
}
