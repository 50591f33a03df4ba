package io.openmessaging.benchmark.fleet;

/** The workers cannot be used as requested. The message is for the user, a line for each problem. */
public final class FleetException extends Exception {

    private static final long serialVersionUID = 1L;

    FleetException(String message) {
        super(message);
    }

    /** Returns the message without the program's name, with which each of its lines starts. */
    public String reasons() {
        return String.valueOf(getMessage()).replaceAll("(?m)^benchmark: ", "");
    }
}
