package io.openmessaging.benchmark.load;

/** Which keys a workload's messages carry, by OMB's names; {@code ZIPF} is ours. */
public enum KeyDistribution {

    /** None: the system chooses the partition. */
    NO_KEY,

    /** A fixed set of keys, for each producer one after the other. */
    KEY_ROUND_ROBIN,

    /** A fixed set of keys, in random order. */
    RANDOM_NANO,

    /** A fixed set of keys, some of which are much more frequent than others, by Zipf's law. */
    ZIPF
}
