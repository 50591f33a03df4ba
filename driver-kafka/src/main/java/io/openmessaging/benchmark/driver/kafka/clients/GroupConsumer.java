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
 * A client of a consumer group, in which members share partitions: polls, hands messages over, commits offsets, and
 * takes part in the group.
 *
 * <p>Between two polls, the client's position is always just after the last message handed over, so it is safe to
 * commit positions at any time.
 */
public abstract class GroupConsumer extends PollingConsumer implements ConsumerRebalanceListener {

    private static final Duration POLL_WHILE_JOINING = Duration.ofMillis(100);

    private final Consumer<String, byte[]> client;
    private final boolean commits;

    /**
     * A consumer's place in its group.
     *
     * @param memberId id under which the broker knows it
     * @param partitions assigned partitions, each with a fixed position; may be empty
     */
    public record Membership(String memberId, Set<TopicPartition> partitions) {}

    private volatile @Nullable Membership membership;

    // Used by the polling thread.

    private boolean uncommitted;
    private boolean commitUnderWay;
    private boolean leaving;

    /** The partitions whose positions are fixed and known to the broker; null after a change of the assignment. */
    private @Nullable Set<TopicPartition> settled;

    /**
     * Takes ownership of the client.
     *
     * @param name the name for the middle of a sentence
     * @param description subject of a sentence
     * @param groupId group that the client is configured for
     * @param client the client in that group
     * @param commits true to commit offsets here; the client then does not commit by itself
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

    // Differences between clients

    /** Number of partitions that are read here, by Kafka's name of the topic. */
    public abstract Map<String, Integer> partitionsByTopic();

    /** Hands over received messages, records which were handed over, and seeks back to the others. */
    abstract void deliver(ConsumerRecords<String, byte[]> records);

    /** Handles newly assigned partitions; called during a poll, before it returns their messages. */
    abstract void assigned(Collection<TopicPartition> partitions);

    /** Handles partitions that were assigned to others or to no one. */
    void revoked(Collection<TopicPartition> partitions) {
        // No state to drop.
    }

    /** Applies changes since the last poll; returns whether more changes are due soon. */
    boolean change() {
        return false;
    }

    /** Starts to commit the messages handed over since the last commit. */
    void beginCommit(OffsetCommitCallback callback) {
        client.commitAsync(callback);
    }

    /** Drops commit state: everything handed over is committed, or other consumers are now responsible for it. */
    void forgetDelivered() {
        // Positions are the only state.
    }

    // Services for subclasses

    final Consumer<String, byte[]> client() {
        return client;
    }

    /** Notes that a message was handed over. */
    final void noteDelivered() {
        uncommitted = true;
    }

    /** Place in the group; null while it is unknown or unreliable. */
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

    /** At most one commit is under way at a time: under load, each covers everything delivered since the last one. */
    private void commitDelivered() {
        if (!commits || !uncommitted || commitUnderWay) {
            return;
        }
        uncommitted = false;
        commitUnderWay = true;
        try {
            beginCommit((offsets, error) -> committed(error));
        } catch (RuntimeException e) {
            // The callback is not called in this case; the code that catches the exception reports it.
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

    /** Commits now, so that a consumer that takes over starts where this one stopped. */
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
            // The wakeup was meant to end a poll.
            client.wakeup();
        }
    }

    /**
     * Fixes the start positions in newly assigned partitions, for this consumer and for any that takes them over.
     * Otherwise, with {@code auto.offset.reset=latest}, messages sent from now on would be skipped.
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
            // The group is not stable yet, as expected while consumers join it; the next turn tries again.
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

    // Rebalances: called during a poll, and on leaving the group

    @Override
    public final void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        unsettle();
        assigned(partitions);
        if (isAttaching()) {
            // Ends the current poll, so that waiting for the attachment does not take as long as the poll.
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

    /**
     * Others already own the partitions and receive again what was not committed; or this consumer is leaving anyway.
     */
    @Override
    public final void onPartitionsLost(Collection<TopicPartition> partitions) {
        unsettle();
        nothingIsUncommitted();
        revoked(partitions);
        if (!leaving) {
            events().clientError(
                            "partitions lost",
                            new DriverException(
                                    description() + " was removed from its group, which continues without it"));
        }
    }

    // Closing

    @Override
    final void leave(boolean failed) {
        leaving = true;
        if (failed) {
            nothingIsUncommitted();
        }
        // Also for a client that commits by itself: it would commit only when closed.
        commitNow();
        client.unsubscribe();
    }

    @Override
    final void release() {
        client.close(CloseOptions.timeout(COORDINATOR_LIMIT));
    }
}
