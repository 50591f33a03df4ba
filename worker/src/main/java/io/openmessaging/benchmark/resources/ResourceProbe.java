package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.measure.CollectorWork;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** A probe that reads the resource usage of something. Called by one thread at a time. */
public abstract class ResourceProbe implements AutoCloseable {

    /** The owner of the resources. */
    public enum Role {
        BROKER,
        /** A process that sends and receives. */
        HARNESS,
        /** The process that controls workers elsewhere. */
        COORDINATOR,
        HOST
    }

    private final String name;
    private final Role role;

    ResourceProbe(String name, Role role) {
        this.name = name;
        this.role = role;
    }

    /** Returns the name of the process or host in results, such as {@code kafka-1}. */
    public final String name() {
        return name;
    }

    /** Returns the owner of the resources. */
    public final Role role() {
        return role;
    }

    /**
     * Reads the current figures: levels as they are, counts since they started. Figures that cannot be read are left
     * out; the method throws no exception, and a process that has ended has no figures.
     */
    public abstract EnumMap<Figure, Double> read();

    /**
     * Returns the time at which the figures of the last {@link #read()} were valid: the time of the call, unless
     * another process reported them.
     *
     * @param readNs when it was called, by {@link System#nanoTime()}
     */
    long asOfNs(long readNs) {
        return readNs;
    }

    /**
     * Returns the work of each garbage collector since the process started, by collector name, as of the last {@link
     * #read()}; empty if it is not a JVM, or the work is not known.
     */
    public Map<String, CollectorWork> collectors() {
        return Map.of();
    }

    /** Returns the reason why figures could not be read, a sentence for the user; empty if there is none. */
    public Optional<String> problem() {
        return Optional.empty();
    }

    /** Releases the probe's resources; it must not be read afterwards. */
    @Override
    public void close() {}
}
