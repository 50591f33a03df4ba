package io.openmessaging.benchmark.limits;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a limit is enforced here; known before anything is started.
 *
 * @param asked the limit
 * @param cpus mechanism that limits processors; null if they are not limited, or cannot be
 * @param memory mechanism that limits memory; null if it is not limited, or cannot be
 * @param notEnforced what is not enforced, or not as requested, a sentence each
 */
public record Enforcement(
        ProcessLimit asked,
        @Nullable Mechanism cpus,
        @Nullable Mechanism memory,
        List<String> notEnforced) {

    /** Nothing is limited. */
    public static final Enforcement NONE = new Enforcement(ProcessLimit.NONE, null, null, List.of());

    public Enforcement {
        notEnforced = List.copyOf(notEnforced);
    }

    /** Returns the limit without the parts that are not enforced. */
    public ProcessLimit kept() {
        return new ProcessLimit(cpus == null ? null : asked.cpus(), memory == null ? null : asked.memoryBytes());
    }

    /**
     * Describes the limits, such as {@code 0.5 processors (cgroup v2), 2g of memory (cgroup v2)}, followed by what is
     * not enforced.
     */
    public String describe() {
        List<String> parts = new ArrayList<>();
        if (asked.cpus() != null) {
            parts.add(ProcessLimit.cpusText(asked.cpus()) + by(cpus));
        }
        if (asked.memoryBytes() != null) {
            parts.add(ProcessLimit.memoryText(asked.memoryBytes()) + " of memory" + by(memory));
        }
        String limits = parts.isEmpty() ? "none" : String.join(", ", parts);
        return notEnforced.isEmpty() ? limits : limits + "; " + String.join("; ", notEnforced);
    }

    private static String by(@Nullable Mechanism mechanism) {
        return " (" + (mechanism == null ? "not enforced" : mechanism.label()) + ")";
    }
}
