package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.driver.DriverException;
import org.jspecify.annotations.Nullable;

/** A worker cannot be used. The message names it, gives the reason, and says what to do if anything can be done. */
public final class WorkerException extends DriverException {

    private static final long serialVersionUID = 1L;

    private final boolean mayPass;

    WorkerException(String message) {
        this(message, null, false);
    }

    /** @param mayPass see {@link #mayPass} */
    WorkerException(String message, @Nullable Throwable cause, boolean mayPass) {
        super(message, cause);
        this.mayPass = mayPass;
    }

    /** Returns whether the same request may succeed later: workers are busy or away, and nothing else is wrong. */
    public boolean mayPass() {
        return mayPass;
    }
}
