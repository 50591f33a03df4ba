package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.kafka.KafkaCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DeleteTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Creates and deletes topics, many in one request, and no more in one than a controller handles within seconds. Each
 * batch has the whole timeout for itself.
 */
final class Topics {

    private static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofMillis(50);

    private final Admin admin;
    private final @Nullable Integer replicationFactor;
    private final Map<String, String> settings;
    private final int batchSize;
    private final Duration timeout;

    Topics(Admin admin, KafkaConfig config, int batchSize, Duration timeout) {
        this.admin = admin;
        this.replicationFactor = config.replicationFactor();
        this.settings = PropertiesText.parse(config.topicConfig());
        this.batchSize = batchSize;
        this.timeout = timeout;
    }

    /** Returns when each partition of each topic has a leader; throws Kafka's own reason where it refuses. */
    void create(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (List<TopicSpec> batch : batches(topics, batchSize)) {
            Deadline deadline = Deadline.in(timeout);
            Set<String> existedBefore = request(batch, deadline);
            awaitLeaders(batch, existedBefore, deadline);
        }
    }

    /** A topic that is gone is no error. */
    void delete(List<TopicSpec> topics) throws DriverException, InterruptedException {
        for (List<TopicSpec> batch : batches(topics, batchSize)) {
            Deadline deadline = Deadline.in(timeout);
            Map<String, KafkaFuture<Void>> answers = admin.deleteTopics(
                            TopicCollection.ofTopicNames(names(batch)),
                            new DeleteTopicsOptions().timeoutMs(deadline.leftMs()))
                    .topicNameValues();
            for (Map.Entry<String, KafkaFuture<Void>> answer : answers.entrySet()) {
                try {
                    CALLS.await("delete the topic '" + answer.getKey() + "'", deadline, answer.getValue());
                } catch (DriverException e) {
                    if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                        throw e;
                    }
                }
            }
        }
    }

    /** Asks for the topics; returns the names of those that were there already. */
    private Set<String> request(List<TopicSpec> batch, Deadline deadline) throws DriverException, InterruptedException {
        List<NewTopic> requested = batch.stream().map(this::newTopic).toList();
        Map<String, KafkaFuture<Void>> answers = admin.createTopics(
                        requested, new CreateTopicsOptions().timeoutMs(deadline.leftMs()))
                .values();
        Set<String> existedBefore = new HashSet<>();
        for (TopicSpec topic : batch) {
            KafkaFuture<Void> answer = Objects.requireNonNull(answers.get(topic.name()), "an answer for each topic");
            try {
                CALLS.await("create the topic " + described(topic), deadline, answer);
            } catch (DriverException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw e;
                }
                existedBefore.add(topic.name());
            }
        }
        return existedBefore;
    }

    private NewTopic newTopic(TopicSpec topic) {
        Optional<Short> factor = Optional.ofNullable(replicationFactor).map(Integer::shortValue);
        return new NewTopic(topic.name(), Optional.of(topic.partitions()), factor).configs(settings);
    }

    private String described(TopicSpec topic) {
        String replication = replicationFactor == null ? "" : ", replication factor " + replicationFactor;
        return "'" + topic.name() + "' (partitions " + topic.partitions() + replication + ")";
    }

    private void awaitLeaders(List<TopicSpec> batch, Set<String> existedBefore, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<String, TopicSpec> pending = new HashMap<>();
        batch.forEach(topic -> pending.put(topic.name(), topic));
        while (true) {
            try {
                Map<String, TopicDescription> found = describe(pending.keySet(), deadline);
                for (TopicSpec topic : List.copyOf(pending.values())) {
                    TopicDescription description = found.get(topic.name());
                    if (description != null && existedBefore.contains(topic.name())) {
                        checkPartitions(topic, description);
                    }
                    if (description != null && isReady(topic, description)) {
                        pending.remove(topic.name());
                    }
                }
            } catch (DriverException e) {
                throw deadline.hasPassed() ? withoutLeaders(pending, batch.size(), deadline, e) : e;
            }
            if (pending.isEmpty()) {
                return;
            }
            if (deadline.hasPassed()) {
                throw withoutLeaders(pending, batch.size(), deadline, null);
            }
            deadline.pause(PAUSE_BETWEEN_LOOKS);
        }
    }

    private static DriverException withoutLeaders(
            Map<String, TopicSpec> pending, int topics, Deadline deadline, @Nullable DriverException lastAnswer) {
        String message = "Waited " + deadline.limit().toMillis() + " ms for every partition to have a leader: "
                + pending.size() + " of " + topics + " topics are not ready, such as '"
                + pending.keySet().iterator().next() + "'";
        return new DriverException(message, lastAnswer);
    }

    /** Those that the broker that happens to answer knows by now. */
    private Map<String, TopicDescription> describe(Set<String> names, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<String, KafkaFuture<TopicDescription>> answers = admin.describeTopics(
                        TopicCollection.ofTopicNames(Set.copyOf(names)),
                        new DescribeTopicsOptions().timeoutMs(deadline.leftMs()))
                .topicNameValues();
        Map<String, TopicDescription> found = new HashMap<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> answer : answers.entrySet()) {
            String attempt = "describe the topic '" + answer.getKey() + "'";
            try {
                found.put(answer.getKey(), CALLS.await(attempt, deadline, answer.getValue()));
            } catch (DriverException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
            }
        }
        return found;
    }

    private void checkPartitions(TopicSpec wanted, TopicDescription there) throws DriverException {
        if (there.partitions().size() != wanted.partitions()) {
            throw new DriverException("Could not create the topic " + described(wanted)
                    + ": there is one of that name already, with "
                    + there.partitions().size() + " partitions");
        }
    }

    /** A broker that has not heard of a deletion yet describes the topic as it was before. */
    private static boolean isReady(TopicSpec wanted, TopicDescription there) {
        return there.partitions().size() == wanted.partitions()
                && there.partitions().stream()
                        .map(TopicPartitionInfo::leader)
                        .allMatch(leader -> leader != null && !leader.isEmpty());
    }

    private static List<String> names(List<TopicSpec> topics) {
        return topics.stream().map(TopicSpec::name).toList();
    }

    /** Parts of at most the given size, in order. */
    static <T> List<List<T>> batches(List<T> all, int batchSize) {
        List<List<T>> batches = new ArrayList<>();
        for (int from = 0; from < all.size(); from += batchSize) {
            batches.add(all.subList(from, Math.min(all.size(), from + batchSize)));
        }
        return batches;
    }
}
