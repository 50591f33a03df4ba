package io.openmessaging.benchmark.cli.process;

/** Something that the user has to put right before anything can run. The message is for the user, without a stack trace. */
public final class UserException extends Exception {

    private static final long serialVersionUID = 1L;

    /** One that is to be told as it is. */
    public UserException(String message) {
        super(message);
    }
}
