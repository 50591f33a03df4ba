package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.DriverThreads;
import java.util.concurrent.CancellationException;

/** Threads and calls of the driver. */
final class NatsCalls {

    /** Daemon threads that see the driver's classes. */
    static final DriverThreads THREADS = DriverThreads.of(NatsCalls.class);

    /** Runs calls with a deadline, and words failures with {@link #reason}. */
    static final Calls CALLS = new Calls("nats", THREADS, NatsCalls::reason);

    private NatsCalls() {}

    /** Returns the messages of the error and its causes, each once. */
    static String reason(Throwable error) {
        StringBuilder reason = new StringBuilder();
        for (Throwable next = error; next != null; next = next.getCause()) {
            String message = next instanceof CancellationException
                    ? "the connection was lost before the answer"
                    : next.getMessage() == null ? next.getClass().getSimpleName() : next.getMessage();
            boolean repeats =
                    next.getCause() != null && message.equals(next.getCause().toString());
            if (!repeats && reason.indexOf(message) < 0) {
                reason.append(reason.length() == 0 ? "" : ": ").append(message);
            }
        }
        return reason.toString();
    }
}
