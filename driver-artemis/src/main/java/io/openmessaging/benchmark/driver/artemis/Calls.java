package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.jspecify.annotations.Nullable;

/** Calls the client and puts its errors into sentences and into the exceptions of the SPI. */
final class Calls {

    private Calls() {}

    /** A call whose result matters. */
    interface Call<T> {
        T call() throws Exception;
    }

    /** A call without a result. */
    interface Action {
        void run() throws Exception;
    }

    /**
     * Makes a call.
     *
     * @param attempt what is attempted, so that "Could not " may stand before it
     * @throws DriverException with the client's reason
     */
    static <T> T get(String attempt, Call<T> call) throws DriverException, InterruptedException {
        try {
            return call.call();
        } catch (DriverException e) {
            throw e;
        } catch (Exception e) {
            throwIfInterrupted(e);
            throw new DriverException("Could not " + attempt + ": " + reason(e), e);
        }
    }

    /** The same for a call without a result. */
    static void run(String attempt, Action action) throws DriverException, InterruptedException {
        get(attempt, () -> {
            action.run();
            return true;
        });
    }

    /** Calls with a deadline, before each of which it is asked. */
    static void run(String attempt, Deadline deadline, Action action) throws DriverException, InterruptedException {
        if (deadline.hasPassed()) {
            throw new DriverException(
                    "Could not " + attempt + ": " + deadline.limit().toMillis() + " ms are over");
        }
        run(attempt, action);
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
