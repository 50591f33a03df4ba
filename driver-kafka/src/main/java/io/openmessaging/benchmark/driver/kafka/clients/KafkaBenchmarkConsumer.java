package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a consumer group: polls, hands messages over, commits offsets, and takes part in the group.
 *
 * <p>Between two polls the client's position is always behind the last message handed over, so that committing positions
 * is right at any time.
 */
public final class KafkaBenchmarkConsumer extends PollingConsumer implements ConsumerRebalanceListener {

    private static final Duration POLL_WHILE_JOINING = Duration.ofMillis(100);

    private final String topicName;

    /** The run's: a topic that was there before may have more. */
    private final int partitions;

    private final Consumer<String, byte[]> client;
    private final boolean commits;

    /**
     * What a consumer knows of its place in its group.
     *
     * @param memberId by which the broker knows it
     * @param partitions those assigned to it, with a position fixed in each of them; may be none
     */
    public record Membership(String memberId, Set<TopicPartition> partitions) {}

    private volatile @Nullable Membership membership;

    // Of the polling thread.

    private boolean paused;
    private boolean uncommitted;
    private boolean commitUnderWay;
    private boolean leaving;

    /** The partitions whose positions are fixed and known to the broker; null after a change of the assignment. */
    private @Nullable Set<TopicPartition> settled;

    /**
     * Takes the client over and starts the thread, which begins to join the group.
     *
     * @param topicName what Kafka calls the topic
     * @param groupId the group that the client is configured for
     * @param commits whether to commit offsets, which the client then does not do itself
     */
    public KafkaBenchmarkConsumer(
            ConsumerSpec spec,
            String topicName,
            String groupId,
            Consumer<String, byte[]> client,
            boolean commits,
            DriverContext context) {
        super(spec, groupId, context);
        this.topicName = topicName;
        this.partitions = spec.topic().partitions();
        this.client = client;
        this.commits = commits;
        start();
    }

    /** The place in the group; null while it is not known, or not to be relied on. */
    public @Nullable Membership membership() {
        return membership;
    }

    @Override
    void wakeup() {
        client.wakeup();
    }

    @Override
    void subscribe() {
        client.subscribe(List.of(topicName), this);
    }

    @Override
    void poll() {
        deliver(client.poll(isAttaching() && settled == null ? POLL_WHILE_JOINING : POLL));
        commitDelivered();
        if (isAttaching()) {
            settle();
        }
    }

    @Override
    void applyPause(boolean wanted) {
        if (wanted) {
            client.pause(client.assignment());
        } else {
            client.resume(client.assignment());
        }
        paused = wanted;
    }

    private void deliver(ConsumerRecords<String, byte[]> records) {
        Set<TopicPartition> givenBack = new HashSet<>();
        for (ConsumerRecord<String, byte[]> message : records) {
            if (isClosing()) {
                // A slow listener would keep the group waiting. Whoever reads on begins with the first that is left.
                TopicPartition partition = new TopicPartition(message.topic(), message.partition());
                if (givenBack.add(partition)) {
                    client.seek(partition, message.offset());
                }
                continue;
            }
            if (message.partition() < partitions) {
                listener().received(message.key(), message.value(), message.partition());
            }
            uncommitted = true;
        }
    }

    /** At most one commit is under way at a time: under load, each covers all that was delivered meanwhile. */
    private void commitDelivered() {
        if (!commits || !uncommitted || commitUnderWay) {
            return;
        }
        uncommitted = false;
        commitUnderWay = true;
        try {
            client.commitAsync((offsets, error) -> committed(error));
        } catch (RuntimeException e) {
            // The callback is not called then, and whoever catches this reports it.
            commitUnderWay = false;
            uncommitted = true;
            throw e;
        }
    }

    private void committed(@Nullable Exception error) {
        commitUnderWay = false;
        if (error != null) {
            uncommitted = true;
            events().clientError("offset commit", error);
        }
    }

    /** So that a consumer that takes over begins where this one has stopped. */
    private void commitNow() {
        boolean woken = false;
        try {
            while (uncommitted) {
                try {
                    client.commitSync(COORDINATOR_LIMIT);
                    uncommitted = false;
                } catch (WakeupException e) {
                    woken = true;
                }
            }
        } catch (KafkaException e) {
            uncommitted = false;
            events().clientError("offset commit", e);
        }
        if (woken) {
            // It was meant to end a poll.
            client.wakeup();
        }
    }

    /**
     * Fixes where reading begins in newly assigned partitions, for this consumer and for any that takes them over:
     * with {@code auto.offset.reset=latest} a message sent from now on would be passed over otherwise.
     */
    private void settle() {
        Set<TopicPartition> assigned = client.assignment();
        try {
            if (!assigned.equals(settled)) {
                for (TopicPartition partition : assigned) {
                    client.position(partition, COORDINATOR_LIMIT);
                }
                client.commitSync(COORDINATOR_LIMIT);
                uncommitted = false;
                settled = Set.copyOf(assigned);
            }
            membership = new Membership(client.groupMetadata().memberId(), Set.copyOf(assigned));
        } catch (TimeoutException | CommitFailedException | RebalanceInProgressException e) {
            // The group is not stable yet, as is to be expected while consumers join it; the next turn tries again.
            unsettle();
        }
    }

    private void unsettle() {
        settled = null;
        membership = null;
    }

    // Rebalances: called from within poll, and when the group is left

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        unsettle();
        if (paused) {
            client.pause(partitions);
        }
        if (isAttaching()) {
            // Ends the poll that this is part of, so that somebody who waits need not wait for the end of it.
            client.wakeup();
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        unsettle();
        if (commits) {
            commitNow();
        }
    }

    /** Others have them already, and get again what was not committed; or this consumer is leaving anyway. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        unsettle();
        uncommitted = false;
        if (!leaving) {
            events().clientError(
                            "partitions lost",
                            new DriverException(description() + " was put out of its group, which goes on"));
        }
    }

    // The end

    @Override
    void leave(boolean failed) {
        leaving = true;
        if (failed) {
            uncommitted = false;
        }
        // In place of a client that commits by itself, too: it would do so only when closed.
        commitNow();
        client.unsubscribe();
    }

    @Override
    void release() {
        client.close(CloseOptions.timeout(COORDINATOR_LIMIT));
    }
}
