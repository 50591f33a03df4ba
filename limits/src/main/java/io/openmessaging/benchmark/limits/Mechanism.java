package io.openmessaging.benchmark.limits;

/** By what a limit is kept. */
public enum Mechanism {
    CGROUP_V2("cgroup v2"),
    CGROUP_V1("cgroup v1"),
    /** Whole processors that the process may run on. */
    AFFINITY("processor affinity"),
    /** The largest heap of a JVM: what it uses beside its heap is not limited. */
    HEAP("heap"),
    /** The engine that runs the container. */
    CONTAINER("container");

    private final String label;

    Mechanism(String label) {
        this.label = label;
    }

    /** The name in results and for users. */
    public String label() {
        return label;
    }

    boolean isGroup() {
        return this == CGROUP_V2 || this == CGROUP_V1;
    }
}
