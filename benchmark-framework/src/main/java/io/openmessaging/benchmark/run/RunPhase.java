package io.openmessaging.benchmark.run;

/** A phase of a run. */
public enum RunPhase {
    /** Connecting; creating topics, consumers and producers. */
    PROVISION("provision"),
    /** Waiting for every partition to deliver to every subscription. */
    READY("ready"),
    /** Load that is not measured. */
    WARM_UP("warm-up"),
    /** Load that is not measured, until the messages of the load before are gone; in a sweep, before each rate. */
    SETTLE("settle"),
    /** Trying rates. */
    SEARCH("search"),
    /** Load that is measured. */
    MEASURE("measure"),
    /** Measured load while consumers pause. */
    BACKLOG_BUILD("backlog-build"),
    /** Measured load while consumers catch up. */
    BACKLOG_DRAIN("backlog-drain"),
    /** No more load; messages on their way arrive. */
    DRAIN("drain"),
    /** Comparing what was sent with what has arrived; cleaning up. */
    AUDIT("audit");

    private final String label;

    RunPhase(String label) {
        this.label = label;
    }

    /** The name in results and on the console. */
    public String label() {
        return label;
    }
}
