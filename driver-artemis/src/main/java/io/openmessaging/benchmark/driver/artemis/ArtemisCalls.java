package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.DriverThreads;
import io.openmessaging.benchmark.driver.Outstanding;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.jspecify.annotations.Nullable;

/** Calls to Artemis, and the translation of its errors. */
final class ArtemisCalls {

    static final DriverThreads THREADS = DriverThreads.of(ArtemisCalls.class);

    static final Calls CALLS = new Calls("artemis", THREADS, ArtemisCalls::reason);

    /** Limit for the end of a session, and for answers that arrived but were not passed on. */
    static final Duration RELEASE_LIMIT = Duration.ofSeconds(3);

    private ArtemisCalls() {}

    /**
     * Runs an action on a thread of its own and waits for it. An interrupt does not shorten the wait, and stays set.
     *
     * @return true if the action ended within the limit
     */
    static boolean runWithin(Duration limit, Runnable action) {
        Executor thread = task -> THREADS.daemon(task, "artemis-close").start();
        return Deadline.in(limit).awaitEnd(CompletableFuture.runAsync(action, thread));
    }

    /**
     * Ends the session of a producer that sends no more: once all messages are answered, the timeout passes, or the
     * thread is interrupted. The end of the session answers the remaining messages.
     *
     * @param end ends the session within a limit, so that unanswered messages then fail
     */
    static void closeAfterAnswers(
            Outstanding outstanding, Duration timeout, Consumer<Duration> end, Duration releaseLimit)
            throws DriverException {
        Deadline.in(timeout).awaitUnlessInterrupted(outstanding.none());
        end.accept(releaseLimit);
        Deadline.in(releaseLimit).awaitEnd(outstanding.none());
        if (outstanding.count() > 0) {
            throw new DriverException("Waited " + releaseLimit.toMillis() + " ms after the end of a session for "
                    + outstanding.count() + " answers from the client");
        }
    }

    /** Detects interrupts: the client wraps them, sometimes twice, and clears the thread's status. */
    static void throwIfInterrupted(Throwable error) throws InterruptedException {
        for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptedException || cause instanceof ActiveMQInterruptedException) {
                throw (InterruptedException)
                        new InterruptedException("Interrupted in a call to Artemis.").initCause(error);
            }
        }
    }

    /**
     * Handles the failure of a send.
     *
     * @param failed answers the message
     * @param withdraw takes the message back unless it is answered, and returns whether it was not
     * @throws InterruptedException if an interrupt ended the send, and the message is taken back
     */
    static void refused(Exception error, Consumer<Exception> failed, BooleanSupplier withdraw)
            throws InterruptedException {
        try {
            throwIfInterrupted(error);
            failed.accept(error);
        } catch (InterruptedException e) {
            if (withdraw.getAsBoolean()) {
                throw e;
            }
            // The answer came first: the message was sent, and the interrupt is for the next one.
            Thread.currentThread().interrupt();
        }
    }

    /** Artemis' own message. */
    static String reason(Throwable error) {
        Throwable innermost = error;
        // Wrappers say only that there is a cause.
        while (!(innermost instanceof ActiveMQException) && innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return Calls.message(innermost);
    }
}
