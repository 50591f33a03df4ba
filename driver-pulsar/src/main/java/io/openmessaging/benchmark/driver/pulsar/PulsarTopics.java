package io.openmessaging.benchmark.driver.pulsar;

import static io.openmessaging.benchmark.driver.pulsar.PulsarCalls.CALLS;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException.ConflictException;
import org.apache.pulsar.client.admin.PulsarAdminException.NotFoundException;
import org.apache.pulsar.common.policies.data.ConsumerStats;
import org.apache.pulsar.common.policies.data.PartitionedTopicStats;
import org.apache.pulsar.common.policies.data.SubscriptionStats;
import org.apache.pulsar.common.policies.data.TopicStats;

/**
 * Creates and deletes topics, several at a time, and waits for the consumers of topics that are not stored. A stored
 * topic with one partition is created as a non-partitioned one in Pulsar's sense, which clients handle with less
 * effort. A topic that is not stored is always partitioned: Pulsar keeps nothing of it but the number of partitions,
 * and without that the topic would be gone as long as it is unused.
 */
record PulsarTopics(PulsarAdmin admin, RunNamespace namespace, boolean persistent) {

    private static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofMillis(10);

    /** Creates topics; leaves an existing one with the same number of partitions as it is. */
    void create(List<TopicSpec> specs, Deadline deadline) throws DriverException, InterruptedException {
        forEach("create topics", specs, deadline, PulsarTopics::creationOf, this::create);
    }

    /** Throws if one of these topics is missing, or has a different number of partitions. */
    void requireThere(List<TopicSpec> specs, Deadline deadline) throws DriverException, InterruptedException {
        forEach("look for topics", specs, deadline, PulsarTopics::useOf, this::requireThere);
    }

    private static String useOf(TopicSpec spec) {
        return "use the existing topic '" + spec.name() + "'";
    }

    private CompletableFuture<Boolean> requireThere(TopicSpec spec) {
        String topic = namespace.topic(spec);
        return partitions(topic)
                // Pulsar may report no partitions for a missing topic, too.
                .thenCompose(there -> there > 0
                        ? CompletableFuture.completedFuture(there)
                        : admin.topics().getStatsAsync(topic).thenApply(stats -> 1))
                .thenCompose(there -> there == spec.partitions()
                        ? CompletableFuture.completedFuture(true)
                        : CompletableFuture.failedFuture(new DriverException("Could not " + useOf(spec) + ": it has "
                                + there + (there == 1 ? " partition" : " partitions") + ", and the workload asks for "
                                + spec.partitions())));
    }

    /** Returns whether Pulsar treats the topic as a partitioned one. */
    static boolean isPartitioned(TopicSpec spec, boolean persistent) {
        return !persistent || spec.partitions() > 1;
    }

    private static String creationOf(TopicSpec spec) {
        return "create the topic '" + spec.name() + "' (partitions " + spec.partitions() + ")";
    }

    private CompletableFuture<Boolean> create(TopicSpec spec) {
        String topic = namespace.topic(spec);
        CompletableFuture<Void> creation = isPartitioned(spec, persistent)
                ? admin.topics().createPartitionedTopicAsync(topic, spec.partitions())
                : admin.topics().createNonPartitionedTopicAsync(topic);
        return creation.thenApply(nothing -> true)
                .exceptionallyCompose(error -> Calls.unwrapped(error) instanceof ConflictException
                        ? compare(spec)
                        : CompletableFuture.failedFuture(error));
    }

    private CompletableFuture<Boolean> compare(TopicSpec spec) {
        return partitions(namespace.topic(spec)).thenCompose(there -> {
            if (Math.max(1, there) == spec.partitions()) {
                return CompletableFuture.completedFuture(true);
            }
            return CompletableFuture.failedFuture(new DriverException("Could not " + creationOf(spec)
                    + ": one of that name already exists, with " + Math.max(1, there) + " partitions"));
        });
    }

