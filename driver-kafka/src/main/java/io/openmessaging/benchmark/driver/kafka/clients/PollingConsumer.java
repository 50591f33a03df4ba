package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.GroupMaxSizeReachedException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidGroupIdException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.UnsupportedAssignorException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * A client of a group and its polling thread, the only thread that uses the client, except for {@link #wakeup()}. The
 * thread executes requests of the control thread between two polls.
 */
public abstract class PollingConsumer {

    /** Longer than the client takes to commit and to leave its group when no broker answers. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);

    /** A request of the control thread ends a poll early, so a long one costs nothing and saves idle consumers work. */
    static final Duration POLL = Duration.ofSeconds(1);

    /** Limit for one call to the group's coordinator. */
    static final Duration COORDINATOR_LIMIT = Duration.ofSeconds(3);

    /** Errors that the next poll would only repeat. */
    private static final List<Class<? extends KafkaException>> NOT_SURVIVED = List.of(
            ConfigException.class,
            FencedInstanceIdException.class,
            GroupMaxSizeReachedException.class,
            InconsistentGroupProtocolException.class,
            InterruptException.class,
            // Errors of logins, permissions, topic names and versions are of this kind.
            InvalidConfigurationException.class,
            InvalidGroupIdException.class,
            InvalidOffsetException.class,
            InvalidSessionTimeoutException.class,
            UnsupportedAssignorException.class);

    private final String name;
    private final String groupId;
    private final String description;
    private final DriverEvents events;
    private final Duration timeout;

    /** A request that the polling thread executes between two polls. */
    private record Wish(Runnable step, CompletableFuture<Void> done) {}

    private final Queue<Wish> wishes = new ConcurrentLinkedQueue<>();

    private final CountDownLatch closing = new CountDownLatch(1);

    /** Complete once nothing is delivered any more and the group is left. */
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    /** Complete once the client is closed, the polling thread's last action. */
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    private volatile boolean attaching = true;
    private volatile @Nullable DriverException failure;

    /** When a series of errors becomes fatal; null after a poll without an error. Used by the polling thread. */
    private @Nullable Deadline failing;

    /**
     * Does not start the thread; {@link #start()} does.
     *
     * @param name the name for the middle of a sentence, such as {@code consumer 7}
     * @param description subject of a sentence, up to its verb
     * @param groupId group that the client is configured for
     */
    PollingConsumer(String name, String description, String groupId, DriverContext context) {
        this.name = name;
        this.description = description;
        this.groupId = groupId;
        this.events = context.events();
        this.timeout = context.timeout();
    }

    /** Starts the thread, which joins the group; the last statement of a constructor. */
    final void start() {
        KafkaCalls.THREADS.daemon(this::run, "kafka-" + name.replace(' ', '-')).start();
    }

    // Differences between clients; all but the first method run on the polling thread

    /** Ends the current poll, or else the next one. May be called by any thread. */
    abstract void wakeup();

    /** Starts to join the group. */
    abstract void subscribe();

    /** Polls once and hands over received messages. */
    abstract void poll();

    /**
     * Leaves the group.
     *
     * @param failed true if an error is the reason, so that nothing may be acknowledged any more
     */
    abstract void leave(boolean failed);

    abstract void release();

    // Services for subclasses

    final DriverEvents events() {
        return events;
    }

    final String description() {
        return description;
    }

    /** Returns whether no more messages may be handed over. */
    final boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** Returns whether some consumers may not be attached yet. */
    final boolean isAttaching() {
        return attaching;
    }

    // Control thread

    /** The group that this client joins. */
    public final String groupId() {
        return groupId;
    }

    /** Throws the reason if the consumer has ended by itself. */
    public final void throwIfFailed() throws DriverException {
        DriverException cause = failure;
        if (cause != null) {
            throw cause;
        }
    }

    /** Called once all consumers are attached: from now on, a failure ends the run. */
    public final void endAttaching() throws DriverException {
        attaching = false;
        throwIfFailed();
    }

    /** Called when other consumers join, so that not all are attached any more. */
    final void beginAttaching() {
        attaching = true;
    }

    /**
     * Waits until the polling thread has executed a step. It may also have ended by itself.
     *
     * @param what continuation of the name in a sentence, such as {@code to pause}
     */
    final void ask(String what, Runnable step) throws DriverException, InterruptedException {
        Wish wish = new Wish(step, new CompletableFuture<>());
        wishes.add(wish);
        wakeup();
        Deadline deadline = Deadline.in(timeout);
        try {
            CompletableFuture.anyOf(wish.done(), left).get(deadline.leftNs(), TimeUnit.NANOSECONDS);
        } catch (java.util.concurrent.TimeoutException | ExecutionException e) {
            // Reported below.
        }
        if (!wish.done().isDone()) {
            throwIfFailed();
            throw deadline.missed(name + " " + what, null);
        }
    }

    /** Returns once the group is left; the client is released later, see {@link #awaitReleased}. */
    public void close() throws DriverException {
        end();
        Deadline deadline = Deadline.in(CLOSE_LIMIT);
        // An interrupt does not end this short wait: while the thread runs, it may call the listener.
        if (!deadline.awaitEnd(left)) {
            throw deadline.missed(name + " to leave its group", null);
        }
    }

    /** Requests the end of the polling thread, without waiting for it. */
    public void end() {
        closing.countDown();
        wakeup();
    }

    /** Waits for a closed consumer; returns whether its client is released. */
    public final boolean awaitReleased(Deadline deadline) {
        return deadline.awaitEnd(released);
    }

    // Polling thread

    /** Runs until the end is requested or a fatal error occurs. Closes the client. */
    private void run() {
        try {
            subscribe();
            while (!isClosing()) {
                turn();
            }
        } catch (RuntimeException | InterruptedException | Error e) {
            fail(e);
        } finally {
            attempt("consumer leave", () -> leave(failure != null));
            left.complete(null);
            // Takes as long as a fetch that is under way; no one has to wait for that.
            attempt("consumer close", this::release);
            released.complete(null);
        }
    }

    private void turn() throws InterruptedException {
        try {
            grantWishes();
            poll();
            failing = null;
        } catch (WakeupException e) {
            // The control thread has a request: the next turn handles it.
        } catch (KafkaException e) {
            survive(e);
        }
    }

    private void grantWishes() {
        // A failed request is retried in the next turn.
        for (Wish wish = wishes.peek(); wish != null; wish = wishes.peek()) {
            wish.step().run();
            wish.done().complete(null);
            wishes.remove();
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
        DriverException ours =
                new DriverException(description + " cannot continue: " + KafkaCalls.reason(cause), cause);
        failure = ours;
        if (!attaching && !isClosing()) {
            events.fatal(ours);
        }
    }

    private void attempt(String kind, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            events.clientError(kind, e);
        }
    }
}
