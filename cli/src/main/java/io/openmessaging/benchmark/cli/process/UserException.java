package io.openmessaging.benchmark.cli.process;

/** An error that the user has to fix before anything can run. The message is for the user, without a stack trace. */
public final class UserException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message is printed as is. */
    public UserException(String message) {
        super(message);
    }
}
