package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DeleteTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Creates and deletes topics, many per request, but no more than a controller handles within seconds. The timeout
 * applies to each batch separately.
 */
final class KafkaTopics {

    private static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofMillis(50);

    private final Admin admin;
    private final @Nullable Integer replicationFactor;
    private final Map<String, String> settings;
    private final Duration timeout;

    KafkaTopics(Admin admin, KafkaConfig config, Duration timeout) {
        this.admin = admin;
        this.replicationFactor = config.replicationFactor();
        this.settings = KafkaSettings.parse(config.topicConfig());
        this.timeout = timeout;
    }

    /** Returns when each partition of each topic has a leader; throws with Kafka's own reason if it refuses. */
    void create(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (List<TopicSpec> batch : batches(topics)) {
            Map<String, TopicSpec> pending = new HashMap<>();
            batch.forEach(topic -> pending.put(topic.name(), topic));
            Deadline deadline = Deadline.in(timeout);
            CreateTopicsOptions options = new CreateTopicsOptions().timeoutMs(deadline.leftMs());
            List<NewTopic> requested = batch.stream().map(this::newTopic).toList();
            Set<String> created = KafkaCalls.all(
                            admin.createTopics(requested, options).values(),
                            deadline,
                            name -> "create the topic " + described(Objects.requireNonNull(pending.get(name))),
                            TopicExistsException.class)
                    .keySet();
            deadline.await(
                    PAUSE_BETWEEN_LOOKS,
                    () -> haveLeaders(pending, created, deadline),
                    () -> "every partition to have a leader: " + pending.size() + " of " + batch.size()
                            + " topics are not ready, such as '"
                            + pending.keySet().iterator().next() + "'");
        }
    }

    /** Throws if a topic is missing or has fewer partitions than requested. */
    void requireThere(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Map<String, TopicDescription> known = describeAll(topics);
        for (TopicSpec topic : topics) {
            TopicDescription there = known.get(topic.name());
            String attempt = "Could not use the topic '" + topic.name() + "', which existingTopics names: ";
            if (there == null) {
                throw new DriverException(attempt + "no topic has that name");
            }
            if (there.partitions().size() < topic.partitions()) {
                throw new DriverException(attempt + "it has "
                        + there.partitions().size() + " partitions, and the workload asks for " + topic.partitions());
            }
        }
    }

    /** Deletes topics; a missing topic is no error. */
    void delete(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (List<TopicSpec> batch : batches(topics)) {
            Deadline deadline = Deadline.in(timeout);
            DeleteTopicsOptions options = new DeleteTopicsOptions().timeoutMs(deadline.leftMs());
            KafkaCalls.all(
                    admin.deleteTopics(named(batch.stream().map(TopicSpec::name)), options)
                            .topicNameValues(),
                    deadline,
                    name -> "delete the topic '" + name + "'",
                    UnknownTopicOrPartitionException.class);
        }
    }

    /** The leading node of each partition of each topic; empty text for none. */
    List<List<String>> leaders(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Map<String, TopicDescription> known = describeAll(topics);
        return topics.stream()
                .map(topic -> leaders(topic, known.get(topic.name())))
                .toList();
    }

    /** A broker that has not yet learned of a topic knows no leader. */
    private static List<String> leaders(TopicSpec topic, @Nullable TopicDescription known) {
        List<String> leaders = new ArrayList<>(Collections.nCopies(topic.partitions(), ""));
        if (known != null) {
            known.partitions().stream()
                    .filter(partition -> partition.partition() < topic.partitions() && hasLeader(partition))
                    .forEach(partition -> leaders.set(
                            partition.partition(),
                            ClusterDescription.nameOf(Objects.requireNonNull(partition.leader()))));
        }
        return leaders;
    }

    private Map<String, TopicDescription> describeAll(List<TopicSpec> topics)
            throws DriverException, InterruptedException {
        Map<String, TopicDescription> known = new HashMap<>();
        for (List<TopicSpec> batch : batches(topics)) {
            known.putAll(describe(batch.stream().map(TopicSpec::name), Deadline.in(timeout)));
        }
        return known;
    }

    /** Describes those of these topics that the answering broker, which can be any, knows. */
    private Map<String, TopicDescription> describe(Stream<String> names, Deadline deadline)
            throws DriverException, InterruptedException {
        DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs(deadline.leftMs());
        return KafkaCalls.all(
                admin.describeTopics(named(names), options).topicNameValues(),
                deadline,
                name -> "describe the topic '" + name + "'",
                UnknownTopicOrPartitionException.class);
    }

    private static TopicCollection named(Stream<String> names) {
        return TopicCollection.ofTopicNames(names.toList());
    }

    private NewTopic newTopic(TopicSpec topic) {
        Optional<Short> factor = Optional.ofNullable(replicationFactor).map(Integer::shortValue);
        return new NewTopic(topic.name(), Optional.of(topic.partitions()), factor).configs(settings);
    }

    private String described(TopicSpec topic) {
        String replication = replicationFactor == null ? "" : ", replication factor " + replicationFactor;
        return "'" + topic.name() + "' (partitions " + topic.partitions() + replication + ")";
    }

    /**
     * Removes topics that are ready; returns whether none is left. The answering broker, which can be any, may not know
     * all of them yet.
     *
     * @param created topics that did not exist before
     */
    private boolean haveLeaders(Map<String, TopicSpec> pending, Set<String> created, Deadline deadline)
            throws DriverException, InterruptedException {
        for (TopicDescription there :
                describe(pending.keySet().stream(), deadline).values()) {
            TopicSpec wanted = Objects.requireNonNull(pending.get(there.name()));
            if (!created.contains(there.name())) {
                checkPartitions(wanted, there);
            }
            if (isReady(wanted, there)) {
                pending.remove(there.name());
            }
        }
        return pending.isEmpty();
    }

    private void checkPartitions(TopicSpec wanted, TopicDescription there) throws DriverException {
        if (there.partitions().size() != wanted.partitions()) {
            throw new DriverException("Could not create the topic " + described(wanted)
                    + ": one of that name already exists, with "
                    + there.partitions().size() + " partitions");
        }
    }

    /** A broker that has not yet learned of a deletion describes the topic as it was before. */
    private static boolean isReady(TopicSpec wanted, TopicDescription there) {
        return there.partitions().size() == wanted.partitions()
                && there.partitions().stream().allMatch(KafkaTopics::hasLeader);
    }

    private static boolean hasLeader(TopicPartitionInfo partition) {
        Node leader = partition.leader();
        return leader != null && !leader.isEmpty();
    }

    private List<List<TopicSpec>> batches(List<TopicSpec> topics) {
        return Batches.ofTopics(topics, replicationFactor == null ? 1 : replicationFactor);
    }
}
