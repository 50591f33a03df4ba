package io.openmessaging.benchmark.cli.process;

/** An error that ends the command before anything runs. The message is for the user, without a stack trace. */
public final class UserException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** Creates an exception for bad input, whose message is printed as is. */
    public UserException(String message) {
        this(message, ExitCode.BAD_INPUT);
    }

    /**
     * Creates an exception whose message is printed as is.
     *
     * @param exitCode an {@link ExitCode}
     */
    public UserException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Returns the exit code of the process. */
    public int exitCode() {
        return exitCode;
    }
}
