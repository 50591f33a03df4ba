package io.openmessaging.benchmark.broker;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a local broker can never start on this machine as it is: a program that it needs is missing or does not
 * run. A retry is useless until somebody does what the message says.
 */
public class BrokerUnavailableException extends LocalBrokerException {

    private static final long serialVersionUID = 1L;

    /** Sets the cause, if there is one. */
    public BrokerUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
