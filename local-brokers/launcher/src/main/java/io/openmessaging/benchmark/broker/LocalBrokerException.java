package io.openmessaging.benchmark.broker;

import org.jspecify.annotations.Nullable;

/** A local broker could not be started. The message is a sentence for the user, with what to do about it. */
public class LocalBrokerException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Without a cause. */
    public LocalBrokerException(String message) {
        super(message);
    }

    /** With the cause, where there is one. */
    public LocalBrokerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
