package io.openmessaging.benchmark.faults;

/**
 * What each node of a broker gets of its own when it is started, for faults that come later.
 *
 * @param sockets whether its connections can be told from all others
 * @param relay whether connections to and between nodes go through a relay
 * @param diskBytes the size of the file system for its data; 0 if that is the one of the machine
 */
public record Separation(boolean sockets, boolean relay, long diskBytes) {

    /** Nothing. */
    public static final Separation NONE = new Separation(false, false, 0);
}
