package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls;
import io.openmessaging.benchmark.driver.kafka.clients.ShareBenchmarkConsumer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DeleteShareGroupsOptions;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeShareGroupsOptions;
import org.apache.kafka.clients.admin.ShareGroupDescription;
import org.apache.kafka.clients.admin.ShareMemberDescription;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** Subscriptions whose consumers share the messages of their topic one by one. */
final class ShareGroups extends Subscriptions<ShareBenchmarkConsumer> {

    private final ClientProperties properties;

    /** Settings of each group. They belong to the group, not to the client. */
    private final Map<String, String> settings = new HashMap<>();

    ShareGroups(Admin admin, ClientProperties properties, DriverContext context) {
        super(admin, properties.groupPrefix(), context);
        this.properties = properties;
        // A group starts to read when its consumers first fetch, by default at the end, and would skip messages sent
        // just before. The topics of a run are new, so the start of the topic is right.
        settings.put("share.auto.offset.reset", "earliest");
        if (properties.transactional()) {
            settings.put("share.isolation.level", "read_committed");
        }
    }

    @Override
    CreatedConsumer<ShareBenchmarkConsumer> consumer(ConsumerSpec spec, String groupId) {
        Map<String, Object> ofClient = properties.ofConsumer(spec.id(), groupId);
        ShareBenchmarkConsumer consumer =
                new ShareBenchmarkConsumer(spec, groupId, () -> new KafkaShareConsumer<>(ofClient), context());
        return new CreatedConsumer<>(consumer, consumer);
    }

    /** A client does not report whether it is a member. */
    @Override
    boolean hasJoined(ShareBenchmarkConsumer consumer) {
        return true;
    }

    @Override
    void prepare(Collection<String> groupIds, Deadline deadline) throws DriverException, InterruptedException {
        alter(groupIds, AlterConfigOp.OpType.SET, deadline);
        // The controller has answered, but brokers apply it later. Consumers that fetch before that start at the end.
        deadline.await(
                PAUSE_BETWEEN_LOOKS,
                () -> areSet(groupIds, deadline),
                () -> settings + " to take effect for share groups");
    }

    private boolean areSet(Collection<String> groupIds, Deadline deadline)
            throws DriverException, InterruptedException {
        DescribeConfigsOptions options = new DescribeConfigsOptions().timeoutMs(deadline.leftMs());
        Map<ConfigResource, Config> known = KafkaCalls.CALLS.await(
                "read the settings of share groups",
                deadline,
                admin().describeConfigs(
                                groupIds.stream().map(ShareGroups::resource).toList(), options)
                        .all());
        return known.values().stream()
                .allMatch(config -> settings.entrySet().stream().allMatch(setting -> {
                    ConfigEntry entry = config.get(setting.getKey());
                    return entry != null && setting.getValue().equals(entry.value());
                }));
    }

    private static ConfigResource resource(String groupId) {
        return new ConfigResource(ConfigResource.Type.GROUP, groupId);
    }

    @Override
    void forget(Collection<String> groupIds, Deadline deadline) throws DriverException, InterruptedException {
        alter(groupIds, AlterConfigOp.OpType.DELETE, deadline);
    }

    private void alter(Collection<String> groupIds, AlterConfigOp.OpType operation, Deadline deadline)
            throws DriverException, InterruptedException {
        List<AlterConfigOp> each = settings.entrySet().stream()
                .map(setting -> new AlterConfigOp(new ConfigEntry(setting.getKey(), setting.getValue()), operation))
                .toList();
        Map<ConfigResource, Collection<AlterConfigOp>> changes =
                groupIds.stream().collect(Collectors.toMap(ShareGroups::resource, id -> each));
        AlterConfigsOptions options = new AlterConfigsOptions().timeoutMs(deadline.leftMs());
        KafkaCalls.CALLS.await(
                "set " + settings + " for share groups",
                deadline,
                admin().incrementalAlterConfigs(changes, options).all());
    }

    @Override
    Set<String> complete(Map<String, List<ShareBenchmarkConsumer>> groups, Deadline deadline)
            throws DriverException, InterruptedException {
        DescribeShareGroupsOptions options = new DescribeShareGroupsOptions().timeoutMs(deadline.leftMs());
        Map<String, ShareGroupDescription> known = KafkaCalls.all(
                admin().describeShareGroups(groups.keySet(), options).describedGroups(),
                deadline,
                id -> "describe the share group '" + id + "'",
                GroupIdNotFoundException.class);
        known.values().removeIf(group -> !isComplete(group, groups.getOrDefault(group.groupId(), List.of())));
        return known.keySet();
    }

    /** Counts members by client id, which may be the same for all. */
    private boolean isComplete(ShareGroupDescription group, List<ShareBenchmarkConsumer> consumers) {
        if (group.groupState() != GroupState.STABLE) {
            return false;
        }
        Set<TopicPartition> covered = new HashSet<>();
        Map<String, Long> attached = new HashMap<>();
        for (ShareMemberDescription member : group.members()) {
            Set<TopicPartition> partitions = member.assignment().topicPartitions();
            covered.addAll(partitions);
            if (!partitions.isEmpty()) {
                attached.merge(member.clientId(), 1L, Long::sum);
            }
        }
        Map<String, Long> wanted = consumers.stream()
                .map(consumer -> properties.ofConsumer(consumer.spec().id(), group.groupId()))
                .map(client -> String.valueOf(client.get(CommonClientConfigs.CLIENT_ID_CONFIG)))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return covered.size() == consumers.get(0).spec().topic().partitions()
                && wanted.entrySet().stream()
                        .allMatch(client -> attached.getOrDefault(client.getKey(), 0L) >= client.getValue());
    }

    /** Kafka has no request that removes members of share groups. */
    @Override
    String removeMembers(Collection<String> groupIds, Deadline deadline) {
        return "Kafka to drop the members of share groups whose clients died: their sessions time out, after 45 s unless"
                + " the broker's group.share.session.timeout.ms says otherwise";
    }

    @Override
    Map<String, KafkaFuture<Void>> delete(Collection<String> groupIds, int timeoutMs) {
        DeleteShareGroupsOptions options = new DeleteShareGroupsOptions().timeoutMs(timeoutMs);
        return admin().deleteShareGroups(groupIds, options).deletedGroups();
    }
}
