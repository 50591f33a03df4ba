package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.body.Connection;
import org.apache.rocketmq.remoting.protocol.body.ConsumerConnection;
import org.apache.rocketmq.remoting.protocol.heartbeat.SubscriptionData;
import org.jspecify.annotations.Nullable;

/**
 * Waits for remoting consumers to be attached: each of them is in its group, reads exactly the queues that fall to it in
 * that group, and every broker knows. Members of the group on other workers count, too.
 */
final class GroupAttachment {

    private static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofMillis(20);

    private final Cluster cluster;
    private final AllocateMessageQueueStrategy strategy = new AllocateMessageQueueAveragely();

    GroupAttachment(Cluster cluster) {
        this.cluster = cluster;
    }

    void await(List<RemotingConsumer> consumers, Deadline deadline) throws DriverException, InterruptedException {
        Map<String, List<RemotingConsumer>> groups = new LinkedHashMap<>();
        consumers.forEach(consumer -> groups.computeIfAbsent(consumer.group(), group -> new ArrayList<>())
                .add(consumer));
        for (List<RemotingConsumer> group : groups.values()) {
            awaitGroup(group, deadline);
        }
    }

    private void awaitGroup(List<RemotingConsumer> consumers, Deadline deadline)
            throws DriverException, InterruptedException {
        RemotingConsumer first = consumers.get(0);
        deadline.await(
                PAUSE_BETWEEN_LOOKS,
                () -> isAttached(consumers, deadline),
                () -> "the consumers of the group '" + first.group() + "' to be attached: "
                        + consumers.stream().mapToInt(c -> c.assigned().size()).sum() + " of "
                        + first.queues().count() + " queues are assigned to them");
    }

    private boolean isAttached(List<RemotingConsumer> consumers, Deadline deadline)
            throws DriverException, InterruptedException {
        RemotingConsumer first = consumers.get(0);
        for (MessageQueue oneOfBroker : first.queues().oneOfEachBroker()) {
            Optional<ConsumerConnection> group = cluster.group(first.group(), oneOfBroker, deadline);
            if (group.isEmpty() || !isAttached(consumers, group.get())) {
                return false;
            }
        }
        return true;
    }

    private boolean isAttached(List<RemotingConsumer> consumers, ConsumerConnection group) {
        List<String> members = group.getConnectionSet().stream()
                .map(Connection::getClientId)
                .sorted()
                .toList();
        boolean attached = true;
        for (RemotingConsumer consumer : consumers) {
            if (!members.contains(consumer.clientId())) {
                attached = false;
            } else if (!due(consumer, members).equals(consumer.assigned())) {
                consumer.rebalance();
                attached = false;
            } else if (consumer.subscriptionVersion() > knownVersion(consumer, group)) {
                // The client tells a broker of a change at once, unless it happens to be telling it something else;
                // then only half a minute later, until when the broker gives it no messages.
                consumer.sendHeartbeat();
                attached = false;
            }
        }
        return attached;
    }

    private Set<MessageQueue> due(RemotingConsumer consumer, List<String> members) {
        Collection<MessageQueue> due = strategy.allocate(
                consumer.group(), consumer.clientId(), consumer.queues().all(), members);
        return Set.copyOf(due);
    }

    private static long knownVersion(RemotingConsumer consumer, ConsumerConnection group) {
        @Nullable SubscriptionData known = group.getSubscriptionTable().get(consumer.topic());
        return known == null ? -1 : known.getSubVersion();
    }
}
