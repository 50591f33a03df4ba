package io.openmessaging.benchmark.config;

/** The order of a plan's runs. */
public enum RunOrder {

    /** As written: repetition by repetition, with the systems in turn. */
    WRITTEN,

    /** Random, over all repetitions. */
    SHUFFLED
}
