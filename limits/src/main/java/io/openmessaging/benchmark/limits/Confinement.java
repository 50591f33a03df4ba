package io.openmessaging.benchmark.limits;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A limit together with how it is kept on this machine. Making one touches nothing but what finding out takes; {@link
 * #open} makes a group of processes that keep to it.
 *
 * @param enforcement how the limit is kept
 * @param mechanisms by which groups are made; null if there is nothing to be kept
 * @param fromTheEnd whether whole processors are taken from the last on, each time others, instead of the first
 */
public record Confinement(Enforcement enforcement, @Nullable LimitMechanisms mechanisms, boolean fromTheEnd) {

    /** Keeps nobody from anything. */
    public static final Confinement NONE = new Confinement(Enforcement.NONE, null, true);

    /** A JVM needs memory beside its heap: buffers of its connections, its code, its threads. */
    private static final int MEMORY_TO_HEAP = 2;

    /** What kind of process is to be limited. */
    public enum ProcessType {
        /** Its heap is a limit of its own. */
        JVM,
        NATIVE,
        /** The process stands for a container, which the engine limits. */
        CONTAINER
    }

    /**
     * Of each process of a broker that is to be started.
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
                        "only the heap is limited, not what a JVM uses beside it, since " + mechanisms.whyNoGroup());
            } else if (memory == null) {
                notEnforced.add("memory is not limited, since " + mechanisms.whyNoGroup());
            }
        }
        return new Confinement(new Enforcement(limit, cpus, memory, notEnforced), mechanisms, true);
    }

    /**
     * Of this process, which runs already.
     *
     * @param maxHeapBytes the largest heap of this JVM: a limit that leaves no room beside it would be its end, and is not
     *     put into force
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
                            ? "only the heap is limited, not what this process uses beside it, since "
                                    + mechanisms.whyNoGroup()
                            : "memory that this process had before the run is not counted");
        }
        return new Confinement(new Enforcement(limit, cpus, memory, notEnforced), mechanisms, false);
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
            notEnforced.add(ProcessLimit.cpusText(cpus) + " are more than the " + available + " that there are");
        }
        return mechanism.orElse(null);
    }

    /**
     * Makes a group of processes, empty yet, that share the limit; empty if there is nothing to be kept by a group.
     *
     * @param name what they are called together, such as {@code kafka-1}
     * @throws IOException if this is not possible any more
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
