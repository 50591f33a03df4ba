package io.openmessaging.benchmark.limits;

/** A mechanism that enforces a limit. */
public enum Mechanism {
    CGROUP_V2("cgroup v2"),
    CGROUP_V1("cgroup v1"),
    /** Whole processors that the process may run on. */
    AFFINITY("processor affinity"),
    /** The largest heap of a JVM; memory outside the heap is not limited. */
    HEAP("heap"),
    /** The engine that runs the container. */
    CONTAINER("container");

    private final String label;

    Mechanism(String label) {
        this.label = label;
    }

    /** Returns the name for results and users. */
    public String label() {
        return label;
    }

    boolean isGroup() {
        return this == CGROUP_V2 || this == CGROUP_V1;
    }
}
