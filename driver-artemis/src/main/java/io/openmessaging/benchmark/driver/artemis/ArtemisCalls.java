package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.jspecify.annotations.Nullable;

/** How this driver asks Artemis, and what it makes of its errors. */
final class ArtemisCalls {

    static final DriverThreads THREADS = DriverThreads.of(ArtemisCalls.class);

    static final Calls CALLS = new Calls("artemis", THREADS, ArtemisCalls::reason);

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

    /** The client wraps an interrupt, sometimes twice, and clears the thread's status. */
    static void throwIfInterrupted(Throwable error) throws InterruptedException {
        for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptedException || cause instanceof ActiveMQInterruptedException) {
                InterruptedException interrupted = new InterruptedException("Interrupted in a call to Artemis.");
                interrupted.initCause(error);
                throw interrupted;
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