    /** Deletes topics with their subscriptions; a missing one is no error. */
    void delete(List<TopicSpec> specs, Deadline deadline) throws DriverException, InterruptedException {
        forEach("delete topics", specs, deadline, spec -> "delete the topic '" + spec.name() + "'", this::delete);
    }

    private CompletableFuture<Boolean> delete(TopicSpec spec) {
        String topic = namespace.topic(spec);
        if (spec.existing()) {
            return deleteSubscriptions(topic);
        }
        CompletableFuture<Void> deletion = partitions(topic)
                .thenCompose(there -> there > 0
                        ? admin.topics().deletePartitionedTopicAsync(topic, true)
                        : admin.topics().deleteAsync(topic, true));
        return PulsarCalls.unless(NotFoundException.class, deletion).thenApply(nothing -> true);
    }

    private CompletableFuture<Boolean> deleteSubscriptions(String topic) {
        CompletableFuture<Void> deletion = admin.topics()
                .getSubscriptionsAsync(topic)
                .thenCompose(all -> CompletableFuture.allOf(all.stream()
                        .filter(subscription -> subscription.startsWith(namespace.ownSubscriptions()))
                        .map(subscription -> admin.topics().deleteSubscriptionAsync(topic, subscription, true))
                        .toArray(CompletableFuture[]::new)));
        return PulsarCalls.unless(NotFoundException.class, deletion).thenApply(nothing -> true);
    }

    /** Returns the number of partitions; 0 for a topic that is not partitioned. */
    private CompletableFuture<Integer> partitions(String topic) {
        return admin.topics().getPartitionedTopicMetadataAsync(topic).thenApply(metadata -> metadata.partitions);
    }

    private static void forEach(
            String attempt,
            List<TopicSpec> specs,
            Deadline deadline,
            Function<TopicSpec, String> attemptOf,
            Function<TopicSpec, CompletableFuture<Boolean>> action)
            throws DriverException, InterruptedException {
        PulsarCalls.all(
                attempt, specs, deadline, attemptOf, action, done -> CompletableFuture.<Void>completedFuture(null));
    }

    /**
     * Returns the host of the broker of each partition, for each topic in the order given. The lookup itself assigns a
     * partition without a broker to one.
     */
    List<List<String>> hosts(List<TopicSpec> specs, Deadline deadline) throws DriverException, InterruptedException {
        return PulsarCalls.all(
                "look up the brokers of topics",
                specs,
                deadline,
                spec -> "look up the brokers of the topic '" + spec.name() + "'",
                this::hosts,
                found -> CompletableFuture.<Void>completedFuture(null));
    }

    private CompletableFuture<List<String>> hosts(TopicSpec spec) {
        List<CompletableFuture<String>> answers = namespace.partitions(spec).stream()
                .map(admin.lookups()::lookupTopicAsync)
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream()
                        .map(answer -> Address.parse(answer.join(), ServiceAddresses.SERVICE)
                                .host())
                        .toList());
    }

    /**
     * Waits until the broker has permits from each consumer, for each partition: the number of messages it may send. A
     * consumer attaches first and sends its permits afterwards, without an answer; messages that are not stored and
     * arrive in between are lost. Therefore only the broker can confirm that it has them.
     */
    void awaitPermits(List<PulsarBenchmarkConsumer> consumers, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<TopicSpec, List<PulsarBenchmarkConsumer>> byTopic =
                consumers.stream().collect(Collectors.groupingBy(PulsarBenchmarkConsumer::topic));
        for (Map.Entry<TopicSpec, List<PulsarBenchmarkConsumer>> entry : byTopic.entrySet()) {
            Set<String> names =
                    entry.getValue().stream().map(PulsarBenchmarkConsumer::name).collect(Collectors.toSet());
            awaitPermits(entry.getKey(), names, deadline);
        }
    }

    private void awaitPermits(TopicSpec topic, Set<String> consumers, Deadline deadline)
            throws DriverException, InterruptedException {
        String attempt = "check that the consumers of topic '" + topic.name() + "' are ready";
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
