package io.openmessaging.benchmark.faults;

/**
 * Resources that each node of a broker has for itself from its start on, for later faults.
 *
 * @param sockets whether its connections can be distinguished from all others
 * @param relay whether connections to and between nodes go through a relay
 * @param diskBytes size of the file system for its data; 0 for the one of the machine
 */
public record Separation(boolean sockets, boolean relay, long diskBytes) {

    public static final Separation NONE = new Separation(false, false, 0);
}
