package io.openmessaging.benchmark.worker.server;

import java.util.Locale;

/** Limits on what anybody can use of a worker's server. The numbers are this project's own; no run comes near them. */
public enum ServerCap {

    /** Largest body of a request without a session, in bytes. */
    STRANGER_BODY_BYTES(16 * 1024, 1024),

    /** Largest body of a request with a session, in bytes. */
    BODY_BYTES(64 * 1024 * 1024, 1024),

    /** Time for which a connection may be silent, in milliseconds. */
    IDLE_MS(30_000, 100),

    /**
     * Time that a connection may take for a complete request, in milliseconds, counted from its opening or its last
     * answer: a client that sends a byte now and then is not silent.
     */
    REQUEST_MS(30_000, 100),

    /** Largest number of simultaneous connections. */
    CONNECTIONS(128, 4),

    /** Number of threads that serve connections; none of them waits for a step. */
    THREADS(16, 4),

    /** Time that a step may take before the server answers with its progress, in milliseconds. */
    ANSWER_MS(1000, 1);

    private final int byDefault;
    private final int least;

    ServerCap(int byDefault, int least) {
        this.byDefault = byDefault;
        this.least = least;
    }

    /** The default value. */
    public int byDefault() {
        return byDefault;
    }

    /** The minimum: with less, the server could not serve anybody. */
    public int least() {
        return least;
    }

    /** The name used in the option and in messages. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
