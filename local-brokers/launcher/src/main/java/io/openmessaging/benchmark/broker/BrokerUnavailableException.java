package io.openmessaging.benchmark.broker;

import org.jspecify.annotations.Nullable;

/**
 * A local broker can never be started on this machine as it is: a program that it needs is not there or does not run.
 * Trying again is of no use before somebody has done what the message says.
 */
public class BrokerUnavailableException extends LocalBrokerException {

    private static final long serialVersionUID = 1L;

    /** With the cause, where there is one. */
    public BrokerUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
