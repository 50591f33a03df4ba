package io.openmessaging.benchmark.broker;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a local broker cannot be started, or one of its nodes cannot be controlled. The message is a sentence for
 * the user, with advice.
 */
public class LocalBrokerException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Creates an exception without a cause. */
    public LocalBrokerException(String message) {
        super(message);
    }

    /** Sets the cause, if there is one. */
    public LocalBrokerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
