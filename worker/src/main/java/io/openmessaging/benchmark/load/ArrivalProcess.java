package io.openmessaging.benchmark.load;

/** Distribution of the messages of a rate over time. */
public enum ArrivalProcess {

    /** At equal distances. */
    CONSTANT,

    /** Independently of each other: the gaps have an exponential distribution; the mean rate is the given rate. */
    POISSON;

    /** Returns whether the number of messages in a time is random. */
    public boolean isRandom() {
        return this == POISSON;
    }
}
