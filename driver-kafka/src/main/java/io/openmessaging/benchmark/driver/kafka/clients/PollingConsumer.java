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
 * A client of a consumer group with a thread that polls, the only one that uses the client, but for {@link #wakeup()}.
 * What the control thread wants is done between two polls.
 */
public abstract class PollingConsumer {

    /** Longer than the client takes to commit and to leave its group when nobody answers. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);

    /** A wish of the control thread ends a poll early, so a long one costs nothing and spares idle consumers work. */
    static final Duration POLL = Duration.ofSeconds(1);

    /** For one call to the group's coordinator. */
    static final Duration COORDINATOR_LIMIT = Duration.ofSeconds(3);

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

    private final String name;
    private final String groupId;
    private final String description;
    private final DriverEvents events;
    private final Duration timeout;

    /** What the polling thread is to do between two polls. */
    private record Wish(Runnable step, CompletableFuture<Void> done) {}

    private final Queue<Wish> wishes = new ConcurrentLinkedQueue<>();

    private final CountDownLatch closing = new CountDownLatch(1);

    /** Complete when nothing is delivered any more and the group is left. */
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    /** Complete when the client is closed, which is the last that the polling thread does. */
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    private volatile boolean attaching = true;
    private volatile @Nullable DriverException failure;

    /** When a row of errors becomes a fatal one; null after a poll without an error. Of the polling thread. */
    private @Nullable Deadline failing;

    /**
     * Without its thread, which {@link #start()} starts.
     *
     * @param name in the middle of a sentence, such as {@code consumer 7}
     * @param description the subject of a sentence, up to its verb
     * @param groupId the group that the client is configured for
     */
    PollingConsumer(String name, String description, String groupId, DriverContext context) {
        this.name = name;
        this.description = description;
        this.groupId = groupId;
        this.events = context.events();
        this.timeout = context.timeout();
    }

    /** Starts to join the group; the last that a constructor does. */
    final void start() {
        KafkaCalls.THREADS.daemon(this::run, "kafka-" + name.replace(' ', '-')).start();
    }

    // What the client of each kind does; all but the first on the polling thread

    /** Ends a poll, or the next one if there is none. May be called by any thread. */
    abstract void wakeup();

    /** Begins to join the group. */
    abstract void subscribe();

    /** Polls once and hands over what has come. */
    abstract void poll();

    /**
     * Leaves the group.
     *
     * @param failed whether an error is the reason, so that nothing is to be acknowledged any more
     */
    abstract void leave(boolean failed);

    /** Closes the client. */
    abstract void release();

    // What they need for it

    final DriverEvents events() {
        return events;
    }

    final String description() {
        return description;
    }

    /** Whether nothing more is to be handed over. */
    final boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** Whether it is not known yet that all consumers are attached. */
    final boolean isAttaching() {
        return attaching;
    }

    // The control thread

    /** The group that it joins. */
    public final String groupId() {
        return groupId;
    }

    /** Throws why the consumer has ended by itself, if it has. */
    public final void throwIfFailed() throws DriverException {
        DriverException cause = failure;
        if (cause != null) {
            throw cause;
        }
    }

    /** To be called once all consumers are attached: from now on a failure ends the run. */
    public final void endAttaching() throws DriverException {
        attaching = false;
        throwIfFailed();
    }

    /** Others join in, so that not all are attached any more. */
    final void beginAttaching() {
        attaching = true;
    }

    /**
     * Waits until the polling thread has done something, or has ended, which it may have by itself.
     *
     * @param what follows the name in a sentence, such as {@code to pause}
     */
    final void ask(String what, Runnable step) throws DriverException, InterruptedException {
        Wish wish = new Wish(step, new CompletableFuture<>());
        wishes.add(wish);
        wakeup();
        Deadline deadline = Deadline.in(timeout);
        try {
            CompletableFuture.anyOf(wish.done(), left).get(deadline.leftNs(), TimeUnit.NANOSECONDS);
        } catch (java.util.concurrent.TimeoutException | ExecutionException e) {
            // Said below.
        }
        if (!wish.done().isDone()) {
            throwIfFailed();
            throw deadline.missed(name + " " + what, null);
        }
    }

    /** Returns once the group is left; the client is released after that, which {@link #awaitReleased} waits for. */
    public void close() throws DriverException {
        end();
        Deadline deadline = Deadline.in(CLOSE_LIMIT);
        // An interrupt does not end the wait, which is short: while the thread runs, the listener may be called.
        if (!deadline.awaitEnd(left)) {
            throw deadline.missed(name + " to leave its group", null);
        }
    }

    /** Asks the polling thread to end, and does not wait for it. */
    public void end() {
        closing.countDown();
        wakeup();
    }

    /** Waits for a consumer that was closed; returns whether its client is released. */
    public final boolean awaitReleased(Deadline deadline) {
        return deadline.awaitEnd(released);
    }

    // The polling thread

    /** Returns once it is to end, or after an error that cannot be survived. Closes the client. */
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
            // Takes as long as a fetch that is under way, which nobody has to wait for.
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
            // The control thread wants something: the next turn sees what.
        } catch (KafkaException e) {
            survive(e);
        }
    }

    private void grantWishes() {
        // One that fails is tried again in the next turn.
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
