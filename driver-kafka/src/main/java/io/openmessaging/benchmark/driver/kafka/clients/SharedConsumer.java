package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;

/**
 * A client that reads many topics for one subscription. It distributes the assigned partitions of a topic among its
 * consumers of that topic, and ends with the last consumer.
 */
public final class SharedConsumer extends GroupConsumer {

    /** Each change of the topics makes the group assign all partitions again, so further changes wait. */
    private static final Duration BETWEEN_SUBSCRIPTIONS = Duration.ofMillis(200);

    /** By Kafka's name of their topic. Guarded by this object's lock, as is {@code ending}. */
    private final Map<String, List<SharedMember>> members = new HashMap<>();

    private boolean ending;

    /** True if members were added, removed, paused or resumed. */
    private volatile boolean changed;

    // Used by the polling thread.

    private Set<String> subscribed = Set.of();
    private Deadline nextSubscription = Deadline.in(Duration.ZERO);
    private Map<TopicPartition, SharedMember> owners = Map.of();

    /** Offsets to commit, after the last message handed over; without those of a commit under way. */
    private Map<TopicPartition, OffsetAndMetadata> delivered = new HashMap<>();

    /**
     * Takes ownership of the client. The thread starts with the first consumer.
     *
     * @param number the number of the client, for its name
     * @param groupId group that the client is configured for
     * @param commits true to commit offsets here; the client then does not commit by itself
     */
    public SharedConsumer(
            int number, String groupId, Consumer<String, byte[]> client, boolean commits, DriverContext context) {
        super(
                "shared consumer " + number,
                "The consumers' shared client " + number + " of group '" + groupId + "'",
                groupId,
                client,
                commits,
                context);
    }

    // Threads that create and close consumers

    /** Starts the thread, with the first consumer. */
    public synchronized void begin(SharedMember first) {
        members.put(first.topicName(), new ArrayList<>(List.of(first)));
        changed = true;
        start();
    }

    /** Adds a consumer; returns false if the client is about to end. */
    public synchronized boolean add(SharedMember member) {
        if (ending || isClosing()) {
            return false;
        }
        members.computeIfAbsent(member.topicName(), topic -> new ArrayList<>()).add(member);
        beginAttaching();
        changed = true;
        wakeup();
        return true;
    }

    /** Removes a consumer; ends with the last one. Does not wait. */
    void remove(SharedMember member) {
        synchronized (this) {
            List<SharedMember> ofTopic = members.get(member.topicName());
            if (ofTopic == null || !ofTopic.remove(member)) {
                return;
            }
            if (ofTopic.isEmpty()) {
                members.remove(member.topicName());
            }
            ending = members.isEmpty();
            // Takes effect after the next poll, which is soon enough: messages until then are not handed over.
            changed = true;
        }
        if (isEnding()) {
            end();
        }
    }

    private synchronized boolean isEnding() {
        return ending;
    }

    /** Waits for the end if that was the last consumer. */
    void awaitEnd() throws DriverException {
        if (isEnding()) {
            close();
        }
    }

    /** Makes the polling thread apply a pause or resume. */
    void noteChange() throws DriverException {
        throwIfFailed();
        changed = true;
        wakeup();
    }

    @Override
    public synchronized Map<String, Integer> partitionsByTopic() {
        Map<String, Integer> partitions = new HashMap<>();
        members.forEach((topic, ofTopic) -> partitions.put(topic, ofTopic.get(0).partitions()));
        return partitions;
    }

    private synchronized List<SharedMember> membersOf(String topic) {
        return List.copyOf(members.getOrDefault(topic, List.of()));
    }

    // Polling thread

    @Override
    void subscribe() {
        change();
    }

    @Override
    boolean change() {
        if (changed) {
            changed = false;
            Set<String> topics = partitionsByTopic().keySet();
            if (!topics.isEmpty() && !topics.equals(subscribed)) {
                if (nextSubscription.hasPassed()) {
                    client().subscribe(topics, this);
                    subscribed = new HashSet<>(topics);
                    nextSubscription = Deadline.in(BETWEEN_SUBSCRIPTIONS);
                    unsettle();
                } else {
                    changed = true;
                }
            }
            dealOut();
        }
        return changed;
    }

    /**
     * Gives each assigned partition to a consumer of its topic; pauses partitions whose messages no one may receive.
     */
    private void dealOut() {
        Map<String, List<TopicPartition>> assigned = new HashMap<>();
        for (TopicPartition partition : client().assignment()) {
            assigned.computeIfAbsent(partition.topic(), topic -> new ArrayList<>())
                    .add(partition);
        }
        Map<TopicPartition, SharedMember> dealt = new HashMap<>();
        Set<TopicPartition> paused = new HashSet<>();
        assigned.forEach((topic, partitions) -> {
            List<SharedMember> ofTopic = membersOf(topic);
            partitions.sort(Comparator.comparingInt(TopicPartition::partition));
            for (int i = 0; i < partitions.size(); i++) {
                SharedMember owner = ofTopic.isEmpty() ? null : ofTopic.get(i % ofTopic.size());
                if (owner == null || owner.isPaused()) {
                    paused.add(partitions.get(i));
                }
                if (owner != null) {
                    dealt.put(partitions.get(i), owner);
                }
            }
        });
        owners = dealt;
        Set<TopicPartition> others = new HashSet<>(client().assignment());
        others.removeAll(paused);
        client().pause(paused);
        client().resume(others);
    }

    @Override
    void assigned(Collection<TopicPartition> partitions) {
        dealOut();
    }

    @Override
    void deliver(ConsumerRecords<String, byte[]> records) {
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<String, byte[]>> messages = records.records(partition);
            SharedMember owner = owners.get(partition);
            int taken = owner == null || isClosing() ? 0 : owner.deliver(messages);
            if (taken < messages.size()) {
                // The next reader starts at the first message that is left.
                client().seek(partition, messages.get(taken).offset());
            }
            if (taken > 0) {
                ConsumerRecord<String, byte[]> last = messages.get(taken - 1);
                delivered.put(partition, new OffsetAndMetadata(last.offset() + 1, last.leaderEpoch(), ""));
                noteDelivered();
            }
        }
    }

    /** Commits only partitions with new messages: a commit of all positions would cover thousands each time. */
    @Override
    void beginCommit(OffsetCommitCallback callback) {
        Map<TopicPartition, OffsetAndMetadata> offsets = delivered;
        delivered = new HashMap<>();
        try {
            client().commitAsync(offsets, (committed, error) -> {
                if (error != null) {
                    takeBack(offsets);
                }
                callback.onComplete(committed, error);
            });
        } catch (RuntimeException e) {
            takeBack(offsets);
            throw e;
        }
    }

    /** Keeps offsets for the next commit, except those of partitions that others read by now. */
    private void takeBack(Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((partition, offset) -> {
            if (owners.containsKey(partition)) {
                delivered.putIfAbsent(partition, offset);
            }
        });
    }

    /** Called after a commit of all positions, and before partitions are given up. */
    @Override
    void forgetDelivered() {
        delivered.clear();
    }

    @Override
    void revoked(Collection<TopicPartition> partitions) {
        Map<TopicPartition, SharedMember> left = new HashMap<>(owners);
        left.keySet().removeAll(partitions);
        owners = left;
    }
}
