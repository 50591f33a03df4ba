package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls.CALLS;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ManyCalls;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaSharedClients;
import io.openmessaging.benchmark.driver.kafka.clients.GroupConsumer;
import io.openmessaging.benchmark.driver.kafka.clients.GroupConsumer.Membership;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaBenchmarkConsumer;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls;
import io.openmessaging.benchmark.driver.kafka.clients.SharedConsumer;
import io.openmessaging.benchmark.driver.kafka.clients.SharedMember;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DeleteConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions whose consumers share the partitions of their topic. Where consumers share clients, a client and its
 * group read many topics, the same ones in each process.
 */
final class ConsumerGroups extends Subscriptions<GroupConsumer> {

    private static final String SHARED = "shared-";

    private final ClientProperties properties;
    private final ClientProperties ofExisting;
    private final boolean readers;
    private final @Nullable KafkaSharedClients shared;

    /** Shared clients by group. Guarded by itself. */
    private final Map<String, SharedConsumer> sharedConsumers = new HashMap<>();

    /**
     * Groups whose consumers start where {@code auto.offset.reset} says. In existing topics they start after the newest
     * message, since older messages are not the run's, and read only the partitions that the run uses.
     */
    static ConsumerGroups of(
            Admin admin, ClientProperties properties, @Nullable KafkaSharedClients shared, DriverContext context) {
        return new ConsumerGroups(admin, properties, false, shared, context);
    }

    /** Groups whose consumers start at the oldest existing message, in all partitions. */
    static ConsumerGroups ofReaders(
            Admin admin, ClientProperties properties, @Nullable KafkaSharedClients shared, DriverContext context) {
        return new ConsumerGroups(admin, properties.fromTheOldest(), true, shared, context);
    }

    private ConsumerGroups(
            Admin admin,
            ClientProperties properties,
            boolean readers,
            @Nullable KafkaSharedClients shared,
            DriverContext context) {
        super(admin, properties.groupPrefix(), context);
        this.properties = properties;
        this.ofExisting = readers ? properties : properties.fromTheEnd();
        this.readers = readers;
        this.shared = shared;
    }

    /** A consumer whose listener may block has its own client: others would have to wait for it. */
    private boolean shares(ConsumerSpec spec) {
        return shared != null && !spec.listener().mayBlock();
    }

    @Override
    String groupOf(ConsumerSpec spec) {
        return shared != null && shares(spec)
                ? prefix() + SHARED + shared.consumerOf(spec.topic().name()) + "." + spec.subscription()
                : super.groupOf(spec);
    }

    private ClientProperties propertiesFor(ConsumerSpec spec) {
        return spec.topic().existing() ? ofExisting : properties;
    }

    /** An existing topic may have more partitions than the run uses. */
    private ConsumerSpec ofUsedPartitions(ConsumerSpec spec) {
        TopicSpec topic = spec.topic();
        return readers || !topic.existing()
                ? spec
                : new ConsumerSpec(
                        spec.id(),
                        topic,
                        spec.subscription(),
                        new FirstPartitions(spec.listener(), topic.partitions()));
    }

    /** Passes on messages of the first partitions only. */
    private record FirstPartitions(MessageListener listener, int count) implements MessageListener {

        @Override
        public void received(@Nullable String key, byte[] payload, int partition) {
            received(key, payload, partition, NO_TIME);
        }

        @Override
        public void received(@Nullable String key, byte[] payload, int partition, long timeMs) {
            if (partition < count) {
                listener.received(key, payload, partition, timeMs);
            }
        }

        @Override
        public boolean mayBlock() {
            return listener.mayBlock();
        }
    }

    @Override
    CreatedConsumer<GroupConsumer> consumer(ConsumerSpec described, String groupId) throws DriverException {
        ConsumerSpec spec = ofUsedPartitions(described);
        String topic = spec.topic().name();
        if (shared != null && shares(spec)) {
            SharedMember member =
                    sharing(spec, topic, shared.consumerOf(spec.topic().name()), groupId);
            return new CreatedConsumer<>(member.client(), member);
        }
        KafkaBenchmarkConsumer consumer = new KafkaBenchmarkConsumer(
                spec,
                topic,
                groupId,
                new KafkaConsumer<>(propertiesFor(spec).ofConsumer(spec.id(), groupId)),
                properties.driverCommits(),
                context());
        return new CreatedConsumer<>(consumer, consumer);
    }

    private SharedMember sharing(ConsumerSpec spec, String topic, int number, String groupId) {
        synchronized (sharedConsumers) {
            SharedConsumer client = sharedConsumers.get(groupId);
            if (client != null) {
                SharedMember member = new SharedMember(spec, topic, client);
                if (client.add(member)) {
                    return member;
                }
                // The client has ended, or is about to.
            }
            SharedConsumer another = new SharedConsumer(
                    number,
                    groupId,
                    new KafkaConsumer<>(propertiesFor(spec).ofSharedConsumer(number, groupId)),
                    properties.driverCommits(),
                    context());
            SharedMember first = new SharedMember(spec, topic, another);
            another.begin(first);
            sharedConsumers.put(groupId, another);
            return first;
        }
    }

