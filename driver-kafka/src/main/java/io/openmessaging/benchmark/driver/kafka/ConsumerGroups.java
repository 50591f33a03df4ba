package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaBenchmarkConsumer;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaBenchmarkConsumer.Membership;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DeleteConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** Subscriptions whose consumers share the partitions of their topic. */
final class ConsumerGroups extends Subscriptions<KafkaBenchmarkConsumer> {

    private final ClientProperties properties;
    private final TopicNames names;

    ConsumerGroups(Admin admin, ClientProperties properties, TopicNames names, int batchSize, DriverContext context) {
        super(admin, properties.groupPrefix(), batchSize, context);
        this.properties = properties;
        this.names = names;
    }

    @Override
    KafkaBenchmarkConsumer consumer(ConsumerSpec spec, String groupId) throws DriverException {
        String topic = names.of(spec.topic()).name();
        Consumer<String, byte[]> client = new KafkaConsumer<>(properties.ofConsumer(spec.id(), groupId));
        return new KafkaBenchmarkConsumer(spec, topic, groupId, client, properties.driverCommits(), context());
    }

    @Override
    boolean hasJoined(KafkaBenchmarkConsumer consumer) {
        return consumer.membership() != null;
    }

    @Override
    void prepare(Collection<String> groupIds, Deadline deadline) {
        // The client's settings say it all.
    }

    @Override
    Set<String> complete(Map<String, List<KafkaBenchmarkConsumer>> groups, Deadline deadline)
            throws DriverException, InterruptedException {
        DescribeConsumerGroupsOptions options = new DescribeConsumerGroupsOptions().timeoutMs(deadline.leftMs());
        Map<String, ConsumerGroupDescription> known = KafkaCalls.all(
                admin().describeConsumerGroups(groups.keySet(), options).describedGroups(),
                deadline,
                id -> "describe the consumer group '" + id + "'",
                GroupIdNotFoundException.class);
        known.values().removeIf(group -> !isComplete(group, groups.getOrDefault(group.groupId(), List.of())));
        return known.keySet();
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
            Membership membership = consumer.membership();
            if (membership == null || !membership.partitions().equals(assigned.get(membership.memberId()))) {
                return false;
            }
        }
        return covered.size() >= consumers.get(0).topic().partitions();
    }

    @Override
    Map<String, KafkaFuture<Void>> delete(Collection<String> groupIds, int timeoutMs) {
        DeleteConsumerGroupsOptions options = new DeleteConsumerGroupsOptions().timeoutMs(timeoutMs);
        return admin().deleteConsumerGroups(groupIds, options).deletedGroups();
    }

    @Override
    void forget(Collection<String> groupIds, Deadline deadline) {
        // There are no settings of groups.
    }
}
