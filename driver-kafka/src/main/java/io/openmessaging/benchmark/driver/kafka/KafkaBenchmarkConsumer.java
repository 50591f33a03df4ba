package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.GroupMaxSizeReachedException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidGroupIdException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedAssignorException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * One Kafka consumer and its thread, which polls, hands messages over, commits offsets, and takes part in the group: the
 * only thread that uses the client, but for {@link Consumer#wakeup()}.
 *
 * <p>Between two polls the client's position is always behind the last message handed over, so that committing positions
 * is right at any time.
 */
final class KafkaBenchmarkConsumer implements BenchmarkConsumer, ConsumerRebalanceListener {

    /** Longer than the client takes to commit and to leave its group when nobody answers. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    /** A wish of the control thread ends a poll early, so a long one costs nothing and spares idle consumers work. */
    private static final Duration POLL = Duration.ofSeconds(1);

    private static final Duration POLL_WHILE_JOINING = Duration.ofMillis(100);
    private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);

    /** For one call to the group's coordinator. */
    private static final Duration COORDINATOR_LIMIT = Duration.ofSeconds(3);

    /** Errors that the next poll would only meet again. */
    private static final List<Class<? extends KafkaException>> NOT_SURVIVED = List.of(
            ConfigException.class,
            FencedInstanceIdException.class,
            GroupMaxSizeReachedException.class,
            InconsistentGroupProtocolException.class,
            InterruptException.class,
            // Errors of logins, rights, names of topics and versions are of this kind.
            InvalidConfigurationException.class,
            InvalidGroupIdException.class,
            InvalidOffsetException.class,
            InvalidSessionTimeoutException.class,
            UnsupportedAssignorException.class);

    private final Consumer<String, byte[]> client;
    private final ConsumerSpec spec;
    private final String groupId;
    private final String description;
    private final MessageListener listener;
    private final DriverEvents events;
    private final Duration timeout;
    private final boolean commits;

    // What the control thread wants, and what it is told.

    /**
     * What a consumer knows of its place in its group.
     *
     * @param memberId by which the broker knows it
     * @param partitions those assigned to it, with a position fixed in each of them; may be none
     */
    record Membership(String memberId, Set<TopicPartition> partitions) {}

    /** A pause that is to begin or to end. */
    private record PauseChange(boolean wanted, CompletableFuture<Void> done) {}

    private final CountDownLatch closing = new CountDownLatch(1);

    /** Complete when nothing is delivered any more and the group is left. */
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    /** Complete when the client is closed, which is the last that the polling thread does. */
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    private volatile PauseChange pauseChange = new PauseChange(false, CompletableFuture.completedFuture(null));
    private volatile boolean attaching = true;
    private volatile @Nullable Membership membership;
    private volatile @Nullable DriverException failure;

    // Of the polling thread.

    private boolean paused;
    private boolean uncommitted;
    private boolean commitUnderWay;
    private boolean leaving;

    /** The partitions whose positions are fixed and known to the broker; null after a change of the assignment. */
    private @Nullable Set<TopicPartition> settled;

    /** When a row of errors becomes a fatal one; null after a poll without an error. */
    private @Nullable Deadline failing;

    /**
     * Takes the client over and starts the thread, which begins to join the group.
     *
     * @param groupId the group that the client is configured for
     * @param commits whether to commit offsets, which the client then does not do itself
     */
    KafkaBenchmarkConsumer(
            ConsumerSpec spec,
            String groupId,
            Consumer<String, byte[]> client,
            boolean commits,
            DriverContext context) {
        this.client = client;
        this.spec = spec;
        this.groupId = groupId;
        this.description = "Consumer " + spec.id() + " of topic '"
                + spec.topic().name() + "', subscription '" + spec.subscription() + "',";
        this.listener = spec.listener();
        this.events = context.events();
        this.timeout = context.timeout();
        this.commits = commits;
        KafkaCalls.THREADS.daemon(this::run, "kafka-consumer-" + spec.id()).start();
    }

    // The control thread

    String groupId() {
        return groupId;
    }

    TopicSpec topic() {
        return spec.topic();
    }

    /** The place in the group; null while it is not known, or not to be relied on. */
    @Nullable
    Membership membership() {
        return membership;
    }

    /** Throws why the consumer has ended by itself, if it has. */
    void throwIfFailed() throws DriverException {
        DriverException cause = failure;
        if (cause != null) {
            throw cause;
        }
    }

    /** To be called once all consumers are attached: from now on a failure ends the run. */
    void endAttaching() throws DriverException {
        attaching = false;
        throwIfFailed();
    }

    @Override
    public void pause() throws DriverException, InterruptedException {
        change(true, "pause");
    }

    @Override
    public void resume() throws DriverException, InterruptedException {
        change(false, "resume");
    }

    /** Waits until the thread has done it, or has ended, which it may have by itself. */
    private void change(boolean pauses, String what) throws DriverException, InterruptedException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        pauseChange = new PauseChange(pauses, done);
        client.wakeup();
        Deadline deadline = Deadline.in(timeout);
        try {
            CompletableFuture.anyOf(done, left).get(deadline.leftNs(), TimeUnit.NANOSECONDS);
        } catch (java.util.concurrent.TimeoutException | ExecutionException e) {
            // Said below.
        }
        if (!done.isDone()) {
            throwIfFailed();
            throw deadline.missed("consumer " + spec.id() + " to " + what, null);
        }
    }

    /** Returns once the group is left; the client is released after that, which {@link #awaitReleased} waits for. */
    @Override
    public void close() throws DriverException {
        end();
        Deadline deadline = Deadline.in(CLOSE_LIMIT);
        // An interrupt does not end the wait, which is short: while the thread runs, the listener may be called.
        if (!deadline.awaitEnd(left)) {
            throw deadline.missed("consumer " + spec.id() + " to leave its group", null);
        }
    }

    /** Asks the polling thread to end. */
    private void end() {
        closing.countDown();
        client.wakeup();
    }

    /** Waits for a consumer that was closed; returns whether its client is released. */
    boolean awaitReleased(Deadline deadline) {
        return deadline.awaitEnd(released);
    }

    /** Closes many in the time of one; a failure to close is added to the error that is the reason for it. */
    static void closeAll(List<KafkaBenchmarkConsumer> consumers, Throwable reason) {
        consumers.forEach(KafkaBenchmarkConsumer::end);
        for (KafkaBenchmarkConsumer consumer : consumers) {
            try {
                consumer.close();
            } catch (DriverException e) {
                reason.addSuppressed(e);
            }
        }
    }

    // The polling thread

    /** Returns once it is to end, or after an error that cannot be survived. Closes the client. */
    private void run() {
        try {
            client.subscribe(List.of(spec.topic().name()), this);
            while (closing.getCount() > 0) {
                turn();
            }
        } catch (RuntimeException | InterruptedException | Error e) {
            fail(e);
        } finally {
            attempt("consumer leave", this::leave);
            left.complete(null);
            // Takes as long as a fetch that is under way, which nobody has to wait for.
            attempt("consumer close", () -> client.close(CloseOptions.timeout(COORDINATOR_LIMIT)));
            released.complete(null);
        }
    }

    private void turn() throws InterruptedException {
        try {
            applyPause();
            deliver(client.poll(attaching && settled == null ? POLL_WHILE_JOINING : POLL));
            commitDelivered();
            if (attaching) {
                settle();
            }
            failing = null;
        } catch (WakeupException e) {
            // The control thread wants something: the next turn sees what.
        } catch (KafkaException e) {
            survive(e);
        }
    }

    private void applyPause() {
        PauseChange change = pauseChange;
        if (change.done().isDone()) {
            return;
        }
        if (change.wanted()) {
            client.pause(client.assignment());
        } else {
            client.resume(client.assignment());
        }
        paused = change.wanted();
        change.done().complete(null);
    }

    private void deliver(ConsumerRecords<String, byte[]> records) {
        Set<TopicPartition> givenBack = new HashSet<>();
        for (ConsumerRecord<String, byte[]> message : records) {
            if (closing.getCount() == 0) {
                // A slow listener would keep the group waiting. Whoever reads on begins with the first that is left.
                TopicPartition partition = new TopicPartition(message.topic(), message.partition());
                if (givenBack.add(partition)) {
                    client.seek(partition, message.offset());
                }
                continue;
            }
            listener.received(message.key(), message.value(), message.partition());
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
            events.clientError("offset commit", error);
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
            events.clientError("offset commit", e);
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
        if (attaching) {
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
            events.clientError(
                    "partitions lost", new DriverException(description + " was put out of its group, which goes on"));
        }
    }

    // Errors

    private void survive(KafkaException error) throws InterruptedException {
        if (!canBeSurvived(error)) {
            throw error;
        }
        events.clientError("consumer poll", error);
        if (failing == null) {
            failing = Deadline.in(timeout);
        } else if (failing.hasPassed()) {
            throw error;
        }
        closing.await(PAUSE_AFTER_ERROR.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static boolean canBeSurvived(Throwable error) {
        Throwable cause = error.getCause();
        return NOT_SURVIVED.stream().noneMatch(type -> type.isInstance(error))
                && (cause == null || canBeSurvived(cause));
    }

    private void fail(Throwable cause) {
        uncommitted = false;
        DriverException ours = new DriverException(description + " cannot go on: " + KafkaCalls.reason(cause), cause);
        failure = ours;
        if (!attaching && closing.getCount() > 0) {
            events.fatal(ours);
        }
    }

    private void leave() {
        leaving = true;
        // In place of a client that commits by itself, too: it would do so only when closed.
        commitNow();
        client.unsubscribe();
    }

    private void attempt(String kind, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            events.clientError(kind, e);
        }
    }
}
