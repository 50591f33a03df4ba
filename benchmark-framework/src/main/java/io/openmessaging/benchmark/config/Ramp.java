package io.openmessaging.benchmark.config;

/** How a stretch of a schedule comes from the rate before it to its own. */
public enum Ramp {

    /** At once. */
    STEP,

    /** Evenly over the whole stretch. */
    LINEAR
}
