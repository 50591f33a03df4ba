package io.openmessaging.benchmark.load;

/** Keys that a workload's messages carry. The names are OMB's, except {@code ZIPF}. */
public enum KeyDistribution {

    /** No keys: the system chooses the partition. */
    NO_KEY,

    /** A fixed set of keys; each producer takes them in turn. */
    KEY_ROUND_ROBIN,

    /** A fixed set of keys, in random order. */
    RANDOM_NANO,

    /** A fixed set of keys, some of them much more frequent than others, by Zipf's law. */
    ZIPF
}
