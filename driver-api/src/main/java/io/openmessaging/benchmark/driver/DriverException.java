package io.openmessaging.benchmark.driver;

import org.jspecify.annotations.Nullable;

/**
 * The system or its client refused, failed or did not answer in time. The message is a sentence for the user: what was
 * attempted, on what, and the system's own reason.
 */
public class DriverException extends Exception {

    private static final long serialVersionUID = 1L;

    /** An error detected by the driver itself. */
    public DriverException(String message) {
        super(message);
    }

    /** An error of the client library. */
    public DriverException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
