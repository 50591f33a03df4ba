package io.openmessaging.benchmark.plan;

/** A plan that cannot be run, or a folder that cannot be gone on with. The message has one line for each problem. */
public final class PlanException extends Exception {

    private static final long serialVersionUID = 1L;

    /** With the lines for the user. */
    public PlanException(String message) {
        super(message);
    }
}
