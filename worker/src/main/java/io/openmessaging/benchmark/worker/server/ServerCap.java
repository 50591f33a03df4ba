package io.openmessaging.benchmark.worker.server;

/** What anybody can use of a worker's server. The numbers are this project's own; nothing that a run does comes near them. */
public enum ServerCap {

    /** The largest body of a request that belongs to no session, in bytes. */
    STRANGER_BODY_BYTES(16 * 1024, 1024),

    /** The largest body of one that does, in bytes. */
    BODY_BYTES(64 * 1024 * 1024, 1024),

    /** How long a connection may be silent, in milliseconds. */
    IDLE_MS(30_000, 100),

    /**
     * How long a connection may take for a whole request, in milliseconds, counted from when it was opened or had its last
     * answer: whoever sends a byte now and then is not silent.
     */
    REQUEST_MS(30_000, 100),

    /** How many connections there may be at a time. */
    CONNECTIONS(128, 4),

    /** How many threads serve them; none of them waits for a step. */
    THREADS(16, 4),

    /** How long a step may take before it is answered by how far it is, in milliseconds. */
    ANSWER_MS(1000, 1);

    private final int byDefault;
    private final int least;

    ServerCap(int byDefault, int least) {
        this.byDefault = byDefault;
        this.least = least;
    }

    /** What applies unless something else is asked for. */
    public int byDefault() {
        return byDefault;
    }

    /** With less it would not serve anybody. */
    public int least() {
        return least;
    }
}
