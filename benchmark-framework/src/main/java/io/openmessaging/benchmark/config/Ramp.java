package io.openmessaging.benchmark.config;

/** The transition from the rate of the previous stretch of a schedule to the next. */
public enum Ramp {

    /** Immediate. */
    STEP,

    /** Even, over the whole stretch. */
    LINEAR
}
