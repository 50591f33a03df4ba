package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.driver.DriverException;
import org.jspecify.annotations.Nullable;

/** A worker cannot be used. The message names it, gives the reason, and says what to do if anything can be done. */
public final class WorkerException extends DriverException {

    private static final long serialVersionUID = 1L;

    WorkerException(String message) {
        super(message);
    }

    WorkerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
