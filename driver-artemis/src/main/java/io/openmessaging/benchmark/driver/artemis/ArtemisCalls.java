package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.DriverThreads;
import io.openmessaging.benchmark.driver.Outstanding;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.jspecify.annotations.Nullable;

/** How this driver asks Artemis, and what it makes of its errors. */
final class ArtemisCalls {

    static final DriverThreads THREADS = DriverThreads.of(ArtemisCalls.class);

    static final Calls CALLS = new Calls("artemis", THREADS, ArtemisCalls::reason);

    /** For the end of a session, and for answers that have come but have not been passed on. */
    static final Duration RELEASE_LIMIT = Duration.ofSeconds(3);

    private ArtemisCalls() {}

    /**
     * Runs an action on a thread of its own and waits for it, not hurried by an interrupt, which stays set.
     *
     * @return whether it has ended within the limit
     */
    static boolean runWithin(Duration limit, Runnable action) {
        Executor thread = task -> THREADS.daemon(task, "artemis-close").start();
        return Deadline.in(limit).awaitEnd(CompletableFuture.runAsync(action, thread));
    }

    /**
     * Ends the session of a producer that sends no more: once all is answered, or the time is over, or the thread is
     * interrupted. The session's end answers what is left.
     *
     * @param end ends the session within a limit, so that what is without an answer then fails
     */
    static void closeAfterAnswers(
            Outstanding outstanding, Duration timeout, Consumer<Duration> end, Duration releaseLimit)
            throws DriverException {
        Deadline.in(timeout).awaitUnlessInterrupted(outstanding.none());
        end.accept(releaseLimit);
        Deadline.in(releaseLimit).awaitEnd(outstanding.none());
        if (outstanding.count() > 0) {
            throw new DriverException("Waited " + releaseLimit.toMillis() + " ms after the end of a session for "
                    + outstanding.count() + " answers of the client");
        }
    }

    /** The client wraps an interrupt, sometimes twice, and clears the thread's status. */
    static void throwIfInterrupted(Throwable error) throws InterruptedException {
        for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptedException || cause instanceof ActiveMQInterruptedException) {
                throw (InterruptedException)
                        new InterruptedException("Interrupted in a call to Artemis.").initCause(error);
            }
        }
    }

    /** Artemis' own words. */
    static String reason(Throwable error) {
        Throwable innermost = error;
        // What wraps says only that there is a cause.
        while (!(innermost instanceof ActiveMQException) && innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return innermost.getMessage() == null ? innermost.getClass().getSimpleName() : innermost.getMessage();
    }
}
