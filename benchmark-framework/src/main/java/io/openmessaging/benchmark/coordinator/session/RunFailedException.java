package io.openmessaging.benchmark.coordinator.session;

/** Thrown if the run cannot continue. The message is a sentence for the user. */
public final class RunFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    public RunFailedException(String message) {
        super(message);
    }
}