    @Override
    boolean hasJoined(GroupConsumer client) {
        return client.membership() != null;
    }

    @Override
    Set<String> complete(Map<String, List<GroupConsumer>> groups, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<String, ConsumerGroupDescription> known = describe(groups.keySet(), deadline);
        known.values().removeIf(group -> !isComplete(group, groups.getOrDefault(group.groupId(), List.of())));
        return known.keySet();
    }

    private static boolean isComplete(ConsumerGroupDescription group, List<GroupConsumer> clients) {
        if (group.groupState() != GroupState.STABLE) {
            return false;
        }
        Map<String, Set<TopicPartition>> assigned = new HashMap<>();
        Set<TopicPartition> covered = new HashSet<>();
        for (MemberDescription member : group.members()) {
            assigned.put(member.consumerId(), member.assignment().topicPartitions());
            covered.addAll(member.assignment().topicPartitions());
        }
        Map<String, Integer> wanted = new HashMap<>();
        for (GroupConsumer client : clients) {
            wanted.putAll(client.partitionsByTopic());
            Membership membership = client.membership();
            if (membership == null || !membership.partitions().equals(assigned.get(membership.memberId()))) {
                return false;
            }
        }
        return isCovered(wanted, covered);
    }

    /** Returns whether enough partitions of each topic are assigned; an existing topic may have more. */
    private static boolean isCovered(Map<String, Integer> wanted, Set<TopicPartition> covered) {
        Map<String, Integer> found = new HashMap<>();
        covered.forEach(partition -> found.merge(partition.topic(), 1, Integer::sum));
        return wanted.entrySet().stream().allMatch(topic -> found.getOrDefault(topic.getKey(), 0) >= topic.getValue());
    }

    /** Includes the groups of shared clients, which read many topics: each is deleted with the last of its topics. */
    @Override
    Collection<String> groupsOf(Set<String> topics, Collection<String> ids, Deadline deadline)
            throws DriverException, InterruptedException {
        List<String> sharedIds =
                ids.stream().filter(id -> topicOf(id).startsWith(SHARED)).toList();
        Set<String> found = new HashSet<>(super.groupsOf(topics, ids, deadline));
        for (List<String> batch : Batches.ofGroups(shared == null ? List.of() : sharedIds)) {
            describe(batch, deadline).values().stream()
                    .filter(group -> group.members().stream()
                            .flatMap(member -> member.assignment().topicPartitions().stream())
                            .allMatch(partition -> topics.contains(partition.topic())))
                    .forEach(group -> found.add(group.groupId()));
        }
        return found;
    }

    private Map<String, ConsumerGroupDescription> describe(Collection<String> ids, Deadline deadline)
            throws DriverException, InterruptedException {
        DescribeConsumerGroupsOptions options = new DescribeConsumerGroupsOptions().timeoutMs(deadline.leftMs());
        return KafkaCalls.all(
                admin().describeConsumerGroups(ids, options).describedGroups(),
                deadline,
                id -> "describe the consumer group '" + id + "'",
                GroupIdNotFoundException.class);
    }

    @Override
    String removeMembers(Collection<String> groupIds, Deadline deadline) throws DriverException, InterruptedException {
        List<String> ids = describe(groupIds, deadline).values().stream()
                .filter(group -> !group.members().isEmpty())
                .map(ConsumerGroupDescription::groupId)
                .toList();
        Queue<String> refused = new ConcurrentLinkedQueue<>();
        // The client describes each group again before it removes the members, and blocks meanwhile.
        ManyCalls.forEach(CALLS, "remove members of consumer groups", ids, deadline, id -> {
            try {
                removeMembersOf(id, deadline);
            } catch (DriverException e) {
                // A member may have left meanwhile. If Kafka does not permit the removal, the session times out.
                refused.add(String.valueOf(e.getMessage()));
            }
        });
        String why = refused.isEmpty() ? "" : " (" + refused.peek() + ")";
        return "Kafka to drop closed and dead members of consumer groups, of which " + ids.size() + " still have some"
                + why;
    }

    private void removeMembersOf(String id, Deadline deadline) throws DriverException, InterruptedException {
        String attempt = "remove the members of the consumer group '" + id + "'";
        RemoveMembersFromConsumerGroupOptions all = new RemoveMembersFromConsumerGroupOptions();
        all.reason("the run has ended");
        try {
            CALLS.await(
                    attempt,
                    deadline,
                    admin().removeMembersFromConsumerGroup(id, all.timeoutMs(deadline.leftMs()))
                            .all());
        } catch (KafkaException e) {
            throw CALLS.refused(attempt, e);
        }
    }

    @Override
    Map<String, KafkaFuture<Void>> delete(Collection<String> groupIds, int timeoutMs) {
        DeleteConsumerGroupsOptions options = new DeleteConsumerGroupsOptions().timeoutMs(timeoutMs);
        return admin().deleteConsumerGroups(groupIds, options).deletedGroups();
    }
}
