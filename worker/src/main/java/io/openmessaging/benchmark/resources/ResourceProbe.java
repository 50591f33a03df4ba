package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.measure.CollectorWork;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Something that uses resources and can be asked how much. Called by one thread at a time. */
public abstract class ResourceProbe implements AutoCloseable {

    /** Whose resources they are. */
    public enum Role {
        BROKER,
        /** A process that sends and receives. */
        HARNESS,
        /** The process that tells workers elsewhere what to do. */
        COORDINATOR,
        HOST
    }

    private final String name;
    private final Role role;

    ResourceProbe(String name, Role role) {
        this.name = name;
        this.role = role;
    }

    /** What the process or host is called in results, such as {@code kafka-1}. */
    public final String name() {
        return name;
    }

    /** Whose resources they are. */
    public final Role role() {
        return role;
    }

    /**
     * The figures now: levels as they are, counts since whenever they started. What cannot be read is left out; nothing
     * is thrown, and a process that has ended has no figures.
     */
    public abstract EnumMap<Figure, Double> read();

    /**
     * When the figures of the last {@link #read()} were as it says: at the time of that, unless somebody else told them.
     *
     * @param readNs when it was called, by {@link System#nanoTime()}
     */
    long asOfNs(long readNs) {
        return readNs;
    }

    /**
     * What each garbage collector has done since the process began, by its name, as of the last {@link #read()}; empty
     * for what is no JVM, and where it is not known.
     */
    public Map<String, CollectorWork> collectors() {
        return Map.of();
    }

    /** What kept the figures from being read, a sentence for the user; empty if nothing did. */
    public Optional<String> problem() {
        return Optional.empty();
    }

    /** Gives back what the probe holds; it is not read any more. */
    @Override
    public void close() {}
}
