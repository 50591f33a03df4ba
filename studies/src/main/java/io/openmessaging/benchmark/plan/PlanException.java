package io.openmessaging.benchmark.plan;

/** A plan cannot be run, or a folder cannot be resumed. The message has one line for each problem. */
public final class PlanException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Creates an exception with the lines for the user. */
    public PlanException(String message) {
        super(message);
    }
}
