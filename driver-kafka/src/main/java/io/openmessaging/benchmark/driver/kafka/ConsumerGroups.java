package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.kafka.KafkaCalls.CALLS;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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

/**
 * The consumer groups of a run: one for each topic and subscription.
 *
 * @param prefix what their names begin with
 * @param batchSize how many are asked for in one request
 */
record ConsumerGroups(Admin admin, String prefix, int batchSize, Duration timeout) {

    private static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofMillis(50);

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
        deadline.await(
                PAUSE_BETWEEN_LOOKS,
                () -> areComplete(consumers, pending, deadline),
                () -> "consumers to be attached: " + pending.size() + " of " + groups + " groups are not complete, "
                        + example(pending));
    }

    /** Whether no group is left, of which those that are complete are removed. */
    private boolean areComplete(
            List<KafkaBenchmarkConsumer> consumers,
            Map<String, List<KafkaBenchmarkConsumer>> pending,
            Deadline deadline)
            throws DriverException, InterruptedException {
        for (KafkaBenchmarkConsumer consumer : consumers) {
            consumer.throwIfFailed();
        }
        for (List<String> batch : Topics.batches(withMembers(pending), batchSize)) {
            DescribeConsumerGroupsOptions options = new DescribeConsumerGroupsOptions().timeoutMs(deadline.leftMs());
            KafkaCalls.all(
                            admin.describeConsumerGroups(batch, options).describedGroups(),
                            deadline,
                            id -> "describe the consumer group '" + id + "'",
                            GroupIdNotFoundException.class)
                    .forEach((id, group) -> pending.computeIfPresent(
                            id, (same, members) -> isComplete(group, members) ? null : members));
        }
        return pending.isEmpty();
    }

    /** The groups worth asking for: those whose consumers all believe that they are members. */
    private static List<String> withMembers(Map<String, List<KafkaBenchmarkConsumer>> groups) {
        return groups.entrySet().stream()
                .filter(group -> group.getValue().stream().allMatch(consumer -> consumer.membership() != null))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean isComplete(ConsumerGroupDescription group, List<KafkaBenchmarkConsumer> consumers) {
        if (group.groupState() != GroupState.STABLE) {
            return false;
        }
        Map<String, Set<TopicPartition>> assigned = new HashMap<>();
        Set<TopicPartition> covered = new HashSet<>();
        for (MemberDescription member : group.members()) {
            assigned.put(member.consumerId(), member.assignment().topicPartitions());
            covered.addAll(member.assignment().topicPartitions());
        }
        for (KafkaBenchmarkConsumer consumer : consumers) {
            KafkaBenchmarkConsumer.Membership membership = consumer.membership();
            if (membership == null || !membership.partitions().equals(assigned.get(membership.memberId()))) {
                return false;
            }
        }
        return covered.size() == consumers.get(0).topic().partitions();
    }

    private static String example(Map<String, List<KafkaBenchmarkConsumer>> pending) {
        Map.Entry<String, List<KafkaBenchmarkConsumer>> group =
                pending.entrySet().iterator().next();
        long joined = group.getValue().stream()
                .filter(consumer -> consumer.membership() != null)
                .count();
        return "such as '" + group.getKey() + "', which " + joined + " of "
                + group.getValue().size() + " consumers have joined";
    }

    /** Deletes the groups of some topics, those of other workers included; one that is gone is no error. */
    void deleteOf(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(timeout);
        Set<String> names = topics.stream().map(TopicSpec::name).collect(Collectors.toSet());
        ListGroupsOptions options = new ListGroupsOptions().timeoutMs(deadline.leftMs());
        KafkaFuture<Collection<GroupListing>> answer = admin.listGroups(options).all();
        List<String> ids = CALLS.await("list consumer groups", deadline, answer).stream()
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

    /** A group that was deleted in an attempt before is not there in the next. */
    private void deleteBatch(List<String> ids, Deadline deadline) throws DriverException, InterruptedException {
        while (true) {
            DeleteConsumerGroupsOptions options = new DeleteConsumerGroupsOptions().timeoutMs(deadline.leftMs());
            try {
                KafkaCalls.all(
                        admin.deleteConsumerGroups(ids, options).deletedGroups(),
                        deadline,
                        id -> "delete the consumer group '" + id + "'",
                        GroupIdNotFoundException.class);
                return;
            } catch (DriverException e) {
                // The broker has not heard that the last consumer has left.
                if (!(e.getCause() instanceof GroupNotEmptyException) || deadline.hasPassed()) {
                    throw e;
                }
            }
            deadline.pause(PAUSE_BETWEEN_LOOKS);
        }
    }
}
