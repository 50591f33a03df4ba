package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * A client of a consumer group, in which members share partitions: polls, has messages handed over, commits offsets, and
 * takes part in the group.
 *
 * <p>Between two polls the client's position is always behind the last message handed over, so that committing positions
 * is right at any time.
 */
public abstract class GroupConsumer extends PollingConsumer implements ConsumerRebalanceListener {

    private static final Duration POLL_WHILE_JOINING = Duration.ofMillis(100);

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

    private boolean uncommitted;
    private boolean commitUnderWay;
    private boolean leaving;

    /** The partitions whose positions are fixed and known to the broker; null after a change of the assignment. */
    private @Nullable Set<TopicPartition> settled;

    /**
     * Takes the client over.
     *
     * @param name in the middle of a sentence
     * @param description the subject of a sentence
     * @param groupId the group that the client is configured for
     * @param client of that group
     * @param commits whether to commit offsets, which the client then does not do itself
     */
    GroupConsumer(
            String name,
            String description,
            String groupId,
            Consumer<String, byte[]> client,
            boolean commits,
            DriverContext context) {
        super(name, description, groupId, context);
        this.client = client;
        this.commits = commits;
    }

    // What differs

    /** How many partitions of each topic are read here, by Kafka's name of the topic. */
    public abstract Map<String, Integer> partitionsByTopic();

    /** Hands over what has come; seeks back to what is not handed over, and notes what is. */
    abstract void deliver(ConsumerRecords<String, byte[]> records);

    /** Some partitions are assigned that were not; called from within a poll, whose messages come after it. */
    abstract void assigned(Collection<TopicPartition> partitions);

    /** Some partitions are assigned to others, or to nobody. */
    void revoked(Collection<TopicPartition> partitions) {
        // Nothing is known of them.
    }

    /** Sees to what has changed since the last poll; returns whether more is to change soon. */
    boolean change() {
        return false;
    }

    /** Begins to commit what was handed over since the last time. */
    void beginCommit(OffsetCommitCallback callback) {
        client.commitAsync(callback);
    }

    /** All that was handed over is committed, or is others' affair from now on. */
    void forgetDelivered() {
        // Positions are all there is.
    }

    // What they need for it

    final Consumer<String, byte[]> client() {
        return client;
    }

    /** Something was handed over. */
    final void noteDelivered() {
        uncommitted = true;
    }

    /** The place in the group; null while it is not known, or not to be relied on. */
    public final @Nullable Membership membership() {
        return membership;
    }

    @Override
    final void wakeup() {
        client.wakeup();
    }

    @Override
    final void poll() {
        boolean joining = change() || isAttaching() && settled == null;
        deliver(client.poll(joining ? POLL_WHILE_JOINING : POLL));
        commitDelivered();
        if (isAttaching()) {
            settle();
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
            beginCommit((offsets, error) -> committed(error));
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
                    nothingIsUncommitted();
                } catch (WakeupException e) {
                    woken = true;
                }
            }
        } catch (KafkaException e) {
            nothingIsUncommitted();
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
                nothingIsUncommitted();
                settled = Set.copyOf(assigned);
            }
            membership = new Membership(client.groupMetadata().memberId(), Set.copyOf(assigned));
        } catch (TimeoutException | CommitFailedException | RebalanceInProgressException e) {
            // The group is not stable yet, as is to be expected while consumers join it; the next turn tries again.
            unsettle();
        }
    }

    final void unsettle() {
        settled = null;
        membership = null;
    }

    private void nothingIsUncommitted() {
        uncommitted = false;
        forgetDelivered();
    }

    // Rebalances: called from within poll, and when the group is left

    @Override
    public final void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        unsettle();
        assigned(partitions);
        if (isAttaching()) {
            // Ends the poll that this is part of, so that somebody who waits need not wait for the end of it.
            client.wakeup();
        }
    }

    @Override
    public final void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        unsettle();
        if (commits) {
            commitNow();
        }
        revoked(partitions);
    }

    /** Others have them already, and get again what was not committed; or this consumer is leaving anyway. */
    @Override
    public final void onPartitionsLost(Collection<TopicPartition> partitions) {
        unsettle();
        nothingIsUncommitted();
        revoked(partitions);
        if (!leaving) {
            events().clientError(
                            "partitions lost",
                            new DriverException(description() + " was removed from its group, which continues"));
        }
    }

    // The end

    @Override
    final void leave(boolean failed) {
        leaving = true;
        if (failed) {
            nothingIsUncommitted();
        }
        // In place of a client that commits by itself, too: it would do so only when closed.
        commitNow();
        client.unsubscribe();
    }

    @Override
    final void release() {
        client.close(CloseOptions.timeout(COORDINATOR_LIMIT));
    }
}
