package io.openmessaging.benchmark.load;

/** How the messages of a rate are spread over time. */
public enum ArrivalProcess {

    /** At even distances. */
    CONSTANT,

    /** Independently of each other: the gaps are distributed exponentially, the rate is that of the mean. */
    POISSON
}
