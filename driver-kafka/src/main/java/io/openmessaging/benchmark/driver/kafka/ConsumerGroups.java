package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.kafka.KafkaCalls.CALLS;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DeleteConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.jspecify.annotations.Nullable;

/** The consumer groups of a run: one for each topic and subscription. */
final class ConsumerGroups {

    private static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofMillis(50);

    private final Admin admin;
    private final String prefix;
    private final int batchSize;
    private final Duration timeout;

    /**
     * The groups whose names begin with a prefix.
     *
     * @param batchSize how many are asked for in one request
     */
    ConsumerGroups(Admin admin, String prefix, int batchSize, Duration timeout) {
        this.admin = admin;
        this.prefix = prefix;
        this.batchSize = batchSize;
        this.timeout = timeout;
    }

    /** The group that a consumer joins. A topic's name contains no dot. */
    String idFor(ConsumerSpec spec) {
        return prefix + spec.topic().name() + "." + spec.subscription();
    }

    /**
     * Waits until each consumer has its part of the topic and a position in each partition of it. It is the broker that
     * is asked whether a group is complete: consumers on other workers may belong to it, too.
     *
     * @throws DriverException if one of them fails, or if it takes longer than the deadline allows
     */
    void awaitAttached(List<KafkaBenchmarkConsumer> consumers, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<String, List<KafkaBenchmarkConsumer>> pending = new LinkedHashMap<>();
        for (KafkaBenchmarkConsumer consumer : consumers) {
            pending.computeIfAbsent(consumer.groupId(), id -> new ArrayList<>()).add(consumer);
        }
        int groups = pending.size();
        while (true) {
            for (KafkaBenchmarkConsumer consumer : consumers) {
                consumer.throwIfFailed();
            }
            try {
                Map<String, ConsumerGroupDescription> described = describe(withMembers(pending), deadline);
                pending.entrySet().removeIf(group -> isComplete(described.get(group.getKey()), group.getValue()));
            } catch (DriverException e) {
                throw deadline.hasPassed() ? notAttached(pending, groups, deadline, e) : e;
            }
            if (pending.isEmpty()) {
                return;
            }
            if (deadline.hasPassed()) {
                throw notAttached(pending, groups, deadline, null);
            }
            deadline.pause(PAUSE_BETWEEN_LOOKS);
        }
    }

    /** The groups worth asking for: those whose consumers all believe that they are members. */
    private static List<String> withMembers(Map<String, List<KafkaBenchmarkConsumer>> groups) {
        return groups.entrySet().stream()
                .filter(group -> group.getValue().stream().allMatch(consumer -> consumer.membership() != null))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean isComplete(
            @Nullable ConsumerGroupDescription group, List<KafkaBenchmarkConsumer> consumers) {
        if (group == null || group.groupState() != GroupState.STABLE) {
            return false;
        }
        Map<String, Set<TopicPartition>> assigned = new HashMap<>();
        Set<TopicPartition> covered = new HashSet<>();
        for (MemberDescription member : group.members()) {
            assigned.put(member.consumerId(), member.assignment().topicPartitions());
            covered.addAll(member.assignment().topicPartitions());
        }
        for (KafkaBenchmarkConsumer consumer : consumers) {
            Membership membership = consumer.membership();
            if (membership == null || !membership.partitions().equals(assigned.get(membership.memberId()))) {
                return false;
            }
        }
        return covered.size() == consumers.get(0).topic().partitions();
    }

    private Map<String, ConsumerGroupDescription> describe(List<String> ids, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<String, ConsumerGroupDescription> described = new HashMap<>();
        for (List<String> batch : Topics.batches(ids, batchSize)) {
            Map<String, KafkaFuture<ConsumerGroupDescription>> answers = admin.describeConsumerGroups(
                            batch, new DescribeConsumerGroupsOptions().timeoutMs(deadline.leftMs()))
                    .describedGroups();
            for (Map.Entry<String, KafkaFuture<ConsumerGroupDescription>> answer : answers.entrySet()) {
                String attempt = "describe the consumer group '" + answer.getKey() + "'";
                try {
                    described.put(answer.getKey(), CALLS.await(attempt, deadline, answer.getValue()));
                } catch (DriverException e) {
                    if (!(e.getCause() instanceof GroupIdNotFoundException)) {
                        throw e;
                    }
                }
            }
        }
        return described;
    }

    private static DriverException notAttached(
            Map<String, List<KafkaBenchmarkConsumer>> pending,
            int groups,
            Deadline deadline,
            @Nullable DriverException lastAnswer) {
        Map.Entry<String, List<KafkaBenchmarkConsumer>> example =
                pending.entrySet().iterator().next();
        long joined = example.getValue().stream()
                .filter(consumer -> consumer.membership() != null)
                .count();
        String message = "Waited " + deadline.limit().toMillis() + " ms for consumers to be attached: " + pending.size()
                + " of " + groups + " groups are not complete, such as '" + example.getKey() + "', which " + joined
                + " of " + example.getValue().size() + " consumers have joined";
        return new DriverException(message, lastAnswer);
    }

    /** Deletes the groups of some topics, those of other workers included; one that is gone is no error. */
    void deleteOf(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(timeout);
        Set<String> names = topics.stream().map(TopicSpec::name).collect(Collectors.toSet());
        List<String> ids = CALLS
                .await(
                        "list consumer groups",
                        deadline,
                        admin.listGroups(new ListGroupsOptions().timeoutMs(deadline.leftMs()))
                                .all())
                .stream()
                .map(GroupListing::groupId)
                .filter(id -> names.contains(topicOf(id)))
                .toList();
        for (List<String> batch : Topics.batches(ids, batchSize)) {
            deleteBatch(batch, Deadline.in(timeout));
        }
    }

    /** The topic of a group of this run; empty for any other group. */
    private String topicOf(String id) {
        int end = id.startsWith(prefix) ? id.indexOf('.', prefix.length()) : -1;
        return end < 0 ? "" : id.substring(prefix.length(), end);
    }

    private void deleteBatch(List<String> ids, Deadline deadline) throws DriverException, InterruptedException {
        Set<String> pending = new HashSet<>(ids);
        while (true) {
            Map<String, KafkaFuture<Void>> answers = admin.deleteConsumerGroups(
                            List.copyOf(pending), new DeleteConsumerGroupsOptions().timeoutMs(deadline.leftMs()))
                    .deletedGroups();
            for (Map.Entry<String, KafkaFuture<Void>> answer : answers.entrySet()) {
                String attempt = "delete the consumer group '" + answer.getKey() + "'";
                if (isDeleted(answer.getValue(), deadline, attempt)) {
                    pending.remove(answer.getKey());
                }
            }
            if (pending.isEmpty()) {
                return;
            }
            deadline.pause(PAUSE_BETWEEN_LOOKS);
        }
    }

    /** Whether the group is gone; not yet, while the broker has not heard that the last consumer has left. */
    private static boolean isDeleted(KafkaFuture<Void> answer, Deadline deadline, String attempt)
            throws DriverException, InterruptedException {
        try {
            CALLS.await(attempt, deadline, answer);
            return true;
        } catch (DriverException e) {
            if (e.getCause() instanceof GroupNotEmptyException && !deadline.hasPassed()) {
                return false;
            }
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return true;
            }
            throw e;
        }
    }
}
