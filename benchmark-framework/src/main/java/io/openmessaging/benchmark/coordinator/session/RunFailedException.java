package io.openmessaging.benchmark.coordinator;

/** The run cannot go on. The message is a sentence for the user. */
final class RunFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    RunFailedException(String message) {
        super(message);
    }
}
