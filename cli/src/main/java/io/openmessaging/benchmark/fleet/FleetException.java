package io.openmessaging.benchmark.fleet;

/** Workers cannot be used as asked. The message is for the user, a line for each problem. */
public final class FleetException extends Exception {

    private static final long serialVersionUID = 1L;

    FleetException(String message) {
        super(message);
    }
}
