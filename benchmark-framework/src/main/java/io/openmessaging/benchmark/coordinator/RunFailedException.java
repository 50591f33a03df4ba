package io.openmessaging.benchmark.coordinator;

import org.jspecify.annotations.Nullable;

/** The run cannot go on. The message is a sentence for the user. */
final class RunFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    RunFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
