package io.openmessaging.benchmark.fleet;

/** The workers cannot be used as requested. The message is for the user, a line for each problem. */
public final class FleetException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean mayPass;

    FleetException(String message) {
        this(message, false);
    }

    /** @param mayPass see {@link #mayPass} */
    FleetException(String message, boolean mayPass) {
        super(message);
        this.mayPass = mayPass;
    }

    /**
     * Returns whether the same request may succeed later: workers are busy or away, or do not start, but nothing is
     * wrong with the request.
     */
    public boolean mayPass() {
        return mayPass;
    }

    /** Returns the message without the program's name, with which each of its lines starts. */
    public String reasons() {
        return String.valueOf(getMessage()).replaceAll("(?m)^benchmark: ", "");
    }
}
