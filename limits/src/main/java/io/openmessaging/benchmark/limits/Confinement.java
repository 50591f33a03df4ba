package io.openmessaging.benchmark.limits;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A limit and how it is enforced on this machine. Creating one changes nothing; {@link #open} makes a group of
 * processes within the limit.
 *
 * @param enforcement how the limit is enforced
 * @param mechanisms makes the groups; null if nothing is limited
 * @param fromTheEnd whether whole processors are taken from the last one on, different ones each time, instead of from
 *     the first
 */
public record Confinement(Enforcement enforcement, @Nullable LimitMechanisms mechanisms, boolean fromTheEnd) {

    /** Limits nothing. */
    public static final Confinement NONE = new Confinement(Enforcement.NONE, null, true);

    /** A JVM needs memory besides its heap: connection buffers, code, threads. */
    private static final int MEMORY_TO_HEAP = 2;

    /** Type of a process to limit. */
    public enum ProcessType {
        /** Its heap can be limited separately. */
        JVM,
        NATIVE,
        /** The process represents a container, which the engine limits. */
        CONTAINER
    }

    /**
     * Returns the confinement of each process of a broker that will be started.
     *
     * @param limit of each of them
     */
    public static Confinement ofBroker(ProcessLimit limit, ProcessType kind, LimitMechanisms mechanisms) {
        if (limit.isNone()) {
            return NONE;
        }
        if (kind == ProcessType.CONTAINER) {
            Mechanism cpus = limit.cpus() == null ? null : Mechanism.CONTAINER;
            Mechanism memory = limit.memoryBytes() == null ? null : Mechanism.CONTAINER;
            return new Confinement(new Enforcement(limit, cpus, memory, List.of()), mechanisms, true);
        }
        List<String> notEnforced = new ArrayList<>();
        Mechanism cpus = cpus(limit, mechanisms, notEnforced);
        Mechanism memory = null;
        if (limit.memoryBytes() != null) {
            memory = mechanisms.forMemory().orElse(kind == ProcessType.JVM ? Mechanism.HEAP : null);
            if (memory == Mechanism.HEAP) {
                notEnforced.add(
                        "only the heap is limited, not the other memory of a JVM, since " + mechanisms.whyNoGroup());
            } else if (memory == null) {
                notEnforced.add("memory is not limited, since " + mechanisms.whyNoGroup());
            }
        }
        return new Confinement(new Enforcement(limit, cpus, memory, notEnforced), mechanisms, true);
    }

    /**
     * Returns the confinement of this process, which already runs.
     *
     * @param maxHeapBytes the largest heap of this JVM: a limit that leaves no room besides it would kill the JVM, and
     *     is not enforced
     */
    public static Confinement ofThisProcess(ProcessLimit limit, LimitMechanisms mechanisms, long maxHeapBytes) {
        if (limit.isNone()) {
            return NONE;
        }
        List<String> notEnforced = new ArrayList<>();
        Mechanism cpus = cpus(limit, mechanisms, notEnforced);
        Long bytes = limit.memoryBytes();
        Mechanism memory = null;
        if (bytes != null && maxHeapBytes > bytes / MEMORY_TO_HEAP) {
            notEnforced.add("memory is not limited, since this process may use a heap of "
                    + ProcessLimit.memoryText(maxHeapBytes) + ", more than half the limit: start it with HEAP_OPTS=-Xmx"
                    + ProcessLimit.memoryText(bytes / MEMORY_TO_HEAP));
        } else if (bytes != null) {
            memory = mechanisms.forMemory().orElse(Mechanism.HEAP);
            notEnforced.add(
                    memory == Mechanism.HEAP
                            ? "only the heap is limited, not the other memory of this process, since "
                                    + mechanisms.whyNoGroup()
                            : "memory that this process had before the run is not counted");
        }
        return new Confinement(new Enforcement(limit, cpus, memory, notEnforced), mechanisms, false);
    }

    /**
     * Returns the confinement of each of the processes that have one producer or one consumer. What this machine cannot
     * enforce is listed in {@link Enforcement#notEnforced}.
     *
     * @param limit of each of them
     */
    public static Confinement ofEachClient(ProcessLimit limit, LimitMechanisms mechanisms) {
        Confinement started = ofBroker(limit, ProcessType.JVM, mechanisms);
        return new Confinement(started.enforcement(), started.mechanisms(), false);
    }

    /**
     * Returns options for the heap of a client's JVM that is started within the limit; empty without a memory limit. Of
     * 256 MiB, code, classes, threads and buffers take some 115 MiB, measured with RabbitMQ's clients, and the compiler
     * leaves some 25 MiB with malloc unless they are returned. JVMs before 17.0.9 cannot do that.
     */
    public Optional<String> clientHeapOptions() {
        Long bytes = enforcement.asked().memoryBytes();
        return bytes == null
                ? Optional.empty()
                : Optional.of("-Xmx" + bytes * 2 / 5 / 1024 + "k -XX:+IgnoreUnrecognizedVMOptions"
                        + " -XX:TrimNativeHeapInterval=10000");
    }

    private static @Nullable Mechanism cpus(ProcessLimit limit, LimitMechanisms mechanisms, List<String> notEnforced) {
        Double cpus = limit.cpus();
        if (cpus == null) {
            return null;
        }
        Optional<Mechanism> mechanism = mechanisms.forCpus();
        if (mechanism.isEmpty()) {
            notEnforced.add(
                    "processors are not limited, since " + mechanisms.whyNoGroup() + ", and there is no taskset");
        } else if (mechanism.get() == Mechanism.AFFINITY && cpus != Math.ceil(cpus)) {
            notEnforced.add(ProcessLimit.cpusText(cpus) + " are rounded up to " + (int) Math.ceil(cpus) + ", since "
                    + mechanisms.whyNoGroup());
        }
        int available = mechanisms.processorCount();
        if (available > 0 && cpus > available) {
            notEnforced.add(ProcessLimit.cpusText(cpus) + " are more than the " + available + " that are available");
        }
        return mechanism.orElse(null);
    }

    /**
     * Makes a group of processes, still empty, that share the limit; empty if no group is needed to enforce it.
     *
     * @param name common name of the processes, such as {@code kafka-1}
     * @throws IOException if the group can no longer be made
     */
    public Optional<LimitGroup> open(String name) throws IOException {
        boolean limitsCpus = isKeptHere(enforcement.cpus());
        boolean limitsMemory = isKeptHere(enforcement.memory());
        if (mechanisms == null || !limitsCpus && !limitsMemory) {
            return Optional.empty();
        }
        ProcessLimit limit = new ProcessLimit(
                limitsCpus ? enforcement.asked().cpus() : null,
                limitsMemory ? enforcement.asked().memoryBytes() : null);
        return Optional.of(mechanisms.open(name, limit, fromTheEnd));
    }

    private static boolean isKeptHere(@Nullable Mechanism mechanism) {
        return mechanism != null && (mechanism.isGroup() || mechanism == Mechanism.AFFINITY);
    }
}
